"""Signatures: a Python function as a model sees it, a name, a description and a JSON schema of its parameters.

Annotations become types, a default makes a parameter optional, `Annotated[…, "text"]` or a line of the docstring (Google
or Sphinx style) describes it. What a model cannot call by named JSON values is refused when the tool set is made, and
never at the model's first call.
"""

from __future__ import annotations

import enum
import inspect
import re
import types
import typing
from collections.abc import Callable, Mapping, MutableMapping, MutableSequence, Sequence

from reverie.errors import InvalidSetting

JsonValue = str | int | float | bool | None | Sequence["JsonValue"] | Mapping[str, "JsonValue"]
"""What JSON can hold."""

Schema = dict[str, JsonValue]

_PLAIN: Mapping[object, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
    type(None): "null",
}
_LISTS = (list, tuple, set, frozenset, Sequence, MutableSequence)
_DICTS = (dict, Mapping, MutableMapping)
_PARAMETER_LINE = re.compile(r"^\s*(?::param\s+)?(?:\w+\s+)??\*{0,2}(\w+)\s*(?:\([^)]*\))?:\s*(\S.*)$")
_SECTION = re.compile(
    r"^\s*(?:(?:Args|Arguments|Parameters|Returns?|Raises|Yields?|Examples?|Notes?):|:(?:param|returns?|raises)\b)"
)


def described(function: Callable[..., object]) -> tuple[str, str, Schema]:
    """Name, description and parameter schema of a function; InvalidSetting when a model could not call it."""
    name = getattr(function, "__name__", "")
    if not callable(function) or not name:
        raise InvalidSetting(f"{function!r} cannot be a tool.", "Pass a named function or a schema.")
    try:
        hints = typing.get_type_hints(function, include_extras=True)
        parameters = inspect.signature(function).parameters.values()
    except (NameError, TypeError, ValueError) as error:
        raise InvalidSetting(
            f"The signature of tool {name!r} cannot be read: {error}.",
            "Use annotations that can be resolved, or pass a schema.",
        ) from error
    text, notes = _docstring(inspect.getdoc(function) or "")
    properties: Schema = {}
    required: list[JsonValue] = []
    for parameter in parameters:
        _check_kind(name, parameter)
        schema = json_schema(
            hints.get(parameter.name, object), where=f"parameter {parameter.name!r} of tool {name!r}"
        )
        if parameter.name in notes and "description" not in schema:
            schema["description"] = notes[parameter.name]
        if parameter.default is parameter.empty:
            required.append(parameter.name)
        elif isinstance(parameter.default, str | int | float):
            default = parameter.default
            schema["default"] = default.value if isinstance(default, enum.Enum) else default
        properties[parameter.name] = schema
    return name, text, {"type": "object", "properties": properties, "required": required}


def json_schema(annotation: object, *, where: str) -> Schema:
    """The JSON schema of an annotation; InvalidSetting, naming `where`, for a type that JSON does not have."""
    if annotation in (object, typing.Any, inspect.Parameter.empty):
        return {}
    if annotation in _PLAIN:
        return {"type": _PLAIN[annotation]}
    origin, arguments = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        words = next((word for word in arguments[1:] if isinstance(word, str)), None)
        return json_schema(arguments[0], where=where) | ({"description": words} if words else {})
    if origin is typing.Literal:
        return _choices(arguments)
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum):
        return _choices([member.value for member in annotation])
    if origin in (typing.Union, types.UnionType):
        return _union([json_schema(one, where=where) for one in arguments if one is not type(None)])
    if annotation in _LISTS or origin in _LISTS:
        inner = [one for one in arguments if one is not Ellipsis]
        items = _union([json_schema(one, where=where) for one in dict.fromkeys(inner)]) if inner else {}
        return {"type": "array", "items": items} if items else {"type": "array"}
    if annotation in _DICTS or origin in _DICTS:
        values = json_schema(arguments[1], where=where) if len(arguments) == 2 else {}
        return {"type": "object", "additionalProperties": values} if values else {"type": "object"}
    raise InvalidSetting(
        f"The type of {where} is {annotation!r}, which has no JSON form.",
        "Use str, int, float, bool, list, dict, Literal, an Enum or a union of them, or pass a schema.",
    )


def _check_kind(tool: str, parameter: inspect.Parameter) -> None:
    kinds = {
        parameter.VAR_POSITIONAL: f"*{parameter.name}",
        parameter.VAR_KEYWORD: f"**{parameter.name}",
        parameter.POSITIONAL_ONLY: f"{parameter.name} (positional only)",
    }
    if parameter.kind in kinds:
        raise InvalidSetting(
            f"Tool {tool!r} takes {kinds[parameter.kind]}, which a model cannot pass by name.",
            "Give the function named parameters, or pass a schema.",
        )


def _choices(values: Sequence[object]) -> Schema:
    plain = [value for value in values if isinstance(value, str | int | float | bool) or value is None]
    kinds = {_PLAIN[type(value)] for value in plain if type(value) in _PLAIN}
    return {"type": kinds.pop(), "enum": plain} if len(kinds) == 1 else {"enum": plain}


def _union(schemas: Sequence[Schema]) -> Schema:
    different = [schema for number, schema in enumerate(schemas) if schema not in schemas[:number]]
    return dict(different[0]) if len(different) == 1 else {"anyOf": list(different)}


def _docstring(text: str) -> tuple[str, dict[str, str]]:
    """What a docstring says of the function, and of each parameter."""
    lines = text.split("\n")
    end = next((number for number, line in enumerate(lines) if _SECTION.match(line)), len(lines))
    found = (_PARAMETER_LINE.match(line) for line in lines[end:])
    return "\n".join(lines[:end]).strip(), {match[1]: match[2].strip() for match in found if match}

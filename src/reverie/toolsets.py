"""Tool sets: the tools an agent has beside its memory, and the description of them that goes into the prompt.

A tool set is a value made from Python functions or from the schemas of the common APIs. Its description is made anew
for each request and never stored: how to call a tool is mechanics and belongs to the program, when to call it is
practice and belongs to TOOLS.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from reverie.errors import InvalidName, InvalidSetting
from reverie.signatures import JsonValue, Schema, described
from reverie.text import visible

Function = Callable[..., object]
Facts = str | int | float | Sequence[str] | Mapping[str, str]
"""A live fact about tools: a value, a list of names, or names with what each is."""

_NAME = re.compile(r"[A-Za-z0-9_.-]{1,128}")


@dataclass(frozen=True)
class ToolDefinition:
    """One tool: its name, what it does, and a JSON schema of its parameters as canonical JSON text.

    Properties stand in the order required, then optional by name, so that no order of a dictionary reaches a prompt.
    """

    name: str
    description: str
    schema: str

    @classmethod
    def of(cls, name: object, description: object, parameters: object) -> ToolDefinition:
        """A definition from parts as they come from outside; InvalidName or InvalidSetting when they are wrong."""
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise InvalidName(
                f"{name!r} cannot be the name of a tool.", "Use 1 to 128 of A-Z, a-z, 0-9, '_', '-', '.'."
            )
        schema = {"type": "object", "properties": {}} if parameters is None else parameters
        if not isinstance(schema, Mapping) or not isinstance(schema.get("properties", {}), Mapping):
            raise InvalidSetting(
                f"The parameters of tool {name!r} are not a JSON schema of an object.", "Correct them."
            )
        try:
            text = json.dumps(_canonical(schema), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
        except (TypeError, ValueError, RecursionError) as error:
            raise InvalidSetting(
                f"The schema of tool {name!r} is not JSON: {error}.", "Correct it."
            ) from error
        return cls(name, visible(description if isinstance(description, str) else ""), text)

    @property
    def parameters(self) -> Schema:
        """The JSON schema of the parameters, a fresh copy."""
        loaded: Schema = json.loads(self.schema)
        return loaded

    @property
    def parameter_names(self) -> tuple[str, ...]:
        """The names of the parameters: required ones first, then the others by name."""
        properties = self.parameters.get("properties")
        return tuple(properties) if isinstance(properties, Mapping) else ()

    def openai(self) -> Schema:
        """The tool in the form of OpenAI's Chat API, a fresh copy."""
        function: Schema = {"name": self.name, "description": self.description, "parameters": self.parameters}
        return {"type": "function", "function": function}

    @cached_property
    def generated(self) -> str:
        """The lines of the prompt that say how to call this tool."""
        schema = self.parameters
        properties, required = schema.get("properties", {}), schema.get("required", [])
        shown = []
        if isinstance(properties, Mapping) and isinstance(required, Sequence):
            for name, value in properties.items():
                kind = _type_name(value)
                shown.append(f"{name} ({kind})" if name in required else f"{name} ({kind}, optional)")
        said = " ".join(self.description.split("\n\n")[0].split())
        return visible(f"{self.name}: {said}".rstrip(": ") + f"\nParameters: {', '.join(shown) or 'none'}")


@dataclass(frozen=True, init=False)
class ToolSet:
    """A named set of tools with live facts from its settings.

    `functions_or_schemas` may mix Python functions, tools in OpenAI's Chat or Responses form and in Anthropic's form.
    `settings` maps a title to a value, a list of names, or names with what each is; they keep the order they are given
    in. Raises InvalidName for a bad or repeated tool name, InvalidSetting for what cannot be a tool.
    """

    name: str
    tools: tuple[ToolDefinition, ...]
    settings: tuple[tuple[str, str | tuple[tuple[str, str], ...]], ...]

    def __init__(
        self,
        name: str,
        functions_or_schemas: Iterable[Function | Mapping[str, object] | ToolDefinition],
        *,
        settings: Mapping[str, Facts] | None = None,
    ) -> None:
        if not isinstance(name, str) or not name.strip():
            raise InvalidName(f"{name!r} cannot be the name of a tool set.", "Use a short name.")
        tools = tuple(_definition(tool) for tool in functions_or_schemas)
        unique(tool.name for tool in tools)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "tools", tools)
        object.__setattr__(
            self, "settings", tuple((str(k), _facts(str(k), v)) for k, v in (settings or {}).items())
        )

    @classmethod
    def from_functions(
        cls, name: str, functions: Iterable[Function], *, settings: Mapping[str, Facts] | None = None
    ) -> ToolSet:
        """A tool set from Python functions: signature and docstring become the schema."""
        return cls(
            name, (ToolDefinition.of(*described(function)) for function in functions), settings=settings
        )

    @classmethod
    def from_openai(
        cls,
        name: str,
        schemas: Iterable[Mapping[str, object]],
        *,
        settings: Mapping[str, Facts] | None = None,
    ) -> ToolSet:
        """A tool set from OpenAI tools, in the form of the Chat or of the Responses API."""
        return cls(name, (_openai(schema) for schema in schemas), settings=settings)

    @classmethod
    def from_anthropic(
        cls,
        name: str,
        schemas: Iterable[Mapping[str, object]],
        *,
        settings: Mapping[str, Facts] | None = None,
    ) -> ToolSet:
        """A tool set from tools in the form of Anthropic's Messages API."""
        return cls(name, (_anthropic(schema) for schema in schemas), settings=settings)

    def register_in_agent(self) -> str:
        """The generated description for the prompt: each tool's name, parameters and types, then the live facts."""
        blocks = [tool.generated for tool in self.tools]
        blocks += [visible(_fact_block(title, facts)) for title, facts in self.settings]
        return "\n\n".join(blocks)

    def openai(self) -> list[Schema]:
        """The tools in the form of OpenAI's Chat API."""
        return [tool.openai() for tool in self.tools]


def unique(names: Iterable[str]) -> None:
    """Do nothing, or raise InvalidName for the first name that occurs twice: a model could not tell the two apart."""
    seen = set()
    for name in names:
        if name in seen:
            raise InvalidName(f"Two tools are named {name!r}.", "Give each tool its own name.")
        seen.add(name)


def _definition(tool: Function | Mapping[str, object] | ToolDefinition) -> ToolDefinition:
    if isinstance(tool, ToolDefinition):
        return tool
    if isinstance(tool, Mapping):
        return _anthropic(tool) if "input_schema" in tool else _openai(tool)
    return ToolDefinition.of(*described(tool))


def _openai(schema: Mapping[str, object]) -> ToolDefinition:
    inner = schema.get("function", schema)
    if schema.get("type", "function") != "function" or not isinstance(inner, Mapping) or "name" not in inner:
        raise InvalidSetting(
            f"{dict(schema)!r} is not an OpenAI function tool.", "Pass name, description and parameters."
        )
    return ToolDefinition.of(inner["name"], inner.get("description"), inner.get("parameters"))


def _anthropic(schema: Mapping[str, object]) -> ToolDefinition:
    if "input_schema" not in schema or "name" not in schema:
        raise InvalidSetting(
            f"{dict(schema)!r} is not an Anthropic tool.", "Pass name, description and input_schema."
        )
    return ToolDefinition.of(schema["name"], schema.get("description"), schema["input_schema"])


def _canonical(value: object) -> JsonValue:
    """A schema with sorted keys, required properties first, and descriptions that hide nothing."""
    if isinstance(value, Mapping):
        return {key: _inner(key, value) for key in sorted(value)}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_canonical(one) for one in value]
    if value is None or isinstance(value, str | int | float):
        return value
    raise TypeError(f"{value!r} has no JSON form")


def _inner(key: str, schema: Mapping[str, object]) -> JsonValue:
    value = schema[key]
    if key in ("description", "title") and isinstance(value, str):
        return visible(value)
    if key == "properties" and isinstance(value, Mapping):
        return _ordered(value, schema.get("required"))
    return _canonical(value)


def _ordered(properties: Mapping[str, object], required: object) -> JsonValue:
    first = [name for name in required if name in properties] if isinstance(required, Sequence) else []
    rest = sorted(name for name in properties if name not in first)
    return {name: _canonical(properties[name]) for name in (*dict.fromkeys(first), *rest)}


def _type_name(schema: object) -> str:
    if not isinstance(schema, Mapping):
        return "any"
    if isinstance(choices := schema.get("enum"), Sequence):
        return " | ".join(json.dumps(choice, ensure_ascii=False) for choice in choices)
    for key in ("anyOf", "oneOf"):
        if isinstance(parts := schema.get(key), Sequence):
            return " | ".join(dict.fromkeys(_type_name(part) for part in parts if part != {"type": "null"}))
    kind = schema.get("type", "any")
    if isinstance(kind, Sequence) and not isinstance(kind, str):
        return " | ".join(str(one) for one in kind if one != "null")
    if kind == "array" and isinstance(items := schema.get("items"), Mapping) and items:
        return f"array of {_type_name(items)}"
    return str(kind)


def _facts(title: str, value: object) -> str | tuple[tuple[str, str], ...]:
    if isinstance(value, str):
        return value
    if isinstance(value, int | float):
        return json.dumps(value)
    if isinstance(value, Mapping):
        return tuple((str(name), str(what)) for name, what in value.items())
    if isinstance(value, Sequence):
        return tuple((str(name), "") for name in value)
    raise InvalidSetting(
        f"The setting {title!r} of a tool set cannot be {value!r}.",
        "Use text, a list of names, or names with descriptions.",
    )


def _fact_block(title: str, facts: str | tuple[tuple[str, str], ...]) -> str:
    if isinstance(facts, str):
        return f"{title}: {facts}"
    lines = [f'- "{name}" ({what})' if what else f'- "{name}"' for name, what in facts]
    return "\n".join((f"{title}:", *(lines or ["- none"])))

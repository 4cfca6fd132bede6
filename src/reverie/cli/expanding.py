"""Commands that take their shared options as one value.

Typer makes an option of every parameter of a function. Where and who is the same on every command, so it is written
once, as a frozen dataclass; `expanded` gives Typer its fields as options and gives the function the value.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import Any, get_type_hints

import typer

from reverie.cli.place import Place

_CONTEXT = "typer_context"


def expanded(function: Callable[..., None]) -> Callable[..., None]:
    """The function as Typer should see it: each parameter that is a dataclass replaced by the dataclass's fields.

    A Place is completed with what was said before the command (`reverie --agent a read SOUL.md`).
    """
    signature = inspect.signature(function, eval_str=True)
    groups: dict[str, Any] = {
        name: parameter.annotation
        for name, parameter in signature.parameters.items()
        if dataclasses.is_dataclass(parameter.annotation)
    }

    def command(**values: Any) -> None:
        context: typer.Context = values.pop(_CONTEXT)
        for name, group in groups.items():
            made = group(**{field.name: values.pop(field.name) for field in dataclasses.fields(group)})
            if isinstance(made, Place):
                made = made.completed_by(context.obj)
                context.obj = made
            values[name] = made
        if _takes_context:
            values["context"] = context
        function(**values)

    _takes_context = "context" in signature.parameters
    own = [p for name, p in signature.parameters.items() if name not in groups and name != "context"]
    parameters = [_by_name(_CONTEXT, typer.Context), *(p.replace(kind=p.KEYWORD_ONLY) for p in own)]
    for group in groups.values():
        hints = get_type_hints(group, include_extras=True)
        parameters += [_by_name(field.name, hints[field.name], field.default) for field in dataclasses.fields(group)]
    command.__name__ = function.__name__
    command.__doc__ = function.__doc__
    command.__module__ = function.__module__
    command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(command)["__signature__"] = inspect.Signature(parameters)
    return command


def _by_name(name: str, annotation: object, default: object = inspect.Parameter.empty) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, annotation=annotation, default=default)

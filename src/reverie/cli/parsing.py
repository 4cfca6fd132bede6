"""Parsing: Typer's commands and groups, with two things changed.

A text may begin like Markdown, with `- ` or `---`, and is then not taken for an option. And values become numbers and
paths here: Typer sends each through pydantic, whose import alone takes a quarter of the time that a reading command has.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from typer._click import Context, Parameter  # Typer names its types nowhere else

_NOT_AN_OPTION = re.compile(r"-+\s")


class Command(TyperCommand):
    """A command that takes texts as they are."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments; one that begins with dashes and white space is a text and never an option."""
        _coerced_here(self.get_params(ctx))
        end = args.index("--") if "--" in args else len(args)
        before, after = args[:end], args[end + 1 :]
        awaiting = {name for option in self.params if not getattr(option, "is_flag", False) for name in option.opts}
        texts = [
            place
            for place, argument in enumerate(before)
            if _NOT_AN_OPTION.match(argument) and not (place and before[place - 1] in awaiting)
        ]
        if texts or end < len(args):
            kept = [argument for place, argument in enumerate(before) if place not in texts]
            args = [*kept, "--", *(before[place] for place in texts), *after]
        return super().parse_args(ctx, args)


class Group(TyperGroup):
    """A command that has commands."""

    def hint(self, words: list[str]) -> str:
        """What to type instead of words that begin with no command; empty for nothing."""
        return ""

    def resolve_command(self, ctx: Context, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """The command that the words begin with; a usage error with a hint when there is none."""
        try:
            return super().resolve_command(ctx, args)
        except typer.TyperException as error:
            error.message = f"{error.message} {self.hint(args)}".strip()
            raise

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        """Read the arguments."""
        _coerced_here(self.get_params(ctx))
        return super().parse_args(ctx, args)


class _Value:
    """What turns a parameter's words into its value: text, whole numbers, numbers, paths and lists of text."""

    def coerce(self, value: Any, param: Any, ctx: Context) -> Any:
        """The value; BadParameter when it is not of its kind."""
        if param.multiple or param.nargs == -1:
            return tuple(value or ())
        wanted = param.type_descriptor.annotation
        if value is None or wanted not in (int, float, Path):
            return value
        try:
            made = wanted(value)
        except ValueError as error:
            raise typer.BadParameter(f"{value!r} is not a number.", ctx=ctx, param=param) from error
        if param.min is not None and not made >= param.min:
            raise typer.BadParameter(f"{value} is less than {param.min}.", ctx=ctx, param=param)
        return made


def _coerced_here(parameters: list[Parameter]) -> None:
    """Give each parameter its coercion before Typer makes one; a Typer that knows no such attribute makes its own."""
    for parameter in parameters:
        if getattr(parameter, "_runtime_param", parameter) is None:
            vars(parameter)["_runtime_param"] = _Value()

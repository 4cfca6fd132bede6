"""Prompts: every text that Reverie says to a model, as Markdown files named `<name>.<language>.md` in this package."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from reverie.errors import InvalidSetting


@cache
def prompt(name: str, language: str) -> str:
    """The prompt of this name in this language, without the line break at its end.

    Raises InvalidSetting, naming the languages that there are, when it was not written in this one.
    """
    known = languages(name)
    if language not in known:
        raise InvalidSetting(
            f"There is no prompt {name!r} in {language!r}.",
            f"Use one of these languages: {', '.join(known)}."
            if known
            else "Use the name of a prompt in the package.",
        )
    return files(__name__).joinpath(f"{name}.{language}.md").read_text(encoding="utf-8").rstrip("\n")


@cache
def languages(name: str) -> tuple[str, ...]:
    """The languages that a prompt is written in, sorted."""
    parts = (entry.name.split(".") for entry in files(__name__).iterdir())
    return tuple(sorted(part[1] for part in parts if len(part) == 3 and part[0] == name and part[2] == "md"))

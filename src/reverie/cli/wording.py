"""Wording: what the library says about its arguments, said with the options of the command line.

Errors and notices name the argument that would let an act through, for a program that calls the library; whoever types
commands needs the option. The table is the whole translation.
"""

from __future__ import annotations

OPTIONS = {
    "removal_meant=true": "--removal-meant",
    "`removal_meant`": "`--removal-meant`",
    "replace=True": "--replace",
}
"""What the library says -> what is typed."""


def with_options(text: str) -> str:
    """A message or remedy of the library with options in place of arguments."""
    for argument, option in OPTIONS.items():
        text = text.replace(argument, option)
    return text

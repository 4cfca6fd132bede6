"""Arguments that several commands take, each described once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from reverie.catalogue import FILES, TOPIC_PREFIX
from reverie.cli import completion
from reverie.errors import InvalidText

if TYPE_CHECKING:
    from reverie.memory import ScopeMemory
    from reverie.versions import Origin

    Whose = TypeVar("Whose", bound=ScopeMemory)

FileName = Annotated[
    str,
    typer.Argument(
        metavar="FILE", help=f"{', '.join(row.name for row in FILES)} or {TOPIC_PREFIX}<name>.md.",
        autocompletion=completion.file_names, show_default=False,
    ),
]  # fmt: skip
Text = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="The text; absent or '-': standard input.", show_default=False),
]  # fmt: skip
Expected = Annotated[
    int | None,
    typer.Option("--version", metavar="N", min=0, help="Only if the file is at this version; 0: only if it is absent."),
]  # fmt: skip
RemovalMeant = Annotated[
    bool,
    typer.Option("--removal-meant", help="Losing most of the file, or all of it, is meant."),
]  # fmt: skip
Strategy = Annotated[
    str | None,
    typer.Option("--strategy", metavar="NAME", help="Another strategy than the agent's.", autocompletion=completion.strategy_names),
]  # fmt: skip
Language = Annotated[
    str | None,
    typer.Option("--language", metavar="NAME", help="Another language than the agent's.", autocompletion=completion.language_names),
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Writing:
    """The common options of the commands that write a file: who, why, and where the text comes from."""

    by: Annotated[
        str | None, typer.Option("--by", metavar="NAME", help="Who writes, for the history; else your login name.")
    ] = None
    reason: Annotated[str | None, typer.Option("--reason", metavar="TEXT", help="Why, for the history.")] = None

    def acting(self, scope: Whose) -> Whose:
        """The scope's memory, with these words on what it writes."""
        return scope.acting(actor=person(self.by), reason=self.reason)


@dataclass(frozen=True, slots=True)
class TextWriting(Writing):
    """As Writing, for texts that need not come from a person."""

    origin: Annotated[
        str,
        typer.Option(
            "--origin", metavar="NAME", autocompletion=completion.origin_names,
            help="Who the text comes from; an agent's goes by the agent's rules for shared files.",
        ),
    ] = "editor"  # fmt: skip

    def checked_origin(self) -> Origin:
        """The origin; InvalidText when there is none of this name."""
        from reverie.versions import ORIGINS

        for origin in ORIGINS:
            if origin == self.origin:
                return origin
        raise InvalidText(f"{self.origin!r} is not an origin.", f"Use one of {', '.join(ORIGINS)}.")


def person(named: str | None) -> str:
    """Who stands behind a command: the name given, else the login name, else nobody."""
    import getpass

    if named is not None:
        return named
    try:
        return getpass.getuser()
    except (KeyError, OSError):  # a process whose user has no name
        return ""

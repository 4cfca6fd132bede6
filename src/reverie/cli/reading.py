"""Reading: which files there are, and what one says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli import input, output
from reverie.cli.arguments import FileName
from reverie.cli.place import Place

if TYPE_CHECKING:
    from reverie.files import FileInfo


def files(place: Place) -> None:
    """List the files that exist.

    The agent's, and with --user that user's too: size and limit in characters, version, last change.
    """
    with place.open() as memory:
        scope = place.scope_in(memory)
        found = scope.files()
        if place.json:
            output.document(found)
            return
        if not found:
            output.note("No file yet: one exists as soon as somebody writes to it.")
        else:
            zone = output.zone_of(scope)
            rows = [
                [file.name, f"{file.chars}/{file.limit}", str(file.version), output.moment(file.modified, zone), file.origin, _state(file)]
                for file in found
            ]  # fmt: skip
            output.table(["file", "chars", "version", "modified", "origin", "state"], rows, right=["chars", "version"])
        users = place.agent_in(memory).users() if place.named("user") is None else []
        if users:
            output.note(f"Users of this agent: {', '.join(users)}. See their files with --user.")


def read(
    place: Place,
    file: FileName,
    version: Annotated[int | None, typer.Option("--version", metavar="N", min=1, help="As this version says.")] = None,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="TIME", help="As it was at a time, with zone.")] = None,
) -> None:
    """Print a file.

    Byte for byte into a pipe, with risky characters made visible on a terminal.

    A file that is absent is an ordinary answer: nothing on standard output (null as JSON), and exit code 0.
    """
    at = input.time_of(as_of) if as_of else None
    with place.open() as memory:
        scope = place.owner_in(memory, file)
        document = scope.read(file, version=version, as_of=at)
        if place.json:
            output.document(document)
            return
        if document is None:
            output.note(f"{file} is absent{' then' if version or at else ': nothing is stored yet'}.")
            return
        if output.on_terminal():
            when = output.moment(document.modified, output.zone_of(scope))
            output.note(f"{document.file}, version {document.version}, {document.origin}, {when}{', stale' if document.stale else ''}")
        output.raw(document.text)


def _state(file: FileInfo) -> str:
    words = (["over the limit"] if file.over_limit else []) + (["stale"] if file.stale else [])
    return ", ".join(words)

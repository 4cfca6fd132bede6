"""History: the versions of a file, what changed between two, who brought each line, and the way back."""

from __future__ import annotations

from typing import Annotated

import typer

from reverie.cli import output
from reverie.cli.arguments import FileName, Writing
from reverie.cli.place import Place
from reverie.cli.writing import tell
from reverie.versions import Version


def history(place: Place, file: FileName) -> None:
    """List the versions of a file, oldest first."""
    with place.open() as memory:
        scope = place.owner_in(memory, file)
        versions = scope.history(file)
        if place.json:
            output.document(versions)
            return
        if not versions:
            output.note(f"{file} has no version: nobody wrote to it yet.")
            return
        zone = output.zone_of(scope)
        rows = [
            [str(v.number), output.moment(v.at, zone), v.origin, v.actor, _size(v), v.reason or ""]
            for v in versions
        ]  # fmt: skip
        output.table(["version", "at", "origin", "by", "chars", "reason"], rows, right=["version", "chars"])


def _size(version: Version) -> str:
    if version.damaged:
        return "damaged"
    return "removed" if version.text is None else str(len(version.text))


def diff(
    place: Place,
    file: FileName,
    a: Annotated[int | None, typer.Argument(metavar="A", min=0, help="From this version; 0: absent.", show_default="the one before B")] = None,
    b: Annotated[int | None, typer.Argument(metavar="B", min=0, help="To this version.", show_default="the newest")] = None,
) -> None:  # fmt: skip
    """Show what changed between two versions."""
    with place.open() as memory:
        scope = place.owner_in(memory, file)
        versions = scope.history(file)
        if not versions:
            if place.json:
                output.document(None)
            output.note(f"{file} has no version: nobody wrote to it yet.")
            return
        to = versions[-1].number if b is None else b
        since = max(to - 1, 0) if a is None else a
        text = scope.diff(file, since, to)
        if place.json:
            output.document({"file": file, "a": since, "b": to, "diff": text})
        elif text:
            output.raw(text)
        else:
            output.note(f"Versions {since} and {to} of {file} say the same.")


def blame(place: Place, file: FileName) -> None:
    """Show which version brought each line.

    And when, from whom, and who approved it.
    """
    with place.open() as memory:
        scope = place.owner_in(memory, file)
        lines = scope.blame(file)
        if place.json:
            output.document(lines)
            return
        if not lines:
            output.note(f"{file} is absent: it has no lines.")
            return
        zone = output.zone_of(scope)
        rows = [
            [str(each.line), str(each.version), output.moment(each.at, zone), each.origin, each.actor, each.approver or "", "(damaged)" if each.damaged else each.text]
            for each in lines
        ]  # fmt: skip
        output.table(["line", "version", "at", "origin", "by", "approved by", "text"], rows, right=["line", "version"])


def restore(
    place: Place,
    how: Writing,
    file: FileName,
    version: Annotated[int, typer.Argument(metavar="VERSION", min=1, help="The version to bring back.")],
) -> None:
    """Bring an earlier version back, as a new one."""
    with place.open() as memory:
        scope = how.acting(place.owner_in(memory, file))
        tell(place, scope, scope.restore(file, version))

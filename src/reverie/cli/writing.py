"""Writing: changing files by whole texts, entries and passages, and saying exactly what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli import editor, output
from reverie.cli.arguments import Expected, FileName, RemovalMeant, Text, TextWriting, Writing
from reverie.cli.input import text_of, whole_text_of
from reverie.cli.place import Place
from reverie.cli.wording import with_options

if TYPE_CHECKING:
    from reverie.memory import ScopeMemory
    from reverie.versions import PendingEdit, Version


def write(
    place: Place,
    how: TextWriting,
    file: FileName,
    text: Text = None,
    version: Expected = None,
    removal_meant: RemovalMeant = False,
) -> None:
    """Replace a whole file.

    Without --version whatever is there is replaced; the old text stays in the history. A text from standard input is
    stored byte for byte, one given as an argument ends with a line break.
    """
    origin = how.checked_origin()
    content = whole_text_of(text)
    with place.open(make=True) as memory:
        scope = how.acting(place.owner_in(memory, file))
        made = scope.write(file, content, version=version, removal_meant=removal_meant, origin=origin)
        tell(place, scope, made)


def append(
    place: Place,
    how: TextWriting,
    file: FileName,
    text: Text = None,
    heading: Annotated[str | None, typer.Option("--heading", metavar="TITLE", help="Under this heading.")] = None,
) -> None:
    """Add an entry to a file.

    At its end, or at the end of a heading's section; a missing heading is made. A text that is no Markdown block
    becomes a list item.
    """
    origin = how.checked_origin()
    content = text_of(text)
    with place.open(make=True) as memory:
        scope = how.acting(place.owner_in(memory, file))
        tell(place, scope, scope.append(file, content, heading=heading, origin=origin))


def edit(
    place: Place,
    how: Writing,
    file: FileName,
    old: Annotated[str | None, typer.Option("--old", metavar="TEXT", help="The passage to replace; it must be unique.")] = None,
    new: Annotated[str | None, typer.Option("--new", metavar="TEXT", help="What replaces it.")] = None,
    removal_meant: RemovalMeant = False,
) -> None:  # fmt: skip
    """Edit a file in your editor, or one passage of it.

    One passage with --old and --new, the whole file in $VISUAL or $EDITOR without.

    What was typed in the editor is never lost: if it cannot be stored, the message says which file keeps it.
    """
    if (old is None) != (new is None):
        raise typer.BadParameter("--old and --new belong together; with neither, an editor opens.")
    with place.open(make=True) as memory:
        scope = how.acting(place.owner_in(memory, file))
        if old is not None and new is not None:
            tell(place, scope, scope.edit(file, old, new))
            return
        made = editor.edit_whole(scope, file, removal_meant=removal_meant)
        if made is not None:
            tell(place, scope, made)
            return
        if place.json:
            output.document(None)
        output.note(f"{file} was not changed.")


def delete(place: Place, how: Writing, file: FileName, version: Expected = None) -> None:
    """Remove a file; its history stays.

    The removal is a new version, and any version can be restored.
    """
    with place.open() as memory:
        scope = how.acting(place.owner_in(memory, file))
        tell(place, scope, scope.delete(file, version=version))


def copy(
    place: Place,
    how: Writing,
    file: FileName,
    to_agent: Annotated[str, typer.Option("--to-agent", metavar="ID", help="The agent that gets it.")],
    to_user: Annotated[
        str | None, typer.Option("--to-user", metavar="ID", help="The user; else the one of the same name.")
    ] = None,
) -> None:
    """Copy a file to another agent or user.

    It replaces what is there; the history says where it came from.
    """
    with place.open() as memory:
        scope = how.acting(place.owner_in(memory, file))
        goal = place.for_whom(to_agent, to_user).owner_in(memory, file)
        tell(place, goal, scope.copy(file, to=goal))


def tell(place: Place, scope: ScopeMemory, made: Version | PendingEdit) -> None:
    """What came of a write: the new version, its size against the limit, and every notice."""
    if place.json:
        output.document(made)
        return
    output.line(_sentence(scope, made))
    for notice in made.notices:
        output.note(f"note: {with_options(notice)}")


def _sentence(scope: ScopeMemory, made: Version | PendingEdit) -> str:
    from reverie.versions import PendingEdit

    if isinstance(made, PendingEdit):
        return (
            f"{made.file}: held back for review as edit {made.id}. "
            f"`reverie edits show {made.id}` shows it; accept or discard it."
        )
    if made.text is None:
        return f"{made.file}: removed, as version {made.number}."
    limit = scope.settings.limit(made.file)
    over = " It is over its limit." if len(made.text) > limit else ""
    return f"{made.file}: version {made.number}, {len(made.text):,} of {limit:,} characters.{over}"

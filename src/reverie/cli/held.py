"""Edits: changes that a policy holds back until a person accepts or discards them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from reverie.cli import output
from reverie.cli.arguments import Writing, person
from reverie.cli.expanding import expanded
from reverie.cli.input import text_of
from reverie.cli.parsing import Command, Group
from reverie.cli.place import Place
from reverie.cli.writing import tell
from reverie.errors import NotFound
from reverie.holding import damaged

if TYPE_CHECKING:
    from reverie.memory import Memory, ScopeMemory
    from reverie.versions import PendingEdit

app = typer.Typer(cls=Group, rich_markup_mode=None, invoke_without_command=True)

EditId = Annotated[str, typer.Argument(metavar="ID", help="As `reverie edits` lists it.")]


@app.callback()
@expanded
def edits(place: Place, context: typer.Context) -> None:
    """List edits held back for review; decide on them.

    The agent's, and with --user that user's too.
    """
    if context.invoked_subcommand is not None:
        return
    with place.open() as memory:
        waiting = [(scope, edit) for scope in _scopes(place, memory) for edit in scope.edits()]
        if place.json:
            output.document([edit for _, edit in waiting])
            return
        if not waiting:
            output.note("No edit waits.")
            return
        rows = [
            [edit.id, edit.file, str(edit.base), output.moment(edit.at, output.zone_of(scope)), edit.origin, edit.actor,
             "damaged" if edit.damaged else "conflict" if edit.conflict else "", edit.reason or ""]
            for scope, edit in waiting
        ]  # fmt: skip
        output.table(["id", "file", "base", "at", "origin", "by", "state", "reason"], rows, right=["base"])


@app.command(cls=Command)
@expanded
def show(place: Place, id: EditId) -> None:
    """Show what an edit would change in the version that it was made from."""
    from reverie.markdown.blame import unified

    with place.open() as memory:
        scope, edit = _waiting(place, memory, id)
        if edit.damaged:
            raise damaged(edit)
        base = scope.read(edit.file, version=edit.base) if edit.base else None
        text = unified(
            base.text if base else None, edit.text,
            from_name=f"{edit.file} (version {edit.base})", to_name=f"{edit.file} (edit {edit.id})",
        )  # fmt: skip
        if place.json:
            output.document({"edit": edit, "diff": text})
            return
        output.raw(text)
        if edit.conflict:
            output.note("It does not merge with what was written since; accept it with --text, or discard it.")


@app.command(cls=Command)
@expanded
def accept(
    place: Place,
    id: EditId,
    by: Annotated[str | None, typer.Option("--by", metavar="NAME", help="Who approves; else your login name.")] = None,
    text: Annotated[
        str | None,
        typer.Option("--text", metavar="TEXT", help="The whole text to store instead, when it conflicts; '-': standard input."),
    ] = None,
) -> None:  # fmt: skip
    """Make an edit a version of its file; the history says who approved it."""
    resolved = None if text is None else text_of(text)
    with place.open() as memory:
        scope, edit = _waiting(place, memory, id)
        tell(place, scope, scope.accept_edit(edit.id, by=person(by), text=resolved))


@app.command(cls=Command)
@expanded
def discard(place: Place, how: Writing, id: EditId) -> None:
    """Drop an edit; its text stays in the store, under its id."""
    with place.open() as memory:
        scope, edit = _waiting(place, memory, id)
        dropped = how.acting(scope).discard_edit(edit.id)
        if place.json:
            output.document(dropped)
            return
        output.line(f"{dropped.file}: edit {dropped.id} discarded.")


def _scopes(place: Place, memory: Memory) -> list[ScopeMemory]:
    """The agent, whose files all users share, and the user if one is named."""
    agent = place.agent_in(memory)
    return [agent] if place.named("user") is None else [agent, place.user_in(memory)]


def _waiting(place: Place, memory: Memory, id: str) -> tuple[ScopeMemory, PendingEdit]:
    for scope in _scopes(place, memory):
        for edit in scope.edits():
            if edit.id == id:
                return scope, edit
    raise NotFound(f"No edit {id!r} waits here.", "See `reverie edits` for those that do; a user's need --user.")

"""Export: a folder with the memory files as people know them, and every row of the ledger beside them.

    agents/<agent>/SOUL.md …            the newest texts, laid out like a working tree
    reverie-export.jsonl                every row: versions, journal, settings, edits, and whatever else there is
    manifest.json                       format, counts and the hash of the file with the rows

The folder is made whole or not at all. `import_("reverie", folder)` brings it into another store.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path

from reverie.errors import NotFound, ScopeRequired
from reverie.outside import new_folder
from reverie.scopes import Scope, checked_id
from reverie.transfers import ExportReport, Selection
from reverie.versions import SETTINGS_FILE
from reverie.wiring import Store, place_of

ROWS = "reverie-export.jsonl"
MANIFEST = "manifest.json"


def export(
    store: Store, path: Path, selection: Selection, *, progress: Callable[[int], None] = lambda done: None
) -> ExportReport:
    """Write a selection to a new folder. Raises NotAllowed when something is there, NotFound for an empty selection."""
    if selection.user is not None and selection.agent is None:
        raise ScopeRequired("A user was named without an agent.", "Name the agent too.")
    files = 0
    for scope in _selected(store, selection):
        store.views.of(scope)
    with new_folder(path) as folder:

        def text(scope: Scope, file: str, words: str) -> None:
            nonlocal files
            if file != SETTINGS_FILE:
                target = folder.joinpath(*place_of(scope, file))
                target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
                target.write_bytes(words.encode())
                files += 1

        with (folder / ROWS).open("wb") as rows:
            moved = store.transfer().dump(rows, selection, texts=text, progress=progress)
        if not moved.scopes:
            raise NotFound(f"Nothing is stored about {selection}.", _known(store, selection))
        report = ExportReport(str(path), moved.scopes, moved.rows, files, _sha256(folder / ROWS))
        manifest = {
            "format": "reverie-export-1", "created": store.clock.now().isoformat(), "selection": selection.as_dict(),
            "scopes": report.scopes, "rows": report.rows, "files": report.files, "sha256": {ROWS: report.sha256},
        }  # fmt: skip
        (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return report


def selected(project: str, agent: str | None, user: str | None) -> Selection:
    """The selection of ids in their normal form; InvalidId."""
    return Selection(
        project,
        None if agent is None else checked_id("agent", agent),
        None if user is None else checked_id("user", user),
    )


def _selected(store: Store, selection: Selection) -> list[Scope]:
    """The scopes of a selection, so that an editor's change is taken before they are written out."""
    found = store.versions.scopes(project=selection.project or "default")
    return [scope for scope in found if selection.takes(scope)]


def _known(store: Store, selection: Selection) -> str:
    """Who there is instead: the agent's users when one of them was asked for, else the agents."""
    found = store.versions.scopes(project=selection.project or "default")
    users = [scope.user for scope in found if scope.is_user and scope.agent == selection.agent]
    of_agent = selection.user is not None and any(scope.agent == selection.agent for scope in found)
    what, there = ("user", users) if of_agent else ("agent", list(dict.fromkeys(scope.agent for scope in found)))
    if not there:
        return f"No {what} has anything stored yet."
    shown = ", ".join(map(repr, there[:10]))
    more = " and more" if len(there) > 10 else ""
    return f"Name {'an' if what == 'agent' else 'a'} {what} that there is: {shown}{more}."


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

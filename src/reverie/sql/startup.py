"""Starting: whether everything that was acknowledged is still there.

SQLite recovers from an unclean stop by itself. What it cannot tell is that its log was cut, damaged, removed or taken
from another store, or that somebody put an older copy of the database in its place: it then quietly ends at an older
state. That state does not have the record of the witness that the last process left.

A database that lies beside no lock file was copied here without it. Files of the tree that differ from it are then
nobody's edits for certain, because the copy may be older than they are: what the tree held is forgotten, so that such
files are filed for a person and not taken.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

from reverie.errors import StoreDamaged
from reverie.scopes import Scope
from reverie.sql.database import is_writable, readable, sqlite_driver
from reverie.sql.presence import LOCK, Presence, Witness, scope_digest

SIDE_FILES = ("-wal", "-journal")

SMALL_BYTES = 1024 * 1024
"""A database up to this size is checked at every start: that takes milliseconds."""

CHECK_SECONDS = 2.0
"""How long a larger one is checked after an unclean stop; `reverie verify` takes all the time that it needs."""

FORGET_TREE = "UPDATE heads SET mirrored = NULL"
"""Makes a ledger know nothing of the files beside it."""

_CHECKED_AFTER = 20_000  # virtual machine steps between two looks at the clock
_RESTORE = "Keep a copy of the folder, then bring the newest backup back with `reverie restore-backup`."


def enter(folder: Path, path: Path) -> Presence:
    """Say that the store is open, after looking at what was left here. Raises StoreDamaged."""
    if path.exists() and not (folder / LOCK).exists() and is_writable(path):
        _forget_tree(path)
    presence = Presence(folder)
    try:
        if presence.alone:
            witness = presence.witnessed()
            unclean = witness is not None and not witness.rested
            if path.exists() and (unclean or left_unclean(path) or path.stat().st_size <= SMALL_BYTES):
                check_file(path, sqlite_driver())
            if witness is not None:
                _check_witness(path, witness)
        presence.settle()
    except BaseException:
        presence.close()
        raise
    return presence


def left_unclean(path: Path) -> bool:
    """Whether a log or journal with anything in it lies beside the database file."""
    for suffix in SIDE_FILES:
        try:
            if path.with_name(path.name + suffix).stat().st_size:
                return True
        except FileNotFoundError:
            continue
    return False


def check_file(path: Path, module: ModuleType, *, seconds: float = CHECK_SECONDS) -> None:
    """SQLite's own check of the database file, for a bounded time; StoreDamaged with what it found first."""
    deadline = time.monotonic() + seconds

    def check(connection: Any) -> str:
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _CHECKED_AFTER)
        row = connection.execute("PRAGMA integrity_check(1)").fetchone()
        return "" if row is None or row[0] == "ok" else str(row[0]).replace("\n", " ")

    found = _asked(path, module, check)
    if found:
        raise StoreDamaged(f"The database file {path.name} is damaged: {found}.", _RESTORE)


def _check_witness(path: Path, witness: Witness) -> None:
    def check(connection: Any) -> str:
        for parts in connection.execute("SELECT project, agent, user_id FROM scopes ORDER BY last_at DESC"):
            if scope_digest(Scope(*parts)) == witness.scope:
                query = "SELECT hash FROM records WHERE project = ? AND agent = ? AND user_id = ? AND seq = ?"
                row = connection.execute(query, (*parts, witness.seq)).fetchone()
                return "" if row is not None and row[0] == witness.hash else "lost"
        return "lost"

    if _asked(path, sqlite_driver(), check):
        raise StoreDamaged(
            "The database is not as it was used here last: it is gone, older or another one, and writes that were "
            "acknowledged are missing."
            if witness.rested
            else "After an unclean stop, writes that were acknowledged are missing: the log beside the database was "
            "cut, damaged, removed or exchanged.",
            f"{_RESTORE} To go on with what is there instead, remove {LOCK}.",
        )


def _forget_tree(path: Path) -> None:
    module = sqlite_driver()
    with (
        suppress(module.DatabaseError),  # no store yet, or a damaged one: whoever opens it finds out which
        closing(module.connect(f"file:{quote(str(path))}?mode=rw", uri=True, isolation_level=None)) as connection,
    ):
        connection.execute(FORGET_TREE)


def _asked(path: Path, module: ModuleType, ask: Callable[[Any], str]) -> str:
    """What a question about a database file finds wrong; what keeps it from being asked is found out by whoever opens it."""
    if not path.exists():
        return "it is gone"
    try:
        address = f"file:{quote(str(path))}?mode=rw" if is_writable(path) else readable(path)
        with closing(module.connect(address, uri=True, isolation_level=None)) as connection:
            return ask(connection)
    except module.DatabaseError as error:
        said = str(error)
        return (
            ""
            if any(word in said for word in ("interrupted", "locked", "readonly", "unable to open"))
            else said
        )

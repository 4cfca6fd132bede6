"""Stores for tests: the ports over a real database, everything a store holds as a value, and what must be true of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa

from reverie import Memory
from reverie.memory import ScopeMemory
from reverie.sql import schema
from reverie.sql.database import open_postgres, open_sqlite
from reverie.sql.journal import SqlJournal
from reverie.sql.upgrade import prepare
from reverie.sql.versions import SqlVersions
from reverie.testing import FixedClock, Ledger
from reverie.versions import Version

Snapshot = dict[str, Any]


@contextmanager
def ledger_at(url: str) -> Iterator[Ledger]:
    """The two ports of the ledger on a new, empty database."""
    if url.startswith("postgresql"):
        database = open_postgres(url)
    else:
        Path(url).mkdir(mode=0o700, parents=True, exist_ok=True)
        database = open_sqlite(Path(url) / "reverie.db")
    prepare(database, lambda revision: None)
    clock = FixedClock()
    versions = SqlVersions(database, clock)
    try:
        yield Ledger(versions, SqlJournal(database, versions), clock)
    finally:
        versions.close()


def rows(memory: Memory) -> Snapshot:
    """Every row of every table, by table."""
    with memory.store.database.snapshot() as connection:
        return {
            table.name: sorted(map(repr, connection.execute(sa.select(table)).all()))
            for table in schema.metadata.sorted_tables
        }


def files(folder: Path) -> Snapshot:
    """Every path of a working tree with its kind, bytes and time of change; the database's own files are left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.startswith("reverie.db"):
            continue
        status = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[name] = (oct(status.st_mode), status.st_mtime_ns, content)
    return found


def everything(memory: Memory) -> Snapshot:
    """All that a store holds, in the ledger and in the tree: equal before and after an act that changed nothing."""
    folder = memory.store.folder
    return {"rows": rows(memory), "files": files(folder) if folder else {}}


def assert_sound(memory: Memory) -> None:
    """`verify` finds nothing that is wrong."""
    report = memory.verify()
    assert report.ok, report.problems


def assert_settled(memory: Memory, *scopes: ScopeMemory) -> None:
    """After a look at these scopes nothing is left to settle: each file is its head, a crash left nothing behind."""
    for scope in scopes:
        scope.context()
    assert list(memory.verify().problems) == []


def assert_straight(history: list[Version]) -> None:
    """Version n+1 has parent n: no fork, no gap, and the journal has them in the same order."""
    assert [version.number for version in history] == list(range(1, len(history) + 1))
    assert [version.parent for version in history] == list(range(len(history)))
    seqs = [version.seq for version in history]
    assert seqs == sorted(set(seqs))

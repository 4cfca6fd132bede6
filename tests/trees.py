"""A store with a working tree for tests: the real ledger on SQLite, the real folder, a clock that stands still."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from reverie.ports import Settled
from reverie.scopes import Scope, folder_of
from reverie.settings import AgentSettings
from reverie.sql.database import Database, open_sqlite
from reverie.sql.upgrade import prepare
from reverie.sql.versions import SqlVersions
from reverie.tree.folder import FolderTree
from reverie.tree.paths import path_of
from reverie.tree.safe import TEMPORARY
from reverie.tree.shelf import REPLACED
from reverie.versions import Head, PendingEdit, Version, Write

AGENT = Scope("default", "ann")
USER = Scope("default", "ann", "bob")


class StillClock:
    """Always noon of one day."""

    def now(self) -> datetime:
        return datetime(2026, 3, 4, 12, tzinfo=UTC)


@dataclass
class TreeStore:
    """A ledger and its working tree, brought together only when a test says so."""

    root: Path
    database: Database
    versions: SqlVersions
    tree: FolderTree
    settings: AgentSettings = field(default_factory=AgentSettings)

    def settle(self, scope: Scope = USER) -> list[str]:
        """Bring ledger and tree together; the codes of what there was to say."""
        return [notice.code for notice in self.settled(scope).notices]

    def settled(self, scope: Scope = USER) -> Settled:
        return self.tree.settle(scope=scope, heads=self.heads(scope))

    def heads(self, scope: Scope = USER) -> dict[str, Head]:
        return {file: head for (_, file), head in self.versions.heads(scopes=[scope]).items()}

    def put(self, file: str, text: str | None, scope: Scope = USER) -> Version:
        """Store a version in the ledger only, as a crash right after the commit would leave it."""
        write = Write(file, text, "agent")
        version: Version = self.versions.change(scope=scope, act=lambda change: change.put(write=write))
        return version

    def write(self, file: str, text: str | None, scope: Scope = USER) -> Version:
        """Store a version and bring the tree up to date."""
        version = self.put(file, text, scope)
        self.settle(scope)
        return version

    def text(self, file: str, scope: Scope = USER) -> str | None:
        """What the ledger says."""
        history = self.history(file, scope)
        return history[-1].text if history else None

    def history(self, file: str, scope: Scope = USER) -> list[Version]:
        return list(self.versions.history(scope=scope, file=file))

    def edits(self, scope: Scope = USER) -> list[PendingEdit]:
        return list(self.versions.edits(scope=scope))

    def path(self, file: str, scope: Scope = USER) -> Path:
        """Where a memory file is on the disk."""
        return self.root.joinpath(*folder_of(scope), *path_of(file))

    def is_in_step(self, scope: Scope = USER) -> bool:
        return not self.tree.differences(scope=scope, heads=self.heads(scope))

    def kept(self) -> list[str]:
        """The texts on the shelf."""
        return [path.read_text() for path in sorted((self.root / REPLACED).rglob("*")) if path.is_file()]

    def left_over(self) -> list[Path]:
        """Temporary files of ours that nobody cleared away."""
        agents = self.root / "agents"
        return [path for path in agents.rglob("*") if path.name.startswith(TEMPORARY)]


@contextmanager
def tree_store(
    root: Path, settings: AgentSettings | None = None, *, read_only: bool = False
) -> Iterator[TreeStore]:
    """Open a store; `read_only` opens a ledger that refuses every change."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    database = open_sqlite(root / "reverie.db")
    prepare(database, lambda revision: None)
    clock = StillClock()
    versions = SqlVersions(replace(database, read_only=read_only), clock)
    tree = FolderTree(root, versions, lambda scope: store.settings, clock, actor="ed")
    store = TreeStore(root, database, versions, tree, settings or AgentSettings())
    try:
        yield store
    finally:
        tree.close()
        versions.close()


def make_old(path: Path) -> None:
    """Make a file look as if it was saved a while ago."""
    before = path.stat().st_mtime - 60
    os.utime(path, (before, before))


def state(path: Path) -> tuple[int, ...]:
    """What tells whether a file was replaced, written or touched; reading it changes none of these."""
    found = path.lstat()
    return found.st_ino, found.st_mode, found.st_nlink, found.st_size, found.st_mtime_ns, found.st_ctime_ns

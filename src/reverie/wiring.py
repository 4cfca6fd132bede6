"""Wiring: from a URL and settings to the parts of a store. The only importer of the adapters."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from reverie.errors import NotAllowed
from reverie.files import Files
from reverie.held import HeldEdits
from reverie.journal import JournalBook
from reverie.ports import Clock, WorkingTree
from reverie.scopes import Scope
from reverie.settings import AgentSettings, Settings, environment_now, load
from reverie.sql.database import Database, open_postgres, open_sqlite
from reverie.sql.journal import SqlJournal
from reverie.sql.presence import Presence as Presence
from reverie.sql.schema import HEAD
from reverie.sql.startup import enter
from reverie.sql.upgrade import prepare
from reverie.sql.versions import SqlVersions
from reverie.times import zoned
from reverie.tree.faults import translating as translating_disk
from reverie.tree.folder import FolderTree, system_user
from reverie.tree.nothing import NoTree
from reverie.tree.safe import Folder as Folder
from reverie.tree.safe import Found as Found
from reverie.tree.safe import open_root
from reverie.view import Views

if TYPE_CHECKING:
    from reverie.prompting import Prompting
    from reverie.sql.batches import SqlBatches
    from reverie.sql.inspection import SqlInspection
    from reverie.sql.transfer import SqlTransfer
    from reverie.tree.inspecting import TreeInspection

DATABASE = "reverie.db"
BACKUPS = "backups"
"""The folder in the store that takes the backups made before a migration."""

_SERVERS = ("postgresql://", "postgres://", "postgresql+psycopg://")


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The present."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class ZonedClock:
    """Another clock, whose times must have a zone; InvalidTime when one has none."""

    clock: Clock

    def now(self) -> datetime:
        """What the other clock says."""
        return zoned(self.clock.now(), "The clock's time")


@dataclass(frozen=True, slots=True)
class StoppedClock:
    """A clock that always tells one time."""

    time: datetime

    def now(self) -> datetime:
        """That time."""
        return self.time


@dataclass(frozen=True)
class Store:
    """The parts of an open store; `person` is who runs this process, as the system knows them."""

    url: str
    folder: Path | None
    settings: Settings
    clock: Clock
    person: str
    database: Database
    tree: WorkingTree
    versions: SqlVersions
    journal: SqlJournal
    views: Views
    files: Files
    held: HeldEdits
    book: JournalBook

    @cached_property
    def prompting(self) -> Prompting:
        """Contexts and what they cost; loaded when first wanted, which the commands on files never do."""
        from reverie.prompting import Prompting

        return Prompting(self.views, self.settings, self.clock)

    def inspection(self) -> SqlInspection:
        """The rows as they lie there, for verification."""
        from reverie.sql.inspection import SqlInspection

        return SqlInspection(self.database)

    def tree_inspection(self) -> TreeInspection | None:
        """The working tree as it lies there; None where there is none."""
        from reverie.tree.inspecting import TreeInspection

        return TreeInspection(self.folder) if self.folder else None

    def transfer(self) -> SqlTransfer:
        """Reading and writing the export format."""
        from reverie.sql.transfer import SqlTransfer

        return SqlTransfer(self.database)

    def batches(self) -> SqlBatches:
        """The rows of import batches."""
        from reverie.sql.batches import SqlBatches

        return SqlBatches(self.database, self.clock)

    def close(self) -> None:
        """Let go of the database and the folder; closing twice is harmless."""
        self.tree.close()
        self.versions.close()


def open_store(
    url: object,
    *,
    settings: Settings | Mapping[str, object] | None = None,
    clock: Clock | None = None,
) -> Store:
    """Open a store behind a URL and bring its schema up to date; a folder that is not there is made."""
    if not isinstance(url, str | os.PathLike) or not str(url).strip():
        raise NotAllowed(f"A store cannot be opened at {url!r}.", "Use a folder or postgresql://…")
    address = os.fspath(url)
    time = ZonedClock(clock or _clock())
    fresh = False
    if is_server(address):
        database, folder = open_postgres(address), None
    elif "://" in address:
        kind = address.split("://")[0]
        raise NotAllowed(f"A store cannot be opened at a {kind} address.", "Use a folder or postgresql://…")
    else:
        folder = Path(address).expanduser()
        _make(folder)
        fresh = not (folder / DATABASE).exists()
        presence = enter(folder, folder / DATABASE)
        database = open_sqlite(folder / DATABASE, presence=presence)
    try:
        with translating_disk("reverie.toml"):
            resolved = load(settings, folder=folder, defaults=_defaults(folder))
        prepare(database, lambda revision: _back_up(folder, revision, time))
        if folder is not None and fresh:
            _explain_settings(folder)
        return _put_together(address, folder, resolved, time, database)
    except BaseException:
        database.close()
        raise


def _explain_settings(folder: Path) -> None:
    """Give a new store a settings file that changes nothing and shows what can be changed."""
    from reverie.template import commented_settings

    path = folder / "reverie.toml"
    with translating_disk(path.name), suppress(FileExistsError), path.open("x", encoding="utf-8", newline="\n") as file:
        file.write(commented_settings())


def is_server(url: object) -> bool:
    """Whether a URL names a database server, and not a folder."""
    return str(url).startswith(_SERVERS)


def backups() -> ModuleType:
    """The functions that copy the database file of an embedded store, and check such copies."""
    from reverie.sql import backup

    return backup


def place_of(scope: Scope, file: str) -> tuple[str, ...]:
    """The path of a memory file in a working tree, as names below its root."""
    from reverie.tree.looking import folder_path

    folders, name = folder_path(scope, file)
    return (*folders, name)


def open_folder(path: Path) -> Folder:
    """A folder outside the store, read as safely as the working tree; OSError when it cannot be opened."""
    return open_root(path)


def topic_at(names: Sequence[str]) -> str | None:
    """The topic whose file has this path below a topics folder; None for a name that no topic has."""
    from reverie.tree.paths import topic_at as topic

    return topic(names)


def _back_up(folder: Path | None, revision: str, clock: Clock) -> None:
    """Keep a copy of the ledger as it was before a migration; a server's migration is one transaction without a copy."""
    if folder is not None:
        (folder / BACKUPS).mkdir(mode=0o700, exist_ok=True)
        name = f"before-{HEAD}-from-{revision}-{clock.now():%Y-%m-%dT%H-%M-%S}.db"
        backups().backup(folder / DATABASE, folder / BACKUPS / name)


def _put_together(
    url: str, folder: Path | None, settings: Settings, clock: Clock, database: Database
) -> Store:
    versions = SqlVersions(database, clock)
    journal = SqlJournal(database, versions)

    def policy(scope: Scope) -> AgentSettings:
        return views.settings_of(scope)

    tree: WorkingTree = NoTree() if folder is None else FolderTree(folder, versions, policy, clock)
    views = Views(versions, tree, settings)
    files = Files(versions, views, clock)
    return Store(
        url, folder, settings, clock, system_user(), database, tree, versions, journal, views, files, HeldEdits(versions, views),
        JournalBook(journal),
    )  # fmt: skip


def _clock() -> Clock:
    said = environment_now()
    return StoppedClock(said) if said else SystemClock()


def _defaults(folder: Path | None) -> dict[str, object]:
    """A store that many share holds an agent's writes to shared files for review, unless somebody decides otherwise."""
    return {} if folder else {"shared_writes": "review"}


def _make(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise NotAllowed(f"{folder} is a file, and a store is a folder.", "Name another path.")
    with translating_disk(str(folder)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

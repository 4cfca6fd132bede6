"""Wiring: from a URL and settings to the parts of a store. The only importer of the adapters."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from reverie.errors import NotAllowed
from reverie.files import Files
from reverie.held import HeldEdits
from reverie.journal import JournalBook
from reverie.ports import Clock, WorkingTree
from reverie.prompting import Prompting
from reverie.scopes import Scope
from reverie.settings import AgentSettings, Settings, environment_now, load
from reverie.sql.database import Database, open_postgres, open_sqlite
from reverie.sql.journal import SqlJournal
from reverie.sql.upgrade import prepare
from reverie.sql.versions import SqlVersions
from reverie.tree.faults import translating as translating_disk
from reverie.tree.folder import FolderTree
from reverie.tree.nothing import NoTree
from reverie.view import Views

DATABASE = "reverie.db"


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """The present."""
        return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class StoppedClock:
    """A clock that always tells one time."""

    time: datetime

    def now(self) -> datetime:
        """That time."""
        return self.time


@dataclass(frozen=True)
class Store:
    """The parts of an open store."""

    url: str
    folder: Path | None
    settings: Settings
    clock: Clock
    database: Database
    versions: SqlVersions
    journal: SqlJournal
    views: Views
    files: Files
    held: HeldEdits
    book: JournalBook
    prompting: Prompting


def open_store(
    url: object, *, settings: Settings | Mapping[str, object] | None = None, clock: Clock | None = None
) -> Store:
    """Open a store behind a URL and bring its schema up to date; a folder that is not there is made."""
    address = str(url)
    time = clock or _clock()
    if address.startswith(("postgresql://", "postgres://", "postgresql+psycopg://")):
        database, folder = open_postgres(address), None
    elif "://" in address:
        kind = address.split("://")[0]
        raise NotAllowed(f"A store cannot be opened at a {kind} address.", "Use a folder or postgresql://…")
    else:
        folder = Path(address).expanduser()
        _make(folder)
        database = open_sqlite(folder / DATABASE)
    resolved = (
        settings
        if isinstance(settings, Settings)
        else load(settings, folder=folder, defaults=_defaults(folder))
    )
    prepare(database, lambda revision: None)
    return _put_together(address, folder, resolved, time, database)


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
        url, folder, settings, clock, database, versions, journal, views, files, HeldEdits(versions, views),
        JournalBook(journal), Prompting(views, settings, clock),
    )  # fmt: skip


def _clock() -> Clock:
    said = environment_now()
    return StoppedClock(said) if said else SystemClock()


def _defaults(folder: Path | None) -> dict[str, object]:
    """A store that many share holds an agent's writes to shared files for review, unless somebody decides otherwise."""
    return {} if folder else {"shared_writes": "review"}


def _make(folder: Path) -> None:
    with translating_disk(str(folder)):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)

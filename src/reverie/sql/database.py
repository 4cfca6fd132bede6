"""One database behind two kinds of URL: how it is opened, read and changed.

A reader statement runs by itself, in autocommit. A change is one exclusive transaction: `BEGIN IMMEDIATE` on SQLite,
where it is the whole store's lock; on PostgreSQL the scope's row is locked by whoever changes the scope.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import exc

from reverie.errors import MissingExtra, NotAllowed, StoreBusy, StoreReadOnly
from reverie.sql.faults import retriable, translating
from reverie.sql.presence import Presence

T = TypeVar("T")

BUSY_SECONDS = 30.0
"""How long a writer waits for another before it gives up with StoreBusy."""

ATTEMPTS = 5
"""How often a transaction is run again after PostgreSQL broke a deadlock or a serialisation conflict."""

_NETWORK = {"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "fuse.sshfs", "afs", "ceph", "glusterfs", "lustre"}


@dataclass
class Database:
    """A pair of engines on one database: `reader` in autocommit, `writer` for changes. Closed for good by `close`."""

    kind: str
    reader: sa.Engine
    writer: sa.Engine
    path: Path | None = None
    read_only: bool = False
    presence: Presence | None = None
    closed: bool = False

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """A connection for single statements, each consistent in itself."""
        self.check_open()
        with translating(), self.reader.connect() as connection:
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sa.Connection]:
        """A connection on which all statements see one state of the database."""
        self.check_open()
        with translating(), self.reader.connect() as connection:
            begin = "BEGIN" if self.kind == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
            connection.exec_driver_sql(begin)
            try:
                yield connection
            finally:
                connection.exec_driver_sql("ROLLBACK")

    def fetch(self, statement: sa.Executable, parameters: dict[str, Any]) -> list[sa.Row[Any]]:
        """The rows of one reading statement; run once more when a pooled connection turned out to be dead."""
        self.check_open()
        try:
            with self.reader.connect() as connection:
                return list(connection.execute(statement, parameters).all())
        except exc.DBAPIError as error:
            if not error.connection_invalidated:
                with translating():
                    raise
        with self.reading() as connection:
            return list(connection.execute(statement, parameters).all())

    def change(
        self, act: Callable[[sa.Connection], T], committed: Callable[[sa.Connection], bool] | None = None
    ) -> T:
        """Run an act in one exclusive transaction.

        A deadlock or serialisation conflict runs it again, and so does a dead pooled connection before anything was
        sent. When the answer to COMMIT is lost, `committed` looks on a new connection whether it took effect.
        """
        self.check_open()
        if self.read_only:
            raise StoreReadOnly(
                "This store was opened for reading.", "Open it from a disk that can be written."
            )
        for attempt in range(ATTEMPTS):
            connection = self._connected()
            try:
                result = act(connection)
            except exc.DBAPIError as error:
                connection.close()
                if attempt + 1 < ATTEMPTS and (
                    retriable(error) or (attempt == 0 and error.connection_invalidated)
                ):
                    continue
                with translating():
                    raise
            except BaseException:
                connection.close()
                raise
            if self._commit(connection, committed):
                return result
        raise AssertionError("the last attempt returns or raises")

    def _connected(self) -> sa.Connection:
        with translating():
            connection = self.writer.connect()
        try:
            with translating():
                connection.begin()
        except BaseException:
            connection.close()
            raise
        return connection

    def _commit(self, connection: sa.Connection, committed: Callable[[sa.Connection], bool] | None) -> bool:
        try:
            connection.commit()
        except exc.DBAPIError as error:
            lost = error.connection_invalidated
            connection.close()
            if lost and committed is not None and self._took_effect(committed):
                return True
            with translating():
                raise
        connection.close()
        return True

    def _took_effect(self, committed: Callable[[sa.Connection], bool]) -> bool:
        """Whether a commit whose answer was lost is there; StoreBusy when the database cannot be asked."""
        try:
            with self.writer.begin() as connection:
                return committed(connection)
        except exc.SQLAlchemyError as error:
            raise StoreBusy(
                "The connection broke while the store was saying yes, and it cannot be asked now.",
                "Read before you write again: the change may be there.",
            ) from error

    def check_open(self) -> None:
        """NotAllowed once the database was closed."""
        if self.closed:
            raise NotAllowed(
                "This store was closed.", "Open it again with Memory.open, and use what that gives."
            )

    def close(self) -> None:
        """Close every pooled connection, and say that the store is no longer in use; twice is harmless."""
        if self.closed:
            return
        self.closed = True
        if self.presence is not None:
            self.presence.rest()
        self.reader.dispose()
        self.writer.dispose()
        if self.presence is not None:
            self.presence.close()


def open_postgres(url: str) -> Database:
    """A database on a PostgreSQL server; MissingExtra when psycopg is not installed."""
    try:
        import psycopg  # noqa: F401
    except ImportError as error:
        raise MissingExtra(
            "A PostgreSQL store needs the package psycopg.",
            "Install it with: pip install 'reverie[postgres]'",
        ) from error
    address = re.sub(r"^postgres(ql)?(\+psycopg)?://", "postgresql+psycopg://", url)
    options: dict[str, Any] = {"pool_size": 5, "max_overflow": 10, "pool_timeout": BUSY_SECONDS}
    timeouts = {"options": f"-c lock_timeout={int(BUSY_SECONDS * 1000)} -c timezone=UTC"}
    reader = sa.create_engine(
        address, isolation_level="AUTOCOMMIT", pool_reset_on_return=None, connect_args=timeouts, **options
    )
    return Database("postgres", reader, sa.create_engine(address, connect_args=timeouts, **options))


def open_sqlite(
    path: Path, *, driver: ModuleType | None = None, presence: Presence | None = None
) -> Database:
    """A database in one file, created when it is not there and its folder can be written."""
    module = driver or sqlite_driver()
    writable = is_writable(path)
    mode = journal_mode(module.sqlite_version_info, _file_system(path))
    return Database(
        "sqlite",
        _sqlite_engine(path, module, mode=mode, immediate=False, read_only=not writable),
        _sqlite_engine(path, module, mode=mode, immediate=True, read_only=not writable),
        path,
        read_only=not writable,
        presence=presence,
    )


def sqlite_driver() -> ModuleType:
    """The SQLite to use: the pysqlite3 wheel's where it is installed, else the standard library's."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        from sqlite3 import dbapi2
    module: ModuleType = dbapi2
    return module


def journal_mode(version: tuple[int, int, int], file_system: str) -> str:
    """`wal` where it is safe, else `delete`.

    SQLite 3.7.0 to 3.51.2 can corrupt a WAL database that several connections write; fixed in 3.51.3, 3.50.7 and
    3.44.6 (https://www.sqlite.org/wal.html#walresetbug). WAL needs shared memory, which network file systems lack.
    """
    fixed = version >= (3, 51, 3) or (3, 50, 7) <= version < (3, 51) or (3, 44, 6) <= version < (3, 45)
    return "wal" if fixed and file_system not in _NETWORK else "delete"


def _sqlite_engine(
    path: Path, module: ModuleType, *, mode: str, immediate: bool, read_only: bool
) -> sa.Engine:
    def connect() -> Any:
        address = readable(path) if read_only else f"file:{quote(str(path))}?mode=rwc"
        connection = module.connect(
            address, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            if not read_only:
                _set_journal_mode(connection, mode, module)
                connection.execute("PRAGMA synchronous=FULL")
                connection.execute("PRAGMA secure_delete=ON")
            connection.execute("PRAGMA foreign_keys=ON")
        except BaseException:
            connection.close()
            raise
        return connection

    engine = sa.create_engine("sqlite://", module=module, creator=connect, poolclass=sa.pool.QueuePool, pool_size=5, max_overflow=20, pool_timeout=BUSY_SECONDS, isolation_level="SERIALIZABLE" if immediate else "AUTOCOMMIT", pool_reset_on_return="rollback" if immediate else None)  # fmt: skip
    if immediate:

        @sa.event.listens_for(engine, "connect")
        def _own_transactions(connection: Any, record: object) -> None:
            connection.isolation_level = None

        @sa.event.listens_for(engine, "begin")
        def _begin(connection: sa.Connection) -> None:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine


def is_writable(path: Path) -> bool:
    """Whether a database file, or the one that would be made there, and its side files can be written."""
    return os.access(path if path.exists() else path.parent, os.W_OK) and os.access(path.parent, os.W_OK)


def readable(path: Path) -> str:
    """The address that opens a database file for reading only.

    Where nobody can write and no commits wait in the write-ahead log, SQLite is told to do without side files, which it
    could not make there.
    """
    log = path.with_name(path.name + "-wal")
    waiting = log.exists() and log.stat().st_size > 0
    return f"file:{quote(str(path))}?mode=ro" + ("" if waiting or is_writable(path) else "&immutable=1")


def _set_journal_mode(connection: Any, mode: str, module: ModuleType) -> None:
    """Ask only when it differs: changing the mode of a store in use needs every other connection closed."""
    if connection.execute("PRAGMA journal_mode").fetchone()[0] == mode:
        return
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute(f"PRAGMA journal_mode={mode}")
            return
        except module.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def _file_system(path: Path) -> str:
    """The type of the file system that holds a path, where the system tells (Linux); else an empty string."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").split("\n")
    except OSError:
        return ""
    best, kind = "", ""
    real = str(path.parent.resolve())
    for line in mounts:
        fields = line.split(" ")
        point = fields[1].replace("\\040", " ") if len(fields) > 2 else ""
        if point and (real == point or real.startswith(point.rstrip("/") + "/")) and len(point) >= len(best):
            best, kind = point, fields[2]
    return kind

"""Backups of an embedded store: one file that is a consistent copy of a live one, and bringing it back.

A store is copied by SQLite's backup interface while others write. Copying `reverie.db` with `cp` is no backup: what was
committed last is in the log beside it, and a copy made during a checkpoint mixes old and new pages.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType

from sqlalchemy import exc

from reverie.errors import SchemaTooNew, StoreDamaged
from reverie.outside import new_file
from reverie.sql.database import readable, sqlite_driver
from reverie.sql.faults import translated
from reverie.sql.startup import FORGET_TREE, check_file
from reverie.sql.upgrade import revisions

_SQLITE = b"SQLite format 3\x00"


def backup(source: Path, path: Path) -> None:
    """Copy a live database to a new file, checked and on disk before this returns.

    Raises NotAllowed when something is at the path, StoreDamaged when the copy does not pass its check.
    """
    _copy(source, path)


def is_backup(path: Path) -> bool:
    """Whether a file is a database; OSError when it cannot be read."""
    with path.open("rb") as file:
        return file.read(len(_SQLITE)) == _SQLITE


def check_backup(path: Path) -> None:
    """Pass a file that can be brought back: whole, and of a known schema. Raises StoreDamaged, SchemaTooNew."""
    driver = sqlite_driver()
    check_file(path, driver, seconds=float("inf"))
    remedy = "Give a file that `reverie backup` made."
    try:
        with closing(driver.connect(readable(path), uri=True)) as connection:
            row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    except driver.DatabaseError as error:
        raise StoreDamaged(f"{path.name} is not a backup of a store.", remedy) from error
    if row is None:
        raise StoreDamaged(f"{path.name} is not a whole backup of a store.", remedy)
    if row[0] not in revisions():
        raise SchemaTooNew(
            f"This backup has schema {row[0]}, which is not known here.", "Install a newer Reverie."
        )


def copy_back(source: Path, path: Path) -> None:
    """Copy a backup to a new file, forgetting what the working tree held when it was made."""
    _copy(source, path, FORGET_TREE)


def fold_log(path: Path) -> None:
    """Move what is in the log into the database file, so that the file is whole by itself; StoreDamaged, StoreBusy."""
    driver = sqlite_driver()
    with _told(driver), closing(driver.connect(str(path), isolation_level=None)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _copy(source: Path, path: Path, *afterwards: str) -> None:
    driver = sqlite_driver()
    with new_file(path) as temporary:
        with (
            _told(driver),
            closing(driver.connect(readable(source), uri=True)) as old,
            closing(driver.connect(str(temporary), isolation_level=None)) as new,
        ):
            old.backup(new)
            for statement in ("PRAGMA journal_mode=DELETE", *afterwards):
                new.execute(statement)
        check_file(temporary, driver, seconds=float("inf"))


@contextmanager
def _told(driver: ModuleType) -> Iterator[None]:
    try:
        yield
    except driver.Error as error:
        raise translated(exc.DBAPIError("backup", {}, error)) from error

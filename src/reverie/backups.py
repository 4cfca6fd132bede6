"""Backup and restore of a whole store, embedded or on a server.

A backup of an embedded store is a SQLite file, one of a store on a server is a file in the export format. Bringing one
back never deletes: what was in the folder before, ledger and working tree, is moved to `.replaced/restored-<time>/`, and
the files are written out anew from the ledger that came back. So no file that is older or newer than that ledger can be
mistaken for an edit.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from tempfile import mkdtemp

from reverie.errors import NotAllowed, StoreBusy, StoreDamaged, StoreReadOnly
from reverie.outside import disk_error, new_file, sync
from reverie.transfers import Selection
from reverie.wiring import DATABASE, Presence, Store, backups, is_server, open_store

SET_ASIDE = ".replaced"
_TREE = ("agents", "projects")
_SIDE = ("-wal", "-shm", "-journal")

_ASK = "Restore into an empty folder, or pass replace=True: what is there is moved aside, not deleted."


def backup(store: Store, path: Path) -> None:
    """Copy a live store to one new file. Raises NotAllowed when there is something at the path."""
    if store.folder is not None:
        backups().backup(store.folder / DATABASE, path)
        return
    with new_file(path) as temporary, temporary.open("wb") as file:
        store.transfer().dump(file, Selection())


def restore_backup(path: Path, url: object, *, replace: bool = False) -> Path | None:
    """Bring a backup back as the store at a URL; the folder to which what was there before was moved, None for nothing.

    Raises NotAllowed when there is a store already and `replace` was not said, StoreBusy while somebody has it open,
    StoreDamaged, InvalidText or SchemaTooNew for a file that is no whole backup; then nothing was changed.
    """
    try:
        copy = backups().is_backup(path)
    except OSError as error:
        raise disk_error(error, path) from error
    if is_server(url):
        if copy:
            raise NotAllowed("This is a backup of an embedded store.", "Restore it into a folder, export that, and import it.")
        _load(path, url)
        return None
    folder = Path(str(url)).expanduser()
    try:
        with _folder(folder):
            staging = Path(mkdtemp(prefix=".restoring-", dir=folder))
            try:
                if copy:
                    backups().check_backup(path)
                    backups().copy_back(path, staging / DATABASE)
                else:
                    _load(path, staging)
                aside = _exchange(folder, staging / DATABASE, replace)
            finally:
                shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise disk_error(error, folder) from error
    _write_out(folder)
    return aside


@contextmanager
def _folder(folder: Path) -> Iterator[None]:
    """The folder, made where it is missing; what was made goes again when the block fails."""
    missing = [path for path in (folder, *folder.parents) if not path.exists()]
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    try:
        yield
    except BaseException:
        with suppress(OSError):  # somebody else may have put something there
            for made in missing:
                made.rmdir()
        raise


def _load(path: Path, url: object) -> None:
    """Read a dump into a store that must be empty."""
    store = open_store(url)
    try:
        if store.inspection().projects():
            raise NotAllowed("There is a store already.", "Restore into an empty database.")
        with path.open("rb") as file:
            store.transfer().load(file, Selection(), whole_store=True)
    finally:
        store.close()


def _exchange(folder: Path, database: Path, replace: bool) -> Path | None:
    """Move what is there aside and put the new ledger in its place, while nobody has the store open."""
    with Presence(folder) as presence:
        if not presence.alone:
            raise StoreBusy(f"{folder} is in use.", "Close the store and everything that has it open, then restore.")
        there = [name for name in (DATABASE, *_TREE) if os.path.lexists(folder / name)]
        if there and not replace:
            raise NotAllowed(f"There is a store in {folder} already.", _ASK)
        aside = _set_aside(folder, there) if there else None
        presence.forget()
        os.rename(database, folder / DATABASE)
        sync(folder)
    return aside


def _set_aside(folder: Path, names: list[str]) -> Path:
    """The tree first and the ledger last: whatever a crash leaves here still is a store."""
    aside = folder / SET_ASIDE / f"restored-{datetime.now(UTC):%Y-%m-%dT%H-%M-%S.%f}"
    aside.mkdir(mode=0o700, parents=True)
    if DATABASE in names:
        with suppress(StoreDamaged, StoreReadOnly):  # then it goes aside with its log as it is
            backups().fold_log(folder / DATABASE)
    for name in sorted(names, key=lambda name: name == DATABASE):
        os.rename(folder / name, aside / name)
    for suffix in _SIDE:
        if (folder / f"{DATABASE}{suffix}").exists():
            os.rename(folder / f"{DATABASE}{suffix}", aside / f"{DATABASE}{suffix}")
    for changed in (aside, aside.parent, folder):
        sync(changed)
    return aside


def _write_out(url: object) -> None:
    """Make the working tree anew from the ledger."""
    store = open_store(url)
    try:
        for project in store.inspection().projects():
            for scope in store.versions.scopes(project=project):
                store.views.settle(scope)
    finally:
        store.close()

"""Files outside the store: made whole or not at all, never over something that is there.

What is written goes to a temporary name beside the wanted one, is put on disk, and only then gets its name.
"""

from __future__ import annotations

import errno
import os
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from reverie.errors import NotAllowed, NotFound, ReverieError, StoreFull, StoreReadOnly

_NO_LINKS = (errno.EPERM, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK, errno.ENOSYS)


@contextmanager
def new_file(path: Path) -> Iterator[Path]:
    """A temporary file that becomes the file at a path when the block ends well. NotAllowed if something is there."""
    if os.path.lexists(path):
        raise _taken(path)
    temporary = _beside(path)
    with _told(path):
        try:
            os.close(os.open(temporary, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600))
            yield temporary
            sync(temporary)
            _name(temporary, path)
            sync(path.parent)
        finally:
            with suppress(FileNotFoundError):
                temporary.unlink()


@contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """A temporary folder that becomes the folder at a path when the block ends well; an empty one may be there."""
    if os.path.lexists(path) and not (path.is_dir() and not path.is_symlink() and not any(path.iterdir())):
        raise _taken(path)
    temporary = _beside(path)
    with _told(path):
        try:
            temporary.mkdir(mode=0o700)
            yield temporary
            for folder, _, files in os.walk(temporary, topdown=False):
                for name in files:
                    sync(Path(folder, name))
                sync(Path(folder))
            os.rename(temporary, path)
            sync(path.parent)
        finally:
            shutil.rmtree(temporary, ignore_errors=True)


def sync(path: Path) -> None:
    """Put a file's content, or a folder's names, on disk."""
    handle = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def disk_error(error: OSError, path: Path) -> ReverieError:
    """The error of Reverie for what the operating system said about a file outside the store."""
    said = (error.strerror or type(error).__name__).lower()
    if error.errno in (errno.EEXIST, errno.ENOTEMPTY):
        return _taken(path)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return NotFound(f"{path} is not there.", "Check the name.")
    if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
        return StoreFull(f"{path} was not written: {said}.", "Free some space; the store itself is untouched.")
    return StoreReadOnly(f"{path} cannot be used: {said}.", "Choose a place that you may read and write.")


@contextmanager
def _told(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise disk_error(error, path) from error


def _taken(path: Path) -> NotAllowed:
    return NotAllowed(f"There is already something at {path}.", "Give a name that is not taken yet.")


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")


def _name(temporary: Path, path: Path) -> None:
    """Never over another file; where the disk has no links, the name was free a moment ago."""
    try:
        os.link(temporary, path, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        os.rename(temporary, path)

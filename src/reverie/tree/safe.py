"""Files opened so that nothing planted in the tree can lead outside it.

Every segment of a path is opened relative to the handle of the folder above, without following links; what is read must
be a regular file with one name, of bounded size. Only the store's root itself may be reached through a link. Once a
folder is open, swapping its path for something else no longer matters.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from reverie.tree.decision import Missing, Unusable

MAX_BYTES = 8 * 1024 * 1024
"""The largest file that is read as memory."""

TEMPORARY = ".reverie-"
"""How the names of our own temporary files begin; nothing else in the tree is called so."""

SECOND_NAME = "it has a second name (a hard link)"
_TOO_BIG = f"it is larger than {MAX_BYTES // (1024 * 1024)} MB"

PROBE = TEMPORARY + "now-"
"""How the names of files begin that exist for a moment, to ask the file system for its time."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_LINKS = frozenset({errno.ELOOP, errno.EMLINK})


@dataclass(frozen=True, slots=True)
class Found:
    """A regular file: its bytes, and when it was last changed by the file system's clock (nanoseconds)."""

    content: bytes
    modified: int


class Folder:
    """An open folder of the tree; `path` are its names below the root. Close it, or use it as a context."""

    __slots__ = ("handle", "path")

    def __init__(self, handle: int, path: tuple[str, ...]) -> None:
        self.handle = handle
        self.path = path

    def __enter__(self) -> Folder:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the handle."""
        os.close(self.handle)

    def walk(self, names: Sequence[str]) -> Folder | Missing | Unusable:
        """The folder below this one at a path; Missing or Unusable at the first name that is no folder."""
        handle = self.handle
        try:
            for name in names:
                below = os.open(name, _FOLDER, dir_fd=handle)
                if handle != self.handle:
                    os.close(handle)
                handle = below
        except OSError as error:
            if handle != self.handle:
                os.close(handle)
            return _not_opened(error, "it is a link or not a folder")
        if handle == self.handle:
            handle = os.dup(handle)
        return Folder(handle, (*self.path, *names))

    def make(self, names: Sequence[str]) -> Folder:
        """The folder below this one at a path, created where it is missing (for its owner only); OSError otherwise."""
        folder = Folder(os.dup(self.handle), self.path)
        try:
            for name in names:
                below = folder._child(name)
                folder.close()
                folder = below
        except OSError:
            folder.close()
            raise
        return folder

    def _child(self, name: str) -> Folder:
        try:
            handle = os.open(name, _FOLDER, dir_fd=self.handle)
        except FileNotFoundError:
            try:
                os.mkdir(name, 0o700, dir_fd=self.handle)
                os.fsync(self.handle)
            except FileExistsError:
                pass  # another process was quicker; the open below checks what it is
            handle = os.open(name, _FOLDER, dir_fd=self.handle)
        return Folder(handle, (*self.path, name))

    def read(self, name: str, *, links: int = 1) -> Found | Missing | Unusable:
        """What is at a name; Unusable for anything but a regular file that has `links` names and a bounded size."""
        try:
            handle = os.open(name, _FILE, dir_fd=self.handle)
        except OSError as error:
            return _not_opened(error, "it is not a file")
        try:
            status = os.fstat(handle)
            if status.st_nlink != links or not stat.S_ISREG(status.st_mode) or status.st_size > MAX_BYTES:
                return Unusable(_fault_of(status))
            content = os.read(handle, status.st_size + 1)
            if len(content) != status.st_size:
                content = _rest(handle, content)
            return Found(content, status.st_mtime_ns) if len(content) <= MAX_BYTES else Unusable(_TOO_BIG)
        except OSError as error:
            return _not_opened(error, "it is not a file")
        finally:
            os.close(handle)

    def names(self) -> list[str]:
        """What is in the folder, in order of name."""
        return sorted(os.listdir(self.handle))

    def temporary(self, content: bytes, *, like: str | None = None) -> str:
        """The name of a new file with this content, on disk before this returns; nothing stays behind on failure.

        It is for its owner only, or for those who may use the file that it is to replace, `like`, as they may use it.
        """
        name = temporary_name()
        handle = os.open(name, _CREATE, 0o600, dir_fd=self.handle)
        try:
            try:
                if like is not None:
                    self._permit(handle, like)
                view = memoryview(content)
                while view:
                    view = view[os.write(handle, view) :]
                os.fsync(handle)
            finally:
                os.close(handle)
        except BaseException:
            os.unlink(name, dir_fd=self.handle)
            raise
        return name

    def _permit(self, handle: int, like: str) -> None:
        """Give an open file the permissions of another, if that is a file: never more than it has."""
        with contextlib.suppress(FileNotFoundError):
            model = os.stat(like, dir_fd=self.handle, follow_symlinks=False)
            if not stat.S_ISREG(model.st_mode):
                return
            mode, own = model.st_mode & 0o777, os.fstat(handle)
            if (model.st_uid, model.st_gid) != (own.st_uid, own.st_gid):
                try:
                    os.fchown(handle, model.st_uid, model.st_gid)
                except OSError:  # not ours to give: then what the other group may do is for nobody
                    mode &= ~0o070 if model.st_gid != own.st_gid else 0o777
            if mode != stat.S_IMODE(own.st_mode):
                with contextlib.suppress(OSError):  # a file system without permissions
                    os.fchmod(handle, mode)

    def sync(self, name: str | None = None) -> None:
        """Put the folder's names on disk, and the content of one of its files before them."""
        if name is not None:
            handle = os.open(name, _FILE, dir_fd=self.handle)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        os.fsync(self.handle)

    def now(self) -> int:
        """The present by the file system's own clock, in nanoseconds: the time it gives to a new file."""
        name = PROBE + secrets.token_hex(8)
        handle = os.open(name, _CREATE, 0o600, dir_fd=self.handle)
        try:
            return os.fstat(handle).st_mtime_ns
        finally:
            os.close(handle)
            self.discard(name)

    def discard(self, name: str) -> None:
        """Remove a file of ours that another process may have cleared away already."""
        with contextlib.suppress(FileNotFoundError):
            os.unlink(name, dir_fd=self.handle)


def open_root(root: Path) -> Folder:
    """The store's root, which may itself be a link to a folder; OSError when it cannot be opened."""
    return Folder(os.open(root, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC), ())


def temporary_name() -> str:
    """A name that nothing in the tree has."""
    return TEMPORARY + secrets.token_hex(8)


def _rest(handle: int, content: bytes) -> bytes:
    """What a file that changed size while it was read holds, up to just past the largest size."""
    pieces, size = [content], len(content)
    while size <= MAX_BYTES and (more := os.read(handle, MAX_BYTES + 1 - size)):
        pieces.append(more)
        size += len(more)
    return b"".join(pieces)


def _not_opened(error: OSError, refused: str) -> Missing | Unusable:
    if error.errno == errno.ENOENT:
        return Missing()
    if error.errno in _LINKS:
        return Unusable("it is a symbolic link")
    if error.errno in (errno.ENOTDIR, errno.ENXIO, errno.EISDIR):
        return Unusable(refused)
    return Unusable(f"it cannot be read: {(error.strerror or 'unknown error').lower()}")


def _fault_of(status: os.stat_result) -> str:
    if stat.S_ISDIR(status.st_mode):
        return "it is a folder"
    if not stat.S_ISREG(status.st_mode):
        return "it is a pipe or a device"
    return SECOND_NAME if status.st_nlink != 1 else _TOO_BIG

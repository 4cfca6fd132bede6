"""Presence: the lock that every open embedded store holds, and the witness that is kept in the same file.

Whoever gets the lock alone knows that nobody else has the store open. The witness says which record was committed last.
It is written after each commit and marked when the store is closed in order, so a witness without that mark says that
the last process was stopped hard. With or without, a database that does not have its record is not the newest one.
"""

from __future__ import annotations

import errno
import fcntl
import hashlib
import os
import struct
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from reverie.scopes import Scope

LOCK = ".reverie.lock"

_WITNESS = struct.Struct(">4s16sq32s")  # mark, scope, sequence number, hash of the record
_MARK, _RESTED = b"RVW1", b"RVR1"


@dataclass(frozen=True, slots=True)
class Witness:
    """What was committed last: a digest of the scope, sequence number and hash of the record.

    `rested` when the store was closed in order since.
    """

    scope: bytes
    seq: int
    hash: str
    rested: bool


class Presence:
    """The lock that says "this store is open"; `alone` when nobody else held it at the time."""

    def __init__(self, folder: Path) -> None:
        self.alone = False
        self._handle: int | None = None
        try:
            handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        except OSError:
            return  # a folder that cannot be written: nobody can have stopped in the middle of a write here
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            self.alone = True
        except OSError as error:
            if error.errno in (errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP):
                os.close(handle)
                return
        self._handle = handle

    def settle(self) -> None:
        """From now on others may hold it too."""
        if self._handle is not None:
            fcntl.flock(self._handle, fcntl.LOCK_SH)

    def witness(self, scope: Scope, seq: int, hash: str) -> None:
        """Note what was committed last. It need not be synced: it is never newer than what is on disk."""
        if self._handle is not None:
            with suppress(OSError):  # it is there to find out more, and the write that it tells of is done
                os.pwrite(
                    self._handle, _WITNESS.pack(_MARK, scope_digest(scope), seq, bytes.fromhex(hash)), 0
                )

    def witnessed(self) -> Witness | None:
        """The witness that is left, None where nothing was committed yet."""
        if self._handle is None:
            return None
        found = os.pread(self._handle, _WITNESS.size, 0)
        if len(found) != _WITNESS.size or found[:4] not in (_MARK, _RESTED):
            return None
        mark, digest, seq, hashed = _WITNESS.unpack(found)
        return Witness(digest, seq, hashed.hex(), mark == _RESTED)

    def rest(self) -> None:
        """Mark the witness: the store is about to be closed in order."""
        if self.witnessed() is not None and self._handle is not None:
            with suppress(OSError):  # then the next start looks more closely than it needs to
                os.pwrite(self._handle, _RESTED, 0)

    def forget(self) -> None:
        """Remove the witness for good: the database is about to be exchanged. Raises OSError."""
        if self._handle is not None:
            os.ftruncate(self._handle, 0)
            os.fsync(self._handle)

    def close(self) -> None:
        """Let go of the lock; closing twice is harmless."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def __enter__(self) -> Presence:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def scope_digest(scope: Scope) -> bytes:
    """A scope in sixteen bytes that do not say whose it is."""
    parts = "\0".join((scope.project, scope.agent, scope.user))
    return hashlib.sha256(parts.encode()).digest()[:16]

"""Starting after an unclean stop: whether the last process that had the store open left it as it should.

Every open store holds a shared lock on a file in its folder. Whoever gets that lock alone knows that nobody else has
the store open. A log or journal beside the database file then means that the last process was stopped hard. SQLite
recovers from that by itself; what it cannot tell is a log that was damaged, and it quietly ends the log there. So the
log is looked at before SQLite does, and the file afterwards, for a bounded time.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

from reverie.errors import StoreDamaged
from reverie.sql.database import sqlite_driver

LOCK = ".reverie.lock"
SIDE_FILES = ("-wal", "-journal")

SMALL_BYTES = 4 * 1024 * 1024
"""A database up to this size is checked at every start: that takes milliseconds."""

CHECK_SECONDS = 2.0
"""How long a larger one is checked after an unclean stop; `reverie verify` takes all the time that it needs."""

_CHECKED_AFTER = 20_000  # virtual machine steps between two looks at the clock
_WAL_HEADER, _FRAME_HEADER = 32, 24
_BIG_ENDIAN, _LITTLE_ENDIAN = 0x377F0683, 0x377F0682


class Presence:
    """The shared lock that says "this store is open"; `alone` when nobody else held it at the time."""

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

    def close(self) -> None:
        """Let go; closing twice is harmless."""
        handle, self._handle = self._handle, None
        if handle is not None:
            os.close(handle)

    def __enter__(self) -> Presence:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def enter(folder: Path, path: Path) -> Presence:
    """Say that the store is open, after looking at what an unclean stop may have left. Raises StoreDamaged."""
    presence = Presence(folder)
    try:
        unclean = presence.alone and left_unclean(path)
        if unclean:
            check_log(path.with_name(path.name + "-wal"))
        if path.exists() and (unclean or (presence.alone and path.stat().st_size <= SMALL_BYTES)):
            check_file(path, sqlite_driver())
        presence.settle()
    except BaseException:
        presence.close()
        raise
    return presence


def left_unclean(path: Path) -> bool:
    """Whether a log or journal with anything in it lies beside the database file."""
    for suffix in SIDE_FILES:
        try:
            if path.with_name(path.name + suffix).stat().st_size:
                return True
        except FileNotFoundError:
            continue
    return False


def check_file(path: Path, module: ModuleType, *, seconds: float = CHECK_SECONDS) -> None:
    """SQLite's own check of the database file, for a bounded time; StoreDamaged with what it found first."""
    deadline = time.monotonic() + seconds
    connection = module.connect(str(path), isolation_level=None)
    try:
        connection.set_progress_handler(lambda: time.monotonic() > deadline, _CHECKED_AFTER)
        found = _first_fault(connection, module)
    finally:
        connection.close()
    if found:
        raise StoreDamaged(
            f"The database file {path.name} is damaged: {found}.",
            "Keep a copy of the folder, then bring the newest backup back with `reverie restore-backup`.",
        )


def _first_fault(connection: Any, module: ModuleType) -> str:
    try:
        row = connection.execute("PRAGMA integrity_check(1)").fetchone()
    except module.DatabaseError as error:
        if str(error) == "interrupted" or "locked" in str(error) or "readonly" in str(error):
            return ""
        return str(error)
    return "" if row is None or row[0] == "ok" else str(row[0]).replace("\n", " ")


def check_log(path: Path) -> None:
    """Refuse a write-ahead log with a damaged frame before frames that were acknowledged; StoreDamaged.

    SQLite ends a log at the first frame whose checksum fails, because a crash in the middle of a commit looks so. But
    each commit is on disk before the next one begins: a frame that follows on a whole later commit proves that the
    damaged one had been on disk. Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
    """
    try:
        with path.open("rb") as file:
            damaged = _broken_frame(file.read(_WAL_HEADER), iter(lambda: file.read(_FRAME_HEADER), b""), file)
    except FileNotFoundError:
        return
    if damaged:
        raise StoreDamaged(
            f"The log {path.name} is damaged in frame {damaged}, and commits that were acknowledged lie behind it.",
            "Keep a copy of the folder, then bring the newest backup back with `reverie restore-backup`.",
        )


def _broken_frame(header: bytes, frames: Iterator[bytes], file: Any) -> int:
    """The number of the first frame that fails although commits behind it had begun after it; 0 for none."""
    if len(header) < _WAL_HEADER:
        return 0
    magic, _, size, _, salt_1, salt_2, sum_1, sum_2 = struct.unpack(">8I", header)
    if magic not in (_BIG_ENDIAN, _LITTLE_ENDIAN):
        return 1 if next(frames, b"") else 0
    order = ">" if magic == _BIG_ENDIAN else "<"
    state = _checksum(header[:24], (0, 0), order)
    broken, committed = (1, False) if state != (sum_1, sum_2) else (0, False)
    for number, frame in enumerate(frames, 1):
        page = file.read(size)
        if len(frame) < _FRAME_HEADER or len(page) < size:
            return 0
        _, commit, frame_1, frame_2, check_1, check_2 = struct.unpack(">6I", frame)
        if (frame_1, frame_2) != (salt_1, salt_2):
            if not broken:
                return 0
            continue
        if broken:
            if committed:
                return broken
            committed = bool(commit)
            continue
        state = _checksum(page, _checksum(frame[:8], state, order), order)
        if state != (check_1, check_2):
            broken = number
            committed = bool(commit)
    return 0


def _checksum(data: bytes, state: tuple[int, int], order: str) -> tuple[int, int]:
    one, two = state
    words = struct.unpack(f"{order}{len(data) // 4}I", data)
    for first, second in zip(words[::2], words[1::2], strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


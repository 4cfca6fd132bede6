"""Faults of a file system, told as errors of Reverie: what happened, to what, and what to do next."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

from reverie.errors import ReverieError, StoreBusy, StoreDamaged, StoreFull, StoreReadOnly

_READ_ONLY = frozenset({errno.EROFS, errno.EACCES, errno.EPERM})
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})
_LED_AWAY = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EISDIR})
_BUSY = frozenset(
    {errno.EBUSY, errno.EAGAIN, errno.EINTR, errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.ETXTBSY}
)


@contextmanager
def translating(subject: str) -> Iterator[None]:
    """Turn an OSError raised inside the block into an error of Reverie that names `subject`."""
    try:
        yield
    except OSError as error:
        raise translated(error, subject) from error


def translated(error: OSError, subject: str) -> ReverieError:
    """The error of Reverie for what the operating system said about a file or folder of the store."""
    said = (error.strerror or type(error).__name__).lower()
    if error.errno in _READ_ONLY:
        return StoreReadOnly(
            f"{subject} in the working tree cannot be written: {said}.",
            "Check the permissions of the store's folder and disk; reading works.",
        )
    if error.errno in _FULL:
        return StoreFull(
            f"{subject} in the working tree was not written: {said}.",
            "Free some space; the ledger has the text and the file follows at the next use.",
        )
    if error.errno in _BUSY:
        return StoreBusy(f"{subject} in the working tree did not answer: {said}.", "Try again in a moment.")
    if error.errno in _LED_AWAY:
        return StoreDamaged(
            f"The folder of {subject} in the working tree is a link or not a folder.",
            "Look who put it there, and remove it; the store makes its folders itself.",
        )
    return StoreDamaged(
        f"The disk failed at {subject} in the working tree: {said}.",
        "Check the disk, then run `reverie verify`; what the ledger acknowledged is intact.",
    )

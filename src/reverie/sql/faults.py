"""Faults of a database, told as errors of Reverie: what happened, to what, and what to do next.

The driver's own message is quoted, never the statement or its parameters: they may hold memory.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlalchemy import exc

from reverie.errors import NotFound, ReverieError, StoreBusy, StoreDamaged, StoreFull, StoreReadOnly

_Maker = Callable[[str], ReverieError]


def _busy(what: str) -> ReverieError:
    return StoreBusy(f"The store did not answer: {what}.", "Nothing was stored; try again in a moment.")


def _full(what: str) -> ReverieError:
    return StoreFull(
        f"The store's disk is full: {what}.", "Free some space and try again; what was stored is intact."
    )


def _read_only(what: str) -> ReverieError:
    return StoreReadOnly(
        f"The store cannot be written: {what}.",
        "Check the permissions of its folder, disk or database; reading works.",
    )


def _damaged(what: str) -> ReverieError:
    return StoreDamaged(
        f"The database is damaged or is not a store: {what}.",
        "Run `reverie verify`, then `reverie restore-backup` with the newest backup.",
    )


def _failed_write(what: str) -> ReverieError:
    return StoreDamaged(
        f"The disk failed while the store was writing or reading: {what}.",
        "Nothing was acknowledged. Check the disk, then run `reverie verify`.",
    )


def _refused(what: str) -> ReverieError:
    return NotFound(
        f"The server does not let this client in: {what}.", "Check the address: host, database, user and password."
    )


_REFUSED = re.compile(r"does not exist|authentication failed|no password supplied|no pg_hba|not permitted to log in")
"""What a server says that will not change by trying again; a failed connection has no SQLSTATE."""

# SQLite's primary result codes, https://www.sqlite.org/rescode.html
_SQLITE: dict[int, _Maker] = {
    5: _busy, 6: _busy, 8: _read_only, 10: _failed_write, 11: _damaged, 13: _full, 14: _read_only, 15: _busy,
    23: _read_only, 26: _damaged,
}  # fmt: skip

# SQLSTATE classes and codes, https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES: dict[str, _Maker] = {
    "08": _busy, "25006": _read_only, "40001": _busy, "40P01": _busy, "53100": _full, "53": _busy, "55P03": _busy,
    "57": _busy, "58030": _failed_write, "XX001": _damaged, "XX002": _damaged, "42501": _read_only,
    "28": _refused, "3D000": _refused,
}  # fmt: skip


@contextmanager
def translating() -> Iterator[None]:
    """Turn what the driver raises inside the block into an error of Reverie."""
    try:
        yield
    except exc.DBAPIError as error:
        raise translated(error) from error
    except exc.TimeoutError as error:
        raise _busy("all its connections are in use") from error


def translated(error: exc.DBAPIError) -> ReverieError:
    """The error of Reverie for what the driver raised."""
    original = error.orig
    said = str(original).split("\n", 1)[0].strip().rstrip(".") or type(original).__name__
    number = getattr(original, "sqlite_errorcode", None)
    if number is not None:
        return _SQLITE.get(number & 0xFF, _damaged)(said)
    if "sqlite" in type(original).__module__:
        return _by_words(said)
    state = getattr(original, "sqlstate", None) or ""
    for key in (state, state[:2]):
        if key in _POSTGRES:
            return _POSTGRES[key](said)
    if not state and _REFUSED.search(said):
        return _refused(said)
    return _busy(said) if error.connection_invalidated or not state else _damaged(said)


def retriable(error: exc.DBAPIError) -> bool:
    """Whether the transaction was rolled back for a reason that running it again may cure."""
    return getattr(error.orig, "sqlstate", None) in ("40001", "40P01")


def _by_words(said: str) -> ReverieError:
    """For SQLite drivers that give no result code."""
    words = {
        "locked": _busy,
        "full": _full,
        "readonly": _read_only,
        "unable to open": _read_only,
        "i/o": _failed_write,
    }
    return next((make for word, make in words.items() if word in said.lower()), _damaged)(said)

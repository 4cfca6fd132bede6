"""Times: a moment is a datetime with a zone, or it is not a moment."""

from __future__ import annotations

from datetime import datetime

from reverie.errors import InvalidTime


def zoned(time: object, what: str) -> datetime:
    """The time, if it is a datetime with a zone; InvalidTime, saying `what` it is, if not."""
    if not isinstance(time, datetime):
        raise InvalidTime(f"{what} is {type(time).__name__}, not a datetime.", "Pass an aware datetime.")
    if time.utcoffset() is None:
        raise InvalidTime(f"{what} has no zone.", "Pass an aware datetime, like datetime.now(UTC).")
    return time

"""The journal of a scope: records appended after one verdict, read by session, day or place in the sequence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from reverie.errors import InvalidTime
from reverie.ports import Journal
from reverie.records import Entry, Record
from reverie.scopes import Scope, checked_id
from reverie.secrets import mask
from reverie.times import zoned
from reverie.validity import checked_text

MAX_SEQ = 2**62
"""More than any journal can have; larger numbers do not fit into a database."""


class JournalBook:
    """Appending and reading records over the Journal port."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def append(self, scope: Scope, entries: Sequence[Entry]) -> list[Record]:
        """Add records in order, in one transaction, secrets masked; InvalidText, InvalidTime or KeyReused."""
        return list(self._journal.append(scope=scope, entries=[_judged(entry) for entry in entries]))

    def read(
        self, scope: Scope, *, session: str | None = None, day: tuple[date, tzinfo] | None = None, after: int = 0,
        limit: int = 500,
    ) -> list[Record]:  # fmt: skip
        """Records after a sequence number, oldest first; a day is one of the given zone."""
        since, until = _bounds(*day) if day else (None, None)
        after, limit = (min(max(number, 0), MAX_SEQ) for number in (after, limit))
        return list(
            self._journal.read(
                scope=scope, session=session, since=since, until=until, after=after, limit=limit
            )
        )


def _bounds(day: date, zone: tzinfo) -> tuple[datetime, datetime]:
    """The first moment of a day and of the next, in UTC; a day of 23 or 25 hours is whole."""
    try:
        first = datetime.combine(day, time(), zone)
        after = datetime.combine(day + timedelta(days=1), time(), zone)
        return first.astimezone(UTC), after.astimezone(UTC)
    except OverflowError as error:
        raise InvalidTime(
            f"{day} is at the end of the calendar.", "Ask for a day that has two neighbours."
        ) from error


def _judged(entry: Entry) -> Entry:
    if entry.at is not None:
        zoned(entry.at, "The record's time")
    if entry.session is not None:
        checked_id("session", entry.session)
    for what, word in (("the key", entry.key), ("the speaker", entry.speaker), ("the actor", entry.actor)):
        checked_text(word or "", f"{what} of a journal record")
    return replace(entry, text=mask(checked_text(entry.text, "a journal record")).text)

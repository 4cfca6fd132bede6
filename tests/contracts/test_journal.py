"""The Journal port on SQLite and PostgreSQL: the promises of `reverie.testing`, and days as a scope's zone has them."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from reverie import Memory
from reverie.errors import InvalidId, InvalidText, InvalidTime, OverLimit, ReverieError
from reverie.records import Entry
from reverie.scopes import Scope
from reverie.testing import JOURNAL_PROMISES, FixedClock, Ledger, Promise, name_of
from tests.stores import ledger_at

USER = Scope("default", "ann", "bob")


@pytest.fixture
def ledger(store_url: str) -> Iterator[Ledger]:
    with ledger_at(store_url) as opened:
        yield opened


@pytest.fixture
def memory(store_url: str) -> Iterator[Memory]:
    with Memory.open(store_url, clock=FixedClock()) as opened:
        yield opened


@pytest.mark.parametrize("promise", JOURNAL_PROMISES, ids=name_of)
def test_the_journal_keeps_its_promise(promise: Promise, ledger: Ledger) -> None:
    promise(ledger)


@pytest.mark.parametrize(
    ("zone", "day", "hours"),
    [
        ("Europe/Berlin", date(2026, 3, 29), 23),
        ("Europe/Berlin", date(2026, 10, 25), 25),
        ("America/New_York", date(2026, 3, 8), 23),
        ("Asia/Kathmandu", date(2026, 3, 29), 24),
        ("Australia/Lord_Howe", date(2026, 4, 5), 24.5),
        ("Pacific/Kiritimati", date(2026, 1, 1), 24),
        ("UTC", date(2026, 3, 4), 24),
    ],
)
def test_a_day_is_whole_in_its_zone(memory: Memory, zone: str, day: date, hours: float) -> None:
    memory.agent("ann").configure(timezone=zone)
    user = memory.agent("ann").user("bob")
    start = datetime.combine(day, datetime.min.time(), ZoneInfo(zone)).astimezone(UTC)
    half_hours = [start + timedelta(minutes=30) * step for step in range(-4, int(2 * hours) + 4)]
    memory.store.book.append(user.scope, [Entry("user", "user", time.isoformat(), at=time) for time in half_hours])

    found = [record.at for record in user.journal(day=day)]

    assert found == half_hours[4:-4]
    around = [user.journal(day=day + timedelta(days=step)) for step in (-1, 1)]
    assert [len(records) for records in around] == [4, 4]


def test_a_record_of_a_past_day_keeps_its_place_in_the_sequence(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    times = [datetime(2026, 3, day, tzinfo=UTC) for day in (5, 1, 3)]
    memory.store.book.append(user.scope, [Entry("user", "user", time.isoformat(), at=time) for time in times])
    assert [record.at for record in user.journal()] == times


@pytest.mark.parametrize(
    ("entry", "error"),
    [
        (Entry("user", "user", "x", at=datetime(2026, 3, 4)), InvalidTime),  # noqa: DTZ001
        (Entry("user", "user", "a\0b"), InvalidText),
        (Entry("user", "user", "half \ud83d"), InvalidText),
        (Entry("user", "user", "x", session=""), InvalidId),
        (Entry("user", "user", "x", session="s" * 201), InvalidId),
        (Entry("user", "user", "x", session="a\nb"), InvalidId),
        (Entry("user", "user", "x" * 100_001), InvalidText),
        (Entry("user", "user", "x\n" * 500_001), OverLimit),
    ],
)
def test_a_record_that_cannot_be_stored_is_refused(memory: Memory, entry: Entry, error: type[ReverieError]) -> None:
    with pytest.raises(error) as caught:
        memory.store.book.append(USER, [Entry("user", "user", "fine"), entry])
    assert caught.value.remedy
    assert memory.store.book.read(USER) == []


def test_a_secret_is_masked_before_it_is_a_record(memory: Memory) -> None:
    secret = "Tulip-" + "44-Comet"
    appended = memory.store.book.append(USER, [Entry("user", "user", f"the password is {secret}")])[0]
    assert secret not in (appended.text or "")
    assert [record.text for record in memory.store.book.read(USER)] == [appended.text]

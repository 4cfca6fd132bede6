"""Clocks that jump: order comes from sequence and version numbers, and a time is only what was told at the time."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reverie import Memory
from reverie.records import Entry
from reverie.testing import START, FixedClock
from tests.stores import assert_settled, assert_sound, assert_straight

FILE = "MEMORY.md"
HOUR, DECADE = timedelta(hours=1), timedelta(days=3650)
JUMPS = (HOUR, -HOUR, DECADE, -2 * DECADE, HOUR, DECADE, timedelta(0), -HOUR)
_serial = itertools.count()


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


@pytest.fixture
def memory(store_url: str, clock: FixedClock) -> Iterator[Memory]:
    with Memory.open(store_url, clock=clock) as opened:
        yield opened


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Memory, FixedClock]]:
    clock = FixedClock()
    with Memory.open(tmp_path_factory.mktemp("clocks") / "store", clock=clock) as memory:
        yield memory, clock


@pytest.mark.case("R-21")
def test_versions_and_records_keep_their_order_over_jumps(memory: Memory, clock: FixedClock) -> None:
    user = memory.agent("ann").user("bob")
    for number, jump in enumerate(JUMPS):
        clock.advance(jump)
        user.append(FILE, f"entry {number}")
        memory.store.book.append(user.scope, [Entry("user", "user", f"said {number}")])
        assert_settled(memory, user)

    history = user.history(FILE)
    assert_straight(history)
    assert [version.number for version in history] == list(range(1, len(JUMPS) + 1))
    records = user.journal()
    assert [record.seq for record in records] == list(range(1, 2 * len(JUMPS) + 1))
    assert [record.text for record in records if record.kind == "user"] == [f"said {n}" for n in range(len(JUMPS))]
    document = user.read(FILE)
    assert document is not None
    assert (document.version, document.text) == (len(JUMPS), history[-1].text)
    assert_sound(memory)


@pytest.mark.case("R-21")
def test_two_processes_with_clocks_ten_years_apart_agree_on_the_order(store_url: str) -> None:
    with (
        Memory.open(store_url, clock=FixedClock(START - DECADE)) as late,
        Memory.open(store_url, clock=FixedClock(START + DECADE)) as early,
    ):
        for number in range(6):
            memory = (early, late)[number % 2]
            memory.agent("ann").user("bob").append(FILE, f"entry {number}")
        user = late.agent("ann").user("bob")
        text = user.history(FILE)[-1].text or ""
        assert [line for line in text.split("\n") if line] == [f"- entry {number}" for number in range(6)]
        assert_straight(user.history(FILE))
        for memory in (early, late):
            assert_settled(memory, memory.agent("ann").user("bob"))


@pytest.mark.case("R-21")
def test_a_key_and_an_edit_survive_a_clock_that_goes_back(memory: Memory, clock: FixedClock) -> None:
    user = memory.agent("ann").user("bob")
    first = memory.store.book.append(user.scope, [Entry("user", "user", "tea", key="k")])
    memory.agent("ann").configure(shared_writes="review")
    clock.advance(-DECADE)
    assert memory.store.book.append(user.scope, [Entry("user", "user", "tea", key="k")]) == first
    for number in range(3):
        memory.agent("ann").write("SOUL.md", f"calm {number}", origin="agent")
        clock.advance(-HOUR)
    assert [edit.text for edit in memory.agent("ann").edits()] == ["calm 0", "calm 1", "calm 2"]


@pytest.mark.case("R-21")
def test_a_context_does_not_change_because_the_clock_does(memory: Memory, clock: FixedClock) -> None:
    user = memory.agent("ann").user("bob")
    memory.agent("ann").write("SOUL.md", "calm")
    user.write(FILE, "- tea")
    shown = user.context()
    for jump in (HOUR, -HOUR, -DECADE):
        clock.advance(jump)
        assert user.context().system_prompt == shown.system_prompt
        assert not any(info.stale for info in user.files()), "nothing is old because the clock went back"


@pytest.mark.case("R-21")
@given(jumps=st.lists(st.integers(-10**6, 10**6), min_size=1, max_size=8), asked=st.integers(-10**6, 10**6))
def test_as_of_is_the_newest_version_that_was_there_then(
    kept: tuple[Memory, FixedClock], jumps: list[int], asked: int
) -> None:
    """Where the clock went back, what counts at a time is the highest number that was told by then."""
    memory, clock = kept
    user = memory.agent("ann").user(f"user-{next(_serial)}")
    times = []
    for number, jump in enumerate(jumps):
        clock.set(START + timedelta(minutes=jump))
        user.append(FILE, f"entry {number}")
        times.append(clock.now())
    moment = START + timedelta(minutes=asked)
    document = user.read(FILE, as_of=moment)
    there = [number for number, time in enumerate(times, 1) if time <= moment]
    assert (document.version if document else None) == (there[-1] if there else None)


@pytest.mark.case("R-21")
def test_a_day_of_the_journal_is_by_the_time_that_was_told(memory: Memory, clock: FixedClock) -> None:
    user = memory.agent("ann").user("bob")
    for day in (5, 3, 4, 3):
        clock.set(datetime(2026, 3, day, 12, tzinfo=UTC))
        memory.store.book.append(user.scope, [Entry("user", "user", f"on day {day}")])
    assert [record.seq for record in user.journal(day=date(2026, 3, 3))] == [2, 4]

"""The Versions port on SQLite and PostgreSQL: the promises of `reverie.testing`, and what SQL adds to them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sqlalchemy as sa

from reverie import Memory
from reverie.errors import InvalidTime, NotFound, StaleVersion, StoreDamaged
from reverie.sql import schema
from reverie.sql.database import Database
from reverie.sql.versions import SqlVersions
from reverie.testing import VERSIONS_PROMISES, FixedClock, Ledger, Promise, name_of
from reverie.testing.ledger import MEMORY, USER
from reverie.versions import Version
from tests.stores import assert_straight, ledger_at


@pytest.fixture
def ledger(store_url: str) -> Iterator[Ledger]:
    with ledger_at(store_url) as opened:
        yield opened


@pytest.fixture
def memory(store_url: str) -> Iterator[Memory]:
    with Memory.open(store_url, clock=FixedClock()) as opened:
        yield opened


@pytest.mark.parametrize("promise", VERSIONS_PROMISES, ids=name_of)
def test_versions_keep_their_promise(promise: Promise, ledger: Ledger) -> None:
    promise(ledger)


@pytest.mark.parametrize(
    ("column", "value"), [("text", "tea, no milk"), ("text", None), ("chars", None), ("hash", "0" * 64)]
)
def test_a_version_changed_behind_our_back_is_not_shown(ledger: Ledger, column: str, value: str | None) -> None:
    ledger.put("tea")
    _database(ledger).change(lambda connection: connection.execute(sa.update(schema.versions).values({column: value})))

    with pytest.raises(StoreDamaged, match=r"Version 1 of MEMORY\.md"):
        ledger.versions.get(scope=USER, file=MEMORY, number=1)
    [told] = ledger.versions.history(scope=USER, file=MEMORY)
    assert (told.number, told.text, told.damaged) == (1, None, True)


def test_a_read_shows_no_damaged_text(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    user.write("USER.md", "fine")
    user.write(MEMORY, "tea")
    memory.store.database.change(
        lambda connection: connection.execute(sa.update(schema.versions).where(schema.versions.c.file == MEMORY).values(text="no"))
    )
    with Memory.open(memory.store.url, clock=FixedClock()) as again:
        fresh = again.agent("ann").user("bob")
        with pytest.raises(StoreDamaged):
            fresh.read(MEMORY)
        document = fresh.read("USER.md")
        assert document is not None
        assert document.text == "fine"
        assert not again.verify().ok


def test_no_verb_of_the_port_changes_an_old_version(ledger: Ledger) -> None:
    ledger.put("one")
    before = ledger.versions.get(scope=USER, file=MEMORY, number=1)
    ledger.put("two")
    ledger.put(None)
    ledger.put("one")
    assert ledger.versions.get(scope=USER, file=MEMORY, number=1) == before


def test_compare_and_set_takes_the_version_that_was_read(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    assert _number(user.write(MEMORY, "one", version=0)) == 1
    assert _number(user.write(MEMORY, "two", version=1)) == 2
    for stale in (0, 1, 3, -1):
        with pytest.raises(StaleVersion) as caught:
            user.write(MEMORY, "lost", version=stale)
        assert (caught.value.current, caught.value.text) == (2, "two")
    with pytest.raises(StaleVersion):
        user.delete(MEMORY, version=1)
    assert _number(user.delete(MEMORY, version=2)) == 3


def test_version_zero_matches_any_absent_file(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    user.write(MEMORY, "one", version=0)
    user.delete(MEMORY)
    with pytest.raises(StaleVersion) as caught:
        user.write(MEMORY, "lost", version=1)
    assert (caught.value.current, caught.value.text) == (2, None)
    assert _number(user.write(MEMORY, "again", version=0)) == 3
    user.delete(MEMORY)
    assert _number(user.write(MEMORY, "more", version=4)) == 5
    assert_straight(user.history(MEMORY))


def test_a_version_that_never_was_is_not_found(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    user.write(MEMORY, "one")
    for number in (0, 2, -1, 10**12):
        with pytest.raises(NotFound):
            user.read(MEMORY, version=number)
        with pytest.raises(NotFound):
            user.restore(MEMORY, number)


def test_a_time_without_a_zone_is_refused(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    user.write(MEMORY, "one")
    with pytest.raises(InvalidTime):
        user.read(MEMORY, as_of=FixedClock().now().replace(tzinfo=None))


@pytest.mark.case("R-41")
def test_a_restore_of_a_restore_makes_new_versions(memory: Memory) -> None:
    user = memory.agent("ann").user("bob")
    for text in ("one", "two"):
        user.write(MEMORY, text)
    lengths = []
    for number in (1, 2, 1):
        user.restore(MEMORY, number)
        lengths.append(len(user.history(MEMORY)))
    assert lengths == [3, 4, 5]
    assert [version.text for version in user.history(MEMORY)] == ["one", "two", "one", "two", "one"]
    user.delete(MEMORY)
    assert user.restore(MEMORY, 6).text is None
    assert_straight(user.history(MEMORY))


def _database(ledger: Ledger) -> Database:
    assert isinstance(ledger.versions, SqlVersions)
    return ledger.versions._database


def _number(made: object) -> int:
    assert isinstance(made, Version)
    return made.number

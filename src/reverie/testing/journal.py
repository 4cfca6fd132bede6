"""What every implementation of `ports.Journal` promises."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone

from reverie.errors import KeyReused
from reverie.records import GENESIS, Entry, commitment, record_hash
from reverie.scopes import Scope
from reverie.testing.ledger import AGENT, USER, Ledger, Promise, refused

COUNTED = ("seq", "hash", "records", "versions", "messages")


def records_come_back_in_sequence(ledger: Ledger) -> None:
    texts = ["one", "два\r\n\u2028", "🍋", ""]
    for text in texts:
        ledger.say(text)
    read = ledger.journal.read(scope=USER)
    assert [(record.seq, record.text) for record in read] == list(enumerate(texts, 1))
    assert [record.at for record in read] == [ledger.clock.now()] * 4


def everything_that_an_entry_says_is_kept(ledger: Ledger) -> None:
    said = datetime(2025, 12, 31, 23, 59, 59, 123456, tzinfo=timezone(timedelta(hours=3)))
    entry = Entry(
        "tool", "tool", "text", at=said, session="s", speaker="bob", actor="curl", key="k", batch="b",
        data=(("dates", ("2026-01-01",)),),
    )  # fmt: skip
    appended = ledger.journal.append(scope=USER, entries=[entry])[0]
    read = ledger.journal.read(scope=USER)[0]
    assert read == appended
    assert (read.kind, read.origin, read.text, read.at) == ("tool", "tool", "text", said)
    assert (read.session, read.speaker, read.actor, read.key, read.batch) == ("s", "bob", "curl", "k", "b")
    assert read.dates == ("2026-01-01",)


def several_entries_are_appended_in_order_or_not_at_all(ledger: Ledger) -> None:
    ledger.say("taken", key="k")
    with refused(KeyReused):
        ledger.journal.append(
            scope=USER, entries=[Entry("user", "user", "new"), Entry("user", "user", "other", key="k")]
        )
    assert [record.text for record in ledger.journal.read(scope=USER)] == ["taken"]
    entries = [Entry("user", "user", str(number)) for number in range(5)]
    assert [record.seq for record in ledger.journal.append(scope=USER, entries=entries)] == [2, 3, 4, 5, 6]
    assert list(ledger.journal.append(scope=USER, entries=[])) == []


def pages_follow_one_another_by_after(ledger: Ledger) -> None:
    ledger.journal.append(scope=USER, entries=[Entry("user", "user", str(number)) for number in range(7)])
    pages, after = [], 0
    while page := ledger.journal.read(scope=USER, after=after, limit=3):
        pages.append([record.text for record in page])
        after = page[-1].seq
    assert pages == [["0", "1", "2"], ["3", "4", "5"], ["6"]]
    assert list(ledger.journal.read(scope=USER, after=7)) == []


def a_session_is_read_by_itself(ledger: Ledger) -> None:
    for text, session in (("a", "s"), ("b", "s1"), ("c", None), ("d", "s"), ("e", "S")):
        ledger.say(text, session=session)
    assert [record.text for record in ledger.journal.read(scope=USER, session="s")] == ["a", "d"]
    assert [record.text for record in ledger.journal.read(scope=USER, session="s", after=1)] == ["d"]
    assert list(ledger.journal.read(scope=USER, session="%")) == []
    assert len(ledger.journal.read(scope=USER)) == 5


def a_span_of_time_begins_at_since_and_ends_before_until(ledger: Ledger) -> None:
    noon = datetime(2026, 3, 4, 12, tzinfo=UTC)
    tick = timedelta(microseconds=1)
    for step in (-1, 0, 1, 2):
        ledger.journal.append(scope=USER, entries=[Entry("user", "user", str(step), at=noon + step * tick)])
    read = ledger.journal.read(scope=USER, since=noon, until=noon + 2 * tick)
    assert [record.text for record in read] == ["0", "1"]
    other_zone = (noon + tick).astimezone(timezone(timedelta(hours=-5)))
    assert [record.text for record in ledger.journal.read(scope=USER, until=other_zone)] == ["-1", "0"]


def order_is_by_sequence_whatever_the_clock_says(ledger: Ledger) -> None:
    jumps = (timedelta(hours=1), timedelta(days=-3650), timedelta(days=3650), timedelta(hours=-1))
    for number, jump in enumerate(jumps):
        ledger.clock.advance(jump)
        ledger.say(str(number))
    assert [record.text for record in ledger.journal.read(scope=USER)] == ["0", "1", "2", "3"]


def one_key_has_one_effect(ledger: Ledger) -> None:
    first = ledger.say("tea", session="s", key="k")
    for _ in range(5):
        ledger.clock.advance()
        assert ledger.say("tea", session="s", key="k") == first
    with refused(KeyReused) as caught:
        ledger.say("coffee", session="s", key="k")
    assert "'k'" in caught[0].message
    with refused(KeyReused):
        ledger.journal.append(scope=USER, entries=[Entry("agent", "agent", "tea", session="s", key="k")])
    assert len(ledger.journal.read(scope=USER)) == 1


def a_key_is_of_its_session_and_scope(ledger: Ledger) -> None:
    for session in (None, "s", "t"):
        ledger.say(f"in {session}", session=session, key="k")
        assert ledger.say(f"in {session}", session=session, key="k").text == f"in {session}"
    ledger.say("elsewhere", scope=AGENT, session="s", key="k")
    assert len(ledger.journal.read(scope=USER)) == 3
    assert len(ledger.journal.read(scope=AGENT)) == 1


def one_key_in_parallel_has_one_effect(ledger: Ledger) -> None:
    for session in (None, "s"):
        with ThreadPoolExecutor(8) as threads:
            seqs = set(
                threads.map(lambda _, session=session: ledger.say("tea", session=session, key="k").seq, range(24))
            )
        assert len(seqs) == 1
    assert len(ledger.journal.read(scope=USER)) == 2


def the_chain_can_be_derived_again(ledger: Ledger) -> None:
    ledger.say("one")
    ledger.put("text")
    ledger.say("two", session="s", key="k")
    previous, salts = GENESIS, set()
    for link in ledger.journal.links(scope=USER):
        assert link.previous == previous
        assert link.salt is not None
        assert link.commitment == commitment(link.salt, link.record.text or "", link.data)
        assert link.record.hash == record_hash(USER, link)
        salts.add(link.salt)
        previous = link.record.hash
    assert len(salts) == 3
    assert ledger.journal.counters(scope=USER)["hash"] == previous
    assert [link.record.seq for link in ledger.journal.links(scope=USER, after=1, limit=1)] == [2]


def counters_count(ledger: Ledger) -> None:
    assert dict(ledger.journal.counters(scope=USER)) == {}
    ledger.say("one")
    ledger.put("text")
    ledger.put(None)
    ledger.say("two", key="k")
    ledger.say("two", key="k")
    counters = ledger.journal.counters(scope=USER)
    newest = ledger.journal.read(scope=USER)[-1]
    assert tuple(counters[name] for name in COUNTED) == (4, newest.hash, 4, 2, 2)
    assert dict(ledger.journal.counters(scope=Scope("default", "ann", "bo"))) == {}


JOURNAL_PROMISES: tuple[Promise, ...] = (
    records_come_back_in_sequence,
    everything_that_an_entry_says_is_kept,
    several_entries_are_appended_in_order_or_not_at_all,
    pages_follow_one_another_by_after,
    a_session_is_read_by_itself,
    a_span_of_time_begins_at_since_and_ends_before_until,
    order_is_by_sequence_whatever_the_clock_says,
    one_key_has_one_effect,
    a_key_is_of_its_session_and_scope,
    one_key_in_parallel_has_one_effect,
    the_chain_can_be_derived_again,
    counters_count,
)

"""What every implementation of `ports.Versions` promises."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

from reverie.errors import NotFound
from reverie.ports import Change
from reverie.records import text_hash
from reverie.scopes import Scope
from reverie.testing.clock import START
from reverie.testing.ledger import AGENT, MEMORY, USER, Ledger, Promise, refused
from reverie.versions import PendingEdit, Version, Write

TEXTS = ("one", "two\r\nthree", "\ufeffчетыре\u2028 🍋\n", "e\u0301 and é stay apart", " ")


class Interrupted(Exception):
    """Raised by an act of ours, to see what is left of it."""


def a_version_comes_back_as_it_was_put(ledger: Ledger) -> None:
    for number, text in enumerate(TEXTS, 1):
        put = ledger.put(text)
        assert (put.number, put.parent, put.text, put.hash) == (number, number - 1, text, text_hash(text))
        assert ledger.versions.get(scope=USER, file=MEMORY, number=number) == put


def what_a_writer_says_is_kept(ledger: Ledger) -> None:
    write = Write(
        MEMORY, "text", "dream", actor="nurse", session="s", dream="d", approver="ann", reason="why", evidence=(3, 1)
    )  # fmt: skip
    put = ledger.versions.change(scope=USER, act=lambda change: change.put(write=write))
    kept = ledger.versions.history(scope=USER, file=MEMORY)[0]
    assert kept == put
    assert (kept.origin, kept.actor, kept.session, kept.dream) == ("dream", "nurse", "s", "d")
    assert (kept.approver, kept.reason, kept.evidence, kept.at) == ("ann", "why", (3, 1), START)


def history_is_a_straight_line_oldest_first(ledger: Ledger) -> None:
    for text in ("one", "two", None, "three"):
        ledger.put(text)
    history = ledger.versions.history(scope=USER, file=MEMORY)
    assert [(version.number, version.parent) for version in history] == [(1, 0), (2, 1), (3, 2), (4, 3)]
    assert [version.text for version in history] == ["one", "two", None, "three"]


def numbering_goes_on_after_a_removal(ledger: Ledger) -> None:
    ledger.put("one")
    ledger.put(None)
    head = ledger.versions.heads(scopes=[USER])[USER, MEMORY]
    assert (head.number, head.absent, head.chars, head.hash) == (2, True, None, text_hash(None))
    assert ledger.put("again").number == 3


def the_head_is_the_newest_version(ledger: Ledger) -> None:
    ledger.put("one")
    ledger.clock.advance(timedelta(hours=-1))
    newest = ledger.put("two 🍋")
    head = ledger.versions.heads(scopes=[USER])[USER, MEMORY]
    assert (head.number, head.hash, head.chars) == (2, newest.hash, 5)
    assert (head.modified, head.origin, head.mirrored) == (newest.at, "agent", None)


def heads_of_a_user_and_its_agent_come_together(ledger: Ledger) -> None:
    ledger.put("calm", file="SOUL.md", scope=AGENT)
    ledger.put("tea")
    ledger.put("other", scope=Scope("default", "ann", "carol"))
    assert set(ledger.versions.heads(scopes=[USER, AGENT])) == {(AGENT, "SOUL.md"), (USER, MEMORY)}
    assert set(ledger.versions.heads(scopes=[USER])) == {(USER, MEMORY)}
    assert set(ledger.versions.heads(scopes=[AGENT])) == {(AGENT, "SOUL.md")}
    assert set(ledger.versions.heads(scopes=[Scope("default", "nobody", "at all")])) == set()


def what_is_not_there_is_none(ledger: Ledger) -> None:
    ledger.put("one")
    versions = ledger.versions
    assert versions.get(scope=USER, file=MEMORY, number=2) is None
    assert versions.get(scope=USER, file=MEMORY, number=0) is None
    assert versions.get(scope=USER, file="USER.md", number=1) is None
    assert versions.get(scope=AGENT, file=MEMORY, number=1) is None
    assert list(versions.history(scope=USER, file="USER.md")) == []
    assert list(versions.edits(scope=USER)) == []


def a_scope_is_never_a_pattern_or_a_prefix(ledger: Ledger) -> None:
    names = ["u1", "u10", "u1%", "u_1", "U1", "u1/", "u1:x", "%", "_", "u1\u200b", "ü", "Ü"]
    scopes = [Scope("default", agent, user) for agent in ("acme", "acme-corp") for user in ["", *names]]
    for scope in scopes:
        ledger.put(f"of {scope}", scope=scope)
        ledger.say(f"by {scope}", scope=scope)
    assert sorted(ledger.versions.scopes(project="default")) == sorted(scopes)
    assert list(ledger.versions.scopes(project="defaul")) == []
    for scope in scopes:
        assert [version.text for version in ledger.versions.history(scope=scope, file=MEMORY)] == [f"of {scope}"]
        assert set(ledger.versions.heads(scopes=[scope])) == {(scope, MEMORY)}
        assert [record.kind for record in ledger.journal.read(scope=scope)] == ["change", "user"]
        assert ledger.journal.read(scope=scope)[1].text == f"by {scope}"


def a_version_and_its_record_are_one_transaction(ledger: Ledger) -> None:
    put = ledger.put("one")
    record = ledger.journal.read(scope=USER)[-1]
    assert (record.seq, record.kind, record.file, record.version) == (put.seq, "change", MEMORY, 1)
    assert record.text == put.hash

    def broken(change: Change) -> Version:
        change.put(write=Write(MEMORY, "two", "agent"))
        change.hold(edit=_edit("held"))
        raise Interrupted

    with refused(Interrupted):
        ledger.versions.change(scope=USER, act=broken)
    with refused(Interrupted):
        ledger.versions.change(scope=Scope("default", "ann", "new"), act=broken)
    assert [version.text for version in ledger.versions.history(scope=USER, file=MEMORY)] == ["one"]
    assert len(ledger.journal.read(scope=USER)) == 1
    assert list(ledger.versions.edits(scope=USER, status=None)) == []
    assert list(ledger.versions.scopes(project="default")) == [USER]
    assert ledger.put("two").number == 2


def a_change_sees_what_it_did(ledger: Ledger) -> None:
    def act(change: Change) -> tuple[int, str | None]:
        change.put(write=Write(MEMORY, "one", "agent"))
        change.put(write=Write(MEMORY, "two", "agent"))
        head = change.head(file=MEMORY)
        assert head is not None
        found = change.version(file=MEMORY, number=head.number)
        return head.number, found.text if found else None

    assert ledger.versions.change(scope=USER, act=act) == (2, "two")
    assert ledger.versions.change(scope=USER, act=lambda change: change.version(file=MEMORY, number=3)) is None
    assert ledger.versions.change(scope=USER, act=lambda change: change.head(file="USER.md")) is None


def changes_of_one_scope_come_one_after_another(ledger: Ledger) -> None:
    def add(change: Change) -> Version:
        head = change.head(file=MEMORY)
        before = change.version(file=MEMORY, number=head.number) if head else None
        text = (before.text or "" if before else "") + "x"
        return change.put(write=Write(MEMORY, text, "agent"))

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: ledger.versions.change(scope=USER, act=add), range(20)))
    assert [version.text for version in ledger.versions.history(scope=USER, file=MEMORY)] == [
        "x" * number for number in range(1, 21)
    ]


def what_the_tree_holds_is_remembered(ledger: Ledger) -> None:
    put = ledger.put("one")
    ledger.versions.change(scope=USER, act=lambda change: change.mirror(file=MEMORY, hash=put.hash))
    assert ledger.versions.heads(scopes=[USER])[USER, MEMORY].mirrored == put.hash
    ledger.put("two")
    assert ledger.versions.heads(scopes=[USER])[USER, MEMORY].mirrored == put.hash
    assert len(ledger.journal.read(scope=USER)) == 2


def edits_wait_until_they_are_decided(ledger: Ledger) -> None:
    texts = ["first", None, "third"]
    held = [_held(ledger, _edit(text)) for text in texts]
    assert len({edit.id for edit in held} - {""}) == 3
    assert list(ledger.versions.edits(scope=USER)) == held
    assert [edit.text for edit in held] == texts
    decided = _held(ledger, replace(held[1], status="discarded", decided_by="carol", decided_reason="why"))
    assert (decided.status, decided.decided_by, decided.decided_at) == ("discarded", "carol", START)
    assert list(ledger.versions.edits(scope=USER)) == [held[0], held[2]]
    assert list(ledger.versions.edits(scope=USER, status=None)) == [held[0], decided, held[2]]
    assert list(ledger.versions.edits(scope=AGENT)) == []


def the_edits_of_a_file_are_seen_in_a_change(ledger: Ledger) -> None:
    held = [_held(ledger, _edit(text)) for text in ("first", "second", "third")]
    _held(ledger, replace(_edit("of another"), file="USER.md"))
    _held(ledger, replace(held[1], status="discarded"))

    def act(change: Change) -> list[PendingEdit]:
        change.hold(edit=_edit("fourth"))
        return list(change.edits(file=MEMORY))

    assert [edit.text for edit in ledger.versions.change(scope=USER, act=act)] == ["first", "third", "fourth"]
    assert ledger.versions.change(scope=AGENT, act=lambda change: list(change.edits(file=MEMORY))) == []


def holding_and_deciding_are_in_the_journal(ledger: Ledger) -> None:
    held = _held(ledger, _edit("text"))
    decided = _held(ledger, replace(held, status="discarded", decided_by="carol"))
    first, second = ledger.journal.read(scope=USER)
    assert (first.seq, first.kind, first.file, first.version) == (held.seq, "change", MEMORY, None)
    assert (first.text, first.at, first.origin, first.actor) == (text_hash("text"), START, "agent", "a")
    assert (second.kind, second.file, second.version, second.text) == ("change", MEMORY, None, first.text)
    assert (second.origin, second.actor, second.at) == ("editor", "carol", decided.decided_at)
    links = ledger.journal.links(scope=USER)
    assert [json.loads(link.data)["status"] for link in links] == ["pending", "discarded"]
    assert {json.loads(link.data)["edit"] for link in links} == {held.id}


def an_edit_is_decided_once(ledger: Ledger) -> None:
    held = _held(ledger, _edit("text"))

    def accept(change: Change) -> Version:
        put = change.put(write=Write(MEMORY, held.text, "editor"))
        change.hold(edit=replace(held, status="accepted"))
        return put

    ledger.versions.change(scope=USER, act=accept)
    with refused(NotFound):
        ledger.versions.change(scope=USER, act=accept)
    with refused(NotFound):
        ledger.versions.change(scope=AGENT, act=lambda change: change.hold(edit=replace(held, status="discarded")))
    assert len(ledger.versions.history(scope=USER, file=MEMORY)) == 1


def _edit(text: str | None) -> PendingEdit:
    return PendingEdit(
        "", MEMORY, 0, text, "agent", START, actor="a", session="s", reason="r", conflict=True, notices=("n",)
    )


def _held(ledger: Ledger, edit: PendingEdit) -> PendingEdit:
    return ledger.versions.change(scope=USER, act=lambda change: change.hold(edit=edit))


VERSIONS_PROMISES: tuple[Promise, ...] = (
    a_version_comes_back_as_it_was_put,
    what_a_writer_says_is_kept,
    history_is_a_straight_line_oldest_first,
    numbering_goes_on_after_a_removal,
    the_head_is_the_newest_version,
    heads_of_a_user_and_its_agent_come_together,
    what_is_not_there_is_none,
    a_scope_is_never_a_pattern_or_a_prefix,
    a_version_and_its_record_are_one_transaction,
    a_change_sees_what_it_did,
    changes_of_one_scope_come_one_after_another,
    what_the_tree_holds_is_remembered,
    edits_wait_until_they_are_decided,
    the_edits_of_a_file_are_seen_in_a_change,
    holding_and_deciding_are_in_the_journal,
    an_edit_is_decided_once,
)

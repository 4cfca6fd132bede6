"""The chain check: one journal read from the first record to the last, and what is wrong with it.

Every record is derived anew: its words against the salted commitment, its header and commitment against its hash, its
place against the record before. Different tampering gives different verdicts. The check is fed record by record and
keeps only the faulty ones, so a journal of any length passes through it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reverie.checkpoints import Mark
from reverie.damage import Findings
from reverie.records import GENESIS, Link, commitment, record_hash
from reverie.scopes import Scope

COMPARED = 200
"""How many faulty records are compared with each other to tell a changed place from changed words."""

MESSAGES = ("user", "agent", "tool")


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """A record as it lies in the store; `erased` when its words were removed on request."""

    link: Link
    erased: bool


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A row that the database names but cannot give, or that holds values of the wrong kind."""

    key: tuple[str | int, ...]
    why: str


class ChainCheck:
    """One scope's journal, fed in order of sequence; `finish` gives the verdict on its end."""

    def __init__(self, scope: Scope, findings: Findings, mark: Mark | None) -> None:
        self._scope = scope
        self._findings = findings
        self._mark = mark
        self._marked: str | None = None
        self._next = 1
        self._hash = GENESIS
        self._sound = True
        self._faulty: list[Link] = []
        self._before = findings.number()
        self.records = 0
        self.messages = 0
        self.complete = True

    def add(self, stored: StoredRecord | Unreadable) -> None:
        """Look at the next record."""
        self.records += 1
        if isinstance(stored, Unreadable):
            seq = int(stored.key[0])
            self._step(seq)
            self._altered(seq, stored.why)
            self._sound = False
            return
        link = stored.link
        record = link.record
        follows = self._step(record.seq)
        sound = is_sound(self._scope, stored)
        if not sound:
            self._suspect(link)
        elif follows and self._sound and link.previous != self._hash:
            changed = max(record.seq - 1, 1)
            self._altered(changed, f"record {record.seq} was chained to another hash than it has")
        if self._mark is not None and record.seq == self._mark.seq:
            self._marked = record.hash
        self.messages += record.kind in MESSAGES
        self._hash, self._sound = record.hash, sound

    def finish(self, *, seq: int, hash: str, newest: int) -> None:
        """Compare the end with what the scope's row says, and with what the checkpoint saw."""
        self._judge_faulty()
        last = self._next - 1
        if last < seq:
            self.complete = False
            self._say(
                "tail_missing", f"records {last + 1} to {seq}", "the scope's row counts them; they are gone"
            )
        elif newest > seq or (self._sound and self._hash != hash):
            said = f"the scope's row ends at record {seq}, the journal at {newest}" if newest > seq else (
                f"the scope's row gives record {seq} another hash than it has"
            )  # fmt: skip
            self._say("head_mismatch", f"record {seq}", said)
        if self._mark is not None:
            self._compare(self._mark, seq)

    def _compare(self, mark: Mark, seq: int) -> None:
        if mark.seq > seq:
            self._say(
                "tail_missing",
                f"records {seq + 1} to {mark.seq}",
                "the checkpoint counts them; they are gone",
            )
        elif mark.seq and self._marked != mark.hash and self._findings.number() == self._before:
            self._say("chain_rewritten", f"record {mark.seq}", "its hash is not the one in the checkpoint")

    def _step(self, seq: int) -> bool:
        """Move on to a record; whether it follows directly on the one before."""
        follows = seq == self._next
        if seq > self._next:
            self.complete = False
            gap = f"record {seq - 1}" if seq - 1 == self._next else f"records {self._next} to {seq - 1}"
            self._say("records_missing", gap, "gone from the middle of the journal")
        elif seq < self._next:
            self._altered(seq, "its number is below 1")
        self._next = max(self._next, seq + 1)
        return follows

    def _suspect(self, link: Link) -> None:
        if len(self._faulty) < COMPARED:
            self._faulty.append(link)
        else:
            self._altered(link.record.seq, "it does not match its hash")

    def _judge_faulty(self) -> None:
        for link in self._faulty:
            others = (other for other in self._faulty if other is not link)
            moved = next((other.record.seq for other in others if _exchanged(self._scope, link, other)), None)
            if moved is None:
                self._altered(link.record.seq, "it does not match its hash")
            else:
                self._say(
                    "records_reordered", f"record {link.record.seq}", f"it changed places with record {moved}"
                )
        self._faulty = []

    def _altered(self, seq: int, why: str) -> None:
        self._say("record_altered", f"record {seq}", why)

    def _say(self, code: str, what: str, detail: str) -> None:
        self._findings.add(code, f"{self._scope}: {what}", detail)


def is_sound(scope: Scope, stored: StoredRecord) -> bool:
    """Whether a record is what its hash says, taken by itself."""
    link, text = stored.link, stored.link.record.text
    if text is None or link.salt is None:
        kept = stored.erased and text is None and link.salt is None
    else:
        kept = commitment(link.salt, text, link.data) == link.commitment
    return kept and _derived(scope, link) == link.record.hash


def _derived(scope: Scope, link: Link) -> str:
    try:
        return record_hash(scope, link)
    except (TypeError, UnicodeEncodeError):
        return ""


def _exchanged(scope: Scope, link: Link, other: Link) -> bool:
    """Whether two faulty records changed places: the whole rows, all but their links, or only the words."""
    moved = replace(link, record=replace(link.record, seq=other.record.seq))
    if _derived(scope, moved) == link.record.hash:
        return True
    here = replace(other, record=replace(other.record, seq=link.record.seq), previous=link.previous)
    if _derived(scope, here) == link.record.hash:
        return True
    words = other.record.text
    return (
        words is not None
        and other.salt is not None
        and commitment(other.salt, words, other.data) == link.commitment
    )

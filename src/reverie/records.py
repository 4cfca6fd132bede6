"""Records: what the journal is made of, and the hash chain that holds it together.

A record never changes. The chain covers a salted commitment of the body, not the body: when erasure later removes
body and salt, the chain still verifies and the words cannot be guessed back from what is left.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from reverie.scopes import Scope
from reverie.versions import Origin

RecordKind = Literal["start", "user", "agent", "tool", "recall", "change", "end"]

NO_DATA = "{}"
"""The JSON text of no data beside a record's words."""

GENESIS = "0" * 64
"""What the first record of a scope names as the hash before it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that is about to be appended: everything but its place in the chain.

    `at` None means now, by the store's clock. `key` is the caller's idempotency key. `file` and `version` are set on
    records of kind `change`; where one was only held back, or that was decided, there is no version. `data` holds what
    belongs to the words: who approved a change and why, which edit was held back or decided, and what later parts attach
    (resolved dates, recall references). It becomes JSON.
    """

    kind: RecordKind
    origin: Origin
    text: str
    at: datetime | None = None
    session: str | None = None
    speaker: str | None = None
    actor: str = ""
    key: str | None = None
    file: str | None = None
    version: int | None = None
    batch: str | None = None
    data: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Record:
    """One line of the journal. `text` is None only after erasure; `seq` counts from 1 in its scope."""

    seq: int
    at: datetime
    kind: RecordKind
    origin: Origin
    text: str | None
    hash: str
    session: str | None = None
    speaker: str | None = None
    actor: str = ""
    key: str | None = None
    file: str | None = None
    version: int | None = None
    batch: str | None = None
    dates: tuple[Any, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    """A record's place in the chain as stored: what `verify` needs to derive every hash again."""

    record: Record
    micros: int
    salt: str | None
    commitment: str
    previous: str
    data: str = NO_DATA


def text_hash(text: str | None) -> str:
    """SHA-256 of the text's UTF-8 bytes, in hex; of no bytes for a removal."""
    return hashlib.sha256((text or "").encode()).hexdigest()


def commitment(salt: str, body: str, data: str = NO_DATA) -> str:
    """What the chain holds of a body and the data beside it: SHA-256 of salt, body and data, in hex.

    A body cannot hold the NUL that parts it from the data, so no other pair has the same bytes.
    """
    words = body if data == NO_DATA else f"{body}\0{data}"
    return hashlib.sha256(f"{salt}\n{words}".encode()).hexdigest()


def data_text(data: tuple[tuple[str, Any], ...]) -> str:
    """What is kept beside a record's words, as the JSON text that is stored and committed to."""
    return json.dumps(dict(data), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def surroundings(
    dream: str | None, approver: str | None, reason: str | None, evidence: tuple[int, ...]
) -> tuple[tuple[str, Any], ...]:
    """What the record of a change keeps of how it came about, so that the chain covers that too."""
    facts = {"dream": dream, "approver": approver, "reason": reason, "evidence": list(evidence)}
    return tuple((name, value) for name, value in facts.items() if value)


def record_hash(scope: Scope, link: Link) -> str:
    """The hash of one record: its scope, place, header and commitment, and the hash before it."""
    record = link.record
    header = [
        "reverie-record-1", scope.project, scope.agent, scope.user, record.seq, link.micros, record.kind,
        record.origin, record.actor, record.session, record.speaker, record.key, record.file, record.version,
        record.batch, link.commitment, link.previous,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()

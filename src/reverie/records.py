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

GENESIS = "0" * 64
"""What the first record of a scope names as the hash before it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A record that is about to be appended: everything but its place in the chain.

    `at` None means now, by the store's clock. `key` is the caller's idempotency key. `file` and `version` are set on
    records of kind `change`; `data` holds what later parts attach (resolved dates, recall references), as JSON.
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


def text_hash(text: str | None) -> str:
    """SHA-256 of the text's UTF-8 bytes, in hex; of no bytes for a removal."""
    return hashlib.sha256((text or "").encode()).hexdigest()


def commitment(salt: str, body: str) -> str:
    """What the chain holds of a body: SHA-256 of salt and body, in hex."""
    return hashlib.sha256(f"{salt}\n{body}".encode()).hexdigest()


def record_hash(scope: Scope, link: Link) -> str:
    """The hash of one record: its scope, place, header and commitment, and the hash before it."""
    record = link.record
    header = [
        "reverie-record-1", scope.project, scope.agent, scope.user, record.seq, link.micros, record.kind,
        record.origin, record.actor, record.session, record.speaker, record.key, record.file, record.version,
        record.batch, link.commitment, link.previous,
    ]  # fmt: skip
    return hashlib.sha256(json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()).hexdigest()

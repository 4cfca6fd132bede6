"""Ports: what the services need from the outside world, as Protocols.

Each has at least two real implementations or a network behind it, seven methods at most, keyword arguments only.
Contract suites in `tests/contracts` run over every implementation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Protocol, TypeVar

from reverie.notices import Notice
from reverie.records import Entry, Link, Record
from reverie.scopes import Scope
from reverie.versions import Head, PendingEdit, Version, Write

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Settled:
    """What came of bringing ledger and working tree together: `moved` when the ledger has new versions."""

    notices: tuple[Notice, ...] = ()
    moved: bool = False


class Clock(Protocol):
    """Where every time comes from that the caller did not give."""

    def now(self) -> datetime:
        """The present, with a zone."""
        ...


class Change(Protocol):
    """One transaction on one scope, open while it is handed to an act; nothing of it is seen before it is durable."""

    def head(self, *, file: str) -> Head | None:
        """The newest version of a file by the versions that there are, None if it never existed."""
        ...

    def version(self, *, file: str, number: int) -> Version | None:
        """A version with its text."""
        ...

    def put(self, *, write: Write) -> Version:
        """Store the next version of a file and the journal record of the change."""
        ...

    def append(self, *, entry: Entry) -> Record:
        """Add a record to the journal; the same key and content again gives the record that is there."""
        ...

    def hold(self, *, edit: PendingEdit) -> PendingEdit:
        """Keep a change for review under an id of the store; or, with an id, decide it, with the journal record of that.

        Raises NotFound for one that no longer waits, StoreDamaged for accepting one that is not what was held.
        """
        ...

    def edits(self, *, file: str) -> Sequence[PendingEdit]:
        """The held-back changes of a file that wait, oldest first."""
        ...

    def mirror(self, *, file: str, hash: str) -> None:
        """Remember what the working tree now holds at a file's path ("" for nothing)."""
        ...


class Versions(Protocol):
    """The states of every file; the truth."""

    def change(self, *, scope: Scope, act: Callable[[Change], T]) -> T:
        """Run an act in one exclusive, durable transaction; it may run again from the start after a deadlock."""
        ...

    def heads(self, *, scopes: Sequence[Scope]) -> Mapping[tuple[Scope, str], Head]:
        """The newest version of every file of these scopes, in one round trip."""
        ...

    def get(self, *, scope: Scope, file: str, number: int) -> Version | None:
        """One version, StoreDamaged if its text does not match its hash."""
        ...

    def history(self, *, scope: Scope, file: str) -> Sequence[Version]:
        """All versions of a file, oldest first; one that does not match its hash is marked and has no text."""
        ...

    def edits(self, *, scope: Scope, status: str | None = "pending") -> Sequence[PendingEdit]:
        """Held-back changes, oldest first; one that does not match its journal record is marked and has no text."""
        ...

    def scopes(self, *, project: str) -> Sequence[Scope]:
        """Every scope of a project that has a version or a record."""
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...


class Journal(Protocol):
    """The append-only record of a scope."""

    def append(self, *, scope: Scope, entries: Sequence[Entry]) -> Sequence[Record]:
        """Add records in order, in one durable transaction."""
        ...

    def read(
        self, *, scope: Scope, session: str | None = None, since: datetime | None = None, until: datetime | None = None,
        after: int = 0, limit: int = 500,
    ) -> Sequence[Record]:  # fmt: skip
        """Records with a greater sequence number than `after`, oldest first."""
        ...

    def links(self, *, scope: Scope, after: int = 0, limit: int = 500) -> Sequence[Link]:
        """Records with what the chain holds of them."""
        ...

    def counters(self, *, scope: Scope) -> Mapping[str, Any]:
        """The scope's own counters: seq, hash, records, versions and what later parts add."""
        ...


class WorkingTree(Protocol):
    """The folder of real Markdown files that mirrors the ledger; or nothing, where there is none."""

    def settle(self, *, scope: Scope, heads: Mapping[str, Head]) -> Settled:
        """Bring ledger and files of one scope together; `heads` is what the caller just read of it."""
        ...

    def close(self) -> None:
        """Let go of the folder or bucket; closing twice is harmless."""
        ...

"""The lineage check: the versions of a scope's files against their hashes, their numbering, the journal and the heads.

A version is believed when its text matches its hash, its number follows on its parent, the journal has a record of the
change that says the same, and, for the newest one, the file's head points at it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from reverie.chain import Unreadable
from reverie.damage import SHOWN, Findings
from reverie.records import NO_DATA, text_hash
from reverie.scopes import Scope


@dataclass(frozen=True, slots=True)
class StoredChange:
    """What the journal says about a change: `digest` is the hash of the new text; None once erased."""

    file: str | None
    version: int | None
    digest: str | None
    at: int
    origin: str
    actor: str
    session: str | None
    data: str = NO_DATA


@dataclass(frozen=True, slots=True)
class StoredVersion:
    """A version as it lies in the store, with the journal record at its place, if that is one of a change.

    `beside` is what that record should keep of it beside the hash: dream, approver, reason and evidence, as JSON text.
    """

    file: str
    number: int
    parent: int
    hash: str | None
    chars: int | None
    text: str | None
    at: int
    origin: str
    actor: str
    session: str | None
    erased: bool
    change: StoredChange | None
    beside: str = NO_DATA


@dataclass(frozen=True, slots=True)
class StoredHead:
    """A file's head as it lies in the store."""

    number: int
    hash: str
    chars: int | None
    modified: int
    origin: str
    mirrored: str | None


@dataclass(frozen=True, slots=True)
class ScopeState:
    """A scope's row and heads as one statement saw them, and the newest record there was then."""

    seq: int
    hash: str
    records: int
    versions: int
    messages: int
    newest: int
    heads: dict[str, StoredHead]


class LineageCheck:
    """All versions of one scope, fed in order of file and number."""

    def __init__(self, scope: Scope, findings: Findings, heads: Mapping[str, StoredHead]) -> None:
        self._scope = scope
        self._findings = findings
        self._heads = heads
        self._file: str | None = None
        self._next = 1
        self._newest: StoredVersion | None = None
        self._seen: set[str] = set()
        self._missing: set[tuple[str, int]] = set()
        self.versions = 0

    def add(self, stored: StoredVersion | Unreadable) -> None:
        """Look at the next version."""
        self.versions += 1
        if isinstance(stored, Unreadable):
            file, number = str(stored.key[0]), int(stored.key[1])
            self._step(file, number)
            self._newest = None
            self._say("version_altered", file, number, stored.why)
            return
        self._step(stored.file, stored.number)
        self._newest = stored
        if stored.parent != stored.number - 1:
            self._say("parent_wrong", stored.file, stored.number, f"its parent is given as {stored.parent}")
        why = fault_of(stored)
        if why:
            self._say("version_altered", stored.file, stored.number, why)
        if stored.change is None:
            self._say("version_orphan", stored.file, stored.number, "the journal has no record of this change")

    def missing(self, file: str, number: int) -> None:
        """A change that the journal has and that no version came of."""
        if (file, number) not in self._missing:
            self._say("version_missing", file, number, "the journal has the change; the version is gone")

    def finish(self) -> None:
        """Compare the last file, and look for heads of files that have no version."""
        self._close()
        for file in self._heads.keys() - self._seen:
            self._findings.add("head_wrong", f"{self._scope}: {file}", "it has a head and no version")

    def _step(self, file: str, number: int) -> None:
        if file != self._file:
            self._close()
            self._file, self._next = file, 1
            self._seen.add(file)
        for gone in range(self._next, min(number, self._next + SHOWN)):
            self._missing.add((file, gone))
            self._say("version_missing", file, gone, f"the next version is {number}")
        self._next = number + 1

    def _close(self) -> None:
        if self._file is None:
            return
        head, newest = self._heads.get(self._file), self._newest
        subject = f"{self._scope}: {self._file}"
        if head is None:
            self._findings.add("head_wrong", subject, "it has versions and no head")
        elif head.number != self._next - 1:
            self._findings.add("head_wrong", subject, f"the head is {head.number}, the newest version {self._next - 1}")
        elif newest is not None and newest.hash is not None and not _points_at(head, newest):
            self._findings.add("head_wrong", subject, f"the head differs from version {head.number}")

    def _say(self, code: str, file: str, number: int, detail: str) -> None:
        self._findings.add(code, f"{self._scope}: {file} version {number}", detail)


def fault_of(stored: StoredVersion) -> str:
    """What is wrong with a version taken with its record; empty when nothing is."""
    if not stored.erased:
        if (stored.text is None) != (stored.chars is None):
            return "its text is gone"
        if stored.text is not None and len(stored.text) != stored.chars:
            return f"it has {len(stored.text)} characters, not {stored.chars}"
        if text_hash(stored.text) != stored.hash:
            return "its text does not match its hash"
    change = stored.change
    if change is None:
        return ""
    if (change.file, change.version) != (stored.file, stored.number):
        return f"its record is of {change.file} version {change.version}"
    if change.digest is not None and stored.hash is not None and change.digest != stored.hash:
        return "the journal has another hash for it"
    said = (change.at, change.origin, change.actor, change.session)
    if said != (stored.at, stored.origin, stored.actor, stored.session):
        return "the journal says otherwise when or by whom it was made"
    if not stored.erased and change.digest is not None and change.data != stored.beside:
        return "the journal says otherwise why it was made, who approved it or what it rests on"
    return ""


def _points_at(head: StoredHead, version: StoredVersion) -> bool:
    return (head.hash, head.chars, head.modified, head.origin) == (
        version.hash, version.chars, version.at, version.origin,
    )  # fmt: skip

"""Holding: what the journal keeps of an edit that waits for a person, and whether the edit still is what it was.

An edit is held back, and decided, by a record of kind `change` that makes no version: its words are the hash of the
edit's text, and what else matters stands beside them, so that the hash chain covers all of it. An edit is believed when
it says exactly what its records say; another one is never accepted and its text is never shown.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from reverie.chain import Unreadable
from reverie.damage import Findings
from reverie.errors import StoreDamaged
from reverie.records import Entry, text_hash
from reverie.scopes import Scope
from reverie.versions import PendingEdit


@dataclass(frozen=True, slots=True)
class StoredEdit:
    """An edit as it lies in the store: the records it names, and what is wrong with it taken with them ("" nothing)."""

    edit: PendingEdit
    decided_seq: int | None
    fault: str


@dataclass(frozen=True, slots=True)
class EditRecord:
    """What the journal says of an edit: by its record `seq`, the edit `id` came to be of this status."""

    seq: int
    id: str
    file: str
    status: str


def holding(edit: PendingEdit) -> Entry:
    """The record of an edit that is held back."""
    data = {
        "edit": edit.id, "status": "pending", "base": edit.base, "removal": edit.text is None,
        "conflict": edit.conflict, "reason": edit.reason, "notices": list(edit.notices),
    }  # fmt: skip
    return Entry(
        kind="change", origin=edit.origin, text=text_hash(edit.text), at=edit.at, session=edit.session,
        actor=edit.actor, file=edit.file, data=tuple(data.items()),
    )  # fmt: skip


def decision(edit: PendingEdit, digest: str) -> Entry:
    """The record of an edit that a person accepted or discarded; `digest` is the hash of the text it was about."""
    data = {"edit": edit.id, "status": edit.status, "by": edit.decided_by or "", "reason": edit.decided_reason}
    return Entry(
        kind="change", origin="editor", text=digest, at=edit.decided_at, actor=edit.decided_by or "",
        file=edit.file, data=tuple(data.items()),
    )  # fmt: skip


def damaged(edit: PendingEdit) -> StoreDamaged:
    """Why a damaged edit cannot be used."""
    return StoreDamaged(
        f"Edit {edit.id} of {edit.file} is not what was held back; it is not shown and cannot be accepted.",
        f"Discard it with `reverie edits discard {edit.id}`, or bring it back with `reverie restore-backup`.",
    )


class HoldingCheck:
    """All edits of one scope against what its journal says of edits."""

    def __init__(self, scope: Scope, findings: Findings) -> None:
        self._scope = scope
        self._findings = findings
        self._named: set[int] = set()
        self._ids: set[str] = set()
        self._judged: set[str] = set()

    def add(self, stored: StoredEdit | Unreadable) -> None:
        """Look at an edit."""
        if isinstance(stored, Unreadable):
            self._judged.add(str(stored.key[0]))
            self._say("edit_altered", f"edit {stored.key[0]}", stored.why)
            return
        edit = stored.edit
        self._ids.add(edit.id)
        self._named.update(seq for seq in (edit.seq, stored.decided_seq) if seq is not None)
        if stored.fault:
            self._say("edit_altered", f"edit {edit.id} of {edit.file}", stored.fault)

    def finish(self, records: Iterable[EditRecord | Unreadable]) -> None:
        """Look for edits that the journal speaks of and that are gone, or that do not know of their decision."""
        for told in records:
            if isinstance(told, Unreadable) or told.seq in self._named or told.id in self._judged:
                continue
            subject = f"edit {told.id} of {told.file}"
            if told.id in self._ids:
                self._say("edit_altered", subject, f"record {told.seq} says that it is {told.status}; the edit does not")
            else:
                self._judged.add(told.id)
                self._say("edit_missing", subject, f"record {told.seq} says that it is {told.status}; it is gone")

    def _say(self, code: str, what: str, detail: str) -> None:
        self._findings.add(code, f"{self._scope}: {what}", detail)

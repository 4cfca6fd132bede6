"""Intake: how files and records from outside enter a store, whatever their source.

A file is taken when the source changed since it was last imported, and merged with what went on here: a memory is never
turned back to what the source said before. Everything passes the same verdict as a person's own file: secrets masked, over-long texts
taken and reported, never cut. What one import brings is a batch; a repeat that adds nothing makes none.
"""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import replace

from reverie.catalogue import memory_file
from reverie.errors import InvalidText, OverLimit, ScopeRequired
from reverie.importers import ImportJob
from reverie.importers.reconciling import Done, reconcile
from reverie.records import Entry
from reverie.scopes import Scope, checked_id
from reverie.transfers import ImportReport
from reverie.versions import Writer


class Intake:
    """One import into one agent, and one of its users if one was named."""

    def __init__(self, job: ImportJob, format: str) -> None:
        if job.agent is None:
            raise ScopeRequired("No agent was named to import into.", "Name the agent.")
        self._store = job.store
        self._job = job
        self._format = format
        self._source = job.path.resolve().name or "folder"
        self._agent = Scope(job.project, checked_id("agent", job.agent))
        self._user = None if job.user is None else replace(self._agent, user=checked_id("user", job.user))
        self._batch = uuid.uuid4().hex[:12]
        self._scopes: list[Scope] = []
        self._added = 0
        self._skipped = 0
        self._errors: list[tuple[int | str, str]] = []
        self._notes: list[str] = []

    def refuse(self, name: str, why: str) -> None:
        """Report something that was not taken."""
        self._errors.append((_printable(name), why))

    def note(self, text: str) -> None:
        """Report something that is worth knowing."""
        self._notes.append(text)

    def scope_of(self, file: str) -> Scope | None:
        """The scope that a memory file goes to; None when that would be a user's and none was named."""
        return self._agent if memory_file(file).level == "agent" else self._user

    def file(self, file: str, text: str, *, name: str) -> None:
        """Take a memory file unless the source says what it said before; `name` is its name in the source."""
        scope = self.scope_of(file)
        if scope is None:
            self.refuse(name, "it is about a user, and no user was named to import it for")
            return
        if not text.replace("\ufeff", "").strip():
            self.refuse(name, "it is empty")
            return
        reason = f"imported from {name} of {self._source} ({self._format})"
        writer = Writer("import", reason=_printable(reason), batch=self._batch)
        try:
            done = reconcile(
                self._store, scope, file, text, writer=writer, begin=lambda: self._begin(scope)
            )
        except (InvalidText, OverLimit) as error:
            self.refuse(name, error.message)
            return
        self._tell(done, file, _printable(name))
        self._job.progress(self._added + self._skipped)

    def _tell(self, done: Done, file: str, name: str) -> None:
        waits = f"`reverie edits` has it as {done.edit.id}" if done.edit else ""
        match done.step:
            case "pass" | "note":
                self._skipped += 1
            case "wait":
                self._skipped += 1
                self.note(f"{name} still waits for a person, because {file} has changes of its own here; {waits}.")
            case "hold":
                self.refuse(name, f"{file} has changes of its own here, and the two do not merge; it waits, {waits}")
            case "take":
                self._added += 1
            case "merge":
                self._added += 1
                self.note(f"{name} was merged with the changes that {file} has here.")
        self._notes += done.notices

    def records(self, entries: Sequence[Entry], *, name: str) -> None:
        """Add records to the user's journal, each once; entries of one call are stored together."""
        if self._user is None:
            self.refuse(name, "it is about a user, and no user was named to import it for")
            return
        if not entries:
            self.refuse(name, "it is empty")
            return
        try:
            new = self._unknown(self._user, [replace(entry, origin="import") for entry in entries])
            stored = self._stored(self._user, new) if new else 0
        except (InvalidText, OverLimit) as error:
            self.refuse(name, error.message)
        else:
            self._added += stored
            self._skipped += len(entries) - stored
        self._job.progress(self._added + self._skipped)

    def _stored(self, scope: Scope, entries: Sequence[Entry]) -> int:
        """How many records are new: one that another import has just added is there with that import's batch."""
        self._begin(scope)
        records = self._store.book.append(scope, [replace(entry, batch=self._batch) for entry in entries])
        return sum(record.batch == self._batch for record in records)

    def report(self) -> ImportReport:
        """What came of it, also kept with the batch."""
        report = ImportReport(
            self._format, self._added, self._skipped, list(self._errors), tuple(self._notes),
            self._batch if self._scopes else None,
        )  # fmt: skip
        kept = {"added": report.added, "skipped": report.skipped, "errors": report.errors, "notes": report.notes}
        for scope in self._scopes:
            self._store.batches().finish(scope=scope, id=self._batch, report=kept)
        return report

    def _unknown(self, scope: Scope, entries: Sequence[Entry]) -> list[Entry]:
        known = self._store.batches().known_keys(scope=scope, keys=[entry.key for entry in entries if entry.key])
        return [entry for entry in entries if entry.key not in known]

    def _begin(self, scope: Scope) -> None:
        """Note the batch before the first thing that it brings, so that a crash leaves nothing of an unknown batch."""
        if scope not in self._scopes:
            source = _printable(self._source)
            self._store.batches().start(scope=scope, id=self._batch, format=self._format, source=source)
            self._scopes.append(scope)


def key_of(*parts: str) -> str:
    """An idempotency key of what is imported: the same content of the same source has the same."""
    return "import:" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]


def _printable(name: str) -> str:
    """A file name as text: bytes of it that are no UTF-8 are shown as question marks."""
    return name.encode(errors="replace").decode()

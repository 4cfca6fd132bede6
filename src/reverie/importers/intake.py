"""Intake: how files and records from outside enter a store, whatever their source.

A file is taken when the source changed since it was last imported: a memory that went on here is never turned back to
what the source said before. Everything passes the same verdict as a person's own file: secrets masked, over-long texts
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
from reverie.records import Entry, text_hash
from reverie.scopes import Scope, checked_id
from reverie.secrets import mask
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
        if not text.removeprefix("\ufeff").strip():
            self.refuse(name, "it is empty")
            return
        try:
            masked = mask(text).text
            if not self._is_new(scope, file, masked):
                self._skipped += 1
                return
            reason = f"imported from {name} of {self._source} ({self._format})"
            writer = Writer("import", reason=_printable(reason), batch=self._batch)
            version = self._store.files.take(scope, file, text, writer=writer)
        except (InvalidText, OverLimit) as error:
            self.refuse(name, error.message)
            return
        self._begin(scope)
        self._added += 1
        self._notes += version.notices
        self._job.progress(self._added + self._skipped)

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
            self._skipped += len(entries) - len(new)
            if new:
                self._store.book.append(self._user, [replace(entry, batch=self._batch) for entry in new])
                self._begin(self._user)
                self._added += len(new)
        except (InvalidText, OverLimit) as error:
            self.refuse(name, error.message)
        self._job.progress(self._added + self._skipped)

    def report(self) -> ImportReport:
        """What came of it, also kept with the batch."""
        report = ImportReport(
            self._format, self._added, self._skipped, list(self._errors), tuple(self._notes),
            self._batch if self._added else None,
        )  # fmt: skip
        kept = {"added": report.added, "skipped": report.skipped, "errors": report.errors, "notes": report.notes}
        for scope in self._scopes:
            self._store.batches().finish(scope=scope, id=self._batch, report=kept)
        return report

    def _is_new(self, scope: Scope, file: str, masked: str) -> bool:
        """Whether the source changed since its last import, and says something else than the file does now."""
        self._store.views.of(scope)
        history = self._store.versions.history(scope=scope, file=file)
        wanted = text_hash(masked)
        imported = [version.hash for version in history if version.origin == "import"]
        return not (imported and imported[-1] == wanted) and not (history and history[-1].hash == wanted)

    def _unknown(self, scope: Scope, entries: Sequence[Entry]) -> list[Entry]:
        known = self._store.batches().known_keys(scope=scope, keys=[entry.key for entry in entries if entry.key])
        return [entry for entry in entries if entry.key not in known]

    def _begin(self, scope: Scope) -> None:
        """Note the batch with the first thing that it brought: before that the scope may not exist."""
        if scope not in self._scopes:
            at = self._store.clock.now()
            self._store.batches().start(
                scope=scope, id=self._batch, format=self._format, source=_printable(self._source), at=at
            )
            self._scopes.append(scope)


def key_of(*parts: str) -> str:
    """An idempotency key of what is imported: the same content of the same source has the same."""
    return "import:" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40]


def _printable(name: str) -> str:
    """A file name as text: bytes of it that are no UTF-8 are shown as question marks."""
    return name.encode(errors="replace").decode()

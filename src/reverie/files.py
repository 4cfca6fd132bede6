"""Files: reading and writing one scope's memory files, every write by the same path.

View (ledger and tree brought together) → verdict (pure: validity, secrets, limits, guards) → one transaction, compare
and set → working tree. A write that the agent's policy holds back becomes a pending edit instead of a version. A newest
version that does not match its hash is never shown and keeps nobody from replacing it by a whole text.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from reverie import cautions, edits
from reverie.catalogue import MemoryFile, file_name, memory_file
from reverie.deciding import Newest, decided
from reverie.errors import (
    InvalidText,
    InvalidTime,
    NotAllowed,
    NotFound,
    ShrinkRefused,
    StaleVersion,
)
from reverie.ports import Change, Clock, Versions
from reverie.scopes import Scope
from reverie.settings import AgentSettings
from reverie.versions import SETTINGS_FILE, Head, Origin, PendingEdit, Version, Writer
from reverie.view import View, Views, is_stale, judged_writer, owner, writable

MAX_NUMBER = 2**31 - 1
"""The largest number that a version can have in any database."""


@dataclass(frozen=True, slots=True)
class FileInfo:
    """A file that exists: its size and limit in code points, its newest version, and what is wrong with it."""

    name: str
    chars: int
    limit: int
    version: int
    modified: datetime
    origin: Origin
    stale: bool
    over_limit: bool


@dataclass(frozen=True, slots=True)
class Document:
    """A file as it is read; `stale` says that nobody confirmed it for longer than its time to live."""

    file: str
    text: str
    version: int
    modified: datetime
    origin: Origin
    stale: bool


Decide = Callable[[Newest, AgentSettings], edits.Verdict]
"""From the newest version to the verdict on a new text; run again when somebody else wrote meanwhile."""


class Files:
    """The verbs on files, over the ports."""

    def __init__(self, versions: Versions, views: Views, clock: Clock) -> None:
        self._versions = versions
        self._views = views
        self._clock = clock

    def present(self, scope: Scope) -> list[FileInfo]:
        """The files that a scope can see and that exist, topics too."""
        view = self._views.of(scope)
        now = self._clock.now()
        return [_info(view, head, now) for head in map(view.head, view.files()) if head is not None]

    def read(self, scope: Scope, file: str) -> Document | None:
        """The newest text of a file; None when it is absent."""
        file = file_name(file)
        whose = owner(scope, file)
        view = self._views.of(scope)
        head = view.head(file)
        if head is None:
            return None
        stale = is_stale(view.settings, file, head.modified, self._clock.now())
        text = self._views.text(whose, head) or ""
        return Document(file, text, head.number, head.modified, head.origin, stale)

    def read_version(self, scope: Scope, file: str, number: int) -> Document | None:
        """The text of one version, None if that version is a removal; NotFound if it never was."""
        version = self.version(scope, file, number)
        return None if version.text is None else self._document(scope, version)

    def read_as_of(self, scope: Scope, file: str, moment: datetime) -> Document | None:
        """What the file said at a time; None if it was absent then."""
        if moment.tzinfo is None:
            raise InvalidTime("The time has no zone.", "Pass an aware datetime.")
        before = [version for version in self.history(scope, file) if version.at <= moment]
        return self.read_version(scope, file, before[-1].number) if before else None

    def history(self, scope: Scope, file: str) -> list[Version]:
        """Every version of a file, oldest first; damaged ones are marked."""
        file = file_name(file)
        self._views.of(scope)
        return list(self._versions.history(scope=owner(scope, file), file=file))

    def version(self, scope: Scope, file: str, number: int) -> Version:
        """One version; NotFound if it never was."""
        file = file_name(file)
        whose = owner(scope, file)
        known = isinstance(number, int) and 0 < number <= MAX_NUMBER
        found = self._versions.get(scope=whose, file=file, number=number) if known else None
        if found is None:
            raise NotFound(
                f"{file} has no version {number}.", f"See `reverie history {file}` for those that are."
            )
        return found

    def text_at(self, scope: Scope, file: str, number: int) -> str | None:
        """The text of one version, None for a removal and for version 0; NotFound if it never was."""
        owner(scope, file_name(file))
        return self.version(scope, file, number).text if number != 0 else None

    def write(
        self, scope: Scope, file: str, text: str, *, version: int | None = None, removal_meant: bool = False,
        writer: Writer,
    ) -> Version | PendingEdit:  # fmt: skip
        """Replace the whole file; blank text removes it.

        A damaged newest version cannot be compared with, so nothing guards against shrinking; a notice says so.
        """
        row = memory_file(file)

        def decide(newest: Newest, settings: AgentSettings) -> edits.Verdict:
            verdict = edits.judge_write(
                _bounds(row, file, settings), newest.text, text, removal_meant=removal_meant
            )
            if verdict.text is None and newest.damaged and not removal_meant:
                raise ShrinkRefused(
                    f"The new text is blank and would remove {file}, whose newest version is damaged. Nothing was stored.",
                    "Pass removal_meant=true if the file should go.",
                )
            if verdict.text is None and newest.absent:
                raise InvalidText(
                    f"There is nothing to store in {file}: the text is blank.", "Write some text."
                )
            return verdict

        return self._put(scope, file, decide, version=version, writer=writer)

    def change(self, scope: Scope, file: str, new_text: Callable[[str | None], str], *, writer: Writer) -> Version | PendingEdit:  # fmt: skip
        """Change the text there is: an entry appended, a passage replaced."""
        row = memory_file(file)

        def decide(newest: Newest, settings: AgentSettings) -> edits.Verdict:
            return edits.judge_change(_bounds(row, file, settings), new_text(newest.changeable()))

        return self._put(scope, file, decide, writer=writer)

    def delete(
        self, scope: Scope, file: str, *, version: int | None = None, writer: Writer
    ) -> Version | PendingEdit:
        """Remove the file, as a new version; NotFound if it is absent."""

        def decide(newest: Newest, settings: AgentSettings) -> edits.Verdict:
            if newest.absent:
                raise NotFound(f"{file} is absent; there is nothing to delete.", "See `reverie files`.")
            return edits.Verdict(None, ())

        return self._put(scope, file, decide, version=version, writer=writer)

    def restore(self, scope: Scope, file: str, number: int, *, writer: Writer) -> Version | PendingEdit:
        """Make an earlier version's text the newest, as a new version."""
        earlier = self.version(scope, file, number)
        row = memory_file(file)

        def decide(newest: Newest, settings: AgentSettings) -> edits.Verdict:
            if earlier.text is None:
                return edits.Verdict(None, ())
            return edits.judge_change(_bounds(row, file, settings), earlier.text)

        reason = writer.reason or f"restored version {number}"
        return self._put(scope, file, decide, writer=replace(writer, reason=reason))

    def _put(
        self, scope: Scope, file: str, decide: Decide, *, version: int | None = None, writer: Writer
    ) -> Version | PendingEdit:
        file = file_name(file)
        whose = writable(scope, file)
        writer = judged_writer(writer)
        view = self._views.of(scope)
        held = _is_held(memory_file(file), view.settings, writer)

        def judge(newest: Newest) -> edits.Verdict:
            _compare(newest, version)
            verdict = decide(newest, view.settings)
            told = cautions.replaced(newest.file, newest.number) if newest.damaged else ()
            settings = (notice for notice in view.notices if notice.file == SETTINGS_FILE)
            return replace(
                verdict, notices=(*verdict.notices, *(notice.message for notice in (*told, *settings)))
            )

        def store(change: Change, newest: Newest, verdict: edits.Verdict) -> Version | PendingEdit:
            if held:
                return change.hold(edit=_pending(newest, verdict, writer, self._clock))
            put = change.put(write=writer.write(file, verdict.text))
            return replace(put, notices=verdict.notices)

        made = decided(self._versions, whose, file, view.heads.get((whose, file)), judge, store)
        return self._views.written(whose, made) if isinstance(made, Version) else made

    def _document(self, scope: Scope, version: Version) -> Document:
        settings = self._views.settings_of(scope)
        stale = is_stale(settings, version.file, version.at, self._clock.now())
        return Document(version.file, version.text or "", version.number, version.at, version.origin, stale)


def _bounds(row: MemoryFile, file: str, settings: AgentSettings) -> edits.Bounds:
    return edits.Bounds(file, settings.limit(file), row.limit_kind, settings.language)


def _info(view: View, head: Head, now: datetime) -> FileInfo:
    limit = view.settings.limit(head.file)
    chars = head.chars or 0
    stale = is_stale(view.settings, head.file, head.modified, now)
    return FileInfo(head.file, chars, limit, head.number, head.modified, head.origin, stale, chars > limit)


def _compare(newest: Newest, expected: int | None) -> None:
    """Compare-and-set: 0 matches any absent file, also a removed one."""
    if expected is None or expected == newest.number or (expected == 0 and newest.absent):
        return
    raise StaleVersion(
        f"{newest.file} is at version {newest.number}, not {expected}: somebody else wrote it.",
        "Read it again, put your change into the new text, and write with that version.",
        current=newest.number,
        text=newest.text,
    )


def _is_held(row: MemoryFile, settings: AgentSettings, writer: Writer) -> bool:
    """Whether policy holds a write back: the agent's writes to a file that all its users share."""
    if row.level != "agent" or writer.origin in ("editor", "import", "system"):
        return False
    if settings.shared_writes == "off":
        raise NotAllowed(
            f"{row.name} is shared by all users of the agent and may not be written by the agent.",
            "Keep what one user wants in that user's USER.md, or ask a person to change the file.",
        )
    return settings.shared_writes == "review"


def _pending(newest: Newest, verdict: edits.Verdict, writer: Writer, clock: Clock) -> PendingEdit:
    return PendingEdit(
        id="", file=newest.file, base=newest.number, text=verdict.text, origin=writer.origin, at=clock.now(),
        actor=writer.actor, session=writer.session, reason=writer.reason, notices=verdict.notices,
    )  # fmt: skip

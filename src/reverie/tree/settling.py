"""Settling one round: what each outcome does, under the store's lock.

First the ledger, then the file. What a person did to a file is accounted for in the ledger and committed before the
file is touched; only the round after that replaces it (a secret goes at once). So a crash at any point leaves an edit
in the file, in the ledger, or in both. What is noted as being at a path was put on disk before, so that no power loss
can make an old state of the file look like an edit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime

from reverie import edits
from reverie.catalogue import memory_file
from reverie.errors import InvalidText, OverLimit, StoreBusy, StoreDamaged, StoreFull, StoreReadOnly
from reverie.markdown.merging import merge
from reverie.notices import Notice
from reverie.ports import Change
from reverie.records import text_hash
from reverie.scopes import Scope
from reverie.settings import AgentSettings
from reverie.tree import replacing, saying
from reverie.tree.decision import (
    Adopt,
    Content,
    InStep,
    Leave,
    Merge,
    Remember,
    Wait,
    WriteOut,
    decide,
    head_hash,
)
from reverie.tree.faults import translated, translating
from reverie.tree.looking import Looked, folder_path, look, looked_at
from reverie.tree.safe import Folder
from reverie.tree.shelf import Late, Shelf
from reverie.versions import Head, PendingEdit, Version, Write

UNAVAILABLE = (StoreReadOnly, StoreFull, StoreBusy, StoreDamaged)
"""What keeps ledger and file apart for now without keeping anybody from reading."""

SEARCHED_VERSIONS = 200
"""How many versions back the text that an edit started from is looked for."""

REASON = "edited in the working tree"

@dataclass(frozen=True, slots=True)
class Place:
    """What a round works on: a scope of a store, its agent's settings, who and when."""

    root: Folder
    shelf: Shelf
    scope: Scope
    settings: AgentSettings
    actor: str
    now: Callable[[], datetime]


@dataclass(frozen=True, slots=True)
class Case:
    """One file as it is under the lock: the head, what is at its path, and the folder that it is in."""

    file: str
    name: str
    head: Head | None
    looked: Looked
    folder: Folder | None

    @property
    def number(self) -> int:
        """The head's version number, 0 for a file that never was."""
        return self.head.number if self.head else 0


@dataclass(slots=True)
class Round:
    """One transaction's worth of settling: `moved` once the ledger has a new version, `late` what it has of the shelf."""

    change: Change
    place: Place
    notices: list[Notice] = field(default_factory=list)
    moved: bool = False
    late: list[Late] = field(default_factory=list)

    def settle(self, file: str) -> bool:
        """Do what a file needs now; whether it needs another round. An unavailable file becomes a notice."""
        try:
            with translating(file):
                return self._with_folder(file) or self._late(file)
        except UNAVAILABLE as error:
            self.notices.append(saying.not_written(file, error))
            return False

    def _with_folder(self, file: str) -> bool:
        names, name = folder_path(self.place.scope, file)
        head = self.change.head(file=file)
        folder = self.place.root.walk(names)
        if not isinstance(folder, Folder):
            return self._act(Case(file, name, head, Looked(folder), None))
        with folder:
            self.place.shelf.sweep(folder)
            return self._act(Case(file, name, head, look(folder, name), folder))

    def _act(self, case: Case) -> bool:
        head = case.head
        outcome = decide(
            head=head_hash(head), mirrored=head.mirrored if head else None, disk=case.looked.disk
        )
        match outcome:
            case InStep():
                return False
            case Wait() | Leave():
                self.notices.append(saying.untouched(case.file, outcome))
                return False
            case Remember():
                self._note(case, head_hash(head))
                return False
            case WriteOut():
                return self._write_out(case)
            case Adopt():
                return self._adopt(case)
            case Merge():
                return self._merge(case)

    def _write_out(self, case: Case) -> bool:
        """Put the head at the path, if what is there still is what was looked at."""
        place, content = self.place, case.looked.content
        text = self._text(case)
        if text is not None:
            with place.root.make(folder_path(place.scope, case.file)[0]) as folder:
                done = replacing.replace(
                    folder, case.name, text.encode(), expected=content, shelf=place.shelf
                )
        elif content is not None and case.folder is not None:
            done = replacing.remove(case.folder, case.name, expected=content, shelf=place.shelf)
        else:
            done = True
        if done:
            self.change.mirror(file=case.file, hash=head_hash(case.head))
            if content is None and text is not None and case.head and case.head.mirrored:
                self.notices.append(saying.restored(case.file))
        return not done

    def _adopt(self, case: Case) -> bool:
        verdict = self._judged(case)
        if verdict is None:
            return False
        if self._is_head(case, verdict.text):
            return self._write_out(case)
        if self.place.settings.tree_edits == "review":
            return self._hold(case, case.number, verdict, conflict=False)
        return self._put(case, verdict.text, verdict, saying.adopted)

    def _merge(self, case: Case) -> bool:
        verdict = self._judged(case)
        if verdict is None:
            return False
        if self._is_head(case, verdict.text):
            return self._write_out(case)
        number, base = self._base(case, case.head.mirrored if case.head else None)
        ours = self._text(case)
        merged = _merged(base, ours, verdict.text)
        if merged is None or self.place.settings.tree_edits == "review":
            return self._hold(case, number, verdict, conflict=merged is None)
        if merged == ours:
            return self._write_out(case)
        return self._put(case, merged, verdict, saying.merged)

    def _late(self, file: str) -> bool:
        """Take what editors wrote into files after they were replaced, as edits of the versions these held."""
        names, name = folder_path(self.place.scope, file)
        again = False
        for late in self.place.shelf.late(names, name):
            case = Case(file, name, self.change.head(file=file), looked_at(late.found), None)
            verdict = self._judged(case) if case.looked.text is not None else None
            if verdict is not None and not self._is_head(case, verdict.text):
                again = self._take_late(case, late.digest, verdict) or again
            self.late.append(late)
        return again

    def _take_late(self, case: Case, digest: str, verdict: edits.Verdict) -> bool:
        number, base = self._base(case, digest)
        ours = self._text(case)
        merged = _merged(base, ours, verdict.text)
        if merged is None or self.place.settings.tree_edits == "review":
            if not self._waits(case, number, verdict):
                self._keep(case, number, verdict, conflict=merged is None)
            return False
        if merged == ours:
            return False
        self._store(case, merged, verdict, saying.merged)
        return True

    def _put(
        self, case: Case, text: str | None, verdict: edits.Verdict, say: Callable[[str, int], Notice]
    ) -> bool:
        """Make the edit a version; another round follows when the file is not what the version says.

        A file with a secret is replaced at once, so that not even its hash is noted. That is safe before the commit,
        because the new file has the edit.
        """
        self._store(case, text, verdict, say)
        if verdict.text != case.looked.text:
            return self._write_out(replace(case, head=self.change.head(file=case.file)))
        self._note(case, _disk_hash(case))
        return text != case.looked.text

    def _hold(self, case: Case, base: int, verdict: edits.Verdict, *, conflict: bool) -> bool:
        """Keep the edit for review; in the round after, when it is known to wait, the head is written out."""
        if self._waits(case, base, verdict):
            return self._write_out(case)
        self._keep(case, base, verdict, conflict=conflict)
        return True

    def _waits(self, case: Case, base: int, verdict: edits.Verdict) -> bool:
        """Whether an edit is held already: the same text saved over a newer version is another wish than it was."""
        waiting = self.change.edits(file=case.file)
        return any((edit.text, edit.base) == (verdict.text, base) and not edit.damaged for edit in waiting)

    def _store(
        self, case: Case, text: str | None, verdict: edits.Verdict, say: Callable[[str, int], Notice]
    ) -> None:
        version = self.change.put(
            write=Write(case.file, text, "editor", actor=self.place.actor, reason=REASON)
        )
        self.moved = True
        self.notices += [say(case.file, version.number), *_masked(case, verdict)]

    def _keep(self, case: Case, base: int, verdict: edits.Verdict, *, conflict: bool) -> None:
        self.change.hold(
            edit=PendingEdit(
                id="", file=case.file, base=base, text=verdict.text, origin="editor", at=self.place.now(),
                actor=self.place.actor, reason=REASON, conflict=conflict, notices=verdict.notices,
            )
        )  # fmt: skip
        self.notices += [saying.held(case.file, conflict=conflict), *_masked(case, verdict)]

    def _judged(self, case: Case) -> edits.Verdict | None:
        """What of an edit may be stored, None when nothing may; an emptied file asks for removal."""
        if case.looked.text is None:
            return edits.Verdict(None, ())
        settings, row = self.place.settings, memory_file(case.file)
        bounds = edits.Bounds(case.file, settings.limit(case.file), row.limit_kind, settings.language)
        try:
            return edits.judge_found(bounds, case.looked.text)
        except (InvalidText, OverLimit) as error:
            self.notices.append(saying.refused(case.file, error))
            return None

    def _is_head(self, case: Case, text: str | None) -> bool:
        """Whether an edit asks for nothing new: with its secrets masked, it is the head."""
        return ("" if text is None else text_hash(text)) == head_hash(case.head)

    def _base(self, case: Case, digest: str | None) -> tuple[int, str | None]:
        """The version that an edited file started from, found by (the beginning of) its hash; (0, None) if unknown."""
        if digest is None:
            return 0, None
        for number in range(case.number, max(0, case.number - SEARCHED_VERSIONS), -1):
            version = self.change.version(file=case.file, number=number)
            if version is not None and _is_version(version, digest):
                return number, version.text or ""
        return (0, None) if digest else (0, "")

    def _text(self, case: Case) -> str | None:
        if case.head is None or case.head.absent:
            return None
        version = self.change.version(file=case.file, number=case.head.number)
        if version is None:
            raise StoreDamaged(
                f"Version {case.head.number} of {case.file} is not in the ledger.", "Run `reverie verify`."
            )
        return version.text

    def _note(self, case: Case, digest: str) -> None:
        self._sync(case)
        self.change.mirror(file=case.file, hash=digest)

    def _sync(self, case: Case) -> None:
        """Put on disk what an editor may have left in memory, before the ledger relies on it being there."""
        if case.folder is None:
            return
        try:
            case.folder.sync(case.name if case.looked.content is not None else None)
        except OSError as error:
            if not isinstance(translated(error, case.file), StoreReadOnly):
                raise


def _disk_hash(case: Case) -> str:
    return case.looked.disk.hash if isinstance(case.looked.disk, Content) else ""


def _masked(case: Case, verdict: edits.Verdict) -> list[Notice]:
    """What to tell of masked secrets; that a file is over its limit, every reader of it is told anyway."""
    if verdict.text is None or verdict.text == case.looked.text:
        return []
    return [saying.masked(case.file, sentence) for sentence in verdict.notices[:1]]


def _is_version(version: Version, digest: str) -> bool:
    return version.text is not None and version.hash.startswith(digest) if digest else version.text is None


def _merged(base: str | None, ours: str | None, theirs: str | None) -> str | None:
    """Both changes in one text; None when they touch the same place or one of them is a removal."""
    if base is None or ours is None or theirs is None:
        return None
    return merge(base, ours, theirs).text

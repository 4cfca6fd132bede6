"""Reconciling: what a source says now, what it said when it was last imported, and what the file says here.

A source that says what it said is passed over. If only the source went on, its text is taken whole. If the file went on
here too, both are merged by entries; if that fails, what the source says waits for a person. What a source said is known
afterwards in each case: from the version that has its text, or from an edit, which the store decided at once when it
merged. So nothing that was changed or removed here comes back only because it is imported again.

The decision is made before the store is locked. The transaction looks whether the file is as it was then.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

from reverie import edits
from reverie.catalogue import memory_file
from reverie.errors import StoreBusy
from reverie.markdown.merging import merge
from reverie.ports import Change
from reverie.scopes import Scope
from reverie.settings import AgentSettings
from reverie.versions import PendingEdit, Version, Writer
from reverie.view import judged_writer
from reverie.wiring import Store

STARTS = 20
"""How often an import begins anew because somebody else wrote meanwhile, before it gives up with StoreBusy."""

BY_ITSELF = "auto"
"""Who approves a merge: nobody but the policy that what merges is merged."""

Step = Literal["pass", "wait", "note", "take", "merge", "hold"]


@dataclass(frozen=True, slots=True)
class Seen:
    """What is here of a file: its newest version, what the source said last, and from which version that went on.

    `waiting` are the imported edits that wait. A damaged newest version has no text.
    """

    number: int = 0
    text: str | None = None
    damaged: bool = False
    source: str | None = None
    base: int = 0
    waiting: tuple[PendingEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be done, and the file's new text if it gets one."""

    step: Step
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Done:
    """What was done: the version or the edit that came of it, and the notices."""

    step: Step
    version: Version | None = None
    edit: PendingEdit | None = None
    notices: tuple[str, ...] = ()


def plan(seen: Seen, wanted: str) -> Plan:
    """Decide what becomes of a source's text."""
    if wanted == seen.source:
        return Plan("wait" if any(edit.text == wanted for edit in seen.waiting) else "pass")
    if seen.damaged:
        return Plan("take", wanted)
    if seen.text == wanted:
        return Plan("note")
    if seen.text == seen.source:
        return Plan("take", wanted)
    if seen.text is None or seen.source is None:
        return Plan("hold")
    merged = merge(seen.source, seen.text, wanted).text
    if merged is None:
        return Plan("hold")
    if merged == seen.text:
        return Plan("note")
    return Plan("take" if merged == wanted else "merge", merged)


def reconcile(
    store: Store, scope: Scope, file: str, text: str, *, writer: Writer, begin: Callable[[], None]
) -> Done:
    """Bring a source's text into a file; `begin` is called before anything is stored. Raises InvalidText, OverLimit."""
    writer = judged_writer(writer)
    for _ in range(STARTS):
        settings = store.views.of(scope).settings
        verdict = _judged(file, text, settings)
        assert verdict.text is not None, "blank texts are refused before"
        seen = _seen(store, scope, file)
        todo = plan(seen, verdict.text)
        if todo.step in ("pass", "wait"):
            return Done(todo.step, edit=seen.waiting[-1] if todo.step == "wait" else None)
        notices = verdict.notices
        if todo.step == "merge":
            notices = tuple(dict.fromkeys((*notices[:-1], *_judged(file, todo.text, settings).notices)))
        if todo.step != "note":
            begin()
        wanted = PendingEdit(
            id="", file=file, base=seen.base, text=verdict.text, origin="import", at=store.clock.now(),
            reason=writer.reason, conflict=todo.step == "hold", notices=verdict.notices,
        )  # fmt: skip
        done = store.versions.change(scope=scope, act=partial(_carry_out, seen, todo, wanted, writer))
        if done is not None:
            version = None if done.version is None else store.views.written(scope, done.version)
            return replace(done, version=version, notices=(*notices, *(version.notices if version else ())))
    raise StoreBusy(f"{file} was changed again and again while it was imported.", "Import again.")


def _carry_out(seen: Seen, todo: Plan, wanted: PendingEdit, writer: Writer, change: Change) -> Done | None:
    """Store what was decided; None when the file is not as it was seen."""
    head = change.head(file=wanted.file)
    waiting = tuple(edit.id for edit in change.edits(file=wanted.file) if edit.origin == "import")
    if ((head.number if head else 0), waiting) != (seen.number, tuple(edit.id for edit in seen.waiting)):
        return None
    if todo.step == "take":
        return Done("take", change.put(write=writer.write(wanted.file, todo.text)))
    edit = change.hold(edit=wanted)
    if todo.step == "hold":
        return Done("hold", edit=edit)
    edit = change.hold(edit=replace(edit, status="accepted", decided_by=BY_ITSELF))
    if todo.step == "note":
        return Done("note", edit=edit)
    merged = replace(
        writer, approver=BY_ITSELF, reason=f"accepted edit {edit.id} (import): {writer.reason}", evidence=(edit.seq,)
    )  # fmt: skip
    return Done("merge", change.put(write=merged.write(wanted.file, todo.text)), edit)


def _seen(store: Store, scope: Scope, file: str) -> Seen:
    history = store.versions.history(scope=scope, file=file)
    held = [
        edit
        for edit in store.versions.edits(scope=scope, status=None)
        if edit.file == file and edit.origin == "import"
    ]
    waiting = tuple(edit for edit in held if edit.status == "pending")
    whole = [
        version
        for version in history
        if version.origin == "import" and version.approver is None and not version.damaged
    ]
    said = [(version.seq, version.text) for version in whole[-1:]]
    said += [(edit.seq, edit.text) for edit in held if not edit.damaged]
    source = max(said, key=lambda one: one[0])[1] if said else None
    base = whole[-1].number if whole else 0
    if not history:
        return Seen(source=source, base=base, waiting=waiting)
    newest = history[-1]
    return Seen(newest.number, newest.text, newest.damaged, source, base, waiting)


def _judged(file: str, text: str | None, settings: AgentSettings) -> edits.Verdict:
    row = memory_file(file)
    return edits.judge_found(
        edits.Bounds(file, settings.limit(file), row.limit_kind, settings.language), text
    )

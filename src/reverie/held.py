"""Held-back edits: what a policy kept from becoming a version, until a person accepts or discards it."""

from __future__ import annotations

from dataclasses import replace

from reverie import edits
from reverie.catalogue import memory_file
from reverie.errors import NotAllowed, NotFound
from reverie.markdown.merging import merge
from reverie.ports import Change, Versions
from reverie.scopes import Scope
from reverie.validity import checked_text
from reverie.versions import PendingEdit, Version, Write
from reverie.view import Views


class HeldEdits:
    """The queue of one scope's held-back edits."""

    def __init__(self, versions: Versions, views: Views) -> None:
        self._versions = versions
        self._views = views

    def waiting(self, scope: Scope) -> list[PendingEdit]:
        """Edits that wait, oldest first; the working tree is looked at first."""
        self._views.of(scope)
        return list(self._versions.edits(scope=scope))

    def accept(self, scope: Scope, identity: str, *, by: str, text: str | None = None) -> Version:
        """Make the edit a version: as it is, merged with what was written meanwhile, or as `text` resolves it.

        Raises NotFound for an edit that does not wait, NotAllowed when it does not merge and no text resolves it.
        """
        edit = self._waiting(scope, identity)
        checked_text(by, "the approver")
        settings = self._views.of(scope).settings
        row = memory_file(edit.file)
        bounds = edits.Bounds(edit.file, settings.limit(edit.file), row.limit_kind, settings.language)
        judge = edits.judge_found if edit.origin == "editor" else edits.judge_change

        def act(change: Change) -> Version:
            wanted = _wanted(change, edit) if text is None else text
            verdict = judge(bounds, wanted) if wanted is not None else edits.Verdict(None)
            change.hold(edit=replace(edit, status="accepted"))
            reason = f"accepted edit {edit.id} ({edit.origin})" + (f": {edit.reason}" if edit.reason else "")
            put = change.put(
                write=Write(
                    edit.file, verdict.text, "editor", actor=edit.actor, session=edit.session, approver=by, reason=reason
                )
            )  # fmt: skip
            return replace(put, notices=verdict.notices)

        return self._views.written(scope, self._versions.change(scope=scope, act=act))

    def discard(self, scope: Scope, identity: str) -> PendingEdit:
        """Drop the edit; its text stays in the ledger under its id. NotFound for an edit that does not wait."""
        edit = replace(self._waiting(scope, identity), status="discarded")
        return self._versions.change(scope=scope, act=lambda change: change.hold(edit=edit))

    def _waiting(self, scope: Scope, identity: str) -> PendingEdit:
        found = [edit for edit in self._versions.edits(scope=scope) if edit.id == identity]
        if not found:
            raise NotFound(
                f"No edit {identity!r} waits for {scope}.", "See `reverie edits` for those that do."
            )
        return found[0]


def _wanted(change: Change, edit: PendingEdit) -> str | None:
    """The text that the edit wants now: merged when the file moved since it was made."""
    head = change.head(file=edit.file)
    number = head.number if head else 0
    if number == edit.base:
        return edit.text
    base = change.version(file=edit.file, number=edit.base) if edit.base else None
    newest = change.version(file=edit.file, number=number)
    current = newest.text if newest else None
    if current == edit.text:
        return edit.text
    if base is not None and base.text is not None and current is not None and edit.text is not None:
        merged = merge(base.text, current, edit.text)
        if merged.text is not None:
            return merged.text
    raise NotAllowed(
        f"{edit.file} changed since this edit was made (from version {edit.base} to {number}), and the two do not merge.",
        "Accept it with the text that you want instead, or discard it.",
    )

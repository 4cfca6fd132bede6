"""Held-back edits: what a policy kept from becoming a version, until a person accepts or discards it."""

from __future__ import annotations

from dataclasses import replace

from reverie import edits
from reverie.catalogue import memory_file
from reverie.deciding import Newest, decided
from reverie.errors import NotAllowed, NotFound, StoreDamaged
from reverie.holding import damaged
from reverie.markdown.merging import merge
from reverie.ports import Change, Versions
from reverie.scopes import Scope
from reverie.secrets import mask
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

        Raises NotFound for an edit that does not wait, NotAllowed when it does not merge and no text resolves it,
        StoreDamaged when it is not what was held back.
        """
        edit = self._waiting(scope, identity)
        if edit.damaged:
            raise damaged(edit)
        checked_text(by, "the approver")
        view = self._views.of(scope)
        row = memory_file(edit.file)
        bounds = edits.Bounds(
            edit.file, view.settings.limit(edit.file), row.limit_kind, view.settings.language
        )
        judge = edits.judge_found if edit.origin in ("editor", "import") else edits.judge_change

        def decide(newest: Newest) -> edits.Verdict:
            wanted = self._wanted(scope, edit, newest) if text is None else text
            return judge(bounds, wanted) if wanted is not None else edits.Verdict(None)

        def store(change: Change, newest: Newest, verdict: edits.Verdict) -> Version:
            change.hold(edit=replace(edit, status="accepted", decided_by=by))
            reason = f"accepted edit {edit.id} ({edit.origin})" + (f": {edit.reason}" if edit.reason else "")
            put = change.put(
                write=Write(
                    edit.file, verdict.text, "editor", actor=edit.actor, session=edit.session, approver=by, reason=reason
                )
            )  # fmt: skip
            return replace(put, notices=verdict.notices)

        head = view.heads.get((scope, edit.file))
        made = decided(self._versions, scope, edit.file, head, decide, store)
        return self._views.written(scope, made)

    def discard(self, scope: Scope, identity: str, *, by: str, reason: str | None = None) -> PendingEdit:
        """Drop the edit, also a damaged one; its text stays in the ledger under its id.

        Raises NotFound for an edit that does not wait.
        """
        waiting = self._waiting(scope, identity)
        checked_text(by, "the name of who discards it")
        told = None if reason is None else mask(checked_text(reason, "the reason")).text
        edit = replace(waiting, status="discarded", decided_by=by, decided_reason=told)
        return self._versions.change(scope=scope, act=lambda change: change.hold(edit=edit))

    def _waiting(self, scope: Scope, identity: str) -> PendingEdit:
        found = [edit for edit in self._versions.edits(scope=scope) if edit.id == identity]
        if not found:
            raise NotFound(
                f"No edit {identity!r} waits for {scope}.", "See `reverie edits` for those that do."
            )
        return found[0]

    def _wanted(self, scope: Scope, edit: PendingEdit, newest: Newest) -> str | None:
        """The text that the edit wants now: merged when the file moved since it was made."""
        if newest.number == edit.base:
            return edit.text
        if not newest.damaged and newest.text == edit.text:
            return edit.text
        base = self._base(scope, edit)
        if base is not None and newest.text is not None and edit.text is not None:
            merged = merge(base, newest.text, edit.text)
            if merged.text is not None:
                return merged.text
        raise NotAllowed(
            f"{edit.file} changed since this edit was made (from version {edit.base} to {newest.number}), and the two do not "
            "merge.",
            "Accept it with the text that you want instead, or discard it.",
        )

    def _base(self, scope: Scope, edit: PendingEdit) -> str | None:
        """The text that the edit was made from, None when there is none that can be read."""
        try:
            base = self._versions.get(scope=scope, file=edit.file, number=edit.base) if edit.base else None
        except StoreDamaged:
            return None
        return None if base is None else base.text

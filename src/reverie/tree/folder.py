"""The working tree as a folder: real Markdown files beside the ledger, edited from either side.

`settle` first looks without a lock; almost always everything is in step and that was all. What is not is looked at
again in one transaction, which is the store's lock, and acted on there. Rounds follow until nothing is left to do: an
edit is accounted for in one, and the file replaced, if it must be, in the next.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from reverie import secrets
from reverie.notices import Notice
from reverie.ports import Change, Clock, Settled, Versions
from reverie.records import text_hash
from reverie.scopes import Scope, folder_of
from reverie.settings import AgentSettings
from reverie.tree import saying
from reverie.tree.decision import Leave, Outcome, Wait
from reverie.tree.faults import translating
from reverie.tree.looking import folder_path, survey, unswept
from reverie.tree.safe import SECOND_NAME, Folder, open_root
from reverie.tree.settling import UNAVAILABLE, Place, Round
from reverie.tree.shelf import Shelf
from reverie.versions import Head

ROUNDS = 8
"""How often a file is looked at again when somebody saves it while it is being settled."""


class FolderTree:
    """Implements `ports.WorkingTree` on a folder of the file system.

    `settings` gives the settings of a scope's agent. `actor` is who edits in the tree are ascribed to, by
    default whoever runs this process. Opening raises the errors of an unavailable store; settling only tells of them,
    since reading goes on without the tree.
    """

    def __init__(
        self,
        root: Path,
        versions: Versions,
        settings: Callable[[Scope], AgentSettings],
        clock: Clock,
        actor: str | None = None,
    ) -> None:
        with translating(str(root)):
            self._root = open_root(root)
        self._closed = False
        self._versions = versions
        self._clock = clock
        self._settings = settings
        self._actor = system_user() if actor is None else actor
        self._swept: set[Scope] = set()
        self._mirrored: frozenset[str | None] = frozenset()
        self._shelf = Shelf(self._root, self._is_secret)

    def settle(self, *, scope: Scope, heads: Mapping[str, Head]) -> Settled:
        """Bring ledger and files of one scope together; `heads` is what the caller just read of it."""
        try:
            with translating("A folder"):
                return self._settled(scope, heads)
        except UNAVAILABLE as error:  # no handles or no memory left to look: reading goes on without the tree
            return Settled((saying.not_looked_at(error),))

    def _settled(self, scope: Scope, heads: Mapping[str, Head]) -> Settled:
        if scope not in self._swept:
            self._sweep(scope)
        seen = survey(self._root, scope, heads)
        if Leave(SECOND_NAME) in seen.outcomes.values() and unswept(self._root, scope):
            self._sweep(scope)  # the second name may be what a crash of another process left
            seen = survey(self._root, scope, heads)
        disturbed = self._shelf.disturbed(folder_of(scope)) if self._shelf.watching else []
        if not seen.outcomes and not disturbed:
            return Settled(seen.notices)
        notices = list(seen.notices)
        waiting = [file for file in heads if disturbed and folder_path(scope, file) in disturbed]
        for file, outcome in seen.outcomes.items():
            if file in waiting:
                continue
            if isinstance(outcome, Wait | Leave):
                notices.append(saying.untouched(file, outcome))
            else:
                waiting.append(file)
        self._mirrored = frozenset(head.mirrored for head in heads.values())
        settled = self._rounds(scope, waiting, notices)
        return replace(settled, moved=settled.moved or any(file not in heads for file in waiting))

    def differences(self, *, scope: Scope, heads: Mapping[str, Head]) -> Mapping[str, Outcome]:
        """What settling would do to each file that is not in step; changes nothing."""
        return survey(self._root, scope, heads).outcomes

    def close(self) -> None:
        """Let go of the root folder; closing twice is harmless."""
        if not self._closed:
            self._closed = True
            self._root.close()

    def _is_secret(self, text: str) -> bool:
        """Whether a replaced file holds a secret; what the ledger put there was searched when it was stored."""
        return text_hash(text) not in self._mirrored and bool(secrets.mask(text).found)

    def _sweep(self, scope: Scope) -> None:
        """Clear away what a crash of this or another process left in a scope's folders."""
        left = unswept(self._root, scope)

        def act(change: Change) -> None:
            for path in left:
                folder = self._root.walk(path)
                if isinstance(folder, Folder):
                    with folder:
                        self._shelf.sweep(folder)

        if left:
            try:
                with translating("What a crash left"):
                    self._versions.change(scope=scope, act=act)
            except UNAVAILABLE:
                return  # tried again at the next settling; what cannot be written is told of there
        self._swept.add(scope)

    def _rounds(self, scope: Scope, waiting: list[str], notices: list[Notice]) -> Settled:
        moved = False
        for _ in range(ROUNDS):
            if not waiting:
                break
            try:
                done, again = self._round(scope, waiting)
            except UNAVAILABLE as error:
                notices += [saying.not_taken(file, error) for file in waiting]
                break
            for late in done.late:
                self._shelf.accept(late)
            notices += done.notices
            moved = moved or done.moved
            waiting = again
        else:
            notices += [saying.restless(file) for file in waiting]
        return Settled(tuple(dict.fromkeys(notices)), moved)

    def _round(self, scope: Scope, files: list[str]) -> tuple[Round, list[str]]:
        """One transaction over the files that need it; it may run again from the start, so it begins afresh."""
        place = Place(
            self._root, self._shelf, scope, self._settings(scope), self._actor, self._clock.now
        )

        def act(change: Change) -> tuple[Round, list[str]]:
            done = Round(change, place)
            return done, [file for file in files if done.settle(file)]

        return self._versions.change(scope=scope, act=act)


def system_user() -> str:
    """The name of the person whom this process runs for, empty where the system knows none."""
    try:
        return pwd.getpwuid(os.geteuid()).pw_name
    except KeyError:
        return ""

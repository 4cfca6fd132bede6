"""Deciding: what a change makes of a file is decided before the store is locked, so that a long decision delays nobody.

The decision is made on the newest version as it was read. The transaction looks whether that still is the newest one and
then only stores. If somebody else wrote in between, a short text is decided again on the spot; for a long one the lock
is given back and it starts over, a bounded number of times: after that it is decided under the lock, so that every
change gets through.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from reverie.errors import StoreDamaged
from reverie.ports import Change, Versions
from reverie.scopes import Scope
from reverie.versions import Head, Version

D = TypeVar("D")
R = TypeVar("R")

QUICK_CHARS = 20_000
"""Up to this length a text is decided on under the lock if it has to be."""

STARTS = 4
"""How often a decision on a long text is begun outside the lock before it is made under it."""


@dataclass(frozen=True, slots=True)
class Newest:
    """The newest version of a file: number 0 and no text if it never was, no text if it is absent or `damaged`."""

    file: str
    number: int = 0
    hash: str = ""
    text: str | None = None
    damaged: bool = False

    @property
    def absent(self) -> bool:
        """Whether there is no file, which is known."""
        return self.text is None and not self.damaged

    def changeable(self) -> str | None:
        """The text as it can be changed in place; StoreDamaged when it is damaged, since only a whole text can replace it then."""
        if self.damaged:
            raise StoreDamaged(
                f"Version {self.number} of {self.file}, the newest, is damaged, so it cannot be changed in place.",
                f"Restore another version (`reverie history {self.file}`), or write the whole file anew.",
            )
        return self.text


@dataclass(frozen=True, slots=True)
class _Moved:
    """Somebody else wrote: what is the newest version now."""


def decided(
    versions: Versions, scope: Scope, file: str, head: Head | None,
    decide: Callable[[Newest], D], store: Callable[[Change, Newest, D], R],
) -> R:  # fmt: skip
    """Decide on the newest version of a file and store what came of it, in one transaction that mostly only stores.

    `head` is what the caller has just read of the file. `decide` is pure and may run several times; what it raises is
    raised and nothing is stored.
    """
    for start in range(1, STARTS + 1):
        if start > 1:
            head = versions.heads(scopes=(scope,)).get((scope, file))
        if head is None and _is_known(versions, scope, file):
            return versions.change(scope=scope, act=partial(_under_lock, file, decide, store))
        seen = _read(head, file, lambda number: versions.get(scope=scope, file=file, number=number))
        decision = decide(seen)
        made = versions.change(scope=scope, act=_act(seen, decision, decide, store, last=start == STARTS))
        if not isinstance(made, _Moved):
            return made
    raise AssertionError("the last start stores or raises")


def _is_known(versions: Versions, scope: Scope, file: str) -> bool:
    """Whether a file without a head has versions: then only the transaction can tell which is the newest."""
    try:
        return versions.get(scope=scope, file=file, number=1) is not None
    except StoreDamaged:
        return True


def _newest(change: Change, file: str) -> Newest:
    """The newest version of a file in an open transaction."""
    head = change.head(file=file)
    return _read(head, file, lambda number: change.version(file=file, number=number))


def _under_lock(
    file: str, decide: Callable[[Newest], D], store: Callable[[Change, Newest, D], R], change: Change
) -> R:
    now = _newest(change, file)
    return store(change, now, decide(now))


def _act(
    seen: Newest, decision: D, decide: Callable[[Newest], D], store: Callable[[Change, Newest, D], R], *, last: bool
) -> Callable[[Change], R | _Moved]:  # fmt: skip
    def act(change: Change) -> R | _Moved:
        head = change.head(file=seen.file)
        if (head.number, head.hash) == (seen.number, seen.hash) if head else not seen.number:
            return store(change, seen, decision)
        now = _newest(change, seen.file)
        return store(change, now, decide(now)) if last or len(now.text or "") <= QUICK_CHARS else _Moved()

    return act


def _read(head: Head | None, file: str, version: Callable[[int], Version | None]) -> Newest:
    if head is None:
        return Newest(file)
    if head.absent:
        return Newest(file, head.number, head.hash)
    try:
        found = version(head.number)
    except StoreDamaged:
        found = None
    if found is None or found.text is None or found.hash != head.hash:
        return Newest(file, head.number, head.hash, damaged=True)
    return Newest(file, head.number, head.hash, found.text)

"""What to do about one file of the working tree: a pure choice between seven outcomes.

Three things are compared: the head of the ledger, what the store last put at the file's path, and what is there now.
Equal to what was put there but not to the head: a crash came between, the head is written out. Different from what was
put there: a person edited it. Both moved: merge. A missing file is damage and never a deletion; a file that was emptied
is one, once it is older than an editor needs between emptying a file and filling it.

Hashes are SHA-256 in hex. The empty string stands for an absent file, on either side.
"""

from __future__ import annotations

from dataclasses import dataclass

from reverie.versions import Head

SETTLING_SECONDS = 2.0
"""How long an empty file may be an editor in the middle of saving (by the file system's own time)."""


@dataclass(frozen=True, slots=True)
class Content:
    """A file with text in it."""

    hash: str


@dataclass(frozen=True, slots=True)
class Empty:
    """A file with nothing but white space in it; `young` when it may still be on the way to being filled."""

    young: bool


@dataclass(frozen=True, slots=True)
class Missing:
    """No file at the path."""


@dataclass(frozen=True, slots=True)
class Unusable:
    """Something at the path that is never read as memory: a link, a pipe, a folder, not text, too big."""

    reason: str


Disk = Content | Empty | Missing | Unusable


@dataclass(frozen=True, slots=True)
class InStep:
    """Ledger and file say the same, and the store knows it."""


@dataclass(frozen=True, slots=True)
class Remember:
    """Ledger and file say the same, but something else was noted: the note is corrected."""


@dataclass(frozen=True, slots=True)
class WriteOut:
    """The head goes to the file: after a write, after a crash, or because the file is gone."""


@dataclass(frozen=True, slots=True)
class Adopt:
    """A person edited the file and the ledger stood still: the file becomes a version."""


@dataclass(frozen=True, slots=True)
class Merge:
    """A person edited the file while the ledger moved on."""


@dataclass(frozen=True, slots=True)
class Wait:
    """The file is empty and young: look again later, serve the ledger's text."""


@dataclass(frozen=True, slots=True)
class Leave:
    """The file cannot be used: it is reported and not touched, and the ledger's text is served."""

    reason: str


Outcome = InStep | Remember | WriteOut | Adopt | Merge | Wait | Leave


def head_hash(head: Head | None) -> str:
    """The hash of the newest text, the empty string for a file that is absent."""
    return "" if head is None or head.absent else head.hash


def decide(*, head: str, mirrored: str | None, disk: Disk) -> Outcome:
    """The outcome for one file; `mirrored` is None when the store never put anything at its path."""
    match disk:
        case Unusable(reason):
            return Leave(reason)
        case Missing():
            return WriteOut() if head else _noted(head, mirrored or "")
        case Content(found):
            return _filled(head, mirrored, found)
        case Empty(young):
            return _emptied(head, mirrored or "", young)


def _noted(head: str, mirrored: str) -> Outcome:
    return InStep() if mirrored == head else Remember()


def _filled(head: str, mirrored: str | None, found: str) -> Outcome:
    if found == head:
        return InStep() if mirrored == head else Remember()
    if found == mirrored:
        return WriteOut()
    return Adopt() if (mirrored or "") == head else Merge()


def _emptied(head: str, mirrored: str, young: bool) -> Outcome:
    if not head and not mirrored:
        return InStep()
    if young:
        return Wait()
    if not head:
        return Remember()
    if not mirrored:
        return WriteOut()
    return Adopt() if mirrored == head else Merge()

"""Versions: the immutable states of a memory file, and the values that travel with a write.

A file's history is a straight line: version n+1 has parent n. A version whose text is None is a removal;
numbering goes on after it, and version 0 stands for any absent file.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

Origin = Literal["user", "agent", "tool", "import", "editor", "dream", "system"]
ORIGINS: tuple[Origin, ...] = ("user", "agent", "tool", "import", "editor", "dream", "system")

SETTINGS_FILE = "settings.json"
"""An agent's settings are versioned like a file of its scope, under a name that no memory file can have."""


@dataclass(frozen=True, slots=True)
class Version:
    """An immutable state of one file.

    `hash` is the SHA-256 of the text's UTF-8 bytes in hex (of nothing, for a removal); `seq` is the journal record
    of the change; `notices` tell the writer what happened on the way (masked secrets, the instruction to compress).
    `damaged` marks one in a history that does not match its hash: its text is never shown, so `text` is None, and what
    else it says is as it lies in the store.
    """

    file: str
    number: int
    parent: int
    hash: str
    at: datetime
    origin: Origin
    text: str | None
    seq: int
    actor: str = ""
    session: str | None = None
    dream: str | None = None
    approver: str | None = None
    reason: str | None = None
    evidence: tuple[int, ...] = ()
    notices: tuple[str, ...] = ()
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class Head:
    """The newest version of a file without its text.

    `chars` is None when that version is a removal. `mirrored` is the hash of what was last written to the working tree
    ("" for no file, None when the tree was never written).
    """

    file: str
    number: int
    hash: str
    chars: int | None
    modified: datetime
    origin: Origin
    mirrored: str | None

    @property
    def absent(self) -> bool:
        """Whether the newest version is a removal."""
        return self.chars is None


@dataclass(frozen=True, slots=True)
class Write:
    """A state to be stored as the next version of a file; `text` None removes it, `batch` is the import that brought it."""

    file: str
    text: str | None
    origin: Origin
    actor: str = ""
    session: str | None = None
    dream: str | None = None
    approver: str | None = None
    reason: str | None = None
    evidence: tuple[int, ...] = ()
    batch: str | None = None


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes and why: what a version says of its origin."""

    origin: Origin = "editor"
    actor: str = ""
    session: str | None = None
    reason: str | None = None
    approver: str | None = None
    evidence: tuple[int, ...] = ()
    batch: str | None = None

    def write(self, file: str, text: str | None) -> Write:
        """A write of this writer's."""
        return Write(
            file, text, self.origin, actor=self.actor, session=self.session, approver=self.approver,
            reason=self.reason, evidence=self.evidence, batch=self.batch,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class PendingEdit:
    """A change held back until a person accepts or discards it.

    `base` is the version it was made from, `text` the whole file it wants (None: removal). `conflict` says that it
    did not merge with what was written meanwhile. `status` is pending, accepted or discarded; once decided it says by
    whom, when and why. `seq` is the journal record that holds it. `damaged` marks one that does not match that record:
    its text is never shown, so `text` is None; it can be discarded and not accepted.
    """

    id: str
    file: str
    base: int
    text: str | None
    origin: Origin
    at: datetime
    actor: str = ""
    session: str | None = None
    reason: str | None = None
    conflict: bool = False
    status: Literal["pending", "accepted", "discarded"] = "pending"
    notices: tuple[str, ...] = ()
    seq: int = 0
    decided_by: str | None = None
    decided_at: datetime | None = None
    decided_reason: str | None = None
    damaged: bool = False


@dataclass(frozen=True, slots=True)
class BlameLine:
    """One line of the current text (`line` counts from 1) and the version that put it there.

    `damaged` marks the one line, without text, that stands for a newest version which does not match its hash.
    """

    line: int
    text: str
    version: int
    at: datetime
    origin: Origin
    actor: str
    session: str | None
    dream: str | None
    approver: str | None
    evidence: tuple[int, ...]
    damaged: bool = False

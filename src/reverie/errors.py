"""The error tree: everything Reverie refuses, and what to do about it.

    ReverieError
    ├── InvalidName  InvalidId  InvalidText  InvalidTime     the input is not of the right form
    ├── OverLimit  ShrinkRefused  BudgetSpent                the input is well-formed but not acceptable
    ├── StaleVersion  KeyReused  ProposalChanged             somebody else was there first
    ├── NotFound  PassageNotFound  PassageAmbiguous          the thing named is not there, or is there twice
    ├── NotAllowed  ScopeRequired                            this caller may not do this
    ├── StoreReadOnly  StoreFull  StoreDamaged  StoreBusy  SchemaTooNew    the store cannot do it now
    └── MissingExtra  EngineFailed                           a part outside the core is missing or failed

Every error has a stable `code` (the snake case of its name), a message that says what happened to what,
and a `remedy` that says what to do next. Surfaces map codes with one table each and never parse messages.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import ClassVar


class ReverieError(Exception):
    """What every error of Reverie is; `str(error)` is the message followed by the remedy."""

    code: ClassVar[str] = "reverie_error"

    def __init__(self, message: str, remedy: str) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __init_subclass__(cls) -> None:
        cls.code = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()

    def as_dict(self) -> dict[str, object]:
        """The error as every surface prints it: code, message, remedy and the typed fields."""
        return {"code": self.code, "message": self.message, "remedy": self.remedy, **self.fields()}

    def fields(self) -> Mapping[str, object]:
        """The typed fields that this kind of error adds."""
        return {}


class InvalidName(ReverieError):
    """A file name that the catalogue does not know, or a path where a name is expected."""


class InvalidId(ReverieError):
    """An id of a project, agent, user or session that is empty, too long or has forbidden characters."""


class InvalidText(ReverieError):
    """Text that can never be stored: NUL, lone surrogates, a line of absurd length, not text at all."""


class InvalidTime(ReverieError):
    """A datetime without a zone, or a time zone that does not exist."""


class InvalidSetting(ReverieError):
    """A setting that does not exist, or a value that it cannot take."""


class OverLimit(ReverieError):
    """A text longer than its file may be; the stored file is untouched. Sizes are in code points."""

    def __init__(self, message: str, remedy: str, *, size: int, limit: int) -> None:
        super().__init__(message, remedy)
        self.size = size
        self.limit = limit

    def fields(self) -> Mapping[str, object]:
        return {"size": self.size, "limit": self.limit}


class ShrinkRefused(ReverieError):
    """A whole-file write that would lose most of the file, or has a stand-in line, without `removal_meant`."""


class BudgetSpent(ReverieError):
    """A session that has used up its memory writes."""


class StaleVersion(ReverieError):
    """A compare-and-set write that lost: `current` is the newest version number, `text` what it says now."""

    def __init__(self, message: str, remedy: str, *, current: int, text: str | None = None) -> None:
        super().__init__(message, remedy)
        self.current = current
        self.text = text

    def fields(self) -> Mapping[str, object]:
        return {"current": self.current, "text": self.text}


class KeyReused(ReverieError):
    """An idempotency key that came before with other content."""


class ProposalChanged(ReverieError):
    """An approval that names another state of the proposal than the stored one."""


class NotFound(ReverieError):
    """A file, version, edit, session or proposal that is not there."""


class PassageNotFound(ReverieError):
    """The passage to edit does not occur in the file; nothing was changed."""


class PassageAmbiguous(ReverieError):
    """The passage to edit occurs more than once; nothing was changed."""

    def __init__(self, message: str, remedy: str, *, matches: int) -> None:
        super().__init__(message, remedy)
        self.matches = matches

    def fields(self) -> Mapping[str, object]:
        return {"matches": self.matches}


class NotAllowed(ReverieError):
    """An act that this scope, setting or policy does not permit."""


class ScopeRequired(ReverieError):
    """An act that needs an agent or a user named, and none was."""


class StoreReadOnly(ReverieError):
    """The store cannot be written: read-only disk, folder or database. Reads go on."""


class StoreFull(ReverieError):
    """The disk has no room; what was stored before is intact. Reads go on."""


class StoreDamaged(ReverieError):
    """What is stored does not match its hash, or the database cannot be read."""


class StoreBusy(ReverieError):
    """The store did not answer in time, or the connection broke before it said yes."""


class SchemaTooNew(ReverieError):
    """The store was written by a newer Reverie."""


class MissingExtra(ReverieError):
    """A feature whose optional packages are not installed; the remedy is the command that installs them."""


class EngineFailed(ReverieError):
    """A dreaming engine that raised or answered nothing usable."""

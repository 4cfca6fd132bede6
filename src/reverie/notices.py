"""Notices: what a reader or writer should know although nothing failed."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Notice:
    """One thing to know, with a stable code: over_limit, stale, tree_conflict, secret_masked and the like.

    `file` is the memory file it is about, or empty.
    """

    code: str
    file: str
    message: str

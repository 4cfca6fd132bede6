"""Reverie, the memory of AI agents: five Markdown files, a journal, and dreams that tidy them under review."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reverie.errors import ReverieError
    from reverie.memory import Memory
    from reverie.toolsets import ToolSet

__all__ = ["Memory", "ReverieError", "ToolSet"]

_HOMES = {"Memory": "reverie.memory", "ReverieError": "reverie.errors", "ToolSet": "reverie.toolsets"}


def __getattr__(name: str) -> object:
    """Load a public name when it is first used, so that `reverie --help` never waits for a database library."""
    if name not in _HOMES:
        raise AttributeError(f"module 'reverie' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

"""Cautions: the notices about memory files that travel with a context; each function gives none or some."""

from __future__ import annotations

from collections.abc import Collection

from reverie.catalogue import memory_file
from reverie.mentions import unregistered
from reverie.notices import Notice


def over_limit(file: str, size: int, limit: int | None) -> tuple[Notice, ...]:
    """That a file is longer than it may be; sizes in code points, `limit` None for none."""
    if limit is None or size <= limit:
        return ()
    remedy = f"Shorten it by {size - limit}."
    if memory_file(file).limit_kind == "soft":
        remedy = "Compress it: merge duplicates, drop what is outdated, move detail to a topic."
    return (Notice("over_limit", file, f"{file} has {size} characters and a limit of {limit}. {remedy}"),)


def stale(file: str) -> tuple[Notice, ...]:
    """That a file was not confirmed for longer than its time to live."""
    message = f"{file} has not been confirmed for longer than its time to live. Check that it still holds."
    return (Notice("stale", file, message),)


def unknown_tools(file: str, notes: str, known: Collection[str]) -> tuple[Notice, ...]:
    """That tool notes mention tools which are not registered."""
    return tuple(
        Notice(
            "unknown_tool",
            file,
            f"{file} mentions {name}, which is not registered. Correct the notes or add the tool.",
        )
        for name in unregistered(notes, known)
    )

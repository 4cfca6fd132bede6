"""Cautions: the notices about memory files that travel with a context; each function gives none or some."""

from __future__ import annotations

from collections.abc import Collection

from reverie.catalogue import memory_file
from reverie.mentions import called_tools, mentioned_tools
from reverie.notices import Notice
from reverie.versions import SETTINGS_FILE


def over_limit(file: str, size: int, limit: int | None) -> tuple[Notice, ...]:
    """That a file is longer than it may be; sizes in code points, `limit` None for none."""
    if limit is None or size <= limit:
        return ()
    remedy = f"Shorten it by {size - limit:,}."
    if memory_file(file).limit_kind == "soft":
        remedy = "Compress it: merge duplicates, drop what is outdated, move detail to a topic."
    return (Notice("over_limit", file, f"{file} has {size:,} characters and a limit of {limit:,}. {remedy}"),)


def stale(file: str) -> tuple[Notice, ...]:
    """That a file was not confirmed for longer than its time to live."""
    message = f"{file} has not been confirmed for longer than its time to live. Check that it still holds."
    return (Notice("stale", file, message),)


def damaged(file: str, number: int) -> tuple[Notice, ...]:
    """That a file is left out because its newest version does not match its hash."""
    message = (
        f"{file} is left out: its newest version, {number}, does not match its hash. Restore another version "
        f"(`reverie history {file}`) or write the file anew."
    )
    return (Notice("damaged", file, message),)


def replaced(file: str, number: int) -> tuple[Notice, ...]:
    """That a version was put in the place of a damaged one, so that nothing compared the two."""
    message = f"Version {number} of {file} is damaged and was replaced unseen: nothing could guard against losing text of it."
    return (Notice("damaged", file, message),)


def old_settings(number: int, used: int) -> tuple[Notice, ...]:
    """That an agent's newest settings are damaged, and which version holds instead; 0 for none."""
    instead = f"version {used} holds" if used else "none of the agent's own hold"
    message = (
        f"Version {number} of the agent's settings is damaged; {instead} until somebody sets what should "
        "(`reverie config set`)."
    )
    return (Notice("damaged", SETTINGS_FILE, message),)


def unknown_tools(file: str, notes: str, known: Collection[str]) -> tuple[Notice, ...]:
    """That tool notes mention tools which are not registered."""
    return tuple(
        Notice(
            "unknown_tool",
            file,
            f"{file} mentions {name}, which is not registered. Correct the notes or add the tool.",
        )
        for name in mentioned_tools(notes)
        if name not in known
    )


def tools_without_sets(file: str, notes: str, known: Collection[str]) -> tuple[Notice, ...]:
    """That tool notes call tools in a context that was given no tool set."""
    return tuple(
        Notice(
            "unknown_tool",
            file,
            f"{file} calls {name}, and this context was given no tools. Correct the notes or pass the tools.",
        )
        for name in called_tools(notes)
        if name not in known
    )

"""The catalogue: the memory files as one table, from which every surface is derived.

To add a memory file, add a row. Prompts, tools, CLI help, limits, strategies and documentation follow.
"""

from __future__ import annotations

import difflib
import unicodedata
from dataclasses import dataclass
from typing import Literal

from reverie.errors import InvalidName
from reverie.text.graphemes import clip
from reverie.text.invisible import risky

Level = Literal["agent", "user"]
LimitKind = Literal["hard", "soft"]


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """One row: what a file answers, whose it is, how long it may be and how it is loaded.

    `limit` is in code points. `layer` says how hot the file is: 0 belongs in every prompt, 1 is worth injecting
    for personal agents, 2 is read on demand, 3 is detail found through an index. `ttl_days` is the age after
    which an unconfirmed file is stale; None means never. `headings` are suggestions for its sections.
    """

    name: str
    answers: str
    level: Level
    limit: int
    limit_kind: LimitKind
    layer: int
    heading: str
    ttl_days: int | None = None
    headings: tuple[str, ...] = ()
    writers: str = "a person; the agent by tool"


FILES: tuple[MemoryFile, ...] = (
    MemoryFile("SOUL.md", "who am I: values, character, style", "agent", 2000, "hard", 0, "## Agent Identity"),
    MemoryFile("ABOUT.md", "what I do: role, speciality, current tasks", "agent", 2000, "hard", 0, "## Agent Profile"),
    MemoryFile(
        "TOOLS.md", "practice: when to use which tool, quirks, limits", "agent", 3000, "hard", 0, "## Tool Notes",
        writers="a person; the agent by tool; never the program",
    ),
    MemoryFile(
        "USER.md", "who this user is to this agent: name, language, time zone, preferences", "user", 2000, "hard", 1,
        "## User Profile", ttl_days=365,
        headings=("Name and role", "Language", "Time zone", "Communication style", "Technical preferences", "Standing instructions"),
        writers="the agent by tool; a person; auto-capture; a dream",
    ),
    MemoryFile(
        "MEMORY.md", "what I know: decisions, context, open tasks, conclusions", "user", 5000, "soft", 2,
        "## Long-term Memory", ttl_days=90, headings=("Decisions", "Context", "Open tasks", "Conclusions"),
        writers="the agent by tool; a person; auto-capture; a dream",
    ),
)  # fmt: skip

TOPIC = MemoryFile(
    "topics/*.md", "detail that MEMORY.md points to", "user", 10000, "soft", 3, "", ttl_days=90,
    writers="a dream; the agent by tool",
)  # fmt: skip

TOPIC_PREFIX = "topics/"
MAX_SLUG = 80
MAX_NAME = 1000
"""Longer names are not looked at; decomposed, a slug of 80 characters is far shorter."""


def memory_file(name: object) -> MemoryFile:
    """The row of a file name; InvalidName for a path, a near miss or anything unknown."""
    if not isinstance(name, str):
        raise InvalidName(f"A file name must be text, not {type(name).__name__}.", _known())
    if len(name) > MAX_NAME:
        raise InvalidName(f"A name of {len(name):,} characters is not a memory file.", _known())
    for row in FILES:
        if row.name == name:
            return row
    if name.startswith(TOPIC_PREFIX):
        _check_slug(name)
        return TOPIC
    close = difflib.get_close_matches(
        name.lower().removesuffix(".md") + ".md", [row.name.lower() for row in FILES], 1
    )
    meant = [row.name for row in FILES if row.name.lower() in close]
    raise InvalidName(f"{name!r} is not a memory file.", f"Did you mean {meant[0]}?" if meant else _known())


def file_name(name: object) -> str:
    """The name under which a file is stored: NFC for topics, the catalogue's own for the rest."""
    memory_file(name)
    return unicodedata.normalize("NFC", str(name))


def topic_name(title: str) -> str:
    """The file name of a topic with this title: `План на июль` becomes `topics/план-на-июль.md`.

    Raises InvalidName for a title of which nothing is left. Two titles may give one name: who creates a topic
    writes with version 0, so that the second never overwrites the first.
    """
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", title).lower())
    words = "".join(c if _slug_character(c) else " " for c in folded).split()
    slug = clip("-".join(words).strip("-"), MAX_SLUG).rstrip("-")
    if not slug:
        raise InvalidName(
            f"The title {title!r} leaves no file name.", "Use at least one letter, digit or emoji."
        )
    return file_name(f"{TOPIC_PREFIX}{slug}.md")


def files_of(level: Level) -> tuple[MemoryFile, ...]:
    """The catalogue's rows of one level, in order; topics are not among them."""
    return tuple(row for row in FILES if row.level == level)


def position(name: str) -> tuple[int, str]:
    """A sort key: the catalogue's order first, then topics by name."""
    for number, row in enumerate(FILES):
        if row.name == name:
            return number, ""
    return len(FILES), name


def _slug_character(character: str) -> bool:
    return (
        character in "-_"
        or unicodedata.category(character)[0] in "LMN"
        or unicodedata.category(character) == "So"
    )


def _check_slug(name: str) -> None:
    remedy = "Name topics like topics/travel-plans.md: lower-case letters, digits, emoji, '-' and '_'."
    slug = unicodedata.normalize("NFC", name).removeprefix(TOPIC_PREFIX)
    if not slug.endswith(".md"):
        raise InvalidName(f"{name!r} is not a topic.", remedy)
    slug = slug.removesuffix(".md")
    if not slug or len(slug) > MAX_SLUG or not all(_slug_character(character) for character in slug):
        raise InvalidName(f"{name!r} is not a topic.", remedy)
    if unicodedata.normalize("NFKC", slug) != slug:
        raise InvalidName(f"{name!r} is written with look-alike forms of plain characters.", remedy)
    if hidden := risky(slug):
        raise InvalidName(f"{name!r} holds a hidden character ({hidden[0].code_point}).", remedy)
    if slug != slug.lower():
        suggestion = f"{TOPIC_PREFIX}{slug.lower()}.md"
        raise InvalidName(f"{name!r} has capital letters.", f"Did you mean {suggestion}?")


def _known() -> str:
    return f"Use one of {', '.join(row.name for row in FILES)} or topics/<slug>.md."

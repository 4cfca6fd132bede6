"""An OpenClaw workspace (https://docs.openclaw.ai/concepts/agent-workspace).

SOUL.md and TOOLS.md go to the agent, USER.md and MEMORY.md to the user; `memory.md` counts where MEMORY.md is missing.
Daily notes, `memory/YYYY-MM-DD.md` or `memory/YYYY-MM-DD-slug.md`, become journal records, one an entry, at noon of
their day in the agent's time zone. Other notes in `memory/` become topics. AGENTS.md and IDENTITY.md speak to the
program that runs the agent; they can be made sections of ABOUT.md by name. Without a user what belongs to one is
reported and not taken: a made-up user would have a memory that nobody asks for.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, tzinfo

from reverie.catalogue import topic_name
from reverie.errors import InvalidName
from reverie.importers import ImportJob
from reverie.importers.intake import Intake, key_of
from reverie.importers.workspace import SUFFIX, below, opened, others, text_at
from reverie.markdown.entries import parse
from reverie.records import Entry
from reverie.scopes import Scope
from reverie.secrets import mask
from reverie.transfers import ImportReport
from reverie.wiring import Folder

TAKEN = ("SOUL.md", "TOOLS.md", "USER.md", "MEMORY.md")
NOTES = "memory"

NOT_TAKEN = {
    "AGENTS.md": "it instructs the program that runs the agent; name it for ABOUT.md to take it",
    "IDENTITY.md": "name it for ABOUT.md to take it",
    "HEARTBEAT.md": "it is a schedule, not memory",
    "BOOTSTRAP.md": "it is for the first run only",
    "BOOT.md": "it is for the start of the program",
    "DREAMS.md": "it is a diary of that program's own consolidation",
}

CARRIED_CHARS = 2_000
"""Headings above an entry are repeated with it up to this length, so that a strange note cannot grow without end."""

_SAID = ("front_matter", "entry", "reference")
_DATED = re.compile(r"(\d{4}-\d\d-\d\d)([-_ ].*)?\.md")


def run(job: ImportJob) -> ImportReport:
    """Take a workspace; safe to repeat."""
    intake = Intake(job, "openclaw")
    with opened(job.path) as folder:
        names = folder.names()
        fallback = {"MEMORY.md": "memory.md"} if "MEMORY.md" not in names else {}
        read = {file: fallback.get(file, file) for file in TAKEN}
        for file, name in read.items():
            if name in names and (text := text_at(folder, name, intake)) is not None:
                intake.file(file, text, name=name)
        about = [name for name in job.about_from if name in names]
        for name in job.about_from:
            if name not in names:
                intake.refuse(name, "it was named for ABOUT.md and is not there")
        _about(folder, about, intake)
        for name in names:
            if name.endswith(SUFFIX) and name not in (*read.values(), *about):
                intake.refuse(name, NOT_TAKEN.get(name, "no file of a workspace's memory has this name"))
        others(folder, (NOTES,), intake)
        notes = below(folder, NOTES, intake)
        if notes is not None:
            with notes:
                _notes(notes, job, intake)
    return intake.report()


def _about(folder: Folder, names: list[str], intake: Intake) -> None:
    """Make ABOUT.md of the files that were named, each under a heading."""
    sections = []
    for name in names:
        text = text_at(folder, name, intake)
        if text is not None and text.strip():
            sections.append(f"## {name.removesuffix(SUFFIX)}\n\n{text.strip()}\n")
    if sections:
        intake.file("ABOUT.md", "\n".join(sections), name=" and ".join(names))


def _notes(folder: Folder, job: ImportJob, intake: Intake) -> None:
    zone = job.store.views.settings_of(Scope(job.project, str(job.agent))).zone
    seen: dict[str, str] = {}
    for name in folder.names():
        shown = f"{NOTES}/{name}"
        if not name.endswith(SUFFIX):
            intake.refuse(shown, "it is not a Markdown file")
            continue
        text = text_at(folder, name, intake)
        if text is None:
            continue
        dated = _DATED.fullmatch(name)
        day = _day(dated.group(1)) if dated else None
        if day is not None:
            intake.records(list(_records(name, text, day, zone)), name=shown)
        else:
            _topic(name, shown, text, seen, intake)


def _topic(name: str, shown: str, text: str, seen: dict[str, str], intake: Intake) -> None:
    try:
        file = topic_name(name.removesuffix(SUFFIX))
    except InvalidName as error:
        intake.refuse(shown, error.message)
        return
    if file in seen:
        intake.refuse(shown, f"it would be {file}, which {seen[file]} is already")
        return
    seen[file] = shown
    intake.file(file, text, name=shown)


def _day(written: str) -> date | None:
    try:
        return date.fromisoformat(written)
    except ValueError:
        return None


def _records(name: str, text: str, day: date, zone: tzinfo) -> Iterator[Entry]:
    """One record an entry, under its own headings; so a note that grew adds only what is new.

    A key is made of words whose secrets are masked, for a hash of a secret can be guessed.
    """
    noon = datetime.combine(day, time(12), zone)
    seen: Counter[str] = Counter()
    for words in _pieces(text, day.isoformat()):
        told = mask(words).text
        seen[told] += 1
        yield Entry("agent", "import", words, at=noon, key=key_of(name, told, str(seen[told])))


@dataclass(slots=True)
class _Above:
    """A heading with its source, and whether anything stood under it yet."""

    level: int
    source: str
    used: bool = False


def _pieces(text: str, title: str) -> Iterator[str]:
    """Whatever a note says: each entry, front matter and reference definition with the headings above it.

    A heading with nothing below it stands for itself. Left out are blank lines, rules, headings without words, and a
    heading whose whole title is the day. Headings of more than CARRIED_CHARS are not repeated: they come once.
    """
    path: list[_Above] = []
    for span in parse(text).spans:
        if span.kind == "heading":
            yield from _left(path, span.level)
            if span.title.strip() not in ("", title):
                path.append(_Above(span.level, span.text.strip("\r\n")))
        elif span.kind in _SAID:
            above = "\n".join(heading.source for heading in path)
            if len(above) > CARRIED_CHARS:
                if not path[-1].used:
                    yield above
                above = ""
            for heading in path:
                heading.used = True
            yield (f"{above}\n" if above else "") + span.text.strip("\r\n")
    yield from _left(path, 0)


def _left(path: list[_Above], level: int) -> Iterator[str]:
    """Leave the headings that one of this level ends; those that nothing stood under are told."""
    while path and path[-1].level >= level:
        if not path[-1].used:
            yield "\n".join(heading.source for heading in path)
            for heading in path:
                heading.used = True
        path.pop()

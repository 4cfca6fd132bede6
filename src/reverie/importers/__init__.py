"""Importers: one file a source, each a function from a job to a report; this table is all that knows them.

To add a source, write its module with a function `run` and add a row.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from reverie.errors import NotFound
from reverie.transfers import ImportReport
from reverie.wiring import Store


@dataclass(frozen=True)
class ImportJob:
    """What to import into where. `about_from` names workspace files that are to become sections of ABOUT.md."""

    store: Store
    project: str
    path: Path
    agent: str | None = None
    user: str | None = None
    about_from: tuple[str, ...] = ()
    progress: Callable[[int], None] = lambda done: None


@dataclass(frozen=True, slots=True)
class Importer:
    """One row: the name of a format, what it is, and the module that reads it."""

    name: str
    explains: str
    module: str

    def run(self, job: ImportJob) -> ImportReport:
        """Import; the module is loaded only now."""
        report: ImportReport = import_module(f"reverie.importers.{self.module}").run(job)
        return report


IMPORTERS: tuple[Importer, ...] = (
    Importer("reverie", "an export of this program: everything, with history and journal", "reverie_export"),
    Importer("folder", "a folder of Markdown memory in this program's own names", "folder"),
    Importer("openclaw", "an OpenClaw workspace: SOUL, USER, MEMORY, TOOLS and daily notes", "openclaw"),
)


def importer(name: str) -> Importer:
    """The row of a format; NotFound for one that is not there."""
    for row in IMPORTERS:
        if row.name == name:
            return row
    names = [row.name for row in IMPORTERS]
    close = difflib.get_close_matches(name, names, 1)
    raise NotFound(f"There is no import format {name!r}.", f"Use {close[0] if close else ', '.join(names)}.")

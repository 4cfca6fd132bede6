"""Damage: everything that `verify` can find, as one table with what it means and what to do about it.

To find one more kind of damage, add a row and the check that reports it; documentation and tests follow the table.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import NamedTuple

SHOWN = 100
"""How many problems of one kind are told one by one; the rest are counted."""


class Problem(NamedTuple):
    """One thing that is wrong: a code of the table, what it is about, and what was found there."""

    code: str
    subject: str
    detail: str


@dataclass(frozen=True, slots=True)
class Damage:
    """One row: a code, what it means, and how to repair it. What `heals` goes away with the next read."""

    code: str
    means: str
    repair: str
    heals: bool = False


_FROM_BACKUP = "Keep a copy of the store as it is, then bring the newest good backup back with `reverie restore-backup`."
_BY_HAND = "Nothing of the ledger is lost. Look at what is there and move it away; the next read writes the file again."

DAMAGES: tuple[Damage, ...] = (
    Damage("database_damaged", "The database file is damaged or something in it cannot be read.", _FROM_BACKUP),
    Damage("record_altered", "A journal record is not what was stored: its words, its header or its hash were changed.", _FROM_BACKUP),
    Damage("records_missing", "Records are missing from the middle of a journal.", _FROM_BACKUP),
    Damage("records_reordered", "Records of a journal have changed places.", _FROM_BACKUP),
    Damage("tail_missing", "A journal ends earlier than it once did: its newest records are gone.", _FROM_BACKUP),
    Damage("chain_rewritten", "A journal is consistent in itself but is not the one that the checkpoint saw: somebody computed it anew.", _FROM_BACKUP),
    Damage("head_mismatch", "The scope's row names another newest record than the journal has.", _FROM_BACKUP),
    Damage("scope_missing", "A scope that the checkpoint saw is not in the store.", _FROM_BACKUP),
    Damage("version_altered", "A version of a file is not what was stored; it is never shown.", "Restore another version of the file with `reverie restore`, or write it anew, and it can be read again. The altered version stays and is told of until a backup is brought back with `reverie restore-backup`."),
    Damage("version_missing", "A version that the journal or the numbering speaks of is not there.", _FROM_BACKUP),
    Damage("version_orphan", "A version has no record of its change in the journal.", _FROM_BACKUP),
    Damage("parent_wrong", "A version names a parent that is not the version before it.", _FROM_BACKUP),
    Damage("head_wrong", "The entry for a file's newest version does not match that version.", "Write the whole file once (`reverie write`), which makes the entry anew; where the versions are gone too, restore a backup with `reverie restore-backup`."),
    Damage("counter_wrong", "A counter of the scope differs from what it counts.", _FROM_BACKUP),
    Damage("row_orphan", "A table has rows of a scope that does not exist.", _FROM_BACKUP),
    Damage("edit_altered", "A change that was held back is not what its journal records say; it is never shown and cannot be accepted.", "If it waits, discard it with `reverie edits discard`, and the others can be decided as before. The altered edit stays and is told of until a backup is brought back with `reverie restore-backup`."),
    Damage("edit_missing", "A change that was held back, by what the journal says, is not there.", _FROM_BACKUP),
    Damage("edit_orphan", "An edit that waits for review was made from a version that does not exist.", "Discard it with `reverie edits`, or accept it with the text that you want."),
    Damage("settings_wrong", "An agent's stored settings cannot be read or hold values that they cannot take.", "Set a value with `reverie config set`: that makes a new version from the last one that can be read."),
    Damage("tree_missing", "A file that the working tree had is gone.", "The next read of the scope writes it again from the ledger."),
    Damage("tree_odd", "What is at a memory file's path is no text file: a link, a pipe, a folder, not UTF-8, too big.", _BY_HAND),
    Damage("tree_differs", "A file of the working tree is not the newest version: an edit was not taken yet, or a version not written out.", "The next read of the scope settles it.", heals=True),
    Damage("tree_leftover", "A temporary file was left in the working tree by a crash.", "The next write of the scope clears it away.", heals=True),
    Damage("tree_stray", "A Markdown file or folder in the working tree belongs to no scope, file or topic, and is not read.", "Rename it or move it away.", heals=True),
)  # fmt: skip

HEALING = frozenset(row.code for row in DAMAGES if row.heals)


@dataclass(frozen=True, slots=True)
class Report:
    """What `verify` found. `ok` when nothing is wrong that the next read would not settle by itself.

    The counts say how much was looked at. Of each code at most SHOWN problems are told, the last one says how many
    more there are.
    """

    ok: bool
    problems: list[Problem]
    scopes: int
    records: int
    versions: int
    files: int


class Findings:
    """Problems as they are found, bounded in number."""

    def __init__(self) -> None:
        self._problems: list[Problem] = []
        self._found: Counter[str] = Counter()

    def add(self, code: str, subject: object, detail: str) -> None:
        """Note a problem; from SHOWN of one code on it is only counted."""
        self._found[code] += 1
        if self._found[code] <= SHOWN:
            self._problems.append(Problem(code, str(subject), detail))

    def number(self) -> int:
        """How many problems were found so far."""
        return self._found.total()

    def problems(self) -> tuple[Problem, ...]:
        """All that is told, in the order of the table; what was only counted comes last of its code."""
        order = [row.code for row in DAMAGES]
        more = [
            Problem(code, "store", f"and {number - SHOWN} more of the same kind")
            for code, number in self._found.items()
            if number > SHOWN
        ]
        return tuple(sorted([*self._problems, *more], key=lambda problem: order.index(problem.code)))

    def report(self, *, scopes: int, records: int, versions: int, files: int) -> Report:
        """The report with what was counted on the way."""
        ok = self._found.keys() <= HEALING
        return Report(ok, list(self.problems()), scopes, records, versions, files)

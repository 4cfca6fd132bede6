"""Checkpoints: where every journal of a project stood at a time, to be kept where the store cannot change it.

A hash chain finds edits, gaps and reorder by itself. It cannot find a tail that was cut off together with the row that
counts it, nor a journal that somebody computed anew from the start. A checkpoint kept elsewhere finds both.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reverie.errors import InvalidText

FORMAT = "reverie-checkpoint-1"
_REMEDY = "Use a file that `reverie verify --checkpoint` wrote, unchanged."


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """Where one scope stood: its newest record, the hash of that, and how many versions there were."""

    agent: str
    user: str
    seq: int
    hash: str
    versions: int


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The marks of every scope of a project; `store` is the id that the store was given when it was made."""

    store: str
    project: str
    created: datetime
    scopes: tuple[Mark, ...]

    @property
    def records(self) -> int:
        """How many records all journals had together."""
        return sum(mark.seq for mark in self.scopes)

    @property
    def digest(self) -> str:
        """SHA-256 over everything else, in hex; short enough to print, log or sign."""
        return hashlib.sha256(json.dumps(self._body(), ensure_ascii=False, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> str:
        """The checkpoint as a text, with its digest."""
        return json.dumps({**self._body(), "digest": self.digest}, ensure_ascii=False, indent=1) + "\n"

    def write(self, path: Path) -> None:
        """Store it as a new file; FileExistsError when there is one."""
        with path.open("x", encoding="utf-8", newline="\n") as file:
            file.write(self.to_json())

    def _body(self) -> dict[str, object]:
        rows = [[mark.agent, mark.user, mark.seq, mark.hash, mark.versions] for mark in self.scopes]
        return {
            "format": FORMAT, "store": self.store, "project": self.project, "created": self.created.isoformat(),
            "records": self.records, "scopes": rows,
        }  # fmt: skip


def parse_checkpoint(text: str) -> Checkpoint:
    """The checkpoint that `to_json` wrote; InvalidText when it is none or was changed."""
    try:
        body = json.loads(text)
        found = Checkpoint(
            body["store"], body["project"], datetime.fromisoformat(body["created"]),
            tuple(map(_mark, body["scopes"])),
        )  # fmt: skip
        same = body["format"] == FORMAT and body["digest"] == found.digest
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise InvalidText("This is not a checkpoint of a store.", _REMEDY) from error
    if not same:
        raise InvalidText("This checkpoint does not match its own digest: it was changed.", _REMEDY)
    return found


def read_checkpoint(path: Path) -> Checkpoint:
    """The checkpoint in a file; InvalidText when it is none, OSError when it cannot be read."""
    try:
        return parse_checkpoint(path.read_text(encoding="utf-8"))
    except UnicodeDecodeError as error:
        raise InvalidText(f"{path.name} is not a checkpoint of a store.", _REMEDY) from error


def _mark(row: object) -> Mark:
    match row:
        case [str(agent), str(user), int(seq), str(digest), int(versions)]:
            return Mark(agent, user, seq, digest, versions)
    raise TypeError(row)

"""Held-back edits as rows: read together with the journal records that they name, and judged by them.

Nothing of a row is believed before it says what its records say. A row that does not is handed over marked and without
its text, so that it can still be seen in the list and discarded.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from reverie.errors import StoreDamaged
from reverie.holding import EditRecord, StoredEdit, decision, holding
from reverie.records import Entry, data_text, text_hash
from reverie.scopes import Scope
from reverie.sql import rows, schema
from reverie.sql.database import Database
from reverie.versions import ORIGINS, PendingEdit

Row = Mapping[str, Any] | sa.RowMapping

_HELD, _DECIDED = schema.records.alias("held"), schema.records.alias("decided")
_FACTS = ("kind", "file", "version", "text", "at", "origin", "actor", "session", "data")
"""What a record says of an edit; the rest of it says nothing."""


def _on(record: sa.FromClause, seq: sa.Column[Any]) -> sa.ColumnElement[bool]:
    same = (record.c[part] == schema.edits.c[part] for part in schema.SCOPE)
    return sa.and_(*same, record.c.seq == seq)


EDITS = (
    sa.select(
        schema.edits,
        *(_HELD.c[name].label(f"held_{name}") for name in _FACTS),
        *(_DECIDED.c[name].label(f"decided_record_{name}") for name in _FACTS),
    )
    .outerjoin(_HELD, _on(_HELD, schema.edits.c.seq))
    .outerjoin(_DECIDED, _on(_DECIDED, schema.edits.c.decided_seq))
    .where(rows.within(schema.edits))
)
"""A scope's edits, each with its records."""
_ALL = EDITS.order_by(schema.edits.c.seq)
_OF_STATUS = _ALL.where(schema.edits.c.status == sa.bindparam("status_is"))
ONE = EDITS.where(schema.edits.c.id == sa.bindparam("id_is"))
OF_FILE = _OF_STATUS.where(schema.edits.c.file == sa.bindparam("file_is"))

_SHELL = (
    sa.select(*(schema.edits.c[name] for name in ("id", "seq", "file", "status")), _HELD.c.text.label("held_text"))
    .outerjoin(_HELD, _on(_HELD, schema.edits.c.seq))
    .where(rows.within(schema.edits))
)
SHELL = _SHELL.where(schema.edits.c.id == sa.bindparam("id_is"))
"""An edit without what may be damaged beyond reading, to decide about it all the same."""
_SHELLS = _SHELL.order_by(schema.edits.c.seq)

RECORDS = sa.select(schema.records.c.seq, schema.records.c.file, schema.records.c.data).where(
    rows.within(schema.records),
    schema.records.c.kind == "change",
    schema.records.c.version.is_(None),
    schema.records.c.seq <= sa.bindparam("until_is"),
)
"""What a journal says of edits."""

_KINDS = [(column.name, column.type.python_type, column.nullable) for column in schema.edits.columns[3:]]


def listed(database: Database, scope: Scope, status: str | None) -> Sequence[PendingEdit]:
    """A scope's edits of a status, oldest first, damaged ones marked; one by one where the database cannot give all."""
    statement = _ALL if status is None else _OF_STATUS
    parameters = rows.named(scope) | ({} if status is None else {"status_is": status})
    try:
        return [edit(row._mapping) for row in database.fetch(statement, parameters)]
    except StoreDamaged:
        shells = database.fetch(_SHELLS, rows.named(scope))
        return [_readable(database, scope, row._mapping) for row in shells if status in (None, row.status)]


def edit(row: Row) -> PendingEdit:
    """A row of `EDITS` as people see it: marked and without text when it is damaged."""
    try:
        found = stored(row)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _placeholder(row)
    return replace(found.edit, text=None, damaged=True) if found.fault else found.edit


def stored(row: Row) -> StoredEdit:
    """A row of `EDITS` as verification sees it; TypeError or the like for values of the wrong kind."""
    found = _value(row)
    return StoredEdit(found, row["decided_seq"], _fault(row, found))


def edit_record(row: Row) -> EditRecord | None:
    """A row of `RECORDS`; None for a record that speaks of no edit."""
    data = json.loads(row["data"])
    if not isinstance(data, dict) or "edit" not in data:
        return None
    return EditRecord(int(row["seq"]), str(data["edit"]), str(row["file"]), str(data.get("status")))


class Balance:
    """Whether a scope's edits and its journal say the same, fed row by row in any order: what each says is summed up."""

    def __init__(self) -> None:
        self._sum = 0

    @property
    def even(self) -> bool:
        """Whether each edit's records are there as they should be, and no others."""
        return not self._sum

    def edit(self, row: Row) -> None:
        """Take in a row of `edits`; TypeError or the like for one that cannot be right."""
        found = _value(row)
        if odd := _odd(row, found):
            raise ValueError(odd)
        said = [(found.seq, holding(found))]
        if row["decided_seq"] is not None:
            said.append((row["decided_seq"], decision(found, text_hash(found.text))))
        for seq, entry in said:
            self._sum += _number(seq, _told(entry))

    def record(self, row: Row) -> None:
        """Take in a row of `records`."""
        if row["kind"] == "change" and row["version"] is None and edit_record(row):
            self._sum -= _number(row["seq"], tuple(row[name] for name in _FACTS))


def _readable(database: Database, scope: Scope, shell: Row) -> PendingEdit:
    try:
        return edit(database.fetch(ONE, rows.named(scope) | {"id_is": shell["id"]})[0]._mapping)
    except StoreDamaged:
        return _placeholder(shell)


def _value(row: Row) -> PendingEdit:
    for name, kind, nullable in _KINDS:
        value = row[name]
        if not (value is None and nullable) and type(value) is not kind:
            raise TypeError(name)
    at = row["decided_at"]
    return PendingEdit(
        id=row["id"], file=row["file"], base=row["base"], text=row["text"], origin=row["origin"],
        at=rows.moment(row["at"]), actor=row["actor"], session=row["session"], reason=row["reason"],
        conflict=row["conflict"], status=row["status"], notices=tuple(json.loads(row["notices"])), seq=row["seq"],
        decided_by=row["decided_by"], decided_at=None if at is None else rows.moment(at),
        decided_reason=row["decided_reason"],
    )  # fmt: skip


def _odd(row: Row, found: PendingEdit) -> str:
    """What in a row contradicts the rest of it."""
    if (found.text is None) != row["removal"]:
        return "its text is gone" if found.text is None else "it has a text and is said to be a removal"
    undecided = (row["decided_seq"], found.decided_by, found.decided_at, found.decided_reason) == (None,) * 4
    if (found.status == "pending") != undecided:
        return "nobody is said to have decided it" if undecided else "it waits, and somebody is said to have decided it"
    return ""


def _fault(row: Row, found: PendingEdit) -> str:
    if odd := _odd(row, found):
        return odd
    held = tuple(row[f"held_{name}"] for name in _FACTS)
    if row["held_kind"] != "change":
        return "the journal has no record of it"
    expected = _told(holding(found))
    if held[3] != expected[3]:
        return "its text does not match its hash"
    if held != expected:
        return "the journal says otherwise what it was made from, by whom, when or why"
    if found.status == "pending":
        return ""
    decided = tuple(row[f"decided_record_{name}"] for name in _FACTS)
    if decided != _told(decision(found, text_hash(found.text))):
        return "the journal says otherwise whether, when or by whom it was decided"
    return ""


def _told(entry: Entry) -> tuple[object, ...]:
    """What the record of an entry has in the columns _FACTS."""
    at = None if entry.at is None else rows.micros(entry.at)
    return (
        entry.kind, entry.file, entry.version, entry.text, at, entry.origin, entry.actor, entry.session,
        data_text(entry.data),
    )  # fmt: skip


def _number(seq: int, told: tuple[object, ...]) -> int:
    words = json.dumps([seq, *told], ensure_ascii=False).encode()
    return int.from_bytes(hashlib.sha256(words).digest())


def _placeholder(row: Row) -> PendingEdit:
    """What can be said of an edit that is damaged: each value that can be one, else nothing."""
    at, origin, base = row.get("at"), row.get("origin"), row.get("base")
    return PendingEdit(
        id=str(row["id"]), file=str(row["file"]), base=base if isinstance(base, int) else 0, text=None,
        origin=origin if origin in ORIGINS else "system", at=_moment(at),
        actor=str(row.get("actor") or ""), seq=row["seq"] if isinstance(row["seq"], int) else 0,
        status=row["status"], damaged=True,
    )  # fmt: skip


def _moment(micros: object) -> datetime:
    try:
        return rows.moment(micros) if isinstance(micros, int) else rows.EPOCH
    except OverflowError:
        return rows.EPOCH

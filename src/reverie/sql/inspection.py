"""Inspection: the rows of a store as they lie there, for whoever has to judge whether they are right.

Nothing here trusts a row: values are handed over unchecked, a row that the database cannot give is named instead, and
the rest goes on. Rows are read in pages by key, each page one statement; what is appended meanwhile lies beyond the
scope's row that was read first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import sqlalchemy as sa

from reverie.chain import StoredRecord, Unreadable
from reverie.checkpoints import Mark
from reverie.errors import StoreDamaged
from reverie.holding import EditRecord, StoredEdit
from reverie.lineage import ScopeState, StoredChange, StoredHead, StoredVersion
from reverie.records import Link, Record, data_text, surroundings
from reverie.scopes import Scope
from reverie.sql import held, rows, schema
from reverie.sql.database import Database
from reverie.versions import SETTINGS_FILE

T = TypeVar("T")

PAGE = 1000
"""How many rows are read at once."""

_SCOPES = sa.select(*(schema.scopes.c[part] for part in schema.SCOPE)).where(
    schema.scopes.c.project == sa.bindparam("in_project")
)
_RECORDS = sa.select(schema.records).where(
    rows.within(schema.records), schema.records.c.seq <= sa.bindparam("until_is")
)
_ON = sa.and_(*(schema.records.c[part] == schema.versions.c[part] for part in schema.SCOPE))
_CHANGE = ("kind", "file", "version", "text", "at", "origin", "actor", "session", "data")
_VERSIONS = (
    sa.select(schema.versions, *(schema.records.c[name].label(f"change_{name}") for name in _CHANGE))
    .outerjoin(schema.records, sa.and_(_ON, schema.records.c.seq == schema.versions.c.seq))
    .where(rows.within(schema.versions), schema.versions.c.seq <= sa.bindparam("until_is"))
)
_LOST = (
    sa.select(schema.records.c.seq, schema.records.c.file, schema.records.c.version)
    .outerjoin(
        schema.versions,
        sa.and_(
            _ON,
            schema.versions.c.file == schema.records.c.file,
            schema.versions.c.number == schema.records.c.version,
        ),
    )
    .where(
        rows.within(schema.records),
        schema.records.c.kind == "change",
        schema.records.c.version.is_not(None),
        schema.records.c.seq <= sa.bindparam("until_is"),
        schema.versions.c.number.is_(None),
    )
)
_HEADS = sa.select(schema.heads).where(rows.within(schema.heads))
_SCOPE_ROW = sa.select(schema.scopes).where(rows.within(schema.scopes))
_NEWEST = sa.select(sa.func.coalesce(sa.func.max(schema.records.c.seq), 0)).where(rows.within(schema.records))
_LOST_EDITS = (
    sa.select(schema.edits.c.id, schema.edits.c.file, schema.edits.c.base)
    .where(rows.within(schema.edits), schema.edits.c.base > 0, schema.edits.c.status == "pending")
    .where(
        ~sa.exists().where(
            *(schema.versions.c[part] == schema.edits.c[part] for part in schema.SCOPE),
            schema.versions.c.file == schema.edits.c.file,
            schema.versions.c.number == schema.edits.c.base,
        )
    )
)


_KINDS = {
    table.name: [
        (column.name, column.type.python_type, column.nullable)
        for column in table.columns
        if column.name not in schema.SCOPE
    ]
    for table in (schema.records, schema.versions)
}


class SqlInspection:
    """Reads a store for verification; never writes, never raises for what a single row holds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def faults(self) -> Iterator[str]:
        """What the database itself finds wrong with its file; nothing for PostgreSQL, which keeps its own checks."""
        if self._database.kind != "sqlite":
            return
        with self._database.reading() as connection:
            for row in connection.exec_driver_sql("PRAGMA integrity_check(100)"):
                if row[0] != "ok":
                    yield str(row[0])

    def projects(self) -> list[str]:
        """Every project that has a scope."""
        statement = sa.select(schema.scopes.c.project).distinct().order_by(schema.scopes.c.project)
        return [row.project for row in self._database.fetch(statement, {})]

    def scopes(self, project: str) -> Iterator[Scope]:
        """Every scope of a project that has a row."""
        keys = [schema.scopes.c.agent, schema.scopes.c.user_id]
        for found in self._paged(_SCOPES, keys, {"in_project": project}, _scope):
            if isinstance(found, Scope):
                yield found

    def wait(self) -> None:
        """Wait until whoever is writing now has finished, working tree and all; StoreBusy when that takes too long."""
        if self._database.kind == "sqlite" and not self._database.read_only:
            self._database.change(lambda connection: None)

    def state(self, scope: Scope) -> ScopeState:
        """Where a scope stands now; StoreDamaged when its row or a head cannot be used."""
        with self._database.snapshot() as connection:
            row = connection.execute(_SCOPE_ROW, rows.named(scope)).one()
            newest = connection.execute(_NEWEST, rows.named(scope)).scalar_one()
            found = connection.execute(_HEADS, rows.named(scope)).all()
        numbers = (row.seq, row.records, row.versions, row.messages, newest)
        if not all(isinstance(number, int) for number in numbers) or not isinstance(row.hash, str):
            raise StoreDamaged(f"The row of {scope} holds values of the wrong kind.", "Restore a backup.")
        heads = {
            str(head.file): StoredHead(
                head.number, head.hash, head.chars, head.modified, head.origin, head.mirrored
            )
            for head in found
        }
        return ScopeState(row.seq, row.hash, row.records, row.versions, row.messages, newest, heads)

    def records(self, scope: Scope, until: int) -> Iterator[StoredRecord | Unreadable]:
        """The journal up to a record, in order."""
        return self._paged(
            _RECORDS,
            [schema.records.c.seq],
            rows.named(scope) | {"until_is": until},
            lambda row: stored_record(dict(row._mapping)),
        )

    def versions(self, scope: Scope, until: int) -> Iterator[StoredVersion | Unreadable]:
        """The versions made up to a record, in order of file and number, each with the record of its change."""
        keys = [schema.versions.c.file, schema.versions.c.number]
        return self._paged(_VERSIONS, keys, rows.named(scope) | {"until_is": until}, _stored_version)

    def lost_versions(self, scope: Scope, until: int) -> Iterator[tuple[str, int]]:
        """Changes in the journal of which there is no version: file and number."""
        parameters = rows.named(scope) | {"until_is": until}
        found = self._paged(
            _LOST, [schema.records.c.seq], parameters, lambda row: (str(row.file), int(row.version or 0))
        )
        return (one for one in found if not isinstance(one, Unreadable))

    def edits(self, scope: Scope) -> Iterator[StoredEdit | Unreadable]:
        """Every edit that was ever held back, with what is wrong with it taken with its records."""
        return self._paged(held.EDITS, [schema.edits.c.id], rows.named(scope), lambda row: held.stored(row._mapping))

    def edit_records(self, scope: Scope, until: int) -> Iterator[EditRecord | Unreadable]:
        """What the journal says of edits up to a record."""
        parameters = rows.named(scope) | {"until_is": until}
        found = self._paged(held.RECORDS, [schema.records.c.seq], parameters, lambda row: held.edit_record(row._mapping))
        return (one for one in found if one is not None)

    def lost_edits(self, scope: Scope) -> list[tuple[str, str, int]]:
        """Waiting edits whose base version is not there: id, file and base."""
        return [(row.id, row.file, row.base) for row in self._database.fetch(_LOST_EDITS, rows.named(scope))]

    def settings_text(self, scope: Scope) -> str | None:
        """An agent's newest settings as stored, None when nothing was configured."""
        text = sa.select(schema.versions.c.text).where(
            rows.within(schema.versions), schema.versions.c.file == SETTINGS_FILE
        )
        newest = text.order_by(schema.versions.c.number.desc()).limit(1)
        found = self._database.fetch(newest, rows.named(scope))
        return found[0].text if found else None

    def orphans(self) -> Iterator[tuple[str, Scope]]:
        """Tables with rows of a scope that has no row of its own, and which scope that is."""
        for table in schema.metadata.sorted_tables:
            if table is schema.scopes or not all(part in table.c for part in schema.SCOPE):
                continue
            columns = [table.c[part] for part in schema.SCOPE]
            known = sa.exists().where(*(schema.scopes.c[part] == table.c[part] for part in schema.SCOPE))
            for row in self._database.fetch(sa.select(*columns).where(~known).distinct().limit(PAGE), {}):
                yield table.name, _scope(row)

    def marks(self, project: str) -> list[Mark]:
        """Where every scope of a project stands, all at one moment."""
        wanted = (schema.scopes.c[name] for name in ("agent", "user_id", "seq", "hash", "versions"))
        statement = sa.select(*wanted).where(schema.scopes.c.project == sa.bindparam("in_project"))
        return sorted(_mark(row) for row in self._database.fetch(statement, {"in_project": project}))

    def store_id(self) -> str:
        """The id that the store was given when it was made; empty for a store from before there were any."""
        statement = sa.select(schema.store.c.value).where(schema.store.c.key == "id")
        found = self._database.fetch(statement, {})
        return str(found[0].value) if found else ""

    def _paged(
        self, select: sa.Select[Any], keys: list[sa.Column[Any]], parameters: dict[str, Any],
        value: Callable[[sa.Row[Any]], T],
    ) -> Iterator[T | Unreadable]:  # fmt: skip
        """Rows in order of their keys; where a page cannot be read, its rows one by one."""
        names = [key.name for key in keys]
        last: tuple[Any, ...] = ()
        while True:
            following = select.where(sa.tuple_(*keys) > sa.tuple_(*last)) if last else select
            page = following.order_by(*keys).limit(PAGE)
            try:
                found: list[tuple[tuple[Any, ...], sa.Row[Any] | str]] = [
                    (tuple(row._mapping[name] for name in names), row)
                    for row in self._database.fetch(page, parameters)
                ]
            except StoreDamaged:
                found = self._one_by_one(following, keys, parameters)
            for key, row in found:
                yield Unreadable(key, row) if isinstance(row, str) else _guarded(key, row, value)
            if len(found) < PAGE:
                return
            last = found[-1][0]

    def _one_by_one(
        self, select: sa.Select[Any], keys: list[sa.Column[Any]], parameters: dict[str, Any]
    ) -> list[tuple[tuple[Any, ...], sa.Row[Any] | str]]:
        bare = select.with_only_columns(*keys, maintain_column_froms=True).order_by(*keys).limit(PAGE)
        found: list[tuple[tuple[Any, ...], sa.Row[Any] | str]] = []
        for key in map(tuple, self._database.fetch(bare, parameters)):
            one = select.where(*(column == part for column, part in zip(keys, key, strict=True)))
            try:
                found.extend((key, row) for row in self._database.fetch(one, parameters))
            except StoreDamaged as error:
                found.append((key, error.message))
        return found


def _scope(row: sa.Row[Any]) -> Scope:
    return Scope(row.project, row.agent, row.user_id)


def _mark(row: sa.Row[Any]) -> Mark:
    return Mark(row.agent, row.user_id, row.seq, row.hash, row.versions)


def _guarded(key: tuple[Any, ...], row: sa.Row[Any], value: Callable[[sa.Row[Any]], T]) -> T | Unreadable:
    try:
        return value(row)
    except (TypeError, ValueError, OverflowError, AttributeError, StoreDamaged):
        return Unreadable(key, "it holds values of the wrong kind")


def stored_record(values: Mapping[str, Any]) -> StoredRecord:
    """A row of `records` as the chain check takes it; TypeError or OverflowError for values of the wrong kind."""
    _check_kinds(values, schema.records)
    names = (
        "kind",
        "origin",
        "text",
        "hash",
        "session",
        "speaker",
        "actor",
        "key",
        "file",
        "version",
        "batch",
    )
    record = Record(seq=values["seq"], at=rows.moment(values["at"]), **{name: values[name] for name in names})
    link = Link(
        record, values["at"], values["salt"], values["commitment"], values["previous"], values["data"]
    )
    return StoredRecord(link, values["erased_at"] is not None)


def _stored_version(row: sa.Row[Any]) -> StoredVersion:
    _check_kinds(dict(row._mapping), schema.versions)
    change = None
    if row.change_kind == "change":
        change = StoredChange(
            row.change_file, row.change_version, row.change_text, row.change_at, row.change_origin, row.change_actor,
            row.change_session, row.change_data,
        )  # fmt: skip
    return StoredVersion(
        file=row.file, number=row.number, parent=row.parent, hash=row.hash, chars=row.chars, text=row.text, at=row.at,
        origin=row.origin, actor=row.actor, session=row.session, erased=row.erased_at is not None, change=change,
        beside=data_text(surroundings(row.dream, row.approver, row.reason, tuple(json.loads(row.evidence)))),
    )  # fmt: skip


def _check_kinds(values: Mapping[str, Any], table: sa.Table) -> None:
    """SQLite keeps values of any kind in any column; TypeError for one that the column does not declare."""
    for name, kind, nullable in _KINDS[table.name]:
        value = values.get(name)
        if (value is None and not nullable) or (value is not None and not isinstance(value, kind)):
            raise TypeError(name)

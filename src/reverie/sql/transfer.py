"""Transfer: every row of a store, an agent or a user as lines of JSON, and back into another store.

    {"format": "reverie-export-1", "schema": …, "store": …, "tables": {table: [column, …]}}
    {"scope": [project, agent, user]}                    then its rows, table by table in order of their keys
    ["records", [value, …]]
    {"end": {"sha256": …, "rows": …, "scopes": …}}       the hash of all lines before

The tables come from the schema, so a new table is covered by itself. Lines are written and read one at a time. Reading
happens twice: once to judge, changing nothing; then scope by scope, each in one transaction, its chain and texts checked
before it is committed. Nothing in the lines is ever used as a path.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, BinaryIO

import sqlalchemy as sa
from sqlalchemy.exc import IntegrityError

from reverie.errors import InvalidText, NotAllowed, StoreBusy, StoreDamaged
from reverie.scopes import Scope
from reverie.sql import rows, schema
from reverie.sql.database import Database
from reverie.sql.lines import FORMAT, KEPT_OUT, SCOPED, Begin, RowNames, ScopeGate, json_line, parsed_lines
from reverie.sql.upgrade import revision
from reverie.transfers import Moved, Selection

FETCHED = 500
"""Rows that are read from the database at once."""

INSERTED = 500
"""Rows that are inserted with one statement."""

Progress = Callable[[int], None]
Texts = Callable[[Scope, str, str], None]


def _unheard(*_: object) -> None:
    """Nobody listens."""


class SqlTransfer:
    """Writes and reads the export format."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def dump(
        self, file: BinaryIO, selection: Selection, *, texts: Texts = _unheard, progress: Progress = _unheard
    ) -> Moved:
        """Write a selection, all of one moment; `texts` gets every file's newest text on the way.

        What is written is judged as an import would judge it: StoreDamaged for a row that does not match its hash or a
        journal that does not hold together, so that no export is made that cannot be brought back.
        """
        digest = hashlib.sha256()
        moved = Moved()

        def write(value: object) -> None:
            line = json_line(value)
            digest.update(line)
            file.write(line)

        with self._database.snapshot() as connection:
            write(self._header(connection, selection))
            for scope in _selected(connection, selection):
                write({"scope": [scope.project, scope.agent, scope.user]})
                with _judging(scope):
                    gate = ScopeGate(scope)
                    for table in SCOPED:
                        number = self._dump_table(connection, scope, table, _judged(gate, table, write), texts)
                        moved = moved.plus(rows=number)
                    gate.finish()
                moved = moved.plus(scopes=1)
                progress(moved.rows)
        end = {"sha256": digest.hexdigest(), "rows": moved.rows, "scopes": moved.scopes}
        file.write(json_line({"end": end}))
        return moved

    def load(
        self,
        file: BinaryIO,
        selection: Selection,
        *,
        whole_store: bool = False,
        progress: Progress = _unheard,
    ) -> Moved:
        """Read a selection into scopes that are empty here; scopes that already hold it are skipped.

        `whole_store` takes the store's id over too and is for bringing a dump back. Raises InvalidText for a file that
        is not a whole export, NotAllowed when a scope holds something else, and then nothing is changed.
        """
        wanted = self._judge(file, selection)
        file.seek(0)
        moved = Moved()
        begin: Begin | None = None
        for scope, lines in _by_scope(file):
            if isinstance(scope, Begin):
                begin = scope
            elif scope in wanted:
                number = self._load_scope(scope, lines)
                moved = moved.plus(scopes=1, rows=number)
                progress(moved.rows)
            else:
                moved = moved.plus(skipped=int(selection.takes(scope)))
        if whole_store and begin is not None and begin.store:
            self._take_identity(begin.store)
        return moved

    def _header(self, connection: sa.Connection, selection: Selection) -> dict[str, object]:
        facts = dict(connection.execute(sa.select(schema.store.c.key, schema.store.c.value)).all())
        tables = {table.name: [column.name for column in table.columns[3:]] for table in SCOPED}
        return {
            "format": FORMAT, "schema": revision(self._database), "store": facts.get("id", ""),
            "selection": selection.as_dict(), "tables": tables,
        }  # fmt: skip

    def _dump_table(
        self,
        connection: sa.Connection,
        scope: Scope,
        table: sa.Table,
        write: Callable[[dict[str, Any]], None],
        texts: Texts,
    ) -> int:
        statement = sa.select(table).where(rows.within(table)).order_by(*table.primary_key.columns)
        newest: tuple[str, str | None] | None = None
        number = 0
        options = {"yield_per": FETCHED}
        with connection.execute(statement, rows.named(scope), execution_options=options) as result:
            for row in result:
                write({str(name): value for name, value in list(row._mapping.items())[len(schema.SCOPE) :]})
                number += 1
                if table is schema.versions:
                    if newest is not None and newest[0] != row.file and newest[1] is not None:
                        texts(scope, newest[0], newest[1])
                    newest = row.file, row.text
        if newest is not None and newest[1] is not None:
            texts(scope, newest[0], newest[1])
        return number

    def _judge(self, file: BinaryIO, selection: Selection) -> set[Scope]:
        """Read all of the file and decide which scopes to load; nothing is written."""
        wanted: set[Scope] = set()
        seen: set[Scope] = set()
        for scope, lines in _by_scope(file):
            if isinstance(scope, Begin):
                continue
            gate = ScopeGate(scope)
            for table, values in lines:
                gate.add(table, values)
            gate.finish()
            if scope in seen:
                raise InvalidText(
                    f"The export has {scope} twice.", "Export again and import that; nothing was changed."
                )
            seen.add(scope)
            if selection.takes(scope) and self._is_new(scope, gate):
                wanted.add(scope)
        if not any(map(selection.takes, seen)):
            raise NotAllowed(
                f"This export has nothing of {selection}.", "Leave the selection out, or name what it has."
            )
        return wanted

    def _is_new(self, scope: Scope, gate: ScopeGate) -> bool:
        """Whether nothing of a scope is here but its own row; False when it holds what the export holds; NotAllowed when something else."""
        known = self._database.fetch(
            sa.select(schema.scopes).where(rows.within(schema.scopes)), rows.named(scope)
        )
        here = known[0].seq if known else 0
        if not here:
            names = self._names(scope)
            if not names:
                return True
            if not gate.seq and names == gate.names:
                return False
        at = sa.select(schema.records.c.hash).where(
            rows.within(schema.records), schema.records.c.seq == sa.bindparam("seq_is")
        )
        found = self._database.fetch(at, rows.named(scope) | {"seq_is": gate.seq})
        if not here or (gate.seq and not (found and found[0].hash == gate.hash)):
            raise NotAllowed(
                f"The store already holds something else of {scope}.",
                "Import into an empty store, or export and remove what is there first. Nothing was changed.",
            )
        return False

    def _names(self, scope: Scope) -> int:
        """Which rows a scope with an empty journal has beside its own row: measures, say."""
        names = RowNames()
        for table in SCOPED:
            if table is not schema.scopes:
                statement = sa.select(*table.primary_key.columns).where(rows.within(table))
                for row in self._database.fetch(statement, rows.named(scope)):
                    names.add(table, dict(row._mapping))
        return names.sum

    def _load_scope(self, scope: Scope, lines: Iterator[tuple[str, dict[str, Any]]]) -> int:
        """One scope in one transaction; its row, made when somebody asked for it, gives way to the imported one."""
        runs = iter((1,))

        def act(connection: sa.Connection) -> int:
            if next(runs, None) is None:
                raise StoreBusy(
                    "The database broke an import off in the middle.",
                    "Import again; it goes on where it was.",
                )
            empty = sa.delete(schema.scopes).where(rows.within(schema.scopes), schema.scopes.c.seq == 0)
            connection.execute(empty, rows.named(scope))
            try:
                return _inserted(connection, scope, lines)
            except IntegrityError as error:
                raise InvalidText(
                    f"The rows of {scope} are in the export twice, or somebody wrote into it meanwhile.",
                    "Nothing of it was imported; look at what is there and import again.",
                ) from error

        return self._database.change(act)

    def _take_identity(self, store: str) -> None:
        def act(connection: sa.Connection) -> None:
            connection.execute(sa.delete(schema.store).where(schema.store.c.key == "id"))
            connection.execute(sa.insert(schema.store), {"key": "id", "value": store})

        self._database.change(act)


def _judged(gate: ScopeGate, table: sa.Table, write: Callable[[object], None]) -> Callable[[dict[str, Any]], None]:
    """Writes a row after the gate let it pass."""

    def judged(values: dict[str, Any]) -> None:
        gate.add(table.name, values)
        kept = [None if (table.name, name) in KEPT_OUT else value for name, value in values.items()]
        write([table.name, kept])

    return judged


@contextmanager
def _judging(scope: Scope) -> Iterator[None]:
    """Say StoreDamaged for what the gate refuses, and for a value that no column holds."""
    remedy = "Run `reverie verify` to see what is damaged, then `reverie restore-backup`; nothing was written."
    try:
        yield
    except InvalidText as error:
        raise StoreDamaged(f"The store is damaged. {error.message}", remedy) from error
    except (TypeError, ValueError, AttributeError) as error:
        raise StoreDamaged(f"A row of {scope} holds values of the wrong kind.", remedy) from error


def _selected(connection: sa.Connection, selection: Selection) -> list[Scope]:
    columns = [schema.scopes.c[part] for part in schema.SCOPE]
    found = connection.execute(sa.select(*columns).order_by(*columns))
    return [scope for scope in (Scope(*row) for row in found) if selection.takes(scope)]


def _inserted(connection: sa.Connection, scope: Scope, lines: Iterator[tuple[str, dict[str, Any]]]) -> int:
    gate, number = ScopeGate(scope), 0
    for table, some in _grouped(lines):
        for values in some:
            gate.add(table, values)
        full = [rows.key_of(scope) | values for values in some]
        connection.execute(sa.insert(schema.metadata.tables[table]), full)
        number += len(some)
    gate.finish()
    return number


def _grouped(lines: Iterator[tuple[str, dict[str, Any]]]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Runs of rows of one table, INSERTED at most."""
    for table, run in groupby(lines, key=itemgetter(0)):
        while some := [values for _, values in islice(run, INSERTED)]:
            yield table, some


def _by_scope(file: BinaryIO) -> Iterator[tuple[Begin | Scope, Iterator[tuple[str, dict[str, Any]]]]]:
    """The parsed lines scope by scope; what a caller leaves of one scope is skipped before the next."""
    lines = parsed_lines(file)
    pending: list[Scope] = []

    def rest() -> Iterator[tuple[str, dict[str, Any]]]:
        for line in lines:
            if isinstance(line, Scope):
                pending.append(line)
                return
            if isinstance(line, Begin):
                raise InvalidText("The export has a second header.", "Export again.")
            yield line

    begin = next(lines)
    assert isinstance(begin, Begin), "the first line is checked to be the header"
    yield begin, iter(())
    for _ in rest():
        raise InvalidText("The export has rows before the first scope.", "Export again.")
    while pending:
        current = rest()
        yield pending.pop(), current
        for _ in current:
            pass

"""Lines of the export format: written, parsed and judged one at a time.

What is read was written by others: a line has a bounded length, a row exactly the declared columns with values of their
kinds, ids and file names the form that this store gives them, texts their hashes and a journal its chain.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import sqlalchemy as sa

from reverie.catalogue import file_name
from reverie.chain import ChainCheck
from reverie.damage import Findings
from reverie.errors import InvalidId, InvalidName, InvalidText, SchemaTooNew
from reverie.records import text_hash
from reverie.scopes import Scope, checked_id
from reverie.sql import schema
from reverie.sql.held import Balance
from reverie.sql.inspection import stored_record
from reverie.sql.upgrade import revisions
from reverie.versions import SETTINGS_FILE

FORMAT = "reverie-export-1"

MAX_LINE = 16 * 1024 * 1024
"""Bytes of one line. A text has at most a million characters, which JSON writes in at most twelve bytes each."""

SCOPED = [
    table
    for table in [schema.scopes, *sorted(schema.metadata.tables.values(), key=lambda table: table.name)]
    if all(part in table.c for part in schema.SCOPE)
]
SCOPED = list(dict.fromkeys(SCOPED))
"""The tables that hold memory; the scope's own row comes first, so that the end of its chain is known."""

KEPT_OUT = frozenset({("heads", "mirrored")})
"""Columns that speak of one store's working tree and mean nothing in another; they travel as null."""

_REMEDY = "Export again and import that; nothing was changed."


@dataclass(frozen=True, slots=True)
class Begin:
    """The first line: the columns of each table, and the id of the store that it came from."""

    store: str
    tables: Mapping[str, tuple[str, ...]]


Line = Begin | Scope | tuple[str, dict[str, Any]]


def json_line(value: object) -> bytes:
    """A value as one line, the same for the same value."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def parsed_lines(file: BinaryIO) -> Iterator[Line]:
    """The lines as values, the last one checked and left out; InvalidText for anything that is not a whole export."""
    digest = hashlib.sha256()
    number = scopes = found = 0
    begin: Begin | None = None
    while line := file.readline(MAX_LINE + 1):
        number += 1
        value = _value(line, number)
        if isinstance(value, dict) and "end" in value:
            end = {"sha256": digest.hexdigest(), "rows": found, "scopes": scopes}
            if value["end"] != end or file.read(1):
                raise InvalidText(
                    "The export does not match its own checksum: it was changed or cut.", _REMEDY
                )
            return
        digest.update(line)
        if begin is None:
            begin = _begin(value)
            yield begin
        elif isinstance(value, dict):
            scopes += 1
            yield _scope(value, number)
        else:
            found += 1
            yield _row(value, begin, number)
    raise InvalidText("The export ends before its last line: it was cut.", _REMEDY)


class RowNames:
    """A sum of the hashes of the keys of rows: the same for the same rows in any order, as databases sort differently."""

    def __init__(self) -> None:
        self.sum = 0

    def add(self, table: sa.Table, values: Mapping[str, Any]) -> None:
        """Take a row in."""
        keys = [values[column.name] for column in table.primary_key.columns if column.name not in schema.SCOPE]
        self.sum += int.from_bytes(hashlib.sha256(json_line([table.name, keys])).digest())


class ScopeGate:
    """Judges the rows of one scope as they come; InvalidText for the first that cannot be right."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._findings = Findings()
        self._chain = ChainCheck(scope, self._findings, None)
        self._heads = 0
        self._names = RowNames()
        self._edits = Balance()
        self.seq = 0
        self.hash = ""

    @property
    def names(self) -> int:
        """Which rows there are, whatever they say; for a scope whose journal is empty."""
        return self._names.sum

    def add(self, table: str, values: dict[str, Any]) -> None:
        """Look at a row."""
        if table == schema.scopes.name:
            self._heads += 1
            self.seq, self.hash = values["seq"], values["hash"]
        elif not self.seq:
            self._names.add(schema.metadata.tables[table], values)
        file = values.get("file")
        if file is not None and file != SETTINGS_FILE:
            self._checked(file)
        if (
            table == schema.versions.name
            and values["erased_at"] is None
            and text_hash(values["text"]) != values["hash"]
        ):
            raise self._refused(f"version {values['number']} of {file} does not match its hash")
        if table == schema.edits.name:
            self._edit(values)
        if table == schema.records.name:
            self._record(values)

    def _edit(self, values: dict[str, Any]) -> None:
        try:
            self._edits.edit(values)
        except (TypeError, ValueError, OverflowError, RecursionError) as error:
            raise self._refused(f"edit {values['id']} is not what was held back") from error

    def _record(self, values: dict[str, Any]) -> None:
        try:
            self._chain.add(stored_record(values))
            self._edits.record(values)
        except (TypeError, ValueError, OverflowError) as error:
            raise self._refused(f"record {values['seq']} holds values of the wrong kind") from error
        self._refuse_problems()

    def finish(self) -> None:
        """All rows of the scope were seen."""
        if self._heads != 1:
            raise self._refused("it does not say once where its journal ends")
        self._chain.finish(seq=self.seq, hash=self.hash, newest=self._chain.records)
        self._refuse_problems()
        if not self._edits.even:
            raise self._refused("its held-back edits are not those that its journal speaks of")

    def _refuse_problems(self) -> None:
        if self._findings.number():
            problem = self._findings.problems()[0]
            raise self._refused(f"{problem.subject}: {problem.detail}")

    def _checked(self, file: str) -> None:
        try:
            same = file_name(file) == file
        except InvalidName as error:
            raise self._refused(f"{file!r} is not a memory file") from error
        if not same:
            raise self._refused(f"{file!r} is not written in its normal form")

    def _refused(self, why: str) -> InvalidText:
        return InvalidText(f"The export of {self._scope} is not consistent: {why}.", _REMEDY)


def _value(line: bytes, number: int) -> Any:
    if len(line) > MAX_LINE or not line.endswith(b"\n"):
        raise InvalidText(f"Line {number} of the export is cut, or longer than {MAX_LINE:,} bytes.", _REMEDY)
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise InvalidText(f"Line {number} of the export is not JSON.", _REMEDY) from error


def _begin(value: Any) -> Begin:
    if (
        not isinstance(value, dict)
        or value.get("format") != FORMAT
        or not isinstance(value.get("tables"), dict)
    ):
        raise InvalidText("This is not an export of a store.", "Give a folder that `reverie export` wrote.")
    if value.get("schema") not in revisions():
        raise SchemaTooNew(
            f"The export has schema {value.get('schema')!r}.", "Install a newer Reverie to import it."
        )
    tables = {}
    for name, columns in value["tables"].items():
        table = schema.metadata.tables.get(name)
        if (
            table is None
            or not isinstance(columns, list)
            or not set(columns) <= set(table.c.keys()) - set(schema.SCOPE)
        ):
            raise InvalidText(f"The export has a table {name!r} that is not known.", _REMEDY)
        tables[name] = tuple(columns)
    return Begin(str(value.get("store") or ""), tables)


def _scope(value: dict[str, Any], number: int) -> Scope:
    parts = value.get("scope")
    if not isinstance(parts, list) or len(parts) != 3 or not all(isinstance(part, str) for part in parts):
        raise InvalidText(f"Line {number} of the export names no scope.", _REMEDY)
    try:
        project, agent = checked_id("project", parts[0]), checked_id("agent", parts[1])
        named = Scope(project, agent, checked_id("user", parts[2]) if parts[2] else "")
    except InvalidId as error:
        raise InvalidText(f"Line {number} of the export names no scope: {error.message}", _REMEDY) from error
    if [named.project, named.agent, named.user] != parts:
        raise InvalidText(f"Line {number} of the export names a scope that is not in normal form.", _REMEDY)
    return named


def _row(value: Any, begin: Begin, number: int) -> tuple[str, dict[str, Any]]:
    if (
        not isinstance(value, list)
        or len(value) != 2
        or value[0] not in begin.tables
        or not isinstance(value[1], list)
    ):
        raise InvalidText(f"Line {number} of the export is no row of a known table.", _REMEDY)
    table, columns = schema.metadata.tables[value[0]], begin.tables[value[0]]
    if len(value[1]) != len(columns):
        raise InvalidText(
            f"Line {number} of the export has another number of columns than its table.", _REMEDY
        )
    values = dict(zip(columns, value[1], strict=True))
    for column in table.columns:
        if column.name not in schema.SCOPE and not _fits(column, values):
            raise InvalidText(f"Line {number} of the export: {column.name} cannot be that.", _REMEDY)
    return table.name, values


def _fits(column: sa.Column[Any], values: dict[str, Any]) -> bool:
    value = values.get(column.name)
    if value is None:
        if column.name not in values and column.server_default is not None:
            return True
        return bool(column.nullable)
    kind = column.type.python_type
    if kind is int:
        return type(value) is int and abs(value) < 2**63
    if kind is str and isinstance(value, str):
        return "\0" not in value and _is_whole(value)
    return isinstance(value, kind)


def _is_whole(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True

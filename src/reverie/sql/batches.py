"""Batches: one row for each import and scope, so that what one import brought can be found again."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import sqlalchemy as sa

from reverie.ports import Clock
from reverie.scopes import Scope
from reverie.sql import rows, schema
from reverie.sql.change import SqlChange
from reverie.sql.database import Database

_INSERT = sa.insert(schema.batches)
_REPORT = (
    sa.update(schema.batches)
    .where(rows.within(schema.batches), schema.batches.c.id == sa.bindparam("id_is"))
    .values(report=sa.bindparam("report_is"))
)


_KEYS = sa.select(schema.records.c.key).where(
    rows.within(schema.records),
    schema.records.c.session.is_(None),
    schema.records.c.key.in_(sa.bindparam("keys_are", expanding=True)),
)
_AT_ONCE = 500


class SqlBatches:
    """Writes the rows of import batches."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def start(self, *, scope: Scope, id: str, format: str, source: str) -> None:
        """Note that an import begins to write into a scope, which is made if it is new; `source` is a name, never a path."""
        values = {"id": id, "format": format, "source": source, "at": rows.micros(self._clock.now())}

        def act(connection: sa.Connection) -> None:
            SqlChange(connection, scope, self._clock, "")
            connection.execute(_INSERT, rows.key_of(scope) | values)

        self._database.change(act)

    def known_keys(self, *, scope: Scope, keys: Sequence[str]) -> set[str]:
        """Those of some idempotency keys under which the scope has a record outside sessions."""
        known: set[str] = set()
        for first in range(0, len(keys), _AT_ONCE):
            some = {"keys_are": list(keys[first : first + _AT_ONCE])}
            known |= {row.key for row in self._database.fetch(_KEYS, rows.named(scope) | some)}
        return known

    def finish(self, *, scope: Scope, id: str, report: Mapping[str, object]) -> None:
        """Keep what came of it."""
        values = {"id_is": id, "report_is": json.dumps(report, ensure_ascii=False)}
        self._database.change(lambda connection: connection.execute(_REPORT, rows.named(scope) | values))

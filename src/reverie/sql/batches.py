"""Batches: one row for each import and scope, so that what one import brought can be found again."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

import sqlalchemy as sa

from reverie.scopes import Scope
from reverie.sql import rows, schema
from reverie.sql.database import Database

_INSERT = sa.insert(schema.batches)
_REPORT = (
    sa.update(schema.batches)
    .where(rows.within(schema.batches), schema.batches.c.id == sa.bindparam("id_is"))
    .values(report=sa.bindparam("report_is"))
)


class SqlBatches:
    """Writes the rows of import batches."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def start(self, *, scope: Scope, id: str, format: str, source: str, at: datetime) -> None:
        """Note that an import begins to write into a scope; `source` is a name, never a path."""
        values = {"id": id, "format": format, "source": source, "at": rows.micros(at)}
        self._database.change(lambda connection: connection.execute(_INSERT, rows.key_of(scope) | values))

    def finish(self, *, scope: Scope, id: str, report: Mapping[str, object]) -> None:
        """Keep what came of it."""
        values = {"id_is": id, "report_is": json.dumps(report, ensure_ascii=False)}
        self._database.change(lambda connection: connection.execute(_REPORT, rows.named(scope) | values))

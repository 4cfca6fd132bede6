"""The Journal port on SQL: records in sequence, read by session, time or place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from reverie.ports import Versions
from reverie.records import Entry, Link, Record
from reverie.scopes import Scope
from reverie.sql import rows, schema
from reverie.sql.database import Database

_RECORDS = (
    sa.select(schema.records)
    .where(rows.within(schema.records), schema.records.c.seq > sa.bindparam("after_is"))
    .order_by(schema.records.c.seq)
    .limit(sa.bindparam("limit_is"))
)
_SCOPE_ROW = sa.select(schema.scopes).where(rows.within(schema.scopes))


class SqlJournal:
    """Implements `ports.Journal`; appends through the scope's transaction, so that there is one chain."""

    def __init__(self, database: Database, versions: Versions) -> None:
        self._database = database
        self._versions = versions

    def append(self, *, scope: Scope, entries: Sequence[Entry]) -> Sequence[Record]:
        return self._versions.change(
            scope=scope, act=lambda change: [change.append(entry=entry) for entry in entries]
        )

    def read(
        self, *, scope: Scope, session: str | None = None, since: datetime | None = None, until: datetime | None = None,
        after: int = 0, limit: int = 500,
    ) -> Sequence[Record]:  # fmt: skip
        statement = _RECORDS
        parameters: dict[str, Any] = rows.named(scope) | {"after_is": after, "limit_is": limit}
        if session is not None:
            statement = statement.where(schema.records.c.session == sa.bindparam("session_is"))
            parameters["session_is"] = session
        if since is not None:
            statement = statement.where(schema.records.c.at >= sa.bindparam("since_is"))
            parameters["since_is"] = rows.micros(since)
        if until is not None:
            statement = statement.where(schema.records.c.at < sa.bindparam("until_is"))
            parameters["until_is"] = rows.micros(until)
        return [rows.record(row) for row in self._database.fetch(statement, parameters)]

    def links(self, *, scope: Scope, after: int = 0, limit: int = 500) -> Sequence[Link]:
        parameters = rows.named(scope) | {"after_is": after, "limit_is": limit}
        return [rows.link(row) for row in self._database.fetch(_RECORDS, parameters)]

    def counters(self, *, scope: Scope) -> Mapping[str, Any]:
        found = self._database.fetch(_SCOPE_ROW, rows.named(scope))
        return dict(found[0]._mapping) if found else {}

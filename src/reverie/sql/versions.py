"""The Versions port on SQL: every state of every file, in SQLite or PostgreSQL alike."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import sqlalchemy as sa

from reverie.ports import Clock
from reverie.scopes import Scope
from reverie.sql import held, rows, schema
from reverie.sql.change import SqlChange
from reverie.sql.database import Database
from reverie.sql.statements import SCOPE_ROW
from reverie.versions import Head, PendingEdit, Version

T = TypeVar("T")

_HEADS_ONE = sa.select(schema.heads).where(rows.within(schema.heads))
_HEADS_TWO = sa.select(schema.heads).where(
    schema.heads.c.project == sa.bindparam("in_project"),
    schema.heads.c.agent == sa.bindparam("in_agent"),
    schema.heads.c.user_id.in_([sa.bindparam("in_user_id"), sa.literal("")]),
)
_VERSIONS = sa.select(schema.versions).where(
    rows.within(schema.versions), schema.versions.c.file == sa.bindparam("file_is")
)
_ONE = _VERSIONS.where(schema.versions.c.number == sa.bindparam("number_is"))
_ALL = _VERSIONS.order_by(schema.versions.c.number)
_SCOPES = (
    sa.select(*(schema.scopes.c[part] for part in schema.SCOPE))
    .where(schema.scopes.c.project == sa.bindparam("in_project"))
    .order_by(*(schema.scopes.c[part] for part in schema.SCOPE))
)
_COMMITTED = sa.select(sa.literal(1)).where(
    rows.within(schema.records), schema.records.c.transaction == sa.bindparam("transaction_is")
)


class SqlVersions:
    """Implements `ports.Versions`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    def change(self, *, scope: Scope, act: Callable[[Any], T]) -> T:
        transaction = uuid.uuid4().hex

        def run(connection: sa.Connection) -> tuple[T, tuple[int, str] | None]:
            change = SqlChange(connection, scope, self._clock, transaction)
            result = act(change)
            return result, change.finish()

        def committed(connection: sa.Connection) -> bool:
            # The lost transaction holds the scope until the server has ended it; after that the answer is final.
            connection.execute(SCOPE_ROW, rows.named(scope))
            parameters = rows.named(scope) | {"transaction_is": transaction}
            return connection.execute(_COMMITTED, parameters).first() is not None

        result, newest = self._database.change(run, committed)
        if newest is not None and self._database.presence is not None:
            self._database.presence.witness(scope, *newest)
        return result

    def heads(self, *, scopes: Sequence[Scope]) -> Mapping[tuple[Scope, str], Head]:
        found: dict[tuple[Scope, str], Head] = {}
        for first, statement in _queries(scopes):
            for row in self._database.fetch(statement, rows.named(first)):
                found[Scope(row.project, row.agent, row.user_id), row.file] = rows.head(row)
        return found

    def get(self, *, scope: Scope, file: str, number: int) -> Version | None:
        parameters = rows.named(scope) | {"file_is": file, "number_is": number}
        found = self._database.fetch(_ONE, parameters)
        return rows.version(found[0]) if found else None

    def history(self, *, scope: Scope, file: str) -> Sequence[Version]:
        return [
            rows.told_version(row)
            for row in self._database.fetch(_ALL, rows.named(scope) | {"file_is": file})
        ]

    def edits(self, *, scope: Scope, status: str | None = "pending") -> Sequence[PendingEdit]:
        return held.listed(self._database, scope, status)

    def scopes(self, *, project: str) -> Sequence[Scope]:
        return [
            Scope(row.project, row.agent, row.user_id)
            for row in self._database.fetch(_SCOPES, {"in_project": project})
        ]

    def close(self) -> None:
        self._database.close()


def _queries(scopes: Sequence[Scope]) -> list[tuple[Scope, sa.Select[Any]]]:
    """One query for a user's scope and its agent's together, one for each other scope."""
    users = [scope for scope in scopes if scope.is_user]
    covered = {scope.of_agent for scope in users if scope.of_agent in scopes}
    queries = [(scope, _HEADS_TWO if scope.of_agent in covered else _HEADS_ONE) for scope in users]
    queries += [(scope, _HEADS_ONE) for scope in scopes if not scope.is_user and scope not in covered]
    return queries

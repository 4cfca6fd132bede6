"""The schema: the migrations make exactly the tables that the code describes, and every key begins with the scope."""

from __future__ import annotations

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from reverie import Memory
from reverie.sql import schema

ANSWERS_FOR_ALL_SCOPES = {"store"}


def test_the_migrations_make_what_the_schema_says(store_url: str) -> None:
    with Memory.open(store_url) as memory, memory.store.database.writer.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        assert compare_metadata(MigrationContext.configure(connection, opts=options), schema.metadata) == []


@pytest.mark.case("S-13")
def test_every_key_begins_with_the_scope(store_url: str) -> None:
    with Memory.open(store_url) as memory:
        inspector = sa.inspect(memory.store.database.writer)
        names = set(inspector.get_table_names()) - ANSWERS_FOR_ALL_SCOPES - {"alembic_version"}
        assert names == {table.name for table in schema.metadata.sorted_tables} - ANSWERS_FOR_ALL_SCOPES
        for name in names:
            key = inspector.get_pk_constraint(name)["constrained_columns"]
            assert tuple(key[:3]) == schema.SCOPE, name
            for index in inspector.get_indexes(name):
                assert tuple(index["column_names"][:3]) == schema.SCOPE, index["name"]


def test_every_connection_to_sqlite_is_durable(sqlite_url: str) -> None:
    with Memory.open(sqlite_url) as memory:
        engines = (memory.store.database.writer, memory.store.database.writer, memory.store.database.reader)
        connections = [engine.raw_connection() for engine in engines]
        for connection in connections:
            found = {name: _pragma(connection, name) for name in ("synchronous", "secure_delete", "foreign_keys")}
            assert found == {"synchronous": 2, "secure_delete": 1, "foreign_keys": 1}, "2: a commit is on disk"
            assert _pragma(connection, "journal_mode") in ("wal", "delete")
        for connection in connections:
            connection.close()


def _pragma(connection: sa.PoolProxiedConnection, name: str) -> object:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA {name}")
    row = cursor.fetchone()
    assert row is not None
    return row[0]

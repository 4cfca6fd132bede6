"""The statements of a change, built once: composing one takes longer than running it.

Parameters that name a row end in `_is`, so that none has the name of a column that is set.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import sqlalchemy as sa

from reverie.sql import rows, schema

SCOPE_ROW = sa.select(schema.scopes).where(rows.within(schema.scopes)).with_for_update()
HEAD = sa.select(schema.heads).where(
    rows.within(schema.heads), schema.heads.c.file == sa.bindparam("file_is")
)
NEWEST: sa.Select[Any] = (
    sa.select(
        *(schema.versions.c[name] for name in ("file", "number", "hash", "chars", "origin")),
        schema.versions.c.at.label("modified"),
        sa.literal(None).label("mirrored"),
    )
    .where(rows.within(schema.versions), schema.versions.c.file == sa.bindparam("file_is"))
    .order_by(schema.versions.c.number.desc())
    .limit(1)
)
"""What the head of a file should be."""
VERSION = sa.select(schema.versions).where(
    rows.within(schema.versions),
    schema.versions.c.file == sa.bindparam("file_is"),
    schema.versions.c.number == sa.bindparam("number_is"),
)
_KEYED = sa.select(schema.records).where(
    rows.within(schema.records), schema.records.c.key == sa.bindparam("key_is")
)
KEYED_OUTSIDE = _KEYED.where(schema.records.c.session.is_(None))
KEYED_IN_SESSION = _KEYED.where(schema.records.c.session == sa.bindparam("session_is"))
INSERT_VERSION = sa.insert(schema.versions)
INSERT_RECORD = sa.insert(schema.records)
INSERT_HEAD = sa.insert(schema.heads)
INSERT_EDIT = sa.insert(schema.edits)
DECIDE_EDIT = (
    sa.update(schema.edits)
    .where(
        rows.within(schema.edits),
        schema.edits.c.id == sa.bindparam("id_is"),
        schema.edits.c.status == "pending",
    )
    .values(
        {name: sa.bindparam(f"{name}_is") for name in ("status", "decided_seq", "decided_by", "decided_at", "decided_reason")}
    )
)
_OWN_HEAD = sa.and_(rows.within(schema.heads), schema.heads.c.file == sa.bindparam("file_is"))
MOVE_HEAD = (
    sa.update(schema.heads)
    .where(_OWN_HEAD)
    .values({name: sa.bindparam(f"{name}_is") for name in ("number", "hash", "chars", "modified", "origin")})
)
MIRROR = sa.update(schema.heads).where(_OWN_HEAD).values(mirrored=sa.bindparam("mirrored_is"))
COUNTERS = ("seq", "hash", "records", "versions", "messages", "last_at")
"""The columns of a scope's row that a change moves."""
COUNT = (
    sa.update(schema.scopes)
    .where(rows.within(schema.scopes))
    .values({name: sa.bindparam(f"{name}_is") for name in COUNTERS})
)


@cache
def insert_scope(dialect: str) -> sa.Insert:
    """A scope's first row, unless another has just made it; the other database's dialect is not loaded."""
    if dialect == "sqlite":
        from sqlalchemy.dialects.sqlite import insert as insert_sqlite

        return insert_sqlite(schema.scopes).on_conflict_do_nothing()
    from sqlalchemy.dialects.postgresql import insert as insert_postgres

    return insert_postgres(schema.scopes).on_conflict_do_nothing()

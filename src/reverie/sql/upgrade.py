"""Bringing a database to this Reverie's schema: a new one is built, an older one is migrated, a newer one refused.

A migration runs in one transaction, so a crash leaves the old schema whole, and makes a backup first where the store
is a file.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import exc

from reverie.errors import NotFound, SchemaTooNew
from reverie.sql import schema
from reverie.sql.database import Database
from reverie.sql.faults import translating
from reverie.sql.schema import HEAD

_LOCK = 0x5EED_0F_4E7E41E
"""PostgreSQL advisory lock held while a schema is built or migrated; any constant that nobody else uses."""

_FOLDER = Path(__file__).parent / "migrations"


def prepare(database: Database, backup: Callable[[str], None]) -> None:
    """Make the schema current; `backup` is called with the old revision before a migration.

    Raises SchemaTooNew for a store of a newer Reverie and NotFound for an empty database that cannot be written.
    """
    found = revision(database)
    if found == HEAD:
        return
    if found is not None and found not in revisions():
        raise SchemaTooNew(
            f"This store has schema {found}; this Reverie knows schemas up to {HEAD}.",
            "Install a newer Reverie.",
        )
    if database.read_only:
        raise NotFound(
            "There is no store here, or an older one, and it cannot be written.", "Check the folder."
        )
    if found is not None:
        backup(found)
    database.change(_migrate)


def revision(database: Database) -> str | None:
    """The schema's revision, None for a database without tables."""
    statement = sa.text("SELECT version_num FROM alembic_version")
    try:
        with database.reader.connect() as connection:
            return connection.execute(statement).scalar_one_or_none()
    except (exc.OperationalError, exc.ProgrammingError) as error:
        if re.search(r"no such table|does not exist", str(error.orig)) and "alembic_version" in str(
            error.orig
        ):
            return None
        with translating():
            raise
    except exc.DBAPIError:
        with translating():
            raise


def revisions() -> set[str]:
    """The revisions that this Reverie can migrate from."""
    names = (path.name for path in (_FOLDER / "versions").glob("[0-9]*.py"))
    return {name.split("_")[0] for name in names}


def _migrate(connection: sa.Connection) -> None:
    from alembic import command  # takes 0.2 s, needed once in a store's life
    from alembic.config import Config

    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    config = Config()
    config.set_main_option("script_location", str(_FOLDER).replace("%", "%%"))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    named = sa.select(schema.store.c.key).where(schema.store.c.key == "id")
    if connection.execute(named).first() is None:
        connection.execute(sa.insert(schema.store), {"key": "id", "value": uuid.uuid4().hex})

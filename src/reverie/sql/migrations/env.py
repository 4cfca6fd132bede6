"""Alembic's environment: runs on the connection it is handed, inside one transaction."""

from alembic import context

from reverie.sql.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, transactional_ddl=True)
context.run_migrations()

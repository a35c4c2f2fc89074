"""What alembic runs; the connection, its transaction and its lock come from `database.migrate`."""

from __future__ import annotations

from alembic import context

from quire.service.data.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()

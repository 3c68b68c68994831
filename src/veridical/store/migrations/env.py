"""Runs the steps on the connection that `veridical.store.schema` hands over."""

from __future__ import annotations

from alembic import context

from veridical.store.schema import VERSION_TABLE
from veridical.store.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    version_table=VERSION_TABLE,
    render_as_batch=True,
)
context.run_migrations()

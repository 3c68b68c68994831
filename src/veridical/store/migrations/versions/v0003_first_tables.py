"""The first tables that were released: a later step changes what stood before it."""

from __future__ import annotations

from alembic import op

from veridical.store.migrations.versions import v0004_jobs_and_sessions
from veridical.store.tables import metadata

revision = "0003"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version. A new database is made at once by `veridical.store.schema.create`."""
    metadata.create_all(op.get_bind(), checkfirst=False)
    v0004_jobs_and_sessions.downgrade()


def downgrade() -> None:
    """To no tables at all."""
    metadata.drop_all(op.get_bind())

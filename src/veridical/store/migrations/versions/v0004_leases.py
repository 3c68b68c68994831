"""Which process works on a job, and what was paid for in it, stand beside the job itself."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, String, text

from veridical.store.tables import job_steps

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """To this version."""
    op.add_column("jobs", Column("worker", String(32)))
    op.add_column("jobs", Column("beat", Integer(), nullable=False, server_default=text("0")))
    job_steps.create(op.get_bind())


def downgrade() -> None:
    """Back to the version before."""
    job_steps.drop(op.get_bind())
    op.drop_column("jobs", "beat")
    op.drop_column("jobs", "worker")

"""Who works on a job, what was paid for in it, and which session one checks again."""

from __future__ import annotations

from alembic import op
from sqlalchemy import Column, Integer, String, Text, cast, select, text, update

from veridical.store.columns import id_type
from veridical.store.tables import inquiries, job_steps

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_RELATED = "related_sessions"
"""The key in `details` that said so far which session was checked again."""


def upgrade() -> None:
    """To this version."""
    op.add_column("jobs", Column("worker", String(32)))
    op.add_column("jobs", Column("beat", Integer(), nullable=False, server_default=text("0")))
    job_steps.create(op.get_bind())
    op.add_column("inquiries", Column("earlier_id", id_type()))
    op.create_index("idx_inquiries_earlier", "inquiries", ["workspace_id", "earlier_id"])
    table = inquiries.c
    told = cast(table.details, Text).like(f'%"{_RELATED}"%')
    kept = select(table.workspace_id, table.id, table.details).where(told)
    for place, key, details in op.get_bind().execute(kept).all():
        earlier = details.pop(_RELATED, {}).get("of")
        row = update(inquiries).where(table.workspace_id == place, table.id == key)
        op.get_bind().execute(row.values(earlier_id=earlier, details=details or None))


def downgrade() -> None:
    """Back to the version before."""
    op.drop_index("idx_inquiries_earlier", "inquiries")
    op.drop_column("inquiries", "earlier_id")
    job_steps.drop(op.get_bind())
    op.drop_column("jobs", "beat")
    op.drop_column("jobs", "worker")

"""Steps from the tables of one version to those of the next, as part of a transaction."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import Connection, Text, cast, select, update

from veridical.store.columns import id_type
from veridical.store.tables import inquiries, job_steps

_RELATED = "related_sessions"
"""The key in `inquiries.details` that said up to 0003 which session was checked again."""


def to_0004(connection: Connection) -> None:
    """Who works on a job, what was paid for in it, and which session one checks again."""
    for change in (
        "ALTER TABLE jobs ADD COLUMN worker VARCHAR(32)",
        "ALTER TABLE jobs ADD COLUMN beat INTEGER DEFAULT 0 NOT NULL",
        f"ALTER TABLE inquiries ADD COLUMN earlier_id {id_type().compile(connection.dialect)}",
        "CREATE INDEX idx_inquiries_earlier ON inquiries (workspace_id, earlier_id)",
    ):
        connection.exec_driver_sql(change)
    job_steps.create(connection, checkfirst=False)
    table = inquiries.c
    told = cast(table.details, Text).like(f'%"{_RELATED}"%')
    kept = select(table.workspace_id, table.id, table.details).where(told)
    for place, key, details in connection.execute(kept).all():
        earlier = details.pop(_RELATED, {}).get("of")
        row = update(inquiries).where(table.workspace_id == place, table.id == key)
        connection.execute(row.values(earlier_id=earlier, details=details or None))


FIRST = "0003"
"""The version of the first tables that were released."""

STEPS: dict[str, Callable[[Connection], None]] = {"0004": to_0004}
"""By the version that each leads to, in order."""

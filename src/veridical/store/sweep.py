"""Takes away what nobody needs any more, of all workspaces: else some tables would only grow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from sqlalchemy import ColumnElement, Connection, Table, delete, select, tuple_

from veridical.ledger.ids import content_id
from veridical.store.engine import Database
from veridical.store.export_files import clear_expired
from veridical.store.jobs import now
from veridical.store.requests import KEPT_SECONDS
from veridical.store.tables import ended_log_ins, jobs, keyed_requests

JOBS_KEPT_DAYS = 30
"""How long a job that is over can be looked up. What it was for stays."""

AT_ONCE = 200
"""Rows of one transaction: others write in between."""

_LOCK = content_id("sweep")


@dataclass(frozen=True, slots=True)
class Swept:
    """How much was taken away."""

    export_files: int
    keys: int
    log_ins: int
    jobs: int


def sweep(database: Database) -> Swept:
    """Take away files that expired, keys and log-ins that need not be remembered any longer, and
    jobs that were over `JOBS_KEPT_DAYS` ago. Raises StoreError where the database cannot be used.
    """
    moment = now()
    old_key = keyed_requests.c.begun_at <= moment - timedelta(seconds=KEPT_SECONDS)
    old_job = jobs.c.ended_at <= moment - timedelta(days=JOBS_KEPT_DAYS)
    return Swept(
        export_files=_all(database, lambda connection: clear_expired(connection, AT_ONCE)),
        keys=_all(database, _rows(keyed_requests, old_key)),
        log_ins=_all(database, _rows(ended_log_ins, ended_log_ins.c.until <= moment)),
        jobs=_all(database, _rows(jobs, old_job)),
    )


def _rows(table: Table, old: ColumnElement[bool]) -> Callable[[Connection], int]:
    """Takes away some of the rows of a table that are old; how many there were."""
    key = tuple_(*table.primary_key.columns)
    some = select(*table.primary_key.columns).where(old).limit(AT_ONCE)
    return lambda connection: connection.execute(delete(table).where(key.in_(some))).rowcount


def _all(database: Database, some: Callable[[Connection], int]) -> int:
    """Do that until there is nothing left to do; how much it was in all."""
    total = 0
    while True:
        gone = database.write(some, _LOCK)
        total += gone
        if gone < AT_ONCE:
            return total

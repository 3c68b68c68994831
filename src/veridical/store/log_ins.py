"""Log-ins that were ended before their time: their cookies are good no longer, in any process."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import Connection, delete, insert, select

from veridical.ledger.ids import content_id
from veridical.store.engine import Database
from veridical.store.job_rows import now
from veridical.store.service_tables import ended_log_ins
from veridical.store.unreadable import reading


class EndedLogIns:
    """All of a database, each known by its nonce (at most 64 characters)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def end(self, nonce: str, *, seconds: float) -> None:
        """End one, and remember that for so many seconds: as long as it could last by itself.

        Clears those that need not be remembered any longer.
        """
        table, moment = ended_log_ins.c, now()
        until = moment + timedelta(seconds=seconds)

        def work(connection: Connection) -> None:
            over = (table.until <= moment) | (table.nonce == nonce)
            connection.execute(delete(ended_log_ins).where(over))
            connection.execute(insert(ended_log_ins).values(nonce=nonce, until=until))

        self._database.write(work, content_id("log_in", nonce))

    def has(self, nonce: str) -> bool:
        """Whether this one was ended."""
        query = select(ended_log_ins.c.nonce).where(ended_log_ins.c.nonce == nonce)
        with reading(self._database, "A log-in") as connection:
            return connection.execute(query).first() is not None

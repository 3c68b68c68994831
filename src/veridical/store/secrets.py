"""Secrets of a database: what its service signs with, the same for every process that serves it."""

from __future__ import annotations

from secrets import token_bytes

from sqlalchemy import Connection, insert, select

from veridical.ledger.ids import content_id
from veridical.store.engine import Database
from veridical.store.job_rows import now
from veridical.store.service_tables import secrets

_BYTES = 32


def secret_of(database: Database, name: str) -> bytes:
    """The 32 random bytes of this name, made when they are first asked for."""
    kept = select(secrets.c.value).where(secrets.c.name == name)
    with database.reading() as connection:
        found = connection.execute(kept).scalar()
    if found is not None:
        return bytes(found)

    def work(connection: Connection) -> bytes:
        # Another process may have made it while this one waited.
        found = connection.execute(kept).scalar()
        if found is not None:
            return bytes(found)
        value = token_bytes(_BYTES)
        connection.execute(insert(secrets).values(name=name, value=value, created_at=now()))
        return value

    return database.write(work, content_id("secret", name))

"""Workspaces keep what is stored apart: nothing of one is seen from another."""

from __future__ import annotations

from sqlalchemy import Connection, select
from sqlalchemy.dialects import postgresql, sqlite

from veridical.errors import StoreError
from veridical.ledger.ids import content_id
from veridical.store.engine import Database
from veridical.store.tables import workspaces
from veridical.store.unreadable import reading

MOST_NAME_CHARS = 200


def workspace_id(name: str) -> str:
    """The id of a workspace, which need not be there. Raises StoreError for an unusable name."""
    if not name.isprintable() or not name.strip() or len(name) > MOST_NAME_CHARS:
        raise StoreError(
            f"A workspace needs a name of 1 to {MOST_NAME_CHARS} printable characters, "
            f"not {name[:40]!r}."
        )
    return content_id("workspace", name)


def ensure_workspace(connection: Connection, name: str) -> str:
    """The id of a workspace, which is there afterwards."""
    key = workspace_id(name)
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    row = insert(workspaces).values(id=key, name=name)
    connection.execute(row.on_conflict_do_nothing(index_elements=["id"]))
    return key


def names(database: Database) -> tuple[str, ...]:
    """The names of all workspaces, sorted."""
    with reading(database, "The list of workspaces") as connection:
        return tuple(sorted(connection.execute(select(workspaces.c.name)).scalars()))


def add(database: Database, name: str) -> bool:
    """Make a workspace; False where it was there."""
    key = workspace_id(name)

    def work(connection: Connection) -> bool:
        kept = select(workspaces.c.id).where(workspaces.c.id == key)
        if connection.execute(kept).first() is not None:
            return False
        ensure_workspace(connection, name)
        return True

    return database.write(work, key)

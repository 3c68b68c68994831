"""What tells one state of the documents of a workspace from another."""

from __future__ import annotations

from sqlalchemy import Connection, Text, cast, func, select

from veridical.store.documents import Status
from veridical.store.tables import documents

_IS_READY = documents.c.status == Status.READY.value


def fingerprints(connection: Connection, workspace_id: str) -> tuple[tuple[str, str], ...]:
    """(document id, fingerprint) of all ready documents, by name."""
    table = documents.c
    here = (table.workspace_id == workspace_id, _IS_READY)
    # Asked for together, SQLite would walk through the text that stands between the two.
    found = dict(
        map(tuple, connection.execute(select(table.series_id, table.fingerprint).where(*here)))
    )
    names = select(table.filename, table.series_id).where(*here)
    in_order = sorted(map(tuple, connection.execute(names)))
    return tuple((key, found[key]) for _, key in in_order)


def mark(connection: Connection, workspace_id: str) -> str:
    """One text of all of them, in any order."""
    table = documents.c
    both = cast(table.series_id, Text) + table.fingerprint
    query = select(func.aggregate_strings(both, ",")).where(
        table.workspace_id == workspace_id, _IS_READY
    )
    return connection.execute(query).scalar() or ""

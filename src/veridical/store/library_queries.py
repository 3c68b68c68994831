"""What is asked about many documents of a workspace at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sqlalchemy import Connection, select

from veridical.store.documents import Status
from veridical.store.paging import is_id
from veridical.store.tables import documents

_AT_ONCE = 500  # documents that are named in one statement: SQLite has a limit


def ready_versions(
    connection: Connection, workspace_id: str, document_ids: Iterable[str]
) -> dict[str, tuple[int, str]]:
    """Number and SHA-256 of the text of the ready version of each document that has one, by id."""
    table = documents.c
    found: dict[str, tuple[int, str]] = {}
    for some in in_parts(document_ids):
        query = select(table.series_id, table.version, table.sha256).where(
            table.workspace_id == workspace_id,
            table.status == Status.READY.value,
            table.series_id.in_(some),
        )
        found |= {key: (version, sha256) for key, version, sha256 in connection.execute(query)}
    return found


def in_parts(ids: Iterable[str]) -> Iterator[tuple[str, ...]]:
    """Ids of documents, each once, as many at a time as one statement may name."""
    usable = tuple(filter(is_id, dict.fromkeys(ids)))
    yield from (usable[at : at + _AT_ONCE] for at in range(0, len(usable), _AT_ONCE))

"""Citation anchors, looked up among what a workspace holds now."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import Connection, RowMapping, select

from veridical.ledger.citations import CitationResolution
from veridical.ledger.citations import resolve_citation as resolve_among
from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.store.documents import TABLE_HEAD, Status, document_of_row
from veridical.store.engine import Database
from veridical.store.tables import document_chunks, documents
from veridical.store.unreadable import readable
from veridical.store.workspaces import workspace_id

MOST_CANDIDATES = 20
"""How many chunks of one prefix are looked at: enough to tell that it is ambiguous, and how."""

_AFTER_HEX = "g"


def resolve_citation(database: Database, prefix: str, workspace: str) -> CitationResolution:
    """The chunk that an anchor points to, of the ready documents of a workspace.

    Raises ValidationError for what is no anchor.
    Source: section 5.3 of the ledger specification.
    """
    nowhere = resolve_among(prefix, ())
    with database.reading() as connection, readable(f"A chunk in the workspace {workspace!r}"):
        keys = _keys(connection, nowhere.chunk_hash, workspace)
        found = _chunks(connection, keys)
    return resolve_among(prefix, found) if found else nowhere


def _keys(connection: Connection, prefix: str, workspace: str) -> list[str]:
    """Chunks whose hash begins like this: as many of each content as there is room for.

    At least one of each, so that many copies of one content do not hide that there is another.
    """
    chunk = document_chunks.c
    fitting = (
        select(chunk.id, chunk.chunk_hash)
        .join(documents, documents.c.id == chunk.document_id)
        .where(
            # A range, not LIKE: any index on the column serves it.
            chunk.chunk_hash.between(prefix, prefix + _AFTER_HEX),
            documents.c.workspace_id == workspace_id(workspace),
            documents.c.status == Status.READY.value,
        )
    )
    found = fitting.subquery().c
    contents = select(found.chunk_hash).distinct().order_by(found.chunk_hash)
    hashes = connection.execute(contents.limit(MOST_CANDIDATES)).scalars().all()
    copies = fitting.order_by(chunk.id).limit(MOST_CANDIDATES // max(1, len(hashes)))
    return [
        key
        for digest in hashes
        for key in connection.execute(copies.where(chunk.chunk_hash == digest)).scalars()
    ]


def _chunks(connection: Connection, keys: Sequence[str]) -> list[Chunk]:
    query = select(document_chunks).where(document_chunks.c.id.in_(keys))
    rows = connection.execute(query).mappings().all()
    holders = select(documents).where(documents.c.id.in_({row["document_id"] for row in rows}))
    by_id = {row["id"]: document_of_row(row) for row in connection.execute(holders).mappings()}
    found = [chunk_of_row(row, by_id[row["document_id"]]) for row in rows]
    return sorted(found, key=lambda chunk: (chunk.document.name, chunk.ordinal))


def chunk_of_row(row: RowMapping, document: Document) -> Chunk:
    """The chunk of a row of `document_chunks`."""
    offsets = row["sentences"]
    return Chunk(
        document=document,
        ordinal=row["ordinal"],
        span=Span(row["start_offset"], row["end_offset"]),
        sentences=tuple(map(Span, offsets[::2], offsets[1::2])),
        sha256=row["chunk_hash"],
        heading_path=tuple(row["heading_path"]),
        page=row["page"],
        table_head=TABLE_HEAD.from_plain(row["table_head"]),
    )

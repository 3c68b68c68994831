"""Documents with their chunks, out of their rows: whole, or those that a citation leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, func, select

from veridical.ledger.citations import CitationResolution
from veridical.ledger.citations import resolve_citation as resolve_among
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.kept import Content
from veridical.sources.document import Document, Span
from veridical.store.documents import CHUNK_COLUMNS, Status, document_of_row, fingerprint, in_parts
from veridical.store.failures import UNREADABLE
from veridical.store.rows import PLAIN
from veridical.store.tables import document_chunks, documents

MOST_CANDIDATES = 20
"""How many chunks of one prefix are looked at: enough to tell that it is ambiguous, and how."""

_AFTER_HEX = "g"

_HEAD = PLAIN.of(Span | None)[1]


def resolve_citation(connection: Connection, prefix: str, workspace_id: str) -> CitationResolution:
    """The chunk that an anchor points to, of the ready documents of a workspace.

    Raises ValidationError for what is no anchor.
    Source: section 5.3 of the ledger specification.
    """
    nowhere = resolve_among(prefix, ())
    found = _chunks(connection, _keys(connection, nowhere.chunk_hash, workspace_id))
    return resolve_among(prefix, found) if found else nowhere


def _keys(connection: Connection, prefix: str, workspace_id: str) -> list[str]:
    """Chunks whose hash begins like this: one of each content, then another one of each.

    So many copies of one content do not hide that there is another.
    """
    chunk = document_chunks.c
    turn = func.row_number().over(partition_by=chunk.chunk_hash, order_by=chunk.id)
    fitting = (
        select(chunk.id, chunk.chunk_hash, turn.label("turn"))
        .join(documents, documents.c.id == chunk.document_id)
        .where(
            # A range, not LIKE: any index on the column serves it.
            chunk.chunk_hash.between(prefix, prefix + _AFTER_HEX),
            documents.c.workspace_id == workspace_id,
            documents.c.status == Status.READY.value,
        )
    )
    found = fitting.subquery().c
    in_turn = select(found.id).order_by(found.turn, found.chunk_hash).limit(MOST_CANDIDATES)
    return list(connection.execute(in_turn).scalars())


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
        table_head=_HEAD(row["table_head"]),
    )


def read_contents(
    connection: Connection, held: Select[Any], cut: Select[Any]
) -> Iterator[tuple[RowMapping, Content | None]]:
    """Rows of documents with what they hold; None where they are not as they were written.

    `held` is a query for the rows of documents, `cut` one for the rows of their chunks.
    """
    chunks: dict[str, list[RowMapping]] = {}
    in_order = cut.order_by(document_chunks.c.document_id, document_chunks.c.ordinal)
    for chunk in connection.execute(in_order).mappings():
        chunks.setdefault(chunk["document_id"], []).append(chunk)
    for row in connection.execute(held).mappings():
        yield row, _content(row, chunks.pop(row["id"], []))


def ready_contents(
    connection: Connection, workspace_id: str, document_ids: tuple[str, ...] | None
) -> tuple[Content, ...]:
    """The ready documents of a workspace, by name; all, or those of these ids.

    Raises a ValueError where rows are not as they were written.
    """
    here = (
        documents.c.workspace_id == workspace_id,
        documents.c.status == Status.READY.value,
    )
    found: list[Content] = []
    for some in (None,) if document_ids is None else in_parts(document_ids):
        wanted = here if some is None else (*here, documents.c.series_id.in_(some))
        held = select(documents).where(*wanted)
        cut = select(document_chunks).join(
            documents, documents.c.id == document_chunks.c.document_id
        )
        for row, content in read_contents(connection, held, cut.where(*wanted)):
            if content is None:
                raise ValueError(f"the rows of {row['series_id']} were changed")
            found.append(content)
    return tuple(sorted(found, key=lambda content: content[0].name))


def _content(row: RowMapping, chunk_rows: Sequence[RowMapping]) -> Content | None:
    """A document and its chunks; None where its rows are not as they were written."""
    try:
        document = document_of_row(row)
        kept = [tuple(chunk[name] for name in CHUNK_COLUMNS) for chunk in chunk_rows]
        made_of = fingerprint(row["format"], row["size_bytes"], row["structure"], kept)
        if made_of != row["fingerprint"] or document.sha256 != row["sha256"]:
            return None
        return document, tuple(chunk_of_row(chunk, document) for chunk in chunk_rows)
    except UNREADABLE:
        return None

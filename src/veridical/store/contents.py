"""Documents with their chunks, out of their rows: whole, or those that a citation leads to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, select

from veridical.ledger.citations import CitationResolution
from veridical.ledger.citations import resolve_citation as resolve_among
from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.store.documents import CHUNK_COLUMNS, Status, document_of_row, fingerprint, in_parts
from veridical.store.engine import Database
from veridical.store.failures import UNREADABLE, readable
from veridical.store.plain import PLAIN
from veridical.store.tables import document_chunks, documents
from veridical.store.workspaces import workspace_id

MOST_CANDIDATES = 20
"""How many chunks of one prefix are looked at: enough to tell that it is ambiguous, and how."""

_AFTER_HEX = "g"

_HEAD = PLAIN.of(Span | None)[1]


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
        table_head=_HEAD(row["table_head"]),
    )


Content = tuple[Document, tuple[Chunk, ...]]
"""A document and its chunks, in order."""


def read_contents(
    connection: Connection, held: Select[Any], cut: Select[Any]
) -> Iterator[tuple[RowMapping, Content | None]]:
    """Rows of documents with what they hold; None where they are not as they were written.

    `held` is a query for the rows of documents, `cut` one for the rows of their chunks.
    """
    by_document = cut.order_by(document_chunks.c.document_id, document_chunks.c.ordinal)
    chunks = _Chunks(connection.execute(by_document).mappings())
    for row in connection.execute(held.order_by(documents.c.id)).mappings():
        yield row, _content(row, chunks.of_document(row["id"]))


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
    for some in _parts(document_ids):
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


def _parts(ids: tuple[str, ...] | None) -> Iterator[tuple[str, ...] | None]:
    yield from (None,) if ids is None else in_parts(ids)


class _Chunks:
    """Rows of chunks in the order of their documents, taken document by document."""

    def __init__(self, rows: Iterable[RowMapping]) -> None:
        self._groups = groupby(rows, key=itemgetter("document_id"))
        self._waiting = self._next()

    def of_document(self, key: str) -> list[RowMapping]:
        """The chunks of a document, which comes after all that were asked for before."""
        if self._waiting is None or self._waiting[0] != key:
            return []
        rows = self._waiting[1]
        self._waiting = self._next()
        return rows

    def _next(self) -> tuple[str, list[RowMapping]] | None:
        group = next(self._groups, None)
        return None if group is None else (group[0], list(group[1]))


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

"""Documents with their chunks, out of their rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, select

from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Document
from veridical.store.citations import chunk_of_row
from veridical.store.documents import CHUNK_COLUMNS, Status, document_of_row, fingerprint
from veridical.store.library_queries import in_parts
from veridical.store.tables import document_chunks, documents
from veridical.store.unreadable import UNREADABLE

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

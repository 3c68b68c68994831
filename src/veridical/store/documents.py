"""Documents and their chunks in a database, version by version."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, RowMapping, delete, insert, select, update

from veridical.errors import StoreError
from veridical.ledger.ids import chunk_id, content_id, document_id
from veridical.sources.document import Document
from veridical.store.bulk import Row, insert_rows
from veridical.store.columns import json_text
from veridical.store.engine import Database
from veridical.store.rows import PAIR, columns_of, document_of, structure_of
from veridical.store.tables import document_chunks, documents
from veridical.store.workspaces import ensure_workspace, workspace_id

if TYPE_CHECKING:
    from veridical.retrieval.chunks import Chunk

CHUNK_COLUMNS = ("id", "document_id", "ordinal", "chunk_hash", "start_offset", "end_offset",
                 "heading_path", "page", "sentences", "table_head")  # fmt: skip


class Status(StrEnum):
    """What a version of a document is to its workspace: only a ready one is looked at."""

    READY = "ready"
    SUPERSEDED = "superseded"
    DELETED = "deleted"


@dataclass(frozen=True, slots=True)
class IngestReport:
    """What came of some documents: how many were new, the same as before, or changed.

    `refreshed` counts documents whose text is as before but was read or cut otherwise: by another
    version of Veridical, or with other settings.
    """

    added: int = 0
    unchanged: int = 0
    new_versions: int = 0
    refreshed: int = 0


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A version of a document. `id` is what all its versions share, as in a ledger's sources."""

    id: str
    filename: str
    version: int
    sha256: str
    status: Status
    format: str
    chars: int
    size_bytes: int
    created_at: datetime


SHOWN = select(*columns_of(StoredDocument, documents, id=documents.c.series_id))
"""Finds versions."""


@dataclass(frozen=True, slots=True)
class Version:
    """A version of a document, ready to be written."""

    key: str
    series: str
    values: dict[str, Any]
    chunks: list[Row]


def ingest(
    database: Database, items: Iterable[tuple[Document, Sequence[Chunk]]], workspace: str
) -> IngestReport:
    """Keep documents with their chunks, each in a transaction of its own."""
    counts = dict.fromkeys(("added", "unchanged", "new_versions", "refreshed"), 0)
    seen: dict[str, str] = {}
    workspace_id(workspace)
    for document, chunks in items:
        if seen.setdefault(document.name, document.sha256) != document.sha256:
            raise StoreError(
                f"Two different documents are both called {document.name}. Give each its own name."
            )
        version = version_of(document, chunks, workspace)
        done = database.write(
            partial(put_version, new=version, workspace=workspace), version.series
        )
        counts[done] += 1
    return IngestReport(**counts)


def version_of(document: Document, chunks: Sequence[Chunk], workspace: str) -> Version:
    """A document with its chunks as the rows that keep them."""
    series = document_id(document.name, workspace)
    key = content_id("document_version", series, document.sha256)
    rows = [
        (
            chunk_id(series, document.sha256, chunk.ordinal),
            key,
            chunk.ordinal,
            chunk.sha256,
            chunk.span.start,
            chunk.span.end,
            chunk.heading_path,
            chunk.page,
            list(chain.from_iterable(map(PAIR, chunk.sentences))),
            PAIR(chunk.table_head) if chunk.table_head is not None else None,
        )
        for chunk in chunks
    ]
    structure = structure_of(document)
    values = {
        "filename": document.name,
        "sha256": document.sha256,
        "status": Status.READY.value,
        "format": document.format.value,
        "text": document.text,
        "structure": structure,
        "fingerprint": fingerprint(document.format, document.size_bytes, structure, rows),
        "chars": len(document.text),
        "size_bytes": document.size_bytes,
    }
    return Version(key, series, values, rows)


def fingerprint(
    format: str, size_bytes: int, structure: dict[str, Any], chunks: Sequence[Row]
) -> str:
    """What changes with all that is kept of a version beside its text."""
    made_of = json_text([format, size_bytes, structure, chunks])
    return hashlib.sha256(made_of.encode()).hexdigest()


def put_version(connection: Connection, new: Version, workspace: str) -> str:
    """Write a version of a document; which of the counts of `IngestReport` it belongs to.

    A document that returns to an earlier text is that version again.
    """
    table = documents.c
    columns = (table.id, table.version, table.status, table.fingerprint)
    query = select(*columns).where(table.series_id == new.series)
    kept = {row.id: row for row in connection.execute(query)}
    ready = next((row for row in kept.values() if row.status == Status.READY), None)
    same = kept.get(new.key)
    if same is not None and same is ready and same.fingerprint == new.values["fingerprint"]:
        return "unchanged"
    if ready is not None and ready is not same:
        set_status(connection, ready.id, Status.SUPERSEDED)
    if same is None:
        last = max((row.version for row in kept.values()), default=0)
        values = {"id": new.key, "series_id": new.series, "version": last + 1, **new.values}
        place = ensure_workspace(connection, workspace)
        connection.execute(insert(documents), {"workspace_id": place, **values})
    else:
        connection.execute(update(documents).where(table.id == new.key), dict(new.values))
        _delete_chunks(connection, new.key)
    insert_rows(connection, document_chunks, CHUNK_COLUMNS, new.chunks)
    if ready is None:
        return "added"
    return "refreshed" if ready is same else "new_versions"


def delete_versions(connection: Connection, series: str, but: Iterable[int] = ()) -> bool:
    """Delete the words and chunks of all versions of a document, `but` those of these numbers;
    False where there are none.
    """
    versions = select(documents.c.id).where(
        documents.c.series_id == series,
        documents.c.status != Status.DELETED.value,
        documents.c.version.not_in(sorted(but)),
    )
    keys = list(connection.execute(versions).scalars())
    for key in keys:
        _delete_chunks(connection, key)
        set_status(connection, key, Status.DELETED, text="", structure={}, fingerprint="")
    return bool(keys)


def document_of_row(row: RowMapping) -> Document:
    """The document of a row of `documents`."""
    return document_of(
        row["filename"], row["text"], row["format"], row["size_bytes"], row["structure"]
    )


def set_status(connection: Connection, key: str, status: Status, **values: object) -> None:
    """Make a version something else to its workspace."""
    row = update(documents).where(documents.c.id == key)
    connection.execute(row.values(status=status.value, **values))


def _delete_chunks(connection: Connection, key: str) -> None:
    connection.execute(delete(document_chunks).where(document_chunks.c.document_id == key))


_AT_ONCE = 500  # what is named in one statement: SQLite has a limit


def in_parts(ids: Iterable[str]) -> Iterator[Sequence[str]]:
    """Ids of documents, each once, as many at a time as one statement may name."""
    return parts(tuple(dict.fromkeys(ids)))


def parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    """As many at a time as one statement may name."""
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))

"""The index of a folder: which documents were read from which files, and how those were then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, delete, func, insert, select, update

from veridical.ledger.ids import content_id
from veridical.retrieval.chunks import Chunk
from veridical.sources.document import Document
from veridical.store.bulk import insert_rows, without_collector
from veridical.store.citations import chunk_of_row
from veridical.store.documents import (
    CHUNK_COLUMNS,
    document_of_row,
    fingerprint,
    version_of,
)
from veridical.store.engine import Database
from veridical.store.tables import (
    document_chunks,
    documents,
    indexed_files,
    indexes,
    workspaces,
)
from veridical.store.unreadable import UNREADABLE, readable
from veridical.store.workspaces import ensure_workspace, workspace_id

Content = tuple[Document, tuple[Chunk, ...]]
"""A document and its chunks, in order."""

_AT_ONCE = 500
"""Rows that are named in one statement: SQLite has a limit."""


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file whose document is kept, as it was when it was read.

    `path` tells files apart, `name` is what the document is called. `modified_ns` and `changed_ns`
    are the times when its bytes were modified and its inode was changed, in nanoseconds since 1970,
    None where they would not tell a later change. `sha256` is of its bytes, in hex. `made_by` tells
    what read and cut it (`answering.index.maker`).
    """

    path: str
    name: str
    size_bytes: int
    modified_ns: int | None
    changed_ns: int | None
    sha256: str
    made_by: str


@dataclass(frozen=True, slots=True)
class KeptIndex:
    """An index of a database: the workspace that holds it, and what it is of."""

    workspace: str
    sources: tuple[str, ...]


def kept_indexes(database: Database) -> tuple[KeptIndex, ...]:
    """The indexes of a database, by what they are of."""
    query = select(workspaces.c.name, indexes.c.sources).join(
        workspaces, workspaces.c.id == indexes.c.workspace_id
    )
    with database.reading() as connection, readable("The list of indexes"):
        rows = connection.execute(query).all()
        found = [KeptIndex(name, tuple(map(str, sources))) for name, sources in rows]
    return tuple(sorted(found, key=lambda index: index.sources))


def kept_files(database: Database, workspace: str) -> tuple[KeptFile, ...]:
    """The files of an index by path; none if there is no such index."""
    file = indexed_files.c
    query = _of_index(
        select(
            file.path, documents.c.filename, file.size_bytes, file.modified_ns, file.changed_ns,
            file.sha256, file.made_by,
        ),
        workspace,
    )  # fmt: skip
    with database.reading() as connection, readable("The list of the files of an index"):
        rows = [KeptFile(*row) for row in connection.execute(query.order_by(file.path))]
    return tuple(rows)


def count_chunks(database: Database, workspace: str) -> int:
    """How many chunks the documents of an index have."""
    counted = select(func.count()).select_from(document_chunks)
    query = counted.join(documents, documents.c.id == document_chunks.c.document_id).where(
        documents.c.workspace_id == workspace_id(workspace)
    )
    with database.reading() as connection:
        return connection.execute(query).scalar_one()


def write_files(
    database: Database,
    index: KeptIndex,
    *,
    read: Sequence[tuple[KeptFile, Content]] = (),
    touched: Sequence[KeptFile] = (),
    removed: Sequence[str] = (),
) -> None:
    """Keep what was found of some files, in one transaction.

    `read` were read anew, `touched` hold what they held, the paths `removed` are of files that are
    gone. What a file held before is forgotten.
    """
    versions = [
        (file, version_of(document, chunks, index.workspace)) for file, (document, chunks) in read
    ]
    key = content_id("index", index.workspace)

    def work(connection: Connection) -> None:
        place = ensure_workspace(connection, index.workspace)
        _ensure_index(connection, key, place, index.sources)
        _forget_files(connection, key, [*removed, *(file.path for file, _ in read)])
        # Another file had the name before: it is gone, or comes under its new name later.
        _forget_series(connection, [version.series for _, version in versions])
        for file, version in versions:
            values = {"id": version.key, "series_id": version.series, "version": 1}
            connection.execute(
                insert(documents).values(workspace_id=place, **values, **version.values)
            )
            insert_rows(connection, document_chunks, CHUNK_COLUMNS, version.chunks)
            connection.execute(
                insert(indexed_files).values(
                    index_id=key, document_id=version.key, path=file.path, **_state(file)
                )
            )
        for file in touched:
            row = update(indexed_files).where(
                indexed_files.c.index_id == key, indexed_files.c.path == file.path
            )
            connection.execute(row.values(**_state(file)))

    database.write(work, key)


def load_contents(database: Database, workspace: str) -> dict[str, Content]:
    """The documents of an index with their chunks, by the path of the file.

    One that is not as it was kept is left out.
    """
    held = _of_index(select(documents, indexed_files.c.path), workspace).order_by(documents.c.id)
    cut = _of_index(select(document_chunks), workspace).join(
        document_chunks, document_chunks.c.document_id == documents.c.id
    )
    in_order = cut.order_by(documents.c.id, document_chunks.c.ordinal)
    found: dict[str, Content] = {}
    with database.reading() as connection, readable("A document of an index"), without_collector():
        chunks = _Chunks(connection.execute(in_order).mappings())
        for row in connection.execute(held).mappings():
            content = _content(row, chunks.of_document(row["id"]))
            if content is not None:
                found[row["path"]] = content
    return found


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


def _of_index(query: Select[Any], workspace: str) -> Select[Any]:
    """A query over `documents` for those of the files of an index."""
    key = content_id("index", workspace)
    return (
        query.select_from(documents)
        .join(indexed_files, indexed_files.c.document_id == documents.c.id)
        .where(indexed_files.c.index_id == key)
    )


def _state(file: KeptFile) -> dict[str, Any]:
    return {
        "size_bytes": file.size_bytes,
        "modified_ns": file.modified_ns,
        "changed_ns": file.changed_ns,
        "sha256": file.sha256,
        "made_by": file.made_by,
    }


def _ensure_index(connection: Connection, key: str, place: str, sources: Sequence[str]) -> None:
    kept = connection.execute(select(indexes.c.id).where(indexes.c.id == key)).scalar()
    if kept is None:
        row = insert(indexes).values(id=key, workspace_id=place, sources=list(sources))
        connection.execute(row)


def _forget_files(connection: Connection, key: str, paths: Sequence[str]) -> None:
    """Delete documents, and with them their chunks and what is known of their files."""
    for some in _parts(paths):
        held = select(indexed_files.c.document_id).where(
            indexed_files.c.index_id == key, indexed_files.c.path.in_(some)
        )
        connection.execute(delete(documents).where(documents.c.id.in_(held)))


def _forget_series(connection: Connection, series: Sequence[str]) -> None:
    for some in _parts(series):
        connection.execute(delete(documents).where(documents.c.series_id.in_(some)))


def _parts(values: Sequence[str]) -> Iterator[Sequence[str]]:
    return (values[at : at + _AT_ONCE] for at in range(0, len(values), _AT_ONCE))

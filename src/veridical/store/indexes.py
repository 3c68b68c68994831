"""The index of a folder: which documents were read from which files, and how those were then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, delete, func, insert, select, update

from veridical.ledger.ids import content_id
from veridical.retrieval.kept import Content, KeptFile, KeptIndex
from veridical.store.bulk import without_collector
from veridical.store.contents import read_contents
from veridical.store.documents import Status, delete_versions, parts, put_version, version_of
from veridical.store.engine import Database
from veridical.store.library import show_last_given
from veridical.store.rows import columns_of, found, row_of
from veridical.store.tables import (
    document_chunks,
    documents,
    indexed_files,
    indexes,
    uploads,
    workspaces,
)
from veridical.store.workspaces import ensure_workspace, workspace_id


def kept_indexes(database: Database) -> tuple[KeptIndex, ...]:
    """The indexes of a database, by what they are of."""
    query = select(workspaces.c.name, indexes.c.sources).join(
        workspaces, workspaces.c.id == indexes.c.workspace_id
    )
    with database.reading("The list of indexes") as connection:
        rows = connection.execute(query)
        kept = [KeptIndex(name, tuple(map(str, sources))) for name, sources in rows]
    return tuple(sorted(kept, key=lambda index: index.sources))


def kept_files(database: Database, workspace: str) -> tuple[KeptFile, ...]:
    """The files of an index by path; none if there is no such index."""
    columns = columns_of(KeptFile, indexed_files, name=documents.c.filename)
    query = _of_index(select(*columns), workspace).order_by(indexed_files.c.path)
    with database.reading("The list of the files of an index") as connection:
        return found(connection, query, KeptFile)


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
    gone. What a file held before is forgotten, unless the index keeps versions.
    """
    versions = [
        (file, version_of(document, chunks, index.workspace)) for file, (document, chunks) in read
    ]
    key = content_id("index", index.workspace)
    paths = [*removed, *(file.path for file, _ in read)]
    series = [version.series for _, version in versions]

    def work(connection: Connection) -> None:
        place = ensure_workspace(connection, index.workspace)
        _ensure_index(connection, key, place, index.sources)
        if index.keeps_versions:
            _let_go_of(connection, key, paths, keep=series)
        else:
            _forget_files(connection, key, paths)
            # Another file had the name before: it is gone, or comes under its new name later.
            for some in parts(series):
                connection.execute(delete(documents).where(documents.c.series_id.in_(some)))
        for file, version in versions:
            put_version(connection, version, index.workspace)
            connection.execute(
                insert(indexed_files).values(
                    index_id=key, document_id=version.key, **row_of(file, indexed_files)
                )
            )
        for file in touched:
            row = update(indexed_files).where(
                indexed_files.c.index_id == key, indexed_files.c.path == file.path
            )
            connection.execute(row.values(row_of(file, indexed_files)))

    database.write(work, key)


def load_contents(database: Database, workspace: str) -> dict[str, Content]:
    """The documents of an index with their chunks, by the path of the file.

    One that is not as it was kept is left out.
    """
    held = _of_index(select(documents, indexed_files.c.path), workspace)
    cut = _of_index(select(document_chunks), workspace).join(
        document_chunks, document_chunks.c.document_id == documents.c.id
    )
    with database.reading("A document of an index") as connection, without_collector():
        read = read_contents(connection, held, cut)
        return {row["path"]: content for row, content in read if content is not None}


def _of_index(query: Select[Any], workspace: str) -> Select[Any]:
    """A query over `documents` for those of the files of an index."""
    key = content_id("index", workspace)
    return (
        query.select_from(documents)
        .join(indexed_files, indexed_files.c.document_id == documents.c.id)
        .where(indexed_files.c.index_id == key, documents.c.status == Status.READY.value)
    )


def _ensure_index(connection: Connection, key: str, place: str, sources: Sequence[str]) -> None:
    kept = connection.execute(select(indexes.c.sources).where(indexes.c.id == key)).scalar()
    if kept is None:
        row = insert(indexes).values(id=key, workspace_id=place, sources=list(sources))
        connection.execute(row)
    elif kept != list(sources):  # a service that was started with other folders
        changed = update(indexes).where(indexes.c.id == key)
        connection.execute(changed.values(sources=list(sources)))


def _forget_files(connection: Connection, key: str, paths: Sequence[str]) -> None:
    """Delete documents, and with them their chunks and what is known of their files."""
    for some in parts(paths):
        held = select(indexed_files.c.document_id).where(
            indexed_files.c.index_id == key, indexed_files.c.path.in_(some)
        )
        connection.execute(delete(documents).where(documents.c.id.in_(held)))


def _let_go_of(
    connection: Connection, key: str, paths: Sequence[str], *, keep: Sequence[str]
) -> None:
    """Forget what is known of files, and take their documents away but for the series to `keep`."""
    for some in parts(paths):
        here = (indexed_files.c.index_id == key, indexed_files.c.path.in_(some))
        held = select(documents.c.series_id).join(
            indexed_files, indexed_files.c.document_id == documents.c.id
        )
        gone = set(connection.execute(held.where(*here)).scalars()) - set(keep)
        connection.execute(delete(indexed_files).where(*here))
        for series in sorted(gone):
            _take_away(connection, series)


def _take_away(connection: Connection, series: str) -> None:
    """Delete the versions of a document that were read from folders. Where files were uploaded
    under its name too, the last of them is the document again.
    """
    given = select(uploads.c.version).where(
        uploads.c.series_id == series, uploads.c.version.is_not(None)
    )
    uploaded = set(connection.execute(given).scalars())
    delete_versions(connection, series, but=uploaded)
    show_last_given(connection, series)

"""The rows of files that were given, and of the documents that were read from them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Subquery,
    func,
    insert,
    literal_column,
    select,
    union,
    update,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

from veridical.store.columns import AnyText
from veridical.store.documents import (
    SHOWN,
    Status,
    StoredDocument,
    Version,
    set_status,
    stored_document,
)
from veridical.store.job_rows import now
from veridical.store.service_tables import upload_contents, uploads
from veridical.store.tables import documents


class UploadState(StrEnum):
    """What became of a file that was given."""

    WAITING = "waiting"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it was given. `document_id` is the series that it is or will be a version of.

    `sha256` is of the bytes; `version` is the version that was read from it, once it was (the
    earlier one where the text was the same). `message` says why it could not be read.
    """

    id: str
    document_id: str
    filename: str
    media_type: str
    size_bytes: int
    sha256: str
    state: UploadState
    message: str
    version: int | None
    job_id: str
    created_at: datetime


@dataclass(frozen=True, slots=True)
class Shown:
    """A document in a list: its ready version, if there is one, and the latest file given for it,
    if one was (a document of a folder or of the command line has none).
    """

    document_id: str
    filename: str
    ready: StoredDocument | None
    latest: Upload | None


UPLOAD_COLUMNS = tuple(
    uploads.c[{"document_id": "series_id"}.get(field.name, field.name)].label(field.name)
    for field in fields(Upload)
)

_OPEN = (UploadState.WAITING.value, UploadState.READING.value)


def upload_of(row: RowMapping) -> Upload:
    """The upload of a row of `UPLOAD_COLUMNS`."""
    values = {field.name: row[field.name] for field in fields(Upload)}
    return Upload(**{**values, "state": UploadState(row["state"])})


def new_upload(document_id: str, filename: str, media_type: str, content: bytes, id: str) -> Upload:
    """A file as it is given."""
    return Upload(
        id=id,
        document_id=document_id,
        filename=filename,
        media_type=media_type,
        size_bytes=len(content),
        sha256=hashlib.sha256(content).hexdigest(),
        state=UploadState.WAITING,
        message="",
        version=None,
        job_id=str(uuid4()),
        created_at=now(),
    )


def write_upload(connection: Connection, place: str, upload: Upload, content: bytes) -> None:
    """Write a file that was given."""
    values = {column.name: getattr(upload, column.name) for column in UPLOAD_COLUMNS}
    values |= {"series_id": values.pop("document_id"), "state": upload.state.value}
    connection.execute(insert(uploads).values(workspace_id=place, **values))
    connection.execute(insert(upload_contents).values(upload_id=upload.id, content=content))


def keep_as_read(connection: Connection, upload_id: str, version: Version) -> None:
    """Note which version was read from a file, unless its reading was ended."""
    number = select(documents.c.version).where(documents.c.id == version.key)
    connection.execute(
        update(uploads)
        .where(uploads.c.id == upload_id, uploads.c.state.in_(_OPEN))
        .values(state=UploadState.READY.value, message="", version=number.scalar_subquery())
    )


def show_last_given(connection: Connection, series: str) -> None:
    """Have the version of the file that was given last be the ready one.

    Files may be read in another order than they were given in.
    """
    given = (
        select(uploads.c.version)
        .where(uploads.c.series_id == series, uploads.c.state == UploadState.READY.value)
        .order_by(uploads.c.created_at.desc(), uploads.c.id.desc())
        .limit(1)
    )
    table = documents.c
    versions = select(table.id, table.status).where(table.series_id == series)
    last = connection.execute(versions.where(table.version == given.scalar_subquery())).first()
    if last is None or last.status != Status.SUPERSEDED.value:
        return
    ready = versions.where(table.status == Status.READY.value)
    for row in connection.execute(ready).all():
        set_status(connection, row.id, Status.SUPERSEDED)
    set_status(connection, last.id, Status.READY)


class _InCodePoints(FunctionElement[str]):
    """A text as what rows are sorted by: by code points, whatever the locale of the database."""

    inherit_cache = True
    type = AnyText()


@compiles(_InCodePoints)
def _in_code_points(element: Any, compiler: Any, **options: Any) -> str:
    return f'({compiler.process(element.clauses, **options)} COLLATE "C")'


@compiles(_InCodePoints, "sqlite")
def _in_code_points_on_sqlite(element: Any, compiler: Any, **options: Any) -> str:
    return str(compiler.process(element.clauses, **options))


def by_name(names: Subquery) -> tuple[ColumnElement[Any], ...]:
    """What documents are sorted by."""
    return _InCodePoints(names.c.filename).label("filename"), names.c.series_id


def names_of(workspace_id: str) -> Subquery:
    """The documents of a workspace that are there: id and name of each, once.

    What was read of a file is a document, so that of all files ever given only the others count.
    """
    ready = select(documents.c.series_id, documents.c.filename).where(
        documents.c.workspace_id == workspace_id, documents.c.status == Status.READY.value
    )
    # As it stands in the condition of the index, which a parameter would not fit.
    is_unread = uploads.c.state != literal_column(f"'{UploadState.READY.value}'")
    given = select(uploads.c.series_id, uploads.c.filename).where(
        uploads.c.workspace_id == workspace_id, is_unread
    )
    return union(ready, given).subquery("names")


def shown(
    connection: Connection, workspace_id: str, names: Sequence[tuple[str, str]]
) -> tuple[Shown, ...]:
    """Documents, by id and name, with what is ready of them and what was given last."""
    ids = [key for key, _ in names]
    ready = select(*SHOWN).where(
        documents.c.workspace_id == workspace_id,
        documents.c.series_id.in_(ids),
        documents.c.status == Status.READY.value,
    )
    age = func.row_number().over(
        partition_by=uploads.c.series_id,
        order_by=(uploads.c.created_at.desc(), uploads.c.id.desc()),
    )
    given = (
        select(*UPLOAD_COLUMNS, age.label("age"))
        .where(uploads.c.workspace_id == workspace_id, uploads.c.series_id.in_(ids))
        .subquery()
    )
    latest = select(given).where(given.c.age == 1)
    documents_by_id = {
        row["id"]: stored_document(row) for row in connection.execute(ready).mappings()
    }
    uploads_by_id = {
        row["document_id"]: upload_of(row) for row in connection.execute(latest).mappings()
    }
    return tuple(
        Shown(key, name, documents_by_id.get(key), uploads_by_id.get(key)) for key, name in names
    )

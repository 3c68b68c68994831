"""Documents as a workspace shows them: files that were given, and the versions read from them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Subquery,
    Text,
    cast,
    collate,
    delete,
    func,
    insert,
    literal_column,
    select,
    union,
    update,
)

from veridical.errors import ConflictError
from veridical.ledger.ids import document_id
from veridical.sources.document import Document
from veridical.store.bulk import without_collector
from veridical.store.documents import (
    SHOWN,
    Status,
    StoredDocument,
    delete_versions,
    document_of_row,
    in_parts,
    put_version,
    set_status,
    version_of,
)
from veridical.store.engine import now
from veridical.store.jobs import Job, JobKind, add_job, cancel, kept_job
from veridical.store.paging import Order, Page, holds, page_of
from veridical.store.requests import empty_replies
from veridical.store.rows import columns_of, first, found, row_of
from veridical.store.tables import documents, jobs, upload_contents, uploads
from veridical.store.workspaces import Part, ensure_workspace

if TYPE_CHECKING:
    from veridical.ledger.citations import CitationResolution
    from veridical.retrieval.chunks import Chunk
    from veridical.retrieval.kept import Content


class UploadState(StrEnum):
    """What became of a file that was given."""

    WAITING = "waiting"
    READING = "reading"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
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
    state: UploadState = UploadState.WAITING
    message: str = ""
    version: int | None = None
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


_UPLOADS = select(*columns_of(Upload, uploads, document_id=uploads.c.series_id))

_OPEN = (UploadState.WAITING.value, UploadState.READING.value)


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
    ready = SHOWN.where(
        documents.c.workspace_id == workspace_id,
        documents.c.series_id.in_(ids),
        documents.c.status == Status.READY.value,
    )
    age = func.row_number().over(
        partition_by=uploads.c.series_id,
        order_by=(uploads.c.created_at.desc(), uploads.c.id.desc()),
    )
    given = (
        _UPLOADS.add_columns(age.label("age"))
        .where(uploads.c.workspace_id == workspace_id, uploads.c.series_id.in_(ids))
        .subquery()
    )
    latest = select(given).where(given.c.age == 1)
    documents_by_id = {one.id: one for one in found(connection, ready, StoredDocument)}
    uploads_by_id = {one.document_id: one for one in found(connection, latest, Upload)}
    return tuple(
        Shown(key, name, documents_by_id.get(key), uploads_by_id.get(key)) for key, name in names
    )


_IS_READY = documents.c.status == Status.READY.value


class Library(Part):
    """The documents of one workspace. A document is known by its name; its id stays the same over
    all versions, and is `Source.id` of ledgers.
    """

    def document_id(self, filename: str) -> str:
        """The id that a document of this name has or would have."""
        return document_id(filename, self._workspace)

    def add_upload(
        self, filename: str, media_type: str, content: bytes, *, id: str | None = None
    ) -> tuple[Upload, Job]:
        """Keep a file with the job that will read it, in one transaction.

        One that is there with the `id` is given as it is. Raises TooManyJobsError as `add_job`
        does.
        """
        upload = Upload(
            id=id or str(uuid4()),
            document_id=self.document_id(filename),
            filename=filename,
            media_type=media_type,
            size_bytes=len(content),
            sha256=hashlib.sha256(content).hexdigest(),
            job_id=str(uuid4()),
            created_at=now(),
        )
        values = {"series_id": upload.document_id, **row_of(upload, uploads)}

        def work(connection: Connection) -> tuple[Upload, Job]:
            kept = self._upload(connection, upload.id) if id else None
            if kept is not None:
                return kept, kept_job(connection, kept.job_id)
            place = ensure_workspace(connection, self._workspace)
            job = add_job(connection, place, JobKind.INGEST, upload.id, upload.job_id)
            connection.execute(insert(uploads).values(workspace_id=place, **values))
            # Not as values of the statement: it is remembered, with the first that it was given.
            row = {"upload_id": upload.id, "content": content}
            connection.execute(insert(upload_contents), row)
            return upload, job

        return self._database.write(work, upload.id)

    def upload(self, id: str) -> Upload | None:
        """A file that was given."""
        with self._reading("An uploaded file") as connection:
            return self._upload(connection, id)

    def upload_content(self, id: str) -> bytes | None:
        """The bytes of a file that was given."""
        query = (
            select(upload_contents.c.content)
            .join(uploads, uploads.c.id == upload_contents.c.upload_id)
            .where(self._here(uploads), uploads.c.id == id)
        )
        with self._reading("An uploaded file") as connection:
            return connection.execute(query).scalar()

    def file_of(self, document_id: str, version: int) -> Upload | None:
        """The file that a version was first read from."""
        if not _is_number(version):
            return None
        read = (uploads.c.state == UploadState.READY.value, uploads.c.version == version)
        here = (self._here(uploads), uploads.c.series_id == document_id)
        oldest = _UPLOADS.where(*here, *read).order_by(uploads.c.created_at, uploads.c.id).limit(1)
        with self._reading("An uploaded file") as connection:
            return first(connection, oldest, Upload)

    def put_read(self, upload_id: str, document: Document, chunks: tuple[Chunk, ...]) -> Upload:
        """Keep what was read from a file as a version, and the upload as ready: one transaction.

        Doing it again changes nothing. The document bears the name of the upload. A file that was
        given after this one stays what is shown, though this one was read later.

        Raises ConflictError where the file is not there any more, or its reading was ended.
        """
        given = self.upload(upload_id)
        if given is None:
            raise ConflictError("The file was taken away before it was read.")
        named = replace(document, name=given.filename)
        new = version_of(named, chunks, self._workspace)
        number = select(documents.c.version).where(documents.c.id == new.key).scalar_subquery()
        as_read = (
            update(uploads)
            .where(uploads.c.id == upload_id, uploads.c.state.in_(_OPEN))
            .values(state=UploadState.READY.value, message="", version=number)
        )

        def work(connection: Connection) -> Upload:
            upload = self._upload(connection, upload_id)
            if upload is not None and upload.state is UploadState.READY:
                return upload
            put_version(connection, new, self._workspace)
            connection.execute(as_read)
            show_last_given(connection, new.series)
            kept = self._upload(connection, upload_id)
            if kept is None or kept.state is not UploadState.READY:
                raise ConflictError("The file was taken away, or its reading ended, meanwhile.")
            return kept

        return self._database.write(work, new.series)

    def page(self, *, limit: int = 50, after: str | None = None, query: str = "") -> Page[Shown]:
        """Documents by name; `query` is part of the name, in any case. Those deleted are not
        there.
        """
        names = names_of(self._workspace_id)
        wanted = select(names)
        if query:
            wanted = wanted.where(holds(names.c.filename, query))
        # By code points, whatever the locale of the database.
        name: ColumnElement[Any] = names.c.filename
        if self._database.is_postgresql:
            name = collate(name, "C")
        order = Order((name.label("filename"), names.c.series_id))
        with self._reading("A document") as connection:
            page = page_of(connection, wanted, order, _name, limit=limit, after=after)
            return Page(shown(connection, self._workspace_id, page.items), page.next)

    def get(self, document_id: str) -> Shown | None:
        """One document."""
        names = names_of(self._workspace_id)
        query = select(names).where(names.c.series_id == document_id)
        with self._reading("A document") as connection:
            rows = [_name(row) for row in connection.execute(query).mappings()]
            return next(iter(shown(connection, self._workspace_id, rows)), None)

    def versions(self, document_id: str) -> tuple[StoredDocument, ...]:
        """All versions that can still be read, newest first."""
        query = SHOWN.where(*self._versions_of(document_id))
        newest_first = query.order_by(documents.c.version.desc())
        with self._reading("A document") as connection:
            return found(connection, newest_first, StoredDocument)

    def read(self, document_id: str, version: int | None = None) -> Document | None:
        """A version as it was ingested, the ready one without a number."""
        if not _is_number(version):
            return None
        wanted = _IS_READY if version is None else documents.c.version == version
        query = select(documents).where(*self._versions_of(document_id), wanted)
        with self._reading("A document") as connection:
            row = connection.execute(query).mappings().first()
            return None if row is None else document_of_row(row)

    def ready_versions(self, document_ids: Iterable[str]) -> dict[str, tuple[int, str]]:
        """Number and SHA-256 of the text of the ready version of each document that has one, by
        id: one query for many of them.
        """
        table = documents.c
        ready = select(table.series_id, table.version, table.sha256).where(
            self._here(documents), _IS_READY
        )
        with self._reading("A document") as connection:
            return {
                key: (version, sha256)
                for some in in_parts(document_ids)
                for key, version, sha256 in connection.execute(
                    ready.where(table.series_id.in_(some))
                )
            }

    def delete(self, document_id: str) -> bool:
        """Take a document away with its files, in all versions. Ledgers keep what they quote."""
        given = (self._here(uploads), uploads.c.series_id == document_id)

        def work(connection: Connection) -> bool:
            of_files = jobs.c.subject_id.in_(select(uploads.c.id).where(*given))
            cancel(connection, self._here(jobs), of_files)
            files = connection.execute(delete(uploads).where(*given)).rowcount
            empty_replies(connection, self._workspace_id, document_id)
            kept = select(documents.c.id).where(*self._versions_of(document_id)).limit(1)
            has_versions = connection.execute(kept).first() is not None
            return (has_versions and delete_versions(connection, document_id)) or files > 0

        return self._database.write(work, document_id)

    def state(self) -> tuple[tuple[str, str], ...]:
        """(document id, fingerprint) of all ready documents, by name: what a corpus is made of.
        Cheap, so that it can be asked before each use of one.
        """
        table = documents.c
        here = (self._here(documents), _IS_READY)
        # Asked for together, SQLite would walk through the text that stands between the two.
        prints, names = (
            select(*columns).where(*here)
            for columns in ((table.series_id, table.fingerprint), (table.filename, table.series_id))
        )
        with self._reading("The list of documents") as connection:
            print_of = dict(map(tuple, connection.execute(prints)))
            in_order = sorted(map(tuple, connection.execute(names)))
            return tuple((key, print_of[key]) for _, key in in_order)

    def state_mark(self) -> str:
        """What changes whenever `state` does, and costs a twentieth of it: for whoever asks before
        each use. It may change though `state` stays the same.
        """
        both = cast(documents.c.series_id, Text) + documents.c.fingerprint
        here = (self._here(documents), _IS_READY)
        query = select(func.aggregate_strings(both, ",")).where(*here)
        with self._database.glancing() as connection:
            return connection.execute(query).scalar() or ""

    def contents(self, document_ids: tuple[str, ...] | None = None) -> tuple[Content, ...]:
        """Ready documents with their chunks, by name; all, or those of these ids."""
        from veridical.store.contents import ready_contents

        with self._reading("A document") as connection, without_collector():
            return ready_contents(connection, self._workspace_id, document_ids)

    def cited(self, anchor: str) -> CitationResolution:
        """The chunk of a ready document that a citation anchor points to.

        A superseded or deleted one does not resolve. Where chunks of different content begin
        alike, none resolves, and the first of them are the candidates.
        Raises ValidationError for what is no anchor: 8 to 64 hex digits.
        """
        from veridical.store.contents import resolve_citation  # loads what chunks are made of

        with self._reading("A chunk") as connection:
            return resolve_citation(connection, anchor, self._workspace_id)

    def _versions_of(self, document_id: str) -> tuple[ColumnElement[bool], ...]:
        return (
            self._here(documents),
            documents.c.series_id == document_id,
            documents.c.status != Status.DELETED.value,
        )

    def _upload(self, connection: Connection, id: str) -> Upload | None:
        here = (self._here(uploads), uploads.c.id == id)
        return first(connection, _UPLOADS.where(*here), Upload)


def _name(row: RowMapping) -> tuple[str, str]:
    return row["series_id"], row["filename"]


def _is_number(version: int | None) -> bool:
    """Whether a column of versions can hold it."""
    return version is None or 0 < version < 2**31

"""Ledgers that were written out: where they went, and the files made for downloading."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)

from veridical.errors import ConflictError
from veridical.store.engine import now
from veridical.store.jobs import Job, JobKind, JobState, add_job, cancel, kept_job
from veridical.store.ledgers import session_lock
from veridical.store.rows import columns_of, first, found, row_of
from veridical.store.tables import (
    documents,
    entry_reviews,
    export_contents,
    export_files,
    exports,
    inquiries,
    jobs,
)
from veridical.store.workspaces import Part


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportFile:
    """A ledger as a file to download, or to be made. `state` is that of its job (`done` once the
    bytes are there). After `expires_at` it is gone.
    """

    id: str
    session_id: str
    format: str
    filename: str = ""
    media_type: str = ""
    state: str = JobState.WAITING.value
    message: str = ""
    sha256: str = ""
    size_bytes: int = 0
    job_id: str
    created_at: datetime
    expires_at: datetime


class ExportFiles(Part):
    """The export files of one workspace."""

    def add(
        self, session_id: str, format: str, *, seconds: float, id: str | None = None
    ) -> tuple[ExportFile, Job] | None:
        """Keep that one is wanted, with the job that will make it; None where the session has no
        ledger. It expires `seconds` from now.

        One that is there of the same ledger with the same reviews, or that has the `id`, serves
        again, and expires `seconds` from now; unless a document was read since it was asked for:
        an export tells which sources have a newer version. Raises TooManyJobsError as `add_job`
        does.
        """
        moment = now()
        expires = moment + timedelta(seconds=seconds)
        place = self._workspace_id

        def work(connection: Connection) -> tuple[ExportFile, Job] | None:
            shown = self._shown(connection, session_id)
            if shown is None:
                return None
            kept = self._usable(connection, session_id, format, shown, id)
            if kept is not None:
                later = update(export_files).where(export_files.c.id == kept)
                connection.execute(later.values(expires_at=expires))
                (file,) = found(connection, _WHOLE.where(export_files.c.id == kept), ExportFile)
                return file, kept_job(connection, file.job_id)
            file = ExportFile(
                id=id or str(uuid4()),
                session_id=session_id,
                format=format,
                job_id=str(uuid4()),
                created_at=moment,
                expires_at=expires,
            )
            job = add_job(connection, place, JobKind.EXPORT, file.id, file.job_id)
            connection.execute(delete(export_files).where(*self._one(file.id)))
            asked_of = {"ledger_key": shown.ledger_key, "reviews": shown.reviews}
            row = {"workspace_id": place, **asked_of, **row_of(file, export_files)}
            connection.execute(insert(export_files).values(row))
            return file, job

        return self._database.write(work, session_lock(place, session_id))

    def get(self, id: str) -> ExportFile | None:
        """One that has not expired."""
        with self._database.reading("An export file") as connection:
            return self._get(connection, id)

    def content(self, id: str) -> bytes | None:
        """Its bytes, once made and until it expires."""
        query = (
            select(export_contents.c.content)
            .join(export_files, export_files.c.id == export_contents.c.export_id)
            .where(*self._good(id))
        )
        with self._database.reading("An export file") as connection:
            return connection.execute(query).scalar()

    def finish(self, id: str, content: bytes, *, filename: str, media_type: str) -> ExportFile:
        """Keep its bytes, and note the export in `exports`, in one transaction. Again changes
        nothing.

        Raises ConflictError where it expired, was taken away, or its making was ended.
        """
        made: dict[str, Any] = {
            "filename": filename,
            "media_type": media_type,
            "sha256": hashlib.sha256(content).hexdigest(),
            "size_bytes": len(content),
        }

        def work(connection: Connection) -> ExportFile:
            file = self._get(connection, id)
            if file is not None and file.state == JobState.DONE.value:
                return file
            if file is None or JobState(file.state).is_over:
                raise ConflictError(_GONE)
            connection.execute(update(export_files).where(*self._good(id)).values(**made))
            kept = {"export_id": id, "content": content}
            connection.execute(insert(export_contents), kept)  # see `Library.add_upload`
            shown = self._shown(connection, file.session_id)
            if shown is None:
                raise ConflictError(_GONE)
            noted = {"format": file.format, "sha256": made["sha256"], "path": filename}
            row = insert(exports).values(id=id, session_id=shown.ledger_key, created_at=now())
            connection.execute(row.values(**noted))
            return self._get(connection, id) or file

        file = self.get(id)
        lock = id if file is None else session_lock(self._workspace_id, file.session_id)
        return self._database.write(work, lock)

    def _shown(self, connection: Connection, session_id: str) -> Row[Any, Any] | None:
        """What a session shows now: the row of `sessions`, and how many reviews it has. None where
        it shows no ledger.
        """
        reviews = (
            select(func.count())
            .select_from(entry_reviews)
            .where(
                self._here(entry_reviews),
                entry_reviews.c.session_id == session_id,
            )
        )
        query = select(inquiries.c.ledger_key, reviews.scalar_subquery().label("reviews")).where(
            self._here(inquiries),
            inquiries.c.id == session_id,
            inquiries.c.ledger_key.is_not(None),
        )
        return connection.execute(query).first()

    def _usable(
        self,
        connection: Connection,
        session_id: str,
        format: str,
        shown: Row[Any, Any],
        id: str | None,
    ) -> str | None:
        """The id of a file that was made, or is being made, of this state; or that has this id."""
        table = export_files.c
        alike = and_(
            table.session_id == session_id,
            table.format == format,
            table.ledger_key == shown.ledger_key,
            table.reviews == shown.reviews,
            ~self._read_since(table.created_at),
        )
        query = (
            select(table.id)
            .join(jobs, jobs.c.id == table.job_id)
            .where(
                self._here(export_files),
                table.expires_at > now(),
                jobs.c.state.in_(_USABLE),
                or_(alike, table.id == id) if id is not None else alike,
            )
            .order_by(table.created_at.desc(), table.id)
        )
        return connection.execute(query.limit(1)).scalar()

    def _read_since(self, moment: ColumnElement[Any]) -> ColumnElement[bool]:
        """Whether a version came after a moment, be it one that was there before and came back."""
        fresh = select(documents.c.id).where(
            self._here(documents), documents.c.created_at >= moment
        )
        read = select(jobs.c.id).where(
            self._here(jobs),
            jobs.c.kind == JobKind.INGEST.value,
            jobs.c.ended_at >= moment,
        )
        return or_(fresh.correlate(export_files).exists(), read.correlate(export_files).exists())

    def _one(self, id: str) -> tuple[ColumnElement[bool], ...]:
        return self._here(export_files), export_files.c.id == id

    def _good(self, id: str) -> tuple[ColumnElement[bool], ...]:
        return *self._one(id), export_files.c.expires_at > now()

    def _get(self, connection: Connection, id: str) -> ExportFile | None:
        return first(connection, _WHOLE.where(*self._good(id)), ExportFile)


def clear_expired(connection: Connection, most: int) -> int:
    """Take away files that expired, in all workspaces, at most so many; how many there were.

    The making of those that nobody can fetch any more is ended.
    """
    table = export_files.c
    old = select(table.id).where(table.expires_at <= now()).order_by(table.expires_at).limit(most)
    ids = list(connection.execute(old).scalars())
    cancel(connection, jobs.c.subject_id.in_(ids))
    connection.execute(delete(export_files).where(table.id.in_(ids)))
    return len(ids)


_GONE = "The export was taken away, or its making ended, meanwhile."
_IS_MADE = export_files.c.sha256 != ""
_WHOLE = select(
    *columns_of(
        ExportFile,
        export_files,
        state=case((_IS_MADE, JobState.DONE.value), else_=jobs.c.state),
        message=jobs.c.message,
    )
).join(jobs, jobs.c.id == export_files.c.job_id)
_USABLE = (JobState.WAITING.value, JobState.RUNNING.value, JobState.DONE.value)


@dataclass(frozen=True, slots=True)
class ExportRecord:
    """A ledger as it was written out: `sha256` is that of the bytes, `path` where they went.

    `revision` is that of the ledger that was written.
    """

    id: str
    format: str
    sha256: str
    path: str
    created_at: datetime
    revision: int

"""Checks of other kinds that were asked for: what was given, and what came of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any, Literal
from uuid import uuid4

from sqlalchemy import Connection, delete, insert, select, update

from veridical.errors import ConflictError
from veridical.store.engine import now
from veridical.store.jobs import Job, JobKind, add_job, cancel, kept_job
from veridical.store.paging import Order, Page, holds, page_of
from veridical.store.recordings import NewRecording, add_recording
from veridical.store.requests import empty_replies
from veridical.store.rows import ROWS, columns_of, first, row_of
from veridical.store.tables import jobs, records
from veridical.store.workspaces import Part, ensure_workspace


class RecordKind(StrEnum):
    """Of the same names as the kinds of their jobs."""

    VALIDATION = "validation"
    SPEECH = "speech"
    SCORECARD = "scorecard"
    EVALUATION = "evaluation"


class RecordState(StrEnum):
    """How far it is."""

    WAITING = "waiting"
    WORKING = "working"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """`request` is what was given and `result` what came of it, as JSON; `summary` is what lists
    show, small. `result` is None before it is ready. Lists leave `request` and `result` out
    (`{}` and None).
    """

    id: str
    kind: RecordKind
    title: str
    state: RecordState = RecordState.WAITING
    message: str = ""
    request: dict[str, Any] = field(default_factory=dict)
    result: dict[str, Any] | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    job_id: str
    created_by: str
    created_at: datetime


class Records(Part):
    """The records of one workspace."""

    def add(
        self,
        kind: RecordKind,
        title: str,
        request: dict[str, Any],
        *,
        by: str = "",
        id: str | None = None,
        recording: NewRecording | None = None,
    ) -> tuple[Record, Job]:
        """Keep one with the job that will do it, in one transaction.

        One that is there with the `id` is given as it is. Raises TooManyJobsError as `add_job`
        does.
        """
        record = Record(
            id=id or str(uuid4()),
            kind=kind,
            title=title,
            request=request,
            job_id=str(uuid4()),
            created_by=by,
            created_at=now(),
        )

        def work(connection: Connection) -> tuple[Record, Job]:
            kept = self._get(connection, record.id) if id else None
            if kept is not None:
                return kept, kept_job(connection, kept.job_id)
            place = ensure_workspace(connection, self._workspace)
            job = add_job(connection, place, JobKind(kind.value), record.id, record.job_id)
            row = {"workspace_id": place, **row_of(record, records)}
            connection.execute(insert(records).values(row))
            if recording is not None:
                add_recording(connection, place, record.id, recording)
            return record, job

        return self._database.write(work, record.id)

    def get(self, kind: RecordKind, id: str) -> Record | None:
        """One record, whole."""
        with self._reading("A record") as connection:
            record = self._get(connection, id)
            return record if record is not None and record.kind is kind else None

    def page(
        self, kind: RecordKind | None, *, limit: int = 50, after: str | None = None, query: str = ""
    ) -> Page[Record]:
        """Records of a kind, or of all, newest first, without what was given and what came of it;
        `query` is part of the title, in any case.
        """
        columns = [one for one in _COLUMNS if one.name not in _LARGE]
        wanted = select(*columns).where(self._here(records))
        if kind is not None:
            wanted = wanted.where(records.c.kind == kind.value)
        if query:
            wanted = wanted.where(holds(records.c.title, query))
        with self._reading("A record") as connection:
            return page_of(connection, wanted, _NEWEST, _record, limit=limit, after=after)

    def finish(self, id: str, result: dict[str, Any], summary: dict[str, Any]) -> Record:
        """Keep what came of it and mark it ready, at once. Again changes nothing.

        Raises ConflictError where the record is not there any more, or its work was ended.
        """

        def work(connection: Connection) -> Record:
            here = (self._here(records), records.c.id == id)
            unfinished = update(records).where(*here, records.c.state.in_(_OPEN))
            ready = {"state": RecordState.READY.value, "message": ""}
            connection.execute(unfinished.values(result=result, summary=summary, **ready))
            record = self._get(connection, id)
            if record is None or record.state is not RecordState.READY:
                raise ConflictError(_GONE)
            return record

        return self._database.write(work, id)

    def change(
        self,
        kind: RecordKind,
        id: str,
        part: Literal["request", "result"],
        change: Callable[[Any], Any],
    ) -> Record | None:
        """Keep what `change` makes of the request or the result of a record, which it is given;
        None where there is no such record. No other change comes between.
        """

        def work(connection: Connection) -> Record | None:
            record = self._get(connection, id)
            if record is None or record.kind is not kind:
                return None
            changed = {part: change(getattr(record, part))}
            connection.execute(
                update(records).where(self._here(records), records.c.id == id).values(changed)
            )
            return self._get(connection, id)

        return self._database.write(work, id)

    def delete(self, kind: RecordKind, id: str) -> bool:
        """Take it away. Work on it is cancelled."""
        here = (
            self._here(records),
            records.c.kind == kind.value,
            records.c.id == id,
        )

        def work(connection: Connection) -> bool:
            cancel(connection, jobs.c.subject_id.in_(select(records.c.id).where(*here)))
            gone = connection.execute(delete(records).where(*here)).rowcount > 0
            if gone:
                empty_replies(connection, self._workspace_id, id)
            return gone

        return self._database.write(work, id)

    def _get(self, connection: Connection, id: str) -> Record | None:
        query = select(*_COLUMNS).where(self._here(records), records.c.id == id)
        return first(connection, query, Record)


_COLUMNS = columns_of(Record, records)
_LARGE = ("request", "result")
"""What lists leave out."""
_OPEN = (RecordState.WAITING.value, RecordState.WORKING.value)
_NEWEST = Order((records.c.created_at, records.c.id), descending=True)
_GONE = "The record was taken away, or its work ended, meanwhile."
_record = partial(ROWS.read, Record)

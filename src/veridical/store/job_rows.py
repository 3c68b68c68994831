"""The rows of jobs, which several processes may change at once: a job that is over stays so.

Each change is one statement that says which state it starts from. What ends a job tells its
subject in the same transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Table,
    func,
    insert,
    select,
    update,
)

from veridical.errors import TooManyJobsError
from veridical.store.paging import Order
from veridical.store.service_tables import inquiries, jobs, records, uploads
from veridical.store.tables import workspaces
from veridical.store.unreadable import readable

# A piece of long work: what is to be done, how far it is, how it ended.


class JobKind(StrEnum):
    """What there is to do."""

    INGEST = "ingest"  # subject: an upload
    LEDGER = "ledger"  # subject: an inquiry
    EXPORT = "export"  # subject: an export file
    VALIDATION = "validation"  # subject: a record, here and below
    SPEECH = "speech"
    SCORECARD = "scorecard"
    EVALUATION = "evaluation"


class JobState(StrEnum):
    """How far it is. The last three are for good."""

    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"

    @property
    def is_over(self) -> bool:
        """Whether nothing more will happen."""
        return self in (JobState.DONE, JobState.FAILED, JobState.CANCELLED)


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work. `done` of `total` steps; `step` says what is being done, in a few words that
    hold no text of a document. `message` says why it failed. `revision` grows with every change of
    the row. `times_begun` counts processes that took it up.
    """

    id: str
    kind: JobKind
    subject_id: str
    state: JobState
    done: int
    total: int
    step: str
    message: str
    cancel_asked: bool
    times_begun: int
    revision: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


@dataclass(frozen=True, slots=True)
class OpenJob:
    """A job that is not over, with where it belongs: what whoever works on jobs sees."""

    job: Job
    workspace: str


@dataclass(frozen=True, slots=True)
class InLine:
    """A job that is not over, as far as it takes to say whose turn it is."""

    id: str
    kind: JobKind
    workspace_id: str


MOST_OPEN = 200
"""Jobs of one workspace that are not over."""

_COLUMNS = tuple(field.name for field in fields(Job))
IS_OPEN = jobs.c.state.in_((JobState.WAITING.value, JobState.RUNNING.value))
NEWEST = Order((jobs.c.created_at, jobs.c.id), descending=True)
BOARD = select(jobs, workspaces.c.name.label("workspace")).join(
    workspaces, workspaces.c.id == jobs.c.workspace_id
)

_FINAL = ("ready", "failed", "cancelled")
_SUBJECT_STATES = {
    JobState.RUNNING: "working",
    JobState.DONE: "ready",
    JobState.FAILED: "failed",
    JobState.CANCELLED: "cancelled",
}
"""How a subject that is not an upload calls the states of its job."""


def add_job(connection: Connection, place: str, kind: JobKind, subject: str, job_id: str) -> Job:
    """Write the job of a subject, as part of the transaction that writes that.

    Raises TooManyJobsError where the workspace has `MOST_OPEN` that are not over.
    """
    _require_room(connection, place)
    job = Job(
        id=job_id,
        kind=kind,
        subject_id=subject,
        state=JobState.WAITING,
        done=0,
        total=0,
        step="",
        message="",
        cancel_asked=False,
        times_begun=0,
        revision=1,
        created_at=now(),
        started_at=None,
        ended_at=None,
    )
    values = {name: getattr(job, name) for name in _COLUMNS}
    values |= {"kind": kind.value, "state": job.state.value, "workspace_id": place}
    connection.execute(insert(jobs).values(**values))
    return job


def kept_job(connection: Connection, id: str) -> Job:
    """The job of a subject that is there, and so is the job while anyone may ask for it again."""
    with readable(f"The job {id}"):
        return job_of(connection.execute(select(jobs).where(jobs.c.id == id)).mappings().one())


def _require_room(connection: Connection, place: str) -> None:
    count = select(func.count()).select_from(jobs).where(jobs.c.workspace_id == place, IS_OPEN)
    if connection.execute(count).scalar_one() >= MOST_OPEN:
        raise TooManyJobsError(
            f"{MOST_OPEN} jobs of this workspace are waiting or under way, and more are not taken. "
            "Try again when some are done."
        )


def cancel(connection: Connection, *which: ColumnElement[bool]) -> None:
    """Cancel those of some jobs that are not over, for good, as part of a transaction."""
    end(connection, which, JobState.CANCELLED, "")


def change(connection: Connection, *which: ColumnElement[bool], **values: Any) -> int:
    """Change the rows of some jobs; how many there were."""
    query = update(jobs).where(*which).values(revision=jobs.c.revision + 1, **values)
    return connection.execute(query).rowcount


def end(
    connection: Connection, which: Sequence[ColumnElement[bool]], state: JobState, message: str
) -> None:
    """End those of some jobs that are not over, and tell their subjects."""
    values: dict[str, Any] = {"state": state.value, "message": message, "ended_at": now()}
    if state is JobState.DONE:
        values["done"] = jobs.c.total
    ended = update(jobs).where(*which, IS_OPEN).values(revision=jobs.c.revision + 1, **values)
    for row in connection.execute(ended.returning(jobs)).mappings().all():
        tell_subject(connection, row)


def tell_subject(connection: Connection, job: RowMapping) -> None:
    """Give the subject of a job the state of it, unless it has one for good.

    An export file has no state of its own.
    """
    kind, state = JobKind(job["kind"]), JobState(job["state"])
    if kind is JobKind.EXPORT:
        return
    told = "reading" if (kind, state) == (JobKind.INGEST, JobState.RUNNING) else ""
    table = _subjects(kind)
    connection.execute(
        update(table)
        .where(
            table.c.id == job["subject_id"],
            table.c.workspace_id == job["workspace_id"],
            table.c.state.not_in(_FINAL),
        )
        .values(state=told or _SUBJECT_STATES[state], message=job["message"])
    )


def _subjects(kind: JobKind) -> Table:
    if kind is JobKind.INGEST:
        return uploads
    return inquiries if kind is JobKind.LEDGER else records


def on_board(connection: Connection, id: str) -> OpenJob | None:
    """A job with where it belongs."""
    with readable(f"The job {id}"):
        row = connection.execute(BOARD.where(jobs.c.id == id)).mappings().first()
        return None if row is None else open_job_of(row)


def open_job_of(row: RowMapping) -> OpenJob:
    """A row of `BOARD`."""
    return OpenJob(job_of(row), row["workspace"])


def job_of(row: RowMapping) -> Job:
    """A row of `jobs`."""
    values = {name: row[name] for name in _COLUMNS}
    return Job(**{**values, "kind": JobKind(row["kind"]), "state": JobState(row["state"])})


def now() -> datetime:
    """The present moment, as every row of the service has it."""
    return datetime.now(UTC)

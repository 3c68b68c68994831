"""Long work that was asked for, and its rows, which several processes may change at once.

A job that is over stays so: each change is one statement that says which state it starts from. What
ends a job tells its subject in the same transaction.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    Select,
    Table,
    case,
    delete,
    func,
    insert,
    select,
    update,
)

from veridical.errors import TooManyJobsError
from veridical.ledger.ids import content_id
from veridical.store.engine import Database, now
from veridical.store.failures import readable
from veridical.store.paging import Order, Page, page_of
from veridical.store.rows import ROWS, columns_of, first, found, row_of
from veridical.store.tables import inquiries, job_steps, jobs, records, uploads, workspaces
from veridical.store.workspaces import Part

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A piece of work. `done` of `total` steps; `step` says what is being done, in a few words that
    hold no text of a document. `message` says why it failed. `revision` grows with every change of
    the row. `times_begun` counts processes that took it up.
    """

    id: str
    kind: JobKind
    subject_id: str
    state: JobState = JobState.WAITING
    done: int = 0
    total: int = 0
    step: str = ""
    message: str = ""
    cancel_asked: bool = False
    times_begun: int = 0
    revision: int = 1
    created_at: datetime
    started_at: datetime | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class OpenJob:
    """A job that is not over, with where it belongs: what whoever works on jobs sees."""

    job: Job
    workspace: str


@dataclass(frozen=True, slots=True)
class InLine:
    """A job that is not over, as far as it takes to say whose turn it is. `worker` is the process
    that has it at work, None for none, and `beat` grows as long as that lives.
    """

    id: str
    kind: JobKind
    workspace_id: str
    worker: str | None = None
    beat: int = 0


MOST_OPEN = 200
"""Jobs of one workspace that are not over."""

IS_OPEN = jobs.c.state.in_((JobState.WAITING.value, JobState.RUNNING.value))
NEWEST = Order((jobs.c.created_at, jobs.c.id), descending=True)
BOARD = select(jobs, workspaces.c.name.label("workspace")).join(
    workspaces, workspaces.c.id == jobs.c.workspace_id
)

_SUBJECTS: dict[JobKind, Table] = {JobKind.INGEST: uploads, JobKind.LEDGER: inquiries}
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
    job = Job(id=job_id, kind=kind, subject_id=subject, created_at=now())
    connection.execute(insert(jobs).values(workspace_id=place, **row_of(job, jobs)))
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
    """End those of some jobs that are not over, and tell their subjects. What was kept of their
    steps is not needed any more.
    """
    values: dict[str, Any] = {"state": state.value, "message": message, "ended_at": now()}
    if state is JobState.DONE:
        values["done"] = jobs.c.total
    ended = update(jobs).where(*which, IS_OPEN).values(revision=jobs.c.revision + 1, **values)
    for row in connection.execute(ended.returning(jobs)).mappings().all():
        tell_subject(connection, row)
        connection.execute(delete(job_steps).where(job_steps.c.job_id == row["id"]))


def tell_subject(connection: Connection, job: RowMapping) -> None:
    """Give the subject of a job the state of it, unless it has one for good.

    An export file has no state of its own.
    """
    kind, state = JobKind(job["kind"]), JobState(job["state"])
    if kind is JobKind.EXPORT:
        return
    told = "reading" if (kind, state) == (JobKind.INGEST, JobState.RUNNING) else ""
    table = _SUBJECTS.get(kind, records)
    connection.execute(
        update(table)
        .where(
            table.c.id == job["subject_id"],
            table.c.workspace_id == job["workspace_id"],
            table.c.state.not_in(_FINAL),
        )
        .values(state=told or _SUBJECT_STATES[state], message=job["message"])
    )


def on_board(connection: Connection, id: str) -> OpenJob | None:
    """A job with where it belongs."""
    with readable(f"The job {id}"):
        row = connection.execute(BOARD.where(jobs.c.id == id)).mappings().first()
        return None if row is None else open_job_of(row)


def open_job_of(row: RowMapping) -> OpenJob:
    """A row of `BOARD`."""
    return OpenJob(job_of(row), row["workspace"])


job_of = partial(ROWS.read, Job)
"""The job of a row of `jobs`."""


class Jobs(Part):
    """The jobs of one workspace. Those who add a subject (an upload, an inquiry, …) add its job in
    the same transaction: no subject waits for a job that was never written.
    """

    def get(self, id: str) -> Job | None:
        """The job of an id."""
        with self._database.reading(f"The job {id}") as connection:
            return first(connection, self._all().where(jobs.c.id == id), Job)

    def page(
        self, *, limit: int = 50, after: str | None = None, active_only: bool = False
    ) -> Page[Job]:
        """Jobs, newest first."""
        query = self._all()
        if active_only:
            query = query.where(IS_OPEN)
        with self._database.reading("The list of jobs") as connection:
            return page_of(connection, query, NEWEST, job_of, limit=limit, after=after)

    def ask_to_cancel(self, id: str) -> Job | None:
        """Have a job end early. One that nobody began is cancelled at once; one that is over stays
        as it is.
        """
        here = (jobs.c.id == id, self._here(jobs))

        def work(connection: Connection) -> Job | None:
            cancel(connection, *here, jobs.c.state == JobState.WAITING.value)
            running = (jobs.c.state == JobState.RUNNING.value, ~jobs.c.cancel_asked)
            change(connection, *here, *running, cancel_asked=True)
            return first(connection, select(jobs).where(*here), Job)

        return self._database.write(work, id)

    def steps(self, id: str, beginning: str) -> tuple[str, ...]:
        """What those steps of a job gave whose names begin so, in the order of their names."""
        names = job_steps.c.name
        of_job = select(job_steps.c.output).join(jobs, jobs.c.id == job_steps.c.job_id)
        here = (jobs.c.id == id, self._here(jobs), names.startswith(beginning, autoescape=True))
        with self._database.reading(f"The job {id}") as connection:
            return tuple(connection.execute(of_job.where(*here).order_by(names)).scalars())

    def _all(self) -> Select[Any]:
        return select(jobs).where(self._here(jobs))


def _job(id: str, worker: str | None) -> list[ColumnElement[bool]]:
    """One job; where a worker is given, only as long as that has it at work."""
    return [jobs.c.id == id] if worker is None else [jobs.c.id == id, jobs.c.worker == worker]


def _held(worker: str, ids: Collection[str]) -> tuple[ColumnElement[bool], ...]:
    """The jobs that a process has at work, of some."""
    return jobs.c.id.in_(ids), jobs.c.worker == worker, IS_OPEN


def _lock(worker: str) -> str:
    return content_id("worker", worker)


def _step(id: str, name: str) -> Select[Any]:
    return select(job_steps.c.output).where(job_steps.c.job_id == id, job_steps.c.name == name)


class JobBoard:
    """The jobs of all workspaces, for whoever works on them. Never handed to a request."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def being_served(self) -> AbstractContextManager[None]:
        """Tells as long as it lasts that a service works with the database: see `being_served`."""
        from veridical.store.served import being_served

        return being_served(self._database)

    def open_jobs(self, limit: int = 1_000) -> Sequence[OpenJob]:
        """What is waiting or running, oldest first."""
        query = BOARD.where(IS_OPEN).order_by(jobs.c.created_at, jobs.c.id).limit(limit)
        with self._database.reading("The list of jobs") as connection:
            return tuple(map(open_job_of, connection.execute(query).mappings()))

    def line(self, limit: int = 1_000) -> Sequence[InLine]:
        """What is waiting or running: the first of each workspace, then the second, and so on,
        those under way before those that wait. However much one workspace has asked for, the others
        are among the first.
        """
        order = (jobs.c.state != JobState.RUNNING.value, jobs.c.created_at, jobs.c.id)
        is_export = jobs.c.kind == JobKind.EXPORT.value
        turn = func.row_number().over(partition_by=(jobs.c.workspace_id, is_export), order_by=order)
        query = select(*columns_of(InLine, jobs)).where(IS_OPEN)
        in_turn = query.order_by(turn, jobs.c.created_at, jobs.c.id).limit(limit)
        with self._database.reading("The list of jobs") as connection:
            return found(connection, in_turn, InLine)

    def get(self, id: str) -> OpenJob | None:
        """A job, over or not."""
        with self._database.reading() as connection:
            return on_board(connection, id)

    def begin(self, id: str, worker: str | None = None, beat: int | None = None) -> OpenJob | None:
        """Mark it running and count `times_begun`; None where it is over or was cancelled, and
        where it is not of this `beat` any more: somebody else took it, or is alive after all.

        One that was asked to end while nobody worked on it is cancelled now.
        """
        moment = now()
        wanted = [jobs.c.id == id] if beat is None else [jobs.c.id == id, jobs.c.beat == beat]

        def work(connection: Connection) -> OpenJob | None:
            cancel(connection, *wanted, jobs.c.cancel_asked)
            begun = {
                "state": JobState.RUNNING.value,
                "times_begun": jobs.c.times_begun + 1,
                "started_at": case((jobs.c.started_at.is_(None), moment), else_=jobs.c.started_at),
                "worker": worker,
                "beat": jobs.c.beat + 1,
            }
            if not change(connection, *wanted, IS_OPEN, **begun):
                return None
            row = connection.execute(select(jobs).where(jobs.c.id == id)).mappings().one()
            tell_subject(connection, row)
            return on_board(connection, id)

        return self._database.write(work, id)

    def beat(self, worker: str, ids: Collection[str]) -> dict[str, bool]:
        """Show that a process lives that has these jobs at work: which of them it still has, and
        whether each was asked to end. The others are over, or were taken up by another process.
        """
        alive = update(jobs).where(*_held(worker, ids)).values(beat=jobs.c.beat + 1)
        query = alive.returning(jobs.c.id, jobs.c.cancel_asked)
        return self._database.write(
            lambda connection: dict(map(tuple, connection.execute(query))), _lock(worker)
        )

    def hand_back(self, worker: str, ids: Collection[str]) -> None:
        """Let others take up at once what a process leaves undone."""
        left = update(jobs).where(*_held(worker, ids)).values(worker=None, beat=jobs.c.beat + 1)
        self._database.write(lambda connection: connection.execute(left), _lock(worker))

    def kept_step(self, id: str, name: str) -> str | None:
        """What a step of a job gave, where that was kept."""
        with self._database.reading(f"The job {id}") as connection:
            return connection.execute(_step(id, name)).scalar()

    def keep_step(self, id: str, name: str, output: str) -> str:
        """Keep what a step of a job gave, as long as the job is not over. What was kept first
        stays, and is returned.
        """

        def work(connection: Connection) -> str:
            kept: str | None = connection.execute(_step(id, name)).scalar()
            if kept is not None:
                return kept
            # Locked: whoever ends the job meanwhile takes away what is kept here, too.
            is_open = select(jobs.c.id).where(jobs.c.id == id, IS_OPEN).with_for_update()
            if connection.execute(is_open).first() is not None:
                step = insert(job_steps).values(job_id=id, name=name, output=output)
                connection.execute(step)
            return output

        return self._database.write(work, id)

    def progress(
        self, id: str, done: int, total: int, step: str, worker: str | None = None
    ) -> bool:
        """Note how far it is; False where it was asked to end, is over, or is not at work with the
        `worker` that is given.
        """
        goes_on = (jobs.c.state == JobState.RUNNING.value, ~jobs.c.cancel_asked)
        values = {"done": done, "total": total, "step": step}

        def work(connection: Connection) -> bool:
            return change(connection, *_job(id, worker), *goes_on, **values) > 0

        return self._database.write(work, id)

    def end(
        self, id: str, state: JobState, message: str = "", worker: str | None = None
    ) -> Job | None:
        """End it for good; its subject takes on the state (failed and cancelled with `message`).
        One that is over stays as it is, so that ending twice does no harm, and so does one that is
        not at work any more with the `worker` that is given.
        """
        if not state.is_over:
            raise ValueError(f"a job does not end as {state}")

        def work(connection: Connection) -> Job | None:
            end(connection, _job(id, worker), state, message)
            ended = on_board(connection, id)
            return None if ended is None else ended.job

        return self._database.write(work, id)

"""Long work that was asked for, as a workspace and those who work on it see it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Select, case, func, select

from veridical.store.engine import Database
from veridical.store.job_rows import (
    BOARD,
    IS_OPEN,
    NEWEST,
    InLine,
    Job,
    JobKind,
    JobState,
    OpenJob,
    cancel,
    change,
    end,
    job_of,
    now,
    on_board,
    open_job_of,
    tell_subject,
)
from veridical.store.paging import Page, is_id, page_of
from veridical.store.service_tables import jobs
from veridical.store.unreadable import readable

__all__ = ["InLine", "Job", "JobBoard", "JobKind", "JobState", "Jobs", "OpenJob"]


class Jobs:
    """The jobs of one workspace. Those who add a subject (an upload, an inquiry, …) add its job in
    the same transaction: no subject waits for a job that was never written.
    """

    def __init__(self, database: Database, workspace_id: str) -> None:
        self._database = database
        self._workspace_id = workspace_id

    def get(self, id: str) -> Job | None:
        """The job of an id."""
        if not is_id(id):
            return None
        with self._database.reading() as connection, readable(f"The job {id}"):
            row = connection.execute(self._all().where(jobs.c.id == id)).mappings().first()
            return None if row is None else job_of(row)

    def page(
        self, *, limit: int = 50, after: str | None = None, active_only: bool = False
    ) -> Page[Job]:
        """Jobs, newest first."""
        query = self._all()
        if active_only:
            query = query.where(IS_OPEN)
        with self._database.reading() as connection, readable("The list of jobs"):
            return page_of(connection, query, NEWEST, job_of, limit=limit, after=after)

    def ask_to_cancel(self, id: str) -> Job | None:
        """Have a job end early. One that nobody began is cancelled at once; one that is over stays
        as it is.
        """
        if not is_id(id):
            return None
        here = (jobs.c.id == id, jobs.c.workspace_id == self._workspace_id)

        def work(connection: Connection) -> Job | None:
            cancel(connection, *here, jobs.c.state == JobState.WAITING.value)
            running = (jobs.c.state == JobState.RUNNING.value, ~jobs.c.cancel_asked)
            change(connection, *here, *running, cancel_asked=True)
            row = connection.execute(select(jobs).where(*here)).mappings().first()
            return None if row is None else job_of(row)

        return self._database.write(work, id)

    def _all(self) -> Select[Any]:
        return select(jobs).where(jobs.c.workspace_id == self._workspace_id)


class JobBoard:
    """The jobs of all workspaces, for whoever works on them. Never handed to a request."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def open_jobs(self, limit: int = 1_000) -> Sequence[OpenJob]:
        """What is waiting or running, oldest first."""
        query = BOARD.where(IS_OPEN).order_by(jobs.c.created_at, jobs.c.id).limit(limit)
        with self._database.reading() as connection, readable("The list of jobs"):
            return tuple(map(open_job_of, connection.execute(query).mappings()))

    def line(self, limit: int = 1_000) -> Sequence[InLine]:
        """What is waiting or running: the first of each workspace, then the second, and so on,
        those under way before those that wait. However much one workspace has asked for, the others
        are among the first.
        """
        order = (jobs.c.state != JobState.RUNNING.value, jobs.c.created_at, jobs.c.id)
        is_export = jobs.c.kind == JobKind.EXPORT.value
        turn = func.row_number().over(partition_by=(jobs.c.workspace_id, is_export), order_by=order)
        columns = (jobs.c.id, jobs.c.kind, jobs.c.workspace_id)
        query = select(*columns).where(IS_OPEN).order_by(turn, jobs.c.created_at, jobs.c.id)
        with self._database.reading() as connection, readable("The list of jobs"):
            rows = connection.execute(query.limit(limit))
            return tuple(InLine(key, JobKind(kind), place) for key, kind, place in rows)

    def get(self, id: str) -> OpenJob | None:
        """A job, over or not."""
        if not is_id(id):
            return None
        with self._database.reading() as connection:
            return on_board(connection, id)

    def begin(self, id: str) -> OpenJob | None:
        """Mark it running and count `times_begun`; None where it is over or was cancelled.

        One that was asked to end while nobody worked on it is cancelled now.
        """
        if not is_id(id):
            return None
        moment = now()

        def work(connection: Connection) -> OpenJob | None:
            cancel(connection, jobs.c.id == id, jobs.c.cancel_asked)
            begun = {
                "state": JobState.RUNNING.value,
                "times_begun": jobs.c.times_begun + 1,
                "started_at": case((jobs.c.started_at.is_(None), moment), else_=jobs.c.started_at),
            }
            if not change(connection, jobs.c.id == id, IS_OPEN, **begun):
                return None
            row = connection.execute(select(jobs).where(jobs.c.id == id)).mappings().one()
            tell_subject(connection, row)
            return on_board(connection, id)

        return self._database.write(work, id)

    def progress(self, id: str, done: int, total: int, step: str) -> bool:
        """Note how far it is; False where it was asked to end, or is over."""
        if not is_id(id):
            return False
        goes_on = (jobs.c.state == JobState.RUNNING.value, ~jobs.c.cancel_asked)
        values = {"done": done, "total": total, "step": step}

        def work(connection: Connection) -> bool:
            return change(connection, jobs.c.id == id, *goes_on, **values) > 0

        return self._database.write(work, id)

    def end(self, id: str, state: JobState, message: str = "") -> Job | None:
        """End it for good; its subject takes on the state (failed and cancelled with `message`).
        One that is over stays as it is, so that ending twice does no harm.
        """
        if not state.is_over:
            raise ValueError(f"a job does not end as {state}")
        if not is_id(id):
            return None

        def work(connection: Connection) -> Job | None:
            end(connection, (jobs.c.id == id,), state, message)
            found = on_board(connection, id)
            return None if found is None else found.job

        return self._database.write(work, id)

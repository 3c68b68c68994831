"""Questions that were asked, and answers that were given to be verified: the sessions of the API.

The id of an inquiry is `session_id` of the ledgers that come of it. A ledger that the command line
saved has an inquiry too, made when it was saved.
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from sqlalchemy import ColumnElement, Connection, delete, or_, select, update

from veridical.errors import ConflictError, StoreError
from veridical.ledger.entry import EvidenceLedger
from veridical.store.bulk import without_collector
from veridical.store.engine import Database
from veridical.store.inquiry_rows import (
    LISTED,
    NEWEST,
    OPEN,
    WHOLE,
    Inquiry,
    InquiryState,
    Mode,
    inquiry_of,
    later_of,
    show_ledger,
    with_details,
    with_later,
    write_inquiry,
)
from veridical.store.job_rows import add_job, cancel, kept_job, now
from veridical.store.jobs import Job, JobKind
from veridical.store.ledger_saving import put_ledger, session_lock
from veridical.store.paging import Page, is_id, page_of
from veridical.store.requests import empty_replies
from veridical.store.rows import require_storable, seal_head
from veridical.store.search import holds
from veridical.store.service_tables import export_files, inquiries, jobs
from veridical.store.tables import sessions
from veridical.store.unreadable import reading
from veridical.store.workspaces import ensure_workspace

__all__ = ["Inquiries", "Inquiry", "InquiryState", "Mode"]

_GONE = "The session was taken away, or its work ended, meanwhile."


class Inquiries:
    """The inquiries of one workspace."""

    def __init__(self, database: Database, workspace: str, workspace_id: str) -> None:
        self._database = database
        self._workspace = workspace
        self._workspace_id = workspace_id

    def add(
        self,
        mode: Mode,
        query: str,
        *,
        answer: str = "",
        title: str = "",
        by: str = "",
        id: str | None = None,
        earlier: str | None = None,
    ) -> tuple[Inquiry, Job]:
        """Keep one with the job that will answer it and build its ledger. `by` is who asked;
        `earlier` is the session that it checks again, and each then leads to the other.

        One that is there with the `id` is given as it is. Raises TooManyJobsError as `add_job`
        does.
        """
        inquiry = Inquiry(
            id=id or str(uuid4()),
            mode=mode,
            title=title,
            query=query,
            answer=answer,
            state=InquiryState.WAITING,
            message="",
            details=None,
            ledger_id=None,
            revision=None,
            summary=None,
            risks=0,
            job_id=str(uuid4()),
            created_by=by,
            created_at=now(),
            earlier_id=earlier,
        )

        def work(connection: Connection) -> tuple[Inquiry, Job]:
            kept = self._get(connection, inquiry.id) if id else None
            if kept is not None:
                return kept, kept_job(connection, str(kept.job_id))
            place = ensure_workspace(connection, self._workspace)
            job = add_job(connection, place, JobKind.LEDGER, inquiry.id, str(inquiry.job_id))
            write_inquiry(connection, place, inquiry)
            if earlier is not None:
                details = with_later(self._details(connection, earlier), inquiry.id)
                row = update(inquiries).where(*self._one(earlier))
                connection.execute(row.values(details=details))
            return inquiry, job

        return self._database.write(work, self._lock(earlier) if earlier else inquiry.id)

    def get(self, id: str) -> Inquiry | None:
        """One inquiry, by its full id."""
        if not is_id(id):
            return None
        with reading(self._database, self._some()) as connection:
            return self._get(connection, id)

    def again(self, id: str) -> tuple[Inquiry, ...]:
        """The sessions that checked this one again and are still there, newest first, as in a list.

        Only the last ones are known.
        """
        if not is_id(id):
            return ()
        with reading(self._database, self._some()) as connection:
            ids = later_of(self._details(connection, id))
            if not ids:
                return ()
            here = (inquiries.c.workspace_id == self._workspace_id, inquiries.c.id.in_(ids))
            newest = LISTED.where(*here).order_by(inquiries.c.created_at.desc(), inquiries.c.id)
            return tuple(map(inquiry_of, connection.execute(newest).mappings()))

    def page(self, *, limit: int = 50, after: str | None = None, query: str = "") -> Page[Inquiry]:
        """Inquiries, newest first, without what was answered; `query` is part of the title or the
        question, in any case.
        """
        wanted = LISTED.where(inquiries.c.workspace_id == self._workspace_id)
        if query:
            wanted = wanted.where(
                or_(holds(inquiries.c.title, query), holds(inquiries.c.query, query))
            )
        with reading(self._database, self._some()) as connection:
            return page_of(connection, wanted, NEWEST, inquiry_of, limit=limit, after=after)

    def keep_answer(self, id: str, answer: str, details: dict[str, Any]) -> Inquiry:
        """Keep what was answered, before the ledger of it is built. A second time changes nothing:
        the answer that was kept first stays, and is returned.

        Raises ConflictError where the inquiry is not there any more, or its work was ended.
        """
        if not is_id(id):
            raise ConflictError(_GONE)

        def work(connection: Connection) -> Inquiry:
            kept = self._get(connection, id)
            if kept is None:
                raise ConflictError(_GONE)
            if kept.details is not None:
                return kept
            all_details = with_details(self._details(connection, id), details)
            is_open = inquiries.c.state.in_([state.value for state in OPEN])
            row = update(inquiries).where(*self._one(id), is_open)
            if not connection.execute(row.values(answer=answer, details=all_details)).rowcount:
                raise ConflictError(_GONE)
            return self._get(connection, id) or kept

        return self._database.write(work, self._lock(id))

    def finish(self, id: str, ledger: EvidenceLedger) -> Inquiry:
        """Save the ledger and mark the inquiry ready, in one transaction. Again changes nothing.

        Raises StoreError for a ledger of another session, and ConflictError where the inquiry is
        not there any more, or its work was ended.
        """
        if ledger.session_id != id:
            raise StoreError(f"The ledger {ledger.id} is of another session than {id[:40]}.")
        require_storable(ledger)
        with without_collector():
            head = seal_head(ledger)

            def work(connection: Connection) -> Inquiry:
                kept = self._get(connection, id)
                if kept is None or kept.state in (InquiryState.FAILED, InquiryState.CANCELLED):
                    raise ConflictError(_GONE)
                if kept.state is InquiryState.READY:
                    return kept
                put = put_ledger(connection, ledger, head, self._workspace, kept.mode)
                if not show_ledger(connection, self._workspace_id, put.key, ledger, *OPEN):
                    raise ConflictError(_GONE)
                return self._get(connection, id) or kept

            return self._database.write(work, self._lock(id))

    def delete(self, id: str) -> bool:
        """Take it away with its ledgers, reviews and exports."""
        if not is_id(id):
            return False
        exported = select(export_files.c.id).where(
            export_files.c.workspace_id == self._workspace_id, export_files.c.session_id == id
        )

        def work(connection: Connection) -> bool:
            here = jobs.c.workspace_id == self._workspace_id
            cancel(connection, here, or_(jobs.c.subject_id == id, jobs.c.subject_id.in_(exported)))
            gone = connection.execute(delete(inquiries).where(*self._one(id))).rowcount
            of_session = (
                sessions.c.workspace_id == self._workspace_id,
                sessions.c.session_id == id,
            )
            connection.execute(delete(sessions).where(*of_session))
            empty_replies(connection, self._workspace_id, id)
            return gone > 0

        return self._database.write(work, self._lock(id))

    def _get(self, connection: Connection, id: str) -> Inquiry | None:
        row = connection.execute(WHOLE.where(*self._one(id))).mappings().first()
        return None if row is None else inquiry_of(row)

    def _details(self, connection: Connection, id: str) -> dict[str, Any] | None:
        """The column of one, with what is not of its answer."""
        query = select(inquiries.c.details).where(*self._one(id))
        found: dict[str, Any] | None = connection.execute(query).scalar()
        return found

    def _one(self, id: str) -> tuple[ColumnElement[bool], ...]:
        return inquiries.c.workspace_id == self._workspace_id, inquiries.c.id == id

    def _lock(self, id: str) -> str:
        return session_lock(self._workspace_id, id)

    def _some(self) -> str:
        return f"A session in the workspace {self._workspace!r}"

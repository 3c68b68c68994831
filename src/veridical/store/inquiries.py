"""Questions that were asked, and answers that were given to be verified: the sessions of the API.

The id of an inquiry is `session_id` of the ledgers that come of it. A ledger that the command line
saved has an inquiry too, made when it was saved.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Any
from uuid import uuid4

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    Text,
    case,
    cast,
    delete,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from veridical.errors import ConflictError, StoreError
from veridical.ledger.entry import EvidenceLedger, LedgerSummary
from veridical.ledger.ids import content_id
from veridical.store.bulk import insert_rows, without_collector
from veridical.store.columns import AnyText
from veridical.store.engine import now
from veridical.store.jobs import Job, JobKind, add_job, cancel, kept_job
from veridical.store.ledgers import PLACE, Found, Saved, session_lock, stored
from veridical.store.paging import Order, Page, holds, page_of
from veridical.store.requests import empty_replies
from veridical.store.rows import (
    CLAIM_COLUMNS,
    ENTRY_COLUMNS,
    ROWS,
    claim_rows,
    columns_of,
    entry_rows,
    first,
    found,
    header,
    moment,
    require_storable,
    row_of,
    seal_head,
)
from veridical.store.tables import claims, evidence_ledger, export_files, inquiries, jobs, sessions
from veridical.store.workspaces import Part, ensure_workspace


class Mode(StrEnum):
    """What was asked for."""

    ANSWER = "answer"
    VERIFY = "verify"


class InquiryState(StrEnum):
    """How far it is."""

    WAITING = "waiting"
    WORKING = "working"
    READY = "ready"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True, slots=True, kw_only=True)
class Inquiry:
    """`answer` is what was given to be verified, or what was answered; empty before that.
    `details` is what the answerer said beside it (`answering.wire`), None for a given answer.
    `refused` says that the question was not answered: its answer is a refusal, and claims nothing.
    `summary` and `risks` (their number) are of the newest ledger; None and 0 before there is one.
    `earlier_id` is the session that was checked again, None where this is no such check.

    Lists leave `answer`, `details` and `earlier_id` out (an empty text and None). Of an answer
    without a title or a question they have the beginning.
    """

    id: str
    mode: Mode
    title: str
    query: str
    answer: str = ""
    state: InquiryState = InquiryState.WAITING
    message: str = ""
    details: dict[str, Any] | None = None
    refused: bool = False
    ledger_id: str | None = None
    revision: int | None = None
    summary: LedgerSummary | None = None
    risks: int = 0
    job_id: str | None = None
    created_by: str = ""
    created_at: datetime
    earlier_id: str | None = None


MOST_BEGINNING_CHARS = 1_000
"""Of an answer by which a list calls its session."""

OPEN = (InquiryState.WAITING, InquiryState.WORKING)

NEWEST = Order((inquiries.c.created_at, inquiries.c.id), descending=True)

_LEFT_OUT = ("answer", "details", "earlier_id")
"""What lists leave out."""

_MOST_LATER = 20
"""How many of the sessions that checked one again are told."""


# `details` are compact JSON whose quotes are escaped in texts, so that only the member itself is
# found. SQLite before 3.38 has no operator for members.
_REFUSED = func.coalesce(cast(inquiries.c.details, Text).contains('"refused":true'), false())

_COLUMNS = columns_of(
    Inquiry,
    inquiries,
    refused=_REFUSED,
    ledger_id=sessions.c.ledger_id,
    revision=sessions.c.revision,
    summary=sessions.c.summary,
)


def _inquiries_with(*columns: ColumnElement[Any]) -> Select[Any]:
    return select(*columns).outerjoin(sessions, sessions.c.id == inquiries.c.ledger_key)


_BEGINNING = case(
    (
        func.trim(inquiries.c.title + inquiries.c.query) == "",
        func.substr(inquiries.c.answer, 1, MOST_BEGINNING_CHARS, type_=AnyText()),
    ),
    else_=literal(""),
).label("answer")


WHOLE = _inquiries_with(*_COLUMNS)
"""Inquiries with what is told of the ledgers that they show."""

LISTED = _inquiries_with(*(c for c in _COLUMNS if c.name not in _LEFT_OUT), _BEGINNING)
"""The same without what lists leave out."""


inquiry_of = partial(ROWS.read, Inquiry)
"""The inquiry of a row of `WHOLE` or `LISTED`."""


def write_inquiry(connection: Connection, place: str, inquiry: Inquiry) -> None:
    """Write an inquiry that shows no ledger. `place` is the id of the workspace."""
    row = row_of(inquiry, inquiries)
    connection.execute(insert(inquiries).values(workspace_id=place, **row))


def show_ledger(
    connection: Connection, place: str, key: str, ledger: EvidenceLedger, *states: InquiryState
) -> bool:
    """Have the inquiry of a session show a ledger that was saved, and be ready.

    `place` is the id of the workspace, `key` that of the row of `sessions`. False where there is no
    inquiry, or it is in none of these states, if any are given.
    """
    here = [inquiries.c.workspace_id == place, inquiries.c.id == ledger.session_id]
    if states:
        here.append(inquiries.c.state.in_([state.value for state in states]))
    shows = {"ledger_key": key, "risks": len(ledger.risk_flags), "state": "ready", "message": ""}
    return connection.execute(update(inquiries).where(*here).values(**shows)).rowcount > 0


def _show(connection: Connection, place: str, key: str, ledger: EvidenceLedger) -> None:
    """Have the inquiry of a session show a ledger; one is made where there is none. One that nobody
    asked in the service says what its newest ledger says.
    """
    said = {name: getattr(ledger, name) for name in ("title", "query", "answer")}
    made = moment(ledger.created_at)
    if show_ledger(connection, place, key, ledger):
        unasked = (
            inquiries.c.workspace_id == place,
            inquiries.c.id == ledger.session_id,
            inquiries.c.job_id.is_(None),
        )
        connection.execute(update(inquiries).where(*unasked).values(created_at=made, **said))
        return
    inquiry = Inquiry(id=ledger.session_id, mode=Mode.VERIFY, created_at=made, **said)
    write_inquiry(connection, place, inquiry)
    show_ledger(connection, place, key, ledger)


def put_ledger(
    connection: Connection, ledger: EvidenceLedger, head: str | None, workspace: str, mode: Mode
) -> tuple[Saved, str]:
    """Write a ledger as part of a transaction; `head` is its `seal_head`. What that did, and the
    row of `sessions` that it is in.
    """
    place = ensure_workspace(connection, workspace)
    here = (sessions.c.workspace_id == place, sessions.c.ledger_id == ledger.id)
    newest = select(*PLACE).where(*here).order_by(sessions.c.revision.desc()).limit(1)
    row = connection.execute(newest).first()
    last = None if row is None else Found(*row)
    if last is not None and _holds(connection, last, ledger):
        return Saved.UNCHANGED, last.key
    revision = 1 if last is None else last.revision + 1
    key = content_id("stored_ledger", place, ledger.id, str(revision))
    connection.execute(
        insert(sessions).values(
            id=key,
            workspace_id=place,
            revision=revision,
            stamp=uuid4().hex,
            mode=mode.value,
            **header(ledger, head),
        )
    )
    insert_rows(connection, claims, CLAIM_COLUMNS, claim_rows(key, ledger))
    insert_rows(connection, evidence_ledger, ENTRY_COLUMNS, entry_rows(key, ledger))
    return Saved.ADDED if last is None else Saved.REPLACED, key


def _holds(connection: Connection, place: Found, given: EvidenceLedger) -> bool:
    """Whether a ledger differs from what is kept there in nothing but when it was built.

    Where the rows were changed since they were saved it is not there any more.
    """
    with suppress(StoreError):
        kept = stored(connection, place)
        created, updated = kept.ledger.created_at, kept.ledger.updated_at
        same = kept.ledger == replace(given, created_at=created, updated_at=updated)
        return same and kept.is_as_saved
    return False


_GONE = "The session was taken away, or its work ended, meanwhile."


class Inquiries(Part):
    """The inquiries of one workspace."""

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
            return inquiry, job

        return self._database.write(work, inquiry.id)

    def save(self, ledger: EvidenceLedger) -> Saved:
        """Keep a ledger, whole or not at all, and have the inquiry of its session show it."""
        require_storable(ledger)
        with without_collector():
            head = seal_head(ledger)

            def work(connection: Connection) -> Saved:
                what, key = put_ledger(connection, ledger, head, self._workspace, Mode.VERIFY)
                if what is not Saved.UNCHANGED:
                    _show(connection, self._workspace_id, key, ledger)
                return what

            return self._database.write(work, self._lock(ledger.session_id))

    def get(self, id: str) -> Inquiry | None:
        """One inquiry, by its full id."""
        with self._reading("A session") as connection:
            return self._get(connection, id)

    def again(self, id: str) -> tuple[Inquiry, ...]:
        """The sessions that checked this one again and are still there, newest first, as in a list.

        Only the last ones are told.
        """
        table = inquiries.c
        here = (self._here(inquiries), table.earlier_id == id)
        newest = LISTED.where(*here).order_by(table.created_at.desc(), table.id)
        with self._reading("A session") as connection:
            return found(connection, newest.limit(_MOST_LATER), Inquiry)

    def page(self, *, limit: int = 50, after: str | None = None, query: str = "") -> Page[Inquiry]:
        """Inquiries, newest first, without what was answered; `query` is part of the title or the
        question, in any case.
        """
        wanted = LISTED.where(self._here(inquiries))
        if query:
            wanted = wanted.where(
                or_(holds(inquiries.c.title, query), holds(inquiries.c.query, query))
            )
        with self._reading("A session") as connection:
            return page_of(connection, wanted, NEWEST, inquiry_of, limit=limit, after=after)

    def keep_answer(self, id: str, answer: str, details: dict[str, Any]) -> Inquiry:
        """Keep what was answered, before the ledger of it is built. A second time changes nothing:
        the answer that was kept first stays, and is returned.

        Raises ConflictError where the inquiry is not there any more, or its work was ended.
        """

        def work(connection: Connection) -> Inquiry:
            kept = self._get(connection, id)
            if kept is None:
                raise ConflictError(_GONE)
            if kept.details is not None:
                return kept
            is_open = inquiries.c.state.in_([state.value for state in OPEN])
            row = update(inquiries).where(*self._one(id), is_open)
            if not connection.execute(row.values(answer=answer, details=details)).rowcount:
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
                _, key = put_ledger(connection, ledger, head, self._workspace, kept.mode)
                if not show_ledger(connection, self._workspace_id, key, ledger, *OPEN):
                    raise ConflictError(_GONE)
                return self._get(connection, id) or kept

            return self._database.write(work, self._lock(id))

    def delete(self, id: str) -> bool:
        """Take it away with its ledgers, reviews and exports."""
        exported = select(export_files.c.id).where(
            self._here(export_files), export_files.c.session_id == id
        )

        def work(connection: Connection) -> bool:
            here = self._here(jobs)
            cancel(connection, here, or_(jobs.c.subject_id == id, jobs.c.subject_id.in_(exported)))
            gone = connection.execute(delete(inquiries).where(*self._one(id))).rowcount
            of_session = (
                self._here(sessions),
                sessions.c.session_id == id,
            )
            connection.execute(delete(sessions).where(*of_session))
            empty_replies(connection, self._workspace_id, id)
            return gone > 0

        return self._database.write(work, self._lock(id))

    def _get(self, connection: Connection, id: str) -> Inquiry | None:
        return first(connection, WHOLE.where(*self._one(id)), Inquiry)

    def _one(self, id: str) -> tuple[ColumnElement[bool], ...]:
        return self._here(inquiries), inquiries.c.id == id

    def _lock(self, id: str) -> str:
        return session_lock(self._workspace_id, id)

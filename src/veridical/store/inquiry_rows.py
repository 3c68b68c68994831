"""The rows of inquiries."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Connection,
    RowMapping,
    Select,
    case,
    func,
    insert,
    literal,
    select,
    update,
)

from veridical.ledger.entry import EvidenceLedger, LedgerSummary
from veridical.store.columns import AnyText
from veridical.store.paging import Order
from veridical.store.plain import codec
from veridical.store.rows import moment
from veridical.store.service_tables import inquiries
from veridical.store.tables import sessions


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


@dataclass(frozen=True, slots=True)
class Inquiry:
    """`answer` is what was given to be verified, or what was answered; empty before that.
    `details` is what the answerer said beside it (`answering.wire`), None for a given answer.
    `summary` and `risks` (their number) are of the newest ledger; None and 0 before there is one.
    `earlier_id` is the session that was checked again, None where this is no such check.

    Lists leave `answer` and `details` out (an empty text and None), and `earlier_id`, which is kept
    with these. Of an answer without a title or a question they have the beginning.
    """

    id: str
    mode: Mode
    title: str
    query: str
    answer: str
    state: InquiryState
    message: str
    details: dict[str, Any] | None
    ledger_id: str | None
    revision: int | None
    summary: LedgerSummary | None
    risks: int
    job_id: str | None
    created_by: str
    created_at: datetime
    earlier_id: str | None = None


MOST_BEGINNING_CHARS = 1_000
"""Of an answer by which a list calls its session."""

OPEN = (InquiryState.WAITING, InquiryState.WORKING)

NEWEST = Order((inquiries.c.created_at, inquiries.c.id), descending=True)

_OF_LEDGER = ("ledger_id", "revision", "summary")
_IN_DETAILS = ("earlier_id",)
_OWN = tuple(
    field.name for field in fields(Inquiry) if field.name not in (*_OF_LEDGER, *_IN_DETAILS)
)

_LARGE: dict[str, Any] = {"answer": "", "details": None}
"""What lists leave out, and what stands for it."""


_RELATED = "related_sessions"
"""The key in `details` under which stands which session was checked again (`of`), and as which
ones (`as`): no column has it, and what was answered is kept beside it."""

_MOST_LATER = 20


def _inquiries_with(*columns: Any) -> Select[Any]:
    told = (sessions.c[name] for name in _OF_LEDGER)
    shown = sessions.c.id == inquiries.c.ledger_key
    return select(*columns, *told).outerjoin(sessions, shown)


def _columns(*but: str) -> tuple[Any, ...]:
    return tuple(inquiries.c[name] for name in _OWN if name not in but)


_BEGINNING = case(
    (
        func.trim(inquiries.c.title + inquiries.c.query) == "",
        func.substr(inquiries.c.answer, 1, MOST_BEGINNING_CHARS, type_=AnyText()),
    ),
    else_=literal(""),
).label("answer")


WHOLE = _inquiries_with(*_columns())
"""Inquiries with what is told of the ledgers that they show."""

LISTED = _inquiries_with(*_columns(*_LARGE), _BEGINNING)
"""The same without what lists leave out."""

_SUMMARY = codec(LedgerSummary | None)


def inquiry_of(row: RowMapping) -> Inquiry:
    """The inquiry of a row of `WHOLE` or `LISTED`."""
    values: dict[str, Any] = {**_LARGE, **row}
    values["mode"], values["state"] = Mode(row["mode"]), InquiryState(row["state"])
    related, values["details"] = _parted(values["details"])
    values["earlier_id"] = related.get("of")
    return Inquiry(**{**values, "summary": _SUMMARY.from_plain(row["summary"])})


def write_inquiry(connection: Connection, place: str, inquiry: Inquiry) -> None:
    """Write an inquiry that shows no ledger. `place` is the id of the workspace."""
    values = {name: getattr(inquiry, name) for name in _OWN}
    values |= {"mode": inquiry.mode.value, "state": inquiry.state.value}
    if inquiry.earlier_id is not None:
        values["details"] = with_details({_RELATED: {"of": inquiry.earlier_id}}, inquiry.details)
    connection.execute(insert(inquiries).values(workspace_id=place, **values))


def with_details(kept: dict[str, Any] | None, answered: dict[str, Any] | None) -> dict[str, Any]:
    """The column `details` once `answered` is known: which sessions are related stays."""
    related = (kept or {}).get(_RELATED)
    return {**(answered or {}), **({_RELATED: related} if related else {})}


def later_of(kept: dict[str, Any] | None) -> tuple[str, ...]:
    """The ids of the sessions that checked one again, oldest first, by its column `details`."""
    return tuple(_parted(kept)[0].get("as", ()))


def with_later(kept: dict[str, Any] | None, id: str) -> dict[str, Any]:
    """The column `details` of a session that another one checks again; only the last are told."""
    related, answered = _parted(kept)
    later = [*related.get("as", ()), id][-_MOST_LATER:]
    return {**(answered or {}), _RELATED: {**related, "as": later}}


def _parted(kept: dict[str, Any] | None) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """What the column `details` says of related sessions, and what was answered."""
    if kept is None or _RELATED not in kept:
        return {}, kept
    return kept[_RELATED], {k: v for k, v in kept.items() if k != _RELATED} or None


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


def take_words(connection: Connection, place: str, ledger: EvidenceLedger) -> None:
    """Have an inquiry that nobody asked in the service say what its newest ledger says."""
    unasked = (
        inquiries.c.workspace_id == place,
        inquiries.c.id == ledger.session_id,
        inquiries.c.job_id.is_(None),
    )
    said = {name: getattr(ledger, name) for name in ("title", "query", "answer")}
    row = update(inquiries).where(*unasked)
    connection.execute(row.values(created_at=moment(ledger.created_at), **said))


def inquiry_of_ledger(ledger: EvidenceLedger) -> Inquiry:
    """The inquiry of a ledger that was built elsewhere, as it is before it shows it."""
    return Inquiry(
        id=ledger.session_id,
        mode=Mode.VERIFY,
        title=ledger.title,
        query=ledger.query,
        answer=ledger.answer,
        state=InquiryState.WAITING,
        message="",
        details=None,
        ledger_id=None,
        revision=None,
        summary=None,
        risks=0,
        job_id=None,
        created_by="",
        created_at=moment(ledger.created_at),
    )

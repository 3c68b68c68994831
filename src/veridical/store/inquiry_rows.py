"""The rows of inquiries."""

from __future__ import annotations

from dataclasses import dataclass, fields
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, RowMapping, Select, insert, select, update

from veridical.ledger.entry import EvidenceLedger, LedgerSummary
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
    Lists leave `answer` and `details` out (an empty text and None).
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


OPEN = (InquiryState.WAITING, InquiryState.WORKING)

NEWEST = Order((inquiries.c.created_at, inquiries.c.id), descending=True)

_OF_LEDGER = ("ledger_id", "revision", "summary")
_OWN = tuple(field.name for field in fields(Inquiry) if field.name not in _OF_LEDGER)

_LARGE: dict[str, Any] = {"answer": "", "details": None}
"""What lists leave out, and what stands for it."""


def _inquiries_with(*names: str) -> Select[Any]:
    told = (sessions.c[name] for name in _OF_LEDGER)
    shown = sessions.c.id == inquiries.c.ledger_key
    return select(*(inquiries.c[name] for name in names), *told).outerjoin(sessions, shown)


WHOLE = _inquiries_with(*_OWN)
"""Inquiries with what is told of the ledgers that they show."""

LISTED = _inquiries_with(*(name for name in _OWN if name not in _LARGE))
"""The same without what lists leave out."""

_SUMMARY = codec(LedgerSummary | None)


def inquiry_of(row: RowMapping) -> Inquiry:
    """The inquiry of a row of `WHOLE` or `LISTED`."""
    values: dict[str, Any] = {**_LARGE, **row}
    values["mode"], values["state"] = Mode(row["mode"]), InquiryState(row["state"])
    return Inquiry(**{**values, "summary": _SUMMARY.from_plain(row["summary"])})


def write_inquiry(connection: Connection, place: str, inquiry: Inquiry) -> None:
    """Write an inquiry that shows no ledger. `place` is the id of the workspace."""
    values = {name: getattr(inquiry, name) for name in _OWN}
    values |= {"mode": inquiry.mode.value, "state": inquiry.state.value}
    connection.execute(insert(inquiries).values(workspace_id=place, **values))


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

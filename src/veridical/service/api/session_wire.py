"""Sessions as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from veridical.service.api.ledger_plain import summary_plain
from veridical.service.api.ledger_wire import LedgerSummaryWire
from veridical.service.api.wire import EXAMPLE_ID, Wire
from veridical.service.inquiring.asking import (
    MAX_ANSWER_CHARS,
    MAX_QUESTION_CHARS,
    MOST_QUERY_CHARS,
    MOST_TITLE_CHARS,
)
from veridical.store.inquiries import Inquiry, InquiryState, Mode


class SessionRequest(Wire):
    """A question to be answered from the documents, or an answer to be checked against them."""

    query: str = Field(
        default="",
        max_length=MOST_QUERY_CHARS,
        description=f"The question. One that is to be answered has up to {MAX_QUESTION_CHARS:,} "
        "characters; beside an answer to be checked it may be left out.",
        examples=["How many days of annual leave do I get?"],
    )
    mode: Mode = Field(default=Mode.ANSWER, examples=["answer"])
    answer: str | None = Field(
        default=None,
        max_length=MAX_ANSWER_CHARS,
        description="The text to be checked: with the mode `verify`, and only with it.",
        examples=[None],
    )
    title: str = Field(default="", max_length=MOST_TITLE_CHARS, examples=["Leave policy Q&A"])


class SessionLedger(Wire):
    """The newest ledger of a session, in short; `risks` counts its risk flags."""

    id: str = Field(examples=[EXAMPLE_ID])
    revision: int
    summary: LedgerSummaryWire
    risks: int


class SessionItem(Wire):
    """A session in a list. `message` says why it failed."""

    id: str = Field(examples=[EXAMPLE_ID])
    mode: Mode
    title: str
    query: str
    state: InquiryState
    message: str
    ledger: SessionLedger | None
    job_id: str | None = Field(description="The job that works on it; null for a saved ledger.")
    created_by: str
    created_at: datetime


class SessionReply(SessionItem):
    """A session. `answer` is what was given to be checked, or what was answered, empty before that;
    `details` is what `POST /chat` would have replied, null beside an answer that was given.
    """

    answer: str
    details: dict[str, Any] | None
    earlier_session_id: str | None = Field(
        default=None,
        description="The session that this one checks again, with the documents as they were when "
        "it was made; null where it checks none. That one may have been deleted since.",
    )


def session_item(inquiry: Inquiry) -> dict[str, Any]:
    """A session as `SessionItem`."""
    ledger = None
    if inquiry.ledger_id is not None and inquiry.summary is not None:
        ledger = {
            "id": inquiry.ledger_id,
            "revision": inquiry.revision or 1,
            "summary": summary_plain(inquiry.summary),
            "risks": inquiry.risks,
        }
    return {
        "id": inquiry.id,
        "mode": inquiry.mode,
        "title": inquiry.title,
        "query": inquiry.query,
        "state": inquiry.state,
        "message": inquiry.message,
        "ledger": ledger,
        "job_id": inquiry.job_id,
        "created_by": inquiry.created_by,
        "created_at": inquiry.created_at,
    }


def session_wire(inquiry: Inquiry) -> dict[str, Any]:
    """A session as `SessionReply`."""
    return {
        **session_item(inquiry),
        "answer": inquiry.answer,
        "details": inquiry.details,
        "earlier_session_id": inquiry.earlier_id,
    }

"""Endpoints under `/api/v1`: sessions (a question, or an answer to be checked), their ledger, and
what reviewers decided about its entries.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from veridical.answering.question import MAX_QUESTION_CHARS
from veridical.codec import Codec, Form
from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import confidence_band
from veridical.ledger.entry import (
    MAX_ANSWER_CHARS,
    CitationCheck,
    Evidence,
    LedgerEntry,
    rounded,
)
from veridical.ledger.review import MOST_REASON_CHARS, Decision, EntryReview
from veridical.service.api.ledger_wire import (
    CitationWire,
    EvidenceWire,
    LedgerEntryWire,
    LedgerReply,
    LedgerSessionWire,
    LedgerSummaryWire,
    LedgerWire,
)
from veridical.service.api.wire import (
    API_PREFIX,
    EXAMPLE_ID,
    KNOWN,
    USUAL_ON_A_PAGE,
    After,
    Limit,
    PageReply,
    Searched,
    Wire,
    errors,
    id_path,
    page_reply,
    told,
)
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.errors import NotFoundError, RefusedError, there
from veridical.service.inquiring.asking import (
    MOST_QUERY_CHARS,
    MOST_TITLE_CHARS,
    NO_SESSION,
    new_inquiry,
)
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.store.inquiries import Inquiry, InquiryState, Mode
from veridical.version import __version__

_GZIP_LEVEL = 5
_TAG_DIGITS = 32

Data = dict[str, Any]

_OF_LEDGER = {"session_id", "ledger_id", "revision", "entry_id", "claim_id", "machine_verdict"}
_PARTS = Codec({EntryReview: Form(apart=_OF_LEDGER)}, values={float: (rounded, float)})
"""The parts of a ledger that are sent as they are: its summary, its risks, and its reviews."""


def ledger_reply(
    view: LedgerView, entries: Sequence[LedgerEntry] | None = None, next: str | None = None
) -> Data:
    """What `LedgerReply` describes, for JSON, with all entries of a ledger or those chosen."""
    ledger, inquiry = view.ledger, view.inquiry
    chosen = ledger.entries if entries is None else entries
    return {
        "ledger": told(
            LedgerWire,
            ledger,
            revision=view.mark.revision,
            entries=[_entry(entry, view) for entry in chosen],
            summary=_PARTS.write(ledger.summary),
            risk_flags=[_PARTS.write(flag) for flag in ledger.risk_flags],
        ),
        "session": told(LedgerSessionWire, inquiry, answer=ledger.answer),
        "next": next,
    }


def _entry(entry: LedgerEntry, view: LedgerView) -> Data:
    claim, deciding = entry.claim, entry.evidence[0] if entry.evidence else None
    review = view.standing.get(entry.id)
    return told(
        LedgerEntryWire,
        entry,
        claim_id=claim.id,
        claim_text=claim.text,
        claim_type=claim.type,
        claim_importance=claim.importance,
        confidence_score=rounded(entry.confidence_score),
        evidence_chunk_ids=list(dict.fromkeys(piece.anchor for piece in entry.evidence)),
        evidence_snippet=deciding.snippet if deciding else "",
        source_document=_source(deciding, view) if deciding else None,
        span={"start": claim.span.start, "end": claim.span.end},
        statement=claim.statement,
        band=confidence_band(entry.confidence_score),
        probability=rounded(entry.probability),
        evidence=[_piece(piece, view) for piece in entry.evidence],
        near=[_piece(piece, view) for piece in entry.near],
        citations=[_citation(check) for check in entry.citations],
        review=None if review is None else _PARTS.write(review),
    )


def _source(piece: Evidence, view: LedgerView) -> Data:
    data: Data = {"id": piece.source_id, "filename": view.sources[piece.source_id].filename}
    if piece.page_number is not None:
        data["page_number"] = piece.page_number
    if piece.heading_path:
        data["heading_path"] = piece.heading_path
    return data


def _piece(piece: Evidence, view: LedgerView) -> Data:
    return told(
        EvidenceWire,
        piece,
        document_id=piece.source_id,
        filename=view.sources[piece.source_id].filename,
        version=view.versions.get(piece.source_id),
        start=piece.snippet_span.start,
        end=piece.snippet_span.end,
        probability=rounded(piece.probability),
    )


def _citation(check: CitationCheck) -> Data:
    marker = check.marker
    return told(
        CitationWire,
        check,
        kind=marker.kind,
        value=marker.value,
        start=marker.span.start,
        end=marker.span.end,
        document_id=check.source_id,
    )


# Sessions as JSON.


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
    refused: bool = Field(description="The question was not answered: there are no claims.")
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


def _short(inquiry: Inquiry) -> dict[str, Any] | None:
    """The newest ledger of a session as `SessionLedger`."""
    if inquiry.ledger_id is None or inquiry.summary is None:
        return None
    return told(
        SessionLedger,
        inquiry,
        id=inquiry.ledger_id,
        revision=inquiry.revision or 1,
        summary=_PARTS.write(inquiry.summary),
    )


def session_item(inquiry: Inquiry) -> dict[str, Any]:
    """A session as `SessionItem`."""
    return told(SessionItem, inquiry, ledger=_short(inquiry))


def session_wire(inquiry: Inquiry) -> dict[str, Any]:
    """A session as `SessionReply`."""
    ledger, earlier = _short(inquiry), inquiry.earlier_id
    return told(SessionReply, inquiry, ledger=ledger, earlier_session_id=earlier)


router = APIRouter(tags=["sessions"])

_MOST_ENTRIES = 1_000
_JSON = "application/json"
_NOT_MODIFIED = 304
SessionId = Annotated[str, id_path("session"), KNOWN]


@router.post(
    "/sessions",
    status_code=202,
    response_model=SessionReply,
    responses=errors(408, 413, 422),
    summary="Ask a question, or have an answer checked",
)
def add_session(
    request: Request, response: Response, access: Reviewer, asked: SessionRequest
) -> dict[str, Any]:
    """A job answers the question, if that is asked for, and builds the ledger of the answer."""
    inquiry = new_inquiry(
        service_of(request),
        access,
        asked.mode,
        asked.query,
        answer=asked.answer,
        title=asked.title,
    )
    response.headers["Location"] = f"{API_PREFIX}/sessions/{inquiry.id}"
    return session_wire(inquiry)


@router.get("/sessions", response_model=PageReply[SessionItem], responses=errors(422))
def list_sessions(
    access: Reader, limit: Limit = USUAL_ON_A_PAGE, after: After = None, q: Searched = ""
) -> dict[str, Any]:
    """The sessions of the workspace, newest first; `q` is part of their title or question."""
    page = access.shelf.inquiries.page(limit=limit, after=after, query=q)
    return page_reply(page, session_item)


@router.get("/sessions/{session_id}", response_model=SessionReply, responses=errors(404))
def get_session(access: Reader, session_id: SessionId) -> dict[str, Any]:
    """One session."""
    return session_wire(there(access.shelf.inquiries.get(session_id), NO_SESSION))


@router.delete(
    "/sessions/{session_id}",
    status_code=204,
    responses=errors(404),
    summary="Delete a session with its ledgers, reviews and exports",
)
def delete_session(access: Admin, session_id: SessionId) -> None:
    """It is gone for good."""
    if not access.shelf.inquiries.delete(session_id):
        raise NotFoundError(NO_SESSION)


@router.get(
    "/sessions/{session_id}/ledger",
    response_class=Response,
    responses={
        200: {"model": LedgerReply, "description": "The ledger with its session"},
        304: {"description": "It is still the one of the tag in If-None-Match"},
        **errors(404, 409, 422),
    },
    summary="The ledger of a session",
)
def get_ledger(
    request: Request,
    access: Reader,
    session_id: SessionId,
    verdict: Annotated[
        Verdict | None, Query(description="Only entries with this verdict of the machine.")
    ] = None,
    limit: Annotated[
        int | None, Query(ge=1, le=_MOST_ENTRIES, description="Most entries; without it, all.")
    ] = None,
    after: Annotated[
        str | None, Query(max_length=64, description="`next` of the reply before.")
    ] = None,
) -> Response:
    """All entries at once unless `verdict`, `limit` or `after` choose some; the summary and the
    flags are always those of the whole ledger. 409 `not_ready` while it is being made; ask again
    with `If-None-Match` to learn of reviews and new revisions.
    """
    view = service_of(request).ledgers.find(access.shelf, session_id)
    if view is None:
        raise _no_ledger(access, session_id)
    if verdict is None and limit is None and after is None:
        return _whole(request, view)
    return Response(
        _as_bytes(ledger_reply(view, *_chosen(view, verdict, limit, after))), media_type=_JSON
    )


def _whole(request: Request, view: LedgerView) -> Response:
    """The whole ledger, compressed where that is accepted, or that it is as it was."""
    is_packed = _accepts_gzip(request.headers.get("accept-encoding", ""))
    # All that a reply is made of, so that it need not be made to be known.
    state = f"{__version__} {view.mark} {sorted(view.versions.items())}"
    digest = hashlib.sha256(state.encode()).hexdigest()[:_TAG_DIGITS]
    tag = f'"{digest}{"-gzip" if is_packed else ""}"'
    headers = {"ETag": tag, "Vary": "Accept-Encoding", "Cache-Control": "private, no-cache"}
    if _names(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=_NOT_MODIFIED, headers=headers)
    # Kept compressed, which is a tenth of it, and quickly made plain again.
    packed = view.kept(
        "reply", lambda: gzip.compress(_as_bytes(ledger_reply(view)), _GZIP_LEVEL, mtime=0)
    )
    if is_packed:
        headers["Content-Encoding"] = "gzip"
    content = packed if is_packed else gzip.decompress(packed)
    return Response(content, headers=headers, media_type=_JSON)


def _as_bytes(data: Data) -> bytes:
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.encode("utf-8", "replace")


def _accepts_gzip(accepted: str) -> bool:
    """Whether a client takes gzip: it names it, or anything, and not with a weight of nothing."""
    for one in accepted.lower().replace(" ", "").split(","):
        coding, _, weight = one.partition(";q=")
        if coding in ("gzip", "*"):
            return weight.strip("0.") != "" or not weight
    return False


def _names(given: str, tag: str) -> bool:
    """Whether a header If-None-Match names a tag; weak tags compare as they are."""
    tags = (one.strip().removeprefix("W/") for one in given.split(","))
    return given.strip() == "*" or tag in tags


def _chosen(
    view: LedgerView, verdict: Verdict | None, limit: int | None, after: str | None
) -> tuple[list[LedgerEntry], str | None]:
    """Some entries in their order, and the id to go on behind."""
    entries = list(view.ledger.entries)
    if after is not None:
        at = next((index for index, entry in enumerate(entries) if entry.id == after), None)
        if at is None:
            raise ValidationError("after: no entry of this ledger has this id; begin anew")
        entries = entries[at + 1 :]
    fitting = [entry for entry in entries if verdict is None or entry.verdict is verdict]
    if limit is None or len(fitting) <= limit:
        return fitting, None
    return fitting[:limit], fitting[limit - 1].id


def _no_ledger(access: Access, session_id: str) -> Exception:
    """Why a session has no ledger: there is no such session, or not yet, or it failed."""
    inquiry = there(access.shelf.inquiries.get(session_id), NO_SESSION)
    job = f" Its job is {inquiry.job_id}." if inquiry.job_id else ""
    if inquiry.state in (InquiryState.FAILED, InquiryState.CANCELLED):
        why = f": {inquiry.message}" if inquiry.message else "."
        return RefusedError(409, inquiry.state.value, f"This session {_ENDED[inquiry.state]}{why}")
    return RefusedError(
        409, "not_ready", f"The ledger is being made.{job}", headers={"Retry-After": "1"}
    )


_ENDED = {InquiryState.FAILED: "failed", InquiryState.CANCELLED: "was cancelled"}


reviews = APIRouter(tags=["reviews"])

_MOST_REVISION = 2**31 - 1
EntryId = Annotated[str, id_path("entry of the ledger"), KNOWN]


class ReviewRequest(Wire):
    """A decision about an entry. To overrule needs another verdict and a reason."""

    decision: Decision = Field(examples=["overrule"])
    verdict: Verdict | None = Field(
        default=None, description="The reviewer's, to overrule.", examples=["weak"]
    )
    reason: str = Field(
        default="",
        max_length=MOST_REASON_CHARS,
        examples=["The policy leaves it to the department head."],
    )
    expected_last: str | None = Field(
        default=None,
        max_length=64,
        description="The id of the last review that was seen, empty for none: 409 where another "
        "came in between.",
        examples=[""],
    )
    expected_revision: int | None = Field(
        default=None,
        ge=1,
        le=_MOST_REVISION,
        description="The revision of the ledger that was seen: 409 where it was built again since.",
        examples=[1],
    )


class ReviewReply(Wire):
    """A decision, kept for good. `machine_verdict` is what the entry said then, `verdict` what the
    reviewer says; null for a decision that was taken back. `revision` is that of the ledger.
    """

    id: str = Field(examples=[EXAMPLE_ID])
    session_id: str
    ledger_id: str
    revision: int
    entry_id: str
    claim_id: str
    decision: Decision
    machine_verdict: Verdict
    verdict: Verdict | None
    reason: str
    reviewer: str = Field(description="The name of the token.")
    at: str = Field(examples=["2026-01-03T14:30:00Z"])


@reviews.get(
    "/sessions/{session_id}/reviews",
    response_model=PageReply[ReviewReply],
    responses=errors(404, 422),
    summary="The decisions about a ledger",
    operation_id="reviews_list_reviews",
)
def list_reviews(
    access: Reader,
    session_id: SessionId,
    limit: Limit = USUAL_ON_A_PAGE,
    after: Annotated[
        str | None, Query(max_length=64, description="`next` of the reply before.")
    ] = None,
) -> dict[str, Any]:
    """All that was ever decided, oldest first. For each entry the last one counts, while the
    machine says of it what it said then (`machine_verdict`).
    """
    there(access.shelf.inquiries.get(session_id), NO_SESSION)
    reviews = access.shelf.reviews.of_session(session_id)
    start = 0
    if after is not None:
        start = next((n for n, one in enumerate(reviews, 1) if one.id == after), 0)
        if not start:
            raise ValidationError("after: no review of this session has this id; begin anew")
    items = reviews[start : start + limit]
    following = items[-1].id if start + limit < len(reviews) else None
    return {"items": items, "next": following}


@reviews.post(
    "/sessions/{session_id}/entries/{entry_id}/reviews",
    status_code=201,
    response_model=ReviewReply,
    responses=errors(404, 408, 409, 413, 422),
    summary="Accept or overrule a verdict, or take that back",
    operation_id="reviews_add_review",
)
def add_review(
    response: Response,
    access: Reviewer,
    session_id: SessionId,
    entry_id: EntryId,
    review: ReviewRequest,
) -> EntryReview:
    """The machine's verdict stays what it is; the decision is shown and exported beside it."""
    kept = access.shelf.reviews.add(
        session_id,
        entry_id,
        review.decision,
        by=access.actor,
        verdict=review.verdict,
        reason=review.reason,
        expected_last=review.expected_last,
        expected_revision=review.expected_revision,
    )
    response.headers["Location"] = f"{API_PREFIX}/sessions/{session_id}/reviews"
    return there(kept, "There is no such entry in the ledger of this session.")

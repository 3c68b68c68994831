"""Endpoints under `/api/v1`: what reviewers decided about the entries of a ledger."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import Field

from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.review import MOST_REASON_CHARS, Decision, EntryReview
from veridical.service.api.sessions import SessionId
from veridical.service.api.wire import (
    API_PREFIX,
    EXAMPLE_ID,
    KNOWN,
    USUAL_ON_A_PAGE,
    Limit,
    PageReply,
    Wire,
    errors,
    id_path,
)
from veridical.service.entry.access import Reader, Reviewer
from veridical.service.errors import there
from veridical.service.inquiring.asking import NO_SESSION

router = APIRouter(tags=["reviews"])

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


@router.get(
    "/sessions/{session_id}/reviews",
    response_model=PageReply[ReviewReply],
    responses=errors(404, 422),
    summary="The decisions about a ledger",
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


@router.post(
    "/sessions/{session_id}/entries/{entry_id}/reviews",
    status_code=201,
    response_model=ReviewReply,
    responses=errors(404, 408, 409, 413, 422),
    summary="Accept or overrule a verdict, or take that back",
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

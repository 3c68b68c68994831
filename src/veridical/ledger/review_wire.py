"""Reviews in the file of a ledger: `reviews`, and beside them `revision`, that of the ledger."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.review import Decision, EntryReview

Data = dict[str, Any]


def with_reviews(data: Data, reviews: Sequence[EntryReview], revision: int = 1) -> Data:
    """The data of a ledger with reviews of its entries, oldest first; as it was without any.

    Raises ValidationError for a review of another session, or of an entry that is not there.
    """
    if not reviews:
        return data
    entries = {entry["entry_id"] for entry in data["entries"]}
    for review in reviews:
        if review.session_id != data["session_id"] or review.entry_id not in entries:
            raise ValidationError(
                f"the review {review.id} is about the entry {review.entry_id} of the session "
                f"{review.session_id}, which this ledger has not"
            )
    return {**data, "revision": revision, "reviews": [_to_json(review) for review in reviews]}


def reviews_from_json(data: Mapping[str, Any]) -> tuple[tuple[EntryReview, ...], int]:
    """The reviews in data of the shipped schema `evidence_ledger`, and the ledger's revision."""
    session_id = data["session_id"]
    reviews = tuple(_from_json(review, session_id) for review in data.get("reviews", ()))
    return reviews, data.get("revision", 1)


def _to_json(review: EntryReview) -> Data:
    return {
        "review_id": review.id,
        "ledger_id": review.ledger_id,
        "revision": review.revision,
        "entry_id": review.entry_id,
        "claim_id": review.claim_id,
        "decision": review.decision.value,
        "machine_verdict": review.machine_verdict.value,
        "verdict": None if review.verdict is None else review.verdict.value,
        "reason": review.reason,
        "reviewer": review.reviewer,
        "at": review.at,
    }


def _from_json(data: Mapping[str, Any], session_id: str) -> EntryReview:
    return EntryReview(
        id=data["review_id"],
        session_id=session_id,
        ledger_id=data["ledger_id"],
        revision=data["revision"],
        entry_id=data["entry_id"],
        claim_id=data["claim_id"],
        decision=Decision(data["decision"]),
        machine_verdict=Verdict(data["machine_verdict"]),
        verdict=None if data["verdict"] is None else Verdict(data["verdict"]),
        reason=data["reason"],
        reviewer=data["reviewer"],
        at=data["at"],
    )

"""Ledgers as JSON (schema `evidence_ledger`), and as the sealed files that are handed on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.canonical import canonical_bytes, parse_file
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.newer import NewerVersion, with_newer
from veridical.ledger.review import Decision, EntryReview
from veridical.ledger.seal import seal
from veridical.ledger.wire_read import ledger_from_json
from veridical.ledger.wire_write import ledger_to_json

# Reviews in the file of a ledger: `reviews`, and beside them `revision`, that of the ledger.


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


@dataclass(frozen=True, slots=True)
class LedgerFile:
    """What a ledger file holds: the ledger, and what reviewers decided about it, oldest first.

    `revision` is that of the ledger, from 1; a file without reviews does not say it.
    """

    ledger: EvidenceLedger
    reviews: tuple[EntryReview, ...] = ()
    revision: int = 1


def ledger_to_bytes(
    ledger: EvidenceLedger,
    *,
    reviews: Sequence[EntryReview] = (),
    revision: int = 1,
    newer: Sequence[NewerVersion] = (),
) -> bytes:
    """The sealed file of a ledger. The same ledger, the same bytes.

    `reviews` are about entries of the ledger, oldest first, and `revision` is the one of the ledger
    itself: see `review_wire.with_reviews`. Without reviews the file is that of the ledger alone.
    `newer` is noted beside the ledger and not sealed: see `newer.with_newer`.
    """
    data = with_reviews(ledger_to_json(ledger), reviews, revision)
    return canonical_bytes(with_newer(seal(data), newer))


def ledger_from_bytes(file_bytes: bytes) -> EvidenceLedger:
    """The ledger in a file, sealed or not; the seal is not checked (see `verify.verify_ledger`).

    Raises ValidationError that says what is wrong with the file, and where.
    """
    return ledger_from_json(parse_file(file_bytes))


def ledger_file_from_bytes(file_bytes: bytes) -> LedgerFile:
    """The same with the reviews in the file. Raises as `ledger_from_bytes` does."""
    data = parse_file(file_bytes)
    ledger = ledger_from_json(data)
    return LedgerFile(ledger, *reviews_from_json(data))


__all__ = [
    "LedgerFile",
    "ledger_file_from_bytes",
    "ledger_from_bytes",
    "ledger_from_json",
    "ledger_to_bytes",
    "ledger_to_json",
]

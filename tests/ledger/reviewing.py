"""Decisions of reviewers about the entries of a ledger."""

from __future__ import annotations

from typing import Any

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.review import Decision, EntryReview


class Desk:
    """A reviewer at work on one ledger: every decision gets its own id and a later time."""

    def __init__(self, ledger: EvidenceLedger, reviewer: str = "Ana") -> None:
        self.ledger = ledger
        self.reviewer = reviewer
        self.reviews: list[EntryReview] = []

    def accept(self, number: int, **more: Any) -> EntryReview:
        """Agree with the verdict on a claim, numbered from 1."""
        verdict = self.ledger.entries[number - 1].verdict
        return self._add(number, Decision.ACCEPT, verdict, **more)

    def overrule(self, number: int, verdict: Verdict, reason: str, **more: Any) -> EntryReview:
        """Put another verdict beside the one of a claim."""
        return self._add(number, Decision.OVERRULE, verdict, reason=reason, **more)

    def withdraw(self, number: int, **more: Any) -> EntryReview:
        """Take back what was decided about a claim."""
        return self._add(number, Decision.WITHDRAW, None, **more)

    def _add(
        self, number: int, decision: Decision, verdict: Verdict | None, **more: Any
    ) -> EntryReview:
        entry, at = self.ledger.entries[number - 1], len(self.reviews)
        given: dict[str, Any] = {
            "id": f"00000000-0000-4000-8000-{at:012d}",
            "session_id": self.ledger.session_id,
            "ledger_id": self.ledger.id,
            "revision": 1,
            "entry_id": entry.id,
            "claim_id": entry.claim.id,
            "decision": decision,
            "machine_verdict": entry.verdict,
            "verdict": verdict,
            "reason": "",
            "reviewer": self.reviewer,
            "at": f"2026-01-04T{at // 60:02d}:{at % 60:02d}:00Z",
        }
        review = EntryReview(**(given | more))
        self.reviews.append(review)
        return review

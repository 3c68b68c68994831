"""What reviewers decided, as the PDF's template is given it."""

from __future__ import annotations

from typing import Any

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import reviews, wording
from veridical.ledger.export.pdf_text import printable
from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS
from veridical.ledger.review import EntryReview
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.wording import count

_MOST_DECISIONS = 1_000


def beside_verdict(review: EntryReview | None) -> dict[str, Any] | None:
    """What is printed under the machine's verdict of an entry; None where nothing stands."""
    if review is None or review.verdict is None:
        return None
    return {
        "verdict": review.verdict.value,
        "sign": VERDICT_SIGNS[review.verdict],
        "word": VERDICT_WORDS[review.verdict],
        "decision": reviews.DECISION_WORDS[review.decision],
        "who": printable(reviews.decided(review)),
        "reason": printable(review.reason),
    }


def decisions(ledger: EvidenceLedger, found: Reviewed) -> list[dict[str, str]]:
    """Every decision, oldest first; of very many the latest, and how many are left out."""
    rows = wording.rows_by_entry(ledger)
    more = len(found.history) - _MOST_DECISIONS
    kept = found.history[max(0, more) :]
    rest = [{"what": f"{count(more, 'earlier review')} left out.", "reason": ""}]
    return (rest if more > 0 else []) + [
        {
            "what": printable(f"Claim #{reviews.told(review, rows[review.entry_id])}"),
            "reason": printable(review.reason),
        }
        for review in kept
    ]

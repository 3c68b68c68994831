"""Reviewers' decisions in words. The same words stand in Markdown, page and PDF."""

from __future__ import annotations

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.export.wording import VERDICT_SIGNS, VERDICT_WORDS, Numbered
from veridical.ledger.review import Decision, EntryReview, is_of_its_verdict
from veridical.ledger.reviewed import Reviewed
from veridical.validation.reports.wording import count

DECISION_WORDS = {
    Decision.ACCEPT: "Accepted",
    Decision.OVERRULE: "Overruled",
    Decision.WITHDRAW: "Taken back",
}


def counted(found: Reviewed, ledger: EvidenceLedger) -> str:
    """How many verdicts were reviewed: `2 of 4 claims reviewed: 1 accepted, 1 overruled`."""
    total = count(len(ledger.entries), "claim")
    return (
        f"{len(found.standing):,} of {total} reviewed: "
        f"{found.accepted:,} accepted, {found.overruled:,} overruled"
    )


def decided(review: EntryReview) -> str:
    """Who decided and when, as `overruled by Ana, 2026-01-03 14:30 UTC`. Holds the reviewer's name
    as it was given.
    """
    return f"{DECISION_WORDS[review.decision].lower()}{by(review)}"


def of_another_verdict(review: EntryReview, entry: LedgerEntry) -> str:
    """`made on another verdict (was Weak)` where the machine says something else now, so that the
    decision does not count; else nothing.
    """
    if is_of_its_verdict(review, entry):
        return ""
    return f"made on another verdict (was {VERDICT_WORDS[review.machine_verdict]})"


def told(review: EntryReview, row: Numbered) -> str:
    """One decision of a history, after the word for a claim:
    `3: overruled by Ana, 2026-01-03 14:30 UTC (? Weak → ✓ Supported)`.
    """
    old = of_another_verdict(review, row.entry)
    return f"{row.number}: {decided(review)} ({change(review)}){old and f', {old}'}"


def by(review: EntryReview) -> str:
    """` by Ana, 2026-01-03 14:30 UTC`."""
    name = f" by {review.reviewer}" if review.reviewer.strip() else ""
    return f"{name}, {wording.stamp(review.at)}"


def change(review: EntryReview) -> str:
    """What a decision did to a verdict, in signs and words: `? Weak → ✓ Supported`."""
    machine = verdict_in_words(review.machine_verdict)
    if review.decision is not Decision.OVERRULE or review.verdict is None:
        return machine
    return f"{machine} → {verdict_in_words(review.verdict)}"


def verdict_in_words(verdict: Verdict) -> str:
    """A verdict as sign and word."""
    return f"{VERDICT_SIGNS[verdict]} {VERDICT_WORDS[verdict]}"


def left_out(found: Reviewed) -> str | None:
    """What a reader must be told of decisions about claims that this ledger has not."""
    if not found.elsewhere:
        return None
    return (
        f"{count(len(found.elsewhere), 'review')} left out: of claims that this revision of the "
        "ledger has not."
    )

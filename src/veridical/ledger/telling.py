"""What telemetry is told of claims: verdicts, numbers and codes, and nothing of a text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import LedgerEntry
from veridical.tracing import evaluated, tell

GROUNDEDNESS = "Groundedness"


def tell_entry(entry: LedgerEntry) -> LedgerEntry:
    """Tell the verdict on a claim, and return its entry."""
    evaluated(
        GROUNDEDNESS,
        label=entry.verdict.value,
        score=entry.probability,
        explanation=_reason(entry),
    )
    return entry


def tell_ledger(entries: Sequence[LedgerEntry], sources: int) -> None:
    """Tell the counts of a ledger."""
    verdicts = Counter(entry.verdict.value for entry in entries)
    tell(documents=sources, claims=len(entries), **verdicts)


def _reason(entry: LedgerEntry) -> str:
    """Why a claim has its verdict, as a code."""
    if entry.verdict is Verdict.CONTRADICTED:
        return "contradicting_passage"
    if entry.verdict is Verdict.NOT_FOUND:
        return "nearest_passage_only" if entry.near else "no_passage"
    return f"{entry.evidence[0].support.value}_support"

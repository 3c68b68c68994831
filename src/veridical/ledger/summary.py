"""The counts of a ledger."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Importance, LedgerEntry, LedgerSummary
from veridical.ledger.rounding import rounded


def summarised(entries: Sequence[LedgerEntry]) -> LedgerSummary:
    """Counts by verdict and importance, and the two rates over all claims.

    Evidence coverage is (supported + weak) / total, as in the specification's own example (2
    supported, 1 weak and 1 not found: 0.75).
    """
    verdicts = dict.fromkeys(Verdict, 0)
    importances = dict.fromkeys(Importance, 0)
    for entry in entries:
        verdicts[entry.verdict] += 1
        importances[entry.claim.importance] += 1
    total = len(entries)
    covered = verdicts[Verdict.SUPPORTED] + verdicts[Verdict.WEAK]
    return LedgerSummary(
        total_claims=total,
        by_verdict=verdicts,
        by_importance=importances,
        evidence_coverage=rounded(covered / total) if total else None,
        unsupported_rate=rounded((total - covered) / total) if total else None,
    )

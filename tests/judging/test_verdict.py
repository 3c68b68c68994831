"""Section 4.2 of the ledger specification, branch by branch."""

from __future__ import annotations

import pytest

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import EvidenceMatch, Verdict, assign_verdict

FULL, PARTIAL, NONE = SupportLevel.FULL, SupportLevel.PARTIAL, SupportLevel.NONE


def match(
    similarity: float, support: SupportLevel, *, against: bool = False, snippet: str = "words"
) -> EvidenceMatch:
    return EvidenceMatch(snippet, similarity, support, against)


@pytest.mark.parametrize(
    ("similarity", "support", "verdict", "confidence"),
    [
        (1.0, FULL, Verdict.SUPPORTED, 1.0),
        (0.8501, FULL, Verdict.SUPPORTED, 0.8501),
        (0.85, FULL, Verdict.WEAK, 0.68),
        (0.2, FULL, Verdict.WEAK, 0.16),
        (1.0, PARTIAL, Verdict.WEAK, 0.8),
        (0.8501, PARTIAL, Verdict.WEAK, 0.68008),
        (0.3, PARTIAL, Verdict.WEAK, 0.24),
        (0.99, NONE, Verdict.NOT_FOUND, 0.0),
    ],
)
def test_one_match(
    similarity: float, support: SupportLevel, verdict: Verdict, confidence: float
) -> None:
    found = assign_verdict([match(similarity, support)])
    assert found.verdict is verdict
    assert found.confidence == pytest.approx(confidence)


def test_a_contradiction_goes_before_any_support() -> None:
    found = assign_verdict([match(0.99, FULL), match(0.7, NONE, against=True, snippet="28 days")])
    assert (found.verdict, found.confidence) == (Verdict.CONTRADICTED, 0.7)
    assert found.notes == 'Evidence contradicts claim: "28 days"'


def test_the_first_piece_that_bears_decides() -> None:
    found = assign_verdict([match(0.9, NONE), match(0.8, PARTIAL), match(0.99, FULL)])
    assert (found.verdict, found.confidence) == (Verdict.WEAK, pytest.approx(0.64))

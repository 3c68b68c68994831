"""Section 4.2 of the ledger specification, branch by branch."""

from __future__ import annotations

import pytest

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import (
    FULL_SUPPORT_ABOVE,
    WEAK_FACTOR,
    EvidenceMatch,
    Verdict,
    assign_verdict,
)

FULL, PARTIAL, NONE = SupportLevel.FULL, SupportLevel.PARTIAL, SupportLevel.NONE


def match(
    similarity: float, support: SupportLevel, *, against: bool = False, snippet: str = "words"
) -> EvidenceMatch:
    return EvidenceMatch(snippet, similarity, support, against)


def test_the_thresholds_are_those_of_the_specification() -> None:
    assert (FULL_SUPPORT_ABOVE, WEAK_FACTOR) == (0.85, 0.8)


@pytest.mark.parametrize(
    ("similarity", "support", "verdict", "confidence"),
    [
        (1.0, FULL, Verdict.SUPPORTED, 1.0),
        (0.8501, FULL, Verdict.SUPPORTED, 0.8501),
        (0.85, FULL, Verdict.WEAK, 0.68),
        (0.8499, FULL, Verdict.WEAK, 0.67992),
        (0.2, FULL, Verdict.WEAK, 0.16),
        (1.0, PARTIAL, Verdict.WEAK, 0.8),
        (0.8501, PARTIAL, Verdict.WEAK, 0.68008),
        (0.85, PARTIAL, Verdict.WEAK, 0.68),
        (0.3, PARTIAL, Verdict.WEAK, 0.24),
        (0.99, NONE, Verdict.NOT_FOUND, 0.0),
        (0.85, NONE, Verdict.NOT_FOUND, 0.0),
        (0.3, NONE, Verdict.NOT_FOUND, 0.0),
    ],
)
def test_one_match(
    similarity: float, support: SupportLevel, verdict: Verdict, confidence: float
) -> None:
    found = assign_verdict([match(similarity, support)])
    assert found.verdict is verdict
    assert found.confidence == pytest.approx(confidence)


def test_no_evidence_is_not_found() -> None:
    found = assign_verdict([])
    assert (found.verdict, found.confidence) == (Verdict.NOT_FOUND, 0)
    assert found.notes == "No matching evidence found in provided documents"


def test_evidence_that_bears_on_nothing_is_not_weak_support() -> None:
    found = assign_verdict([match(0.4, NONE), match(0.3, NONE)])
    assert (found.verdict, found.confidence) == (Verdict.NOT_FOUND, 0)
    assert found.notes == "Evidence does not adequately support claim"


def test_a_contradiction_goes_before_any_support() -> None:
    found = assign_verdict([match(0.99, FULL), match(0.7, NONE, against=True, snippet="28 days")])
    assert (found.verdict, found.confidence) == (Verdict.CONTRADICTED, 0.7)
    assert found.notes == 'Evidence contradicts claim: "28 days"'


def test_the_first_piece_that_bears_decides() -> None:
    found = assign_verdict([match(0.9, NONE), match(0.8, PARTIAL), match(0.99, FULL)])
    assert (found.verdict, found.confidence) == (Verdict.WEAK, pytest.approx(0.64))


@pytest.mark.parametrize(
    ("support", "note"),
    [(FULL, 'Directly supported by: "w"'), (PARTIAL, 'Partially supported: "w"')],
)
def test_notes_quote_the_evidence(support: SupportLevel, note: str) -> None:
    assert assign_verdict([match(0.9, support, snippet="w")]).notes == note

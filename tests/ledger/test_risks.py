"""Section 7 of the ledger specification: all six kinds of risk."""

from __future__ import annotations

import pytest
from tests.ledger.entries import entry, piece, source

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import (
    Importance,
    LedgerEntry,
    RiskFlag,
    RiskType,
    Severity,
)
from veridical.ledger.freshness import Staleness
from veridical.ledger.risks import RISKS, risk_flags

SOURCES = (source("leave.md"), source("old.md"))
PARTIAL = SupportLevel.PARTIAL


def flags(*entries: LedgerEntry, **stale: str) -> dict[RiskType, RiskFlag]:
    reasons = {f"id-{name}.md": Staleness(reason) for name, reason in stale.items()}
    found = risk_flags("session", entries, SOURCES, reasons)
    assert len({flag.id for flag in found}) == len(found)
    return {flag.type: flag for flag in found}


def test_every_kind_has_a_severity_and_a_mitigation() -> None:
    assert set(RISKS) == set(RiskType)
    assert all(mitigation for _, mitigation in RISKS.values())
    severities = [RISKS[kind][0].value for kind in RiskType]
    assert severities == ["high", "high", "medium", "medium", "high", "low"]


def test_a_sound_ledger_has_no_risks() -> None:
    assert flags(entry("a", Verdict.SUPPORTED, piece())) == {}
    assert flags() == {}


def test_missing_critical_claims() -> None:
    found = flags(
        entry("a", Verdict.NOT_FOUND, importance=Importance.CRITICAL),
        entry("b", Verdict.NOT_FOUND, importance=Importance.MATERIAL),
        entry("c", Verdict.NOT_FOUND, importance=Importance.CRITICAL),
    )[RiskType.MISSING_EVIDENCE]
    assert found.severity is Severity.HIGH
    assert found.description == "2 critical claims have no supporting evidence"
    assert found.affected_claim_ids == ("claim-a", "claim-c")
    assert found.mitigation == "Upload relevant documents or revise response"


def test_missing_material_claims_are_less_severe_and_minor_ones_are_none() -> None:
    found = flags(entry("a", Verdict.NOT_FOUND), entry("b", Verdict.SUPPORTED, piece()))
    assert found[RiskType.MISSING_EVIDENCE].severity is Severity.MEDIUM
    minor = flags(entry("a", Verdict.NOT_FOUND, importance=Importance.MINOR))
    assert RiskType.MISSING_EVIDENCE not in minor


def test_sources_that_disagree() -> None:
    for_it, against = piece(), piece("Staff get 28 days.", of="old.md", against=True)
    found = flags(entry("a", Verdict.CONTRADICTED, against, for_it))
    flag = found[RiskType.CONFLICTING_SOURCES]
    assert flag.description == "Sources disagree on 1 claim: leave.md, old.md"
    assert flag.severity is Severity.HIGH
    alone = flags(entry("a", Verdict.CONTRADICTED, against))
    assert RiskType.CONFLICTING_SOURCES not in alone


def test_an_outdated_source_is_flagged_where_a_claim_rests_on_it() -> None:
    rests = entry("a", Verdict.SUPPORTED, piece(of="old.md"), piece())
    beside = entry("b", Verdict.SUPPORTED, piece(), piece(of="old.md"))
    found = flags(rests, beside, old="it is dated 2019-12-31")
    flag = found[RiskType.OUTDATED_SOURCE]
    assert flag.affected_claim_ids == ("claim-a",)
    assert flag.description == "old.md may be outdated: it is dated 2019-12-31"
    assert flags(beside, old="it is dated 2019-12-31") == {}


@pytest.mark.parametrize(
    ("first", "second", "other", "expected"),
    [
        (0.7, 0.69, "Other words.", True),
        (0.7, 0.68, "Other words.", True),
        (0.7, 0.67, "Other words.", False),
        (0.7, 0.70, "Staff get 27 days.", False),
    ],
)
def test_passages_that_tie_are_ambiguous(
    first: float, second: float, other: str, *, expected: bool
) -> None:
    tied = entry(
        "a",
        Verdict.WEAK,
        piece(support=PARTIAL, similarity=first),
        piece(other, support=PARTIAL, similarity=second),
    )
    assert (RiskType.AMBIGUOUS_EVIDENCE in flags(tied)) is expected


@pytest.mark.parametrize(("confidence", "flagged"), [(0.59, True), (0.6, False), (0.61, False)])
def test_low_confidence_overall(confidence: float, *, flagged: bool) -> None:
    found = flags(
        entry("a", Verdict.WEAK, piece(support=PARTIAL), confidence=confidence),
        entry("b", Verdict.WEAK, piece(support=PARTIAL), confidence=confidence),
    )
    assert (RiskType.LOW_CONFIDENCE in found) is flagged
    if flagged:
        assert found[RiskType.LOW_CONFIDENCE].description == "Overall confidence is low (59%)"
        assert found[RiskType.LOW_CONFIDENCE].severity is Severity.MEDIUM

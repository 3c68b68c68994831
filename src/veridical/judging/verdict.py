"""From judged evidence to a verdict: the rules of section 4.2 of the ledger specification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from veridical.judging.judge import SupportLevel

FULL_SUPPORT_ABOVE = 0.85
"""Similarity above which full support makes a claim supported."""

WEAK_FACTOR = 0.8
"""What partial support leaves of the similarity."""


class Verdict(StrEnum):
    """What the sources say of a claim."""

    SUPPORTED = "supported"
    WEAK = "weak"
    CONTRADICTED = "contradicted"
    NOT_FOUND = "not_found"


@dataclass(frozen=True, slots=True)
class EvidenceMatch:
    """One piece of evidence as the rules see it; `similarity` is 0 to 1."""

    snippet: str
    similarity: float
    support: SupportLevel
    contradicts: bool = False


@dataclass(frozen=True, slots=True)
class Assignment:
    """A verdict, the confidence that the rules give it (0 to 1), and a sentence that says why."""

    verdict: Verdict
    confidence: float
    notes: str


def assign_verdict(evidence: Sequence[EvidenceMatch]) -> Assignment:
    """The verdict on a claim from the evidence that bears on it, most similar first.

    Evidence that neither supports nor contradicts (`SupportLevel.NONE`) bears on nothing and is
    passed over: the specification's rules would call it weak support.
    Source: section 4.2 of the ledger specification.
    """
    contradicting = next((match for match in evidence if match.contradicts), None)
    if contradicting is not None:
        return Assignment(
            Verdict.CONTRADICTED,
            contradicting.similarity,
            f'Evidence contradicts claim: "{contradicting.snippet}"',
        )
    bearing = [match for match in evidence if match.support is not SupportLevel.NONE]
    if not bearing:
        found = "No matching evidence found in provided documents"
        lacking = "Evidence does not adequately support claim"
        return Assignment(Verdict.NOT_FOUND, 0.0, lacking if evidence else found)
    best = bearing[0]
    if best.support is SupportLevel.FULL and best.similarity > FULL_SUPPORT_ABOVE:
        return Assignment(
            Verdict.SUPPORTED, best.similarity, f'Directly supported by: "{best.snippet}"'
        )
    return Assignment(
        Verdict.WEAK, best.similarity * WEAK_FACTOR, f'Partially supported: "{best.snippet}"'
    )

"""Does the verdict on a claim follow from its evidence, and its confidence from its components?"""

from __future__ import annotations

from collections.abc import Iterator

from veridical.judging.confidence import NO_CONFIDENCE, displayed_confidence
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import FULL_SUPPORT_ABOVE, EvidenceMatch, Verdict, assign_verdict
from veridical.ledger.entry import LedgerEntry
from veridical.ledger.rounding import DECIMALS
from veridical.ledger.seal import Problem
from veridical.validation.reports.wording import count

TOLERANCE = 2 * 10**-DECIMALS
"""What rounding the parts of a number, and the number itself, can make of it."""


def verdict_problems(entry: LedgerEntry, sources: int, at: str) -> Iterator[Problem]:
    """What the evidence of an entry does not bear out, in a ledger over so many `sources`."""
    matches = [
        EvidenceMatch(p.snippet, p.similarity, p.support, p.contradicts) for p in entry.evidence
    ]
    expected = assign_verdict(matches).verdict
    if entry.verdict is not expected:
        yield Problem(f"{at}.verdict", f"its evidence makes it {expected}, not {entry.verdict}")
    else:
        yield from _components(entry, sources, at)
    for index, piece in enumerate(entry.evidence):
        full = piece.support is SupportLevel.FULL
        if not piece.contradicts and full is not (piece.similarity > FULL_SUPPORT_ABOVE):
            where = f"{at}.evidence.pieces[{index}].support"
            yield Problem(where, f"{piece.support} does not go with its similarity")
    confidence = displayed_confidence(entry.components)
    if abs(entry.confidence_score - confidence) > TOLERANCE:
        yield Problem(f"{at}.confidence_score", f"its components give {confidence:.6g}")


def _components(entry: LedgerEntry, sources: int, at: str) -> Iterator[Problem]:
    """The components are those of the deciding piece; pieces beyond those kept may count too."""
    components = entry.components
    if entry.verdict in (Verdict.NOT_FOUND, Verdict.CONTRADICTED):
        if components != NO_CONFIDENCE:
            yield Problem(f"{at}.components", "nothing bears the claim out, so that all must be 0")
        return
    best = entry.evidence[0]
    if abs(components.semantic_similarity - best.similarity) > TOLERANCE:
        where = f"{at}.components.semantic_similarity"
        yield Problem(where, f"the deciding piece gives {best.similarity:.6g}")
    if abs(components.directness - best.directness) > TOLERANCE:
        where = f"{at}.components.directness"
        yield Problem(where, f"the deciding piece gives {best.directness:.6g}")
    # Copies of the same words count once, under whichever name.
    independent = {piece.chunk_sha256: piece.source_id for piece in entry.evidence}
    least = len(set(independent.values()))
    if not least <= components.evidence_count <= max(sources, least):
        where = f"{at}.components.evidence_count"
        yield Problem(where, f"the evidence comes from {least} of {count(sources, 'source')}")

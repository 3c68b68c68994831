"""The verdict on a direct quote: the words must stand there, and nothing else will do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from veridical.matching.passages import DocumentIndex
from veridical.sources.document import Document, Span
from veridical.validation import wording
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.context import InContext, best_in_context, in_context, names_source
from veridical.validation.differences import NOTHING_CHANGED, AlterationKind
from veridical.validation.results import (
    Attempt,
    Candidate,
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Status,
)

ALTERED_FROM = 0.6
"""Similarity from which a quote that is not validated counts as altered, not fabricated."""

MOST_ALTERNATIVES = 3
MOST_ATTEMPTS = 3


def judge_direct(
    claim: Claim,
    candidates: Sequence[Candidate],
    config: ValidationConfig,
    indexes: Mapping[str, DocumentIndex],
) -> ClaimResult:
    """Decide on a claim whose words should stand in the source as they are.

    `candidates` come from all documents. Only those without alterations can validate the claim: a
    slip of spelling may have made another word ("trial", "trail"), which a person must see.
    """
    different = distinct(candidates)
    accepted = acceptable(claim, different, config)
    if accepted:
        return place_in_context(claim, accepted, config, indexes)
    ranked = sorted(
        different,
        key=lambda c: (not names_source(claim, c.match.document, indexes), -c.match.similarity),
    )
    return _not_there(claim, ranked, config, indexes)


def plain_result(claim: Claim, document: Document, span: Span) -> ClaimResult:
    """The verdict on words that stand there letter for letter, and nowhere else."""
    return ClaimResult(
        claim,
        Status.VALIDATED,
        1.0,
        fidelity=Fidelity.VERBATIM,
        match=Match(document, span, MatchType.EXACT, 1.0, 1.0, 0),
        comparison=NOTHING_CHANGED,
    )


def acceptable(
    claim: Claim, candidates: Sequence[Candidate], config: ValidationConfig
) -> list[Candidate]:
    """The candidates whose words are good enough, of the best kind that there is."""
    clean = [c for c in candidates if not _alterations(c)]
    exact = [c for c in clean if c.match.match_type is MatchType.EXACT]
    if exact:
        return exact
    if not config.fuzzy_matching.enabled:
        return []
    least = max(config.fuzzy_matching.similarity_threshold, claim.confidence_threshold)
    most = config.fuzzy_matching.max_edit_distance
    fit = [c for c in clean if c.match.similarity >= least and (c.match.edit_distance or 0) <= most]
    best = min((c.match.edit_distance or 0 for c in fit), default=0)
    return [c for c in fit if (c.match.edit_distance or 0) == best]


def _alterations(candidate: Candidate) -> list[AlterationKind]:
    return [a.kind for a in candidate.comparison.alterations] if candidate.comparison else []


def place_in_context(
    claim: Claim,
    accepted: Sequence[Candidate],
    config: ValidationConfig,
    indexes: Mapping[str, DocumentIndex],
) -> ClaimResult:
    """Decide between places at which the words do stand, by where the claim says they stand."""
    placed = in_context(claim, accepted, config.context_validation, indexes)
    if not placed.inside:
        return _elsewhere(claim, placed)
    best = best_in_context(placed.inside)
    others = [c.match for c in (*best[1:], *[c for c in placed.inside if c not in best])]
    status = Status.VALIDATED
    if placed.unchecked:
        status = Status.LOW_CONFIDENCE
    elif len(best) > 1:
        status = Status.AMBIGUOUS
    return ClaimResult(
        claim,
        status,
        best[0].match.confidence,
        fidelity=fidelity_of(best[0]),
        match=best[0].match,
        comparison=best[0].comparison,
        alternatives=tuple(others[:MOST_ALTERNATIVES]),
        suggestions=(
            wording.for_places(best[0].match, len(best)) if status is Status.AMBIGUOUS else ()
        ),
        notes=placed.notes,
    )


def fidelity_of(candidate: Candidate) -> Fidelity:
    """How true words that do stand there are."""
    comparison = candidate.comparison
    if comparison is None or comparison.alterations:
        return Fidelity.ALTERED
    return Fidelity.NORMALISED if comparison.rules else Fidelity.VERBATIM


def _elsewhere(claim: Claim, placed: InContext) -> ClaimResult:
    """The words stand in the documents, but not where the claim says."""
    found, reason = placed.outside, placed.missed
    best = found[0]
    return ClaimResult(
        claim,
        Status.FAILED,
        0.0,
        reason=FailureReason.CONTEXT_MISMATCH,
        fidelity=Fidelity.MISATTRIBUTED if placed.misattributed else fidelity_of(best),
        comparison=best.comparison,
        found_at=best.match,
        attempts=tuple(Attempt(c.match, reason) for c in found[:MOST_ATTEMPTS]),
        suggestions=wording.for_elsewhere(best.match, reason),
    )


def _not_there(
    claim: Claim,
    ranked: Sequence[Candidate],
    config: ValidationConfig,
    known: Collection[str],
) -> ClaimResult:
    """Nowhere in these words, and perhaps nearly."""
    nearest = ranked[0] if ranked else None
    best = nearest if nearest and nearest.match.similarity >= ALTERED_FROM else None
    suggestions = wording.for_altered(best) if best else wording.for_nothing(nearest)
    if best is not None and _nearly(claim, best, config, known):
        return ClaimResult(
            claim,
            Status.LOW_CONFIDENCE,
            round(min(best.match.similarity, 0.99), 6),
            fidelity=Fidelity.ALTERED,
            match=best.match,
            comparison=best.comparison,
            alternatives=tuple(c.match for c in ranked[1 : 1 + MOST_ALTERNATIVES]),
            suggestions=(wording.near(best), *suggestions),
        )
    tried = ranked[:MOST_ATTEMPTS]
    return ClaimResult(
        claim,
        Status.FAILED,
        0.0,
        reason=FailureReason.NOT_FOUND,
        fidelity=Fidelity.ALTERED if best else Fidelity.FABRICATED,
        comparison=best.comparison if best else None,
        attempts=tuple(Attempt(c.match, wording.rejection(c, config)) for c in tried),
        found_at=best.match if best else None,
        suggestions=suggestions,
    )


def _nearly(
    claim: Claim, best: Candidate, config: ValidationConfig, known: Collection[str]
) -> bool:
    """Whether the words are so near, and so harmlessly changed, that a person may decide."""
    return (
        best.comparison is not None
        and not best.comparison.vetoed
        and best.match.similarity >= config.fuzzy_matching.similarity_threshold
        and config.fuzzy_matching.enabled
        and names_source(claim, best.match.document, known)
    )


def distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without those that mostly overlap a better one, best first, then by place.

    Any without alterations is better than any with. Of places as similar, those that say it letter
    for letter come first.
    """
    return without_doubles(
        candidates, key=lambda c: (bool(_alterations(c)), -c.match.similarity, _differs(c))
    )


def _differs(candidate: Candidate) -> bool:
    return bool(candidate.comparison and candidate.comparison.rules)


def without_doubles(
    candidates: Sequence[Candidate], key: Callable[[Candidate], tuple[float, ...]]
) -> list[Candidate]:
    """Candidates without those that mostly overlap a better one, best (least by `key`) first."""
    if len(candidates) < 2:
        return list(candidates)
    ranked = sorted(candidates, key=lambda c: (key(c), c.match.document.name, c.match.span))
    kept: list[Candidate] = []
    for candidate in ranked:
        if not any(_same_place(candidate.match, other.match) for other in kept):
            kept.append(candidate)
    return kept


SAME_PLACE = 0.5
"""Share of their common extent that two matches of one place overlap by (specification 3.4)."""


def _same_place(one: Match, other: Match) -> bool:
    """Whether two matches are one place: most of both is shared, or one lies within the other."""
    return one.document is other.document and (
        one.span.overlap_ratio(other.span) > SAME_PLACE
        or one.span.overlap(other.span) == min(len(one.span), len(other.span)) > 0
    )

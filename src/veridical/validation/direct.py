"""The verdict on a direct quote: the words must stand there, and nothing else will do; and whether
a place is the one that a claim names, by its source, its section and a hint.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from veridical.matching.passages import DocumentIndex, TitleIndex
from veridical.sources.document import Document, Section, Span
from veridical.text.normalize import fold
from veridical.validation import wording
from veridical.validation.claims import Claim
from veridical.validation.config import ContextValidation, ValidationConfig
from veridical.validation.differences import NOTHING_CHANGED, AlterationKind
from veridical.validation.results import (
    PREAMBLE,
    Attempt,
    Candidate,
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Note,
    Status,
)

# What stands around a match: words of a hint, the section, page, line or paragraph.


_PLACE = re.compile(
    r"^\s*(?P<kind>page|p\.|line|paragraph|para\.?)\s*(?P<number>\d+)\s*$", re.IGNORECASE
)
_PARAGRAPH = re.compile(r"\n[ \t]*\r?\n\s*")


def context_score(match: Match, hint: str, window: int, *, titles: bool) -> float:
    """The share, 0 to 1, of the hint's words within `window` characters of the match.

    With `titles`, the titles of the enclosing sections count as context too.
    """
    words = set(fold(hint).split())
    if not words:
        return 1.0
    document, span = match.document, match.span
    around = Span(max(0, span.start - window), min(len(document.text), span.end + window))
    present = set(fold(document.shown(around)).split())
    if titles:
        present.update(fold(" ".join(match.section_path)).split())
    return len(words & present) / len(words)


def stands_in(match: Match, expected: str, titles: TitleIndex) -> bool | None:
    """Whether a match stands in the expected section, page, line or paragraph.

    None where that cannot be told: the document has no sections (or no pages) to look in.
    """
    document = match.document
    place = _PLACE.match(expected)
    if place is not None:
        return _at_place(document, match.span, place["kind"].lower(), int(place["number"]))
    if not document.sections:
        return None
    if match.section is None:
        return fold(expected) == fold(PREAMBLE)
    named = {found.heading for found in titles.sections_named(expected)}
    return any(enclosing.heading in named for enclosing in _enclosing(document, match.span.start))


def _enclosing(document: Document, offset: int) -> list[Section]:
    """The sections around an offset, innermost first."""
    found: list[Section] = []
    level = 10**6
    for section in reversed(document.sections):
        if section.heading.start <= offset and section.level < level:
            found.append(section)
            level = section.level
    return found


def _at_place(document: Document, span: Span, kind: str, number: int) -> bool | None:
    if kind in ("page", "p."):
        if not document.pages:
            return None
        first, last = document.page_at(span.start), document.page_at(max(span.start, span.end - 1))
        return first is not None and last is not None and first <= number <= last
    if kind == "line":
        first_line = document.line_number(span.start)
        return first_line <= number <= document.line_number(max(span.start, span.end - 1))
    breaks = sum(1 for found in _PARAGRAPH.finditer(document.text) if found.end() <= span.start)
    return breaks + 1 == number


MIN_CONTEXT_SCORE = 0.3
"""Share of the hint's words above which a candidate has the context (specification 3.6)."""

CONTEXT_BOOST = 0.2
"""How much a full context raises the confidence, which never passes 1."""


def names_source(claim: Claim, document: Document, known: Collection[str]) -> bool:
    """Whether a claim's `source`, if any, names the document: by name, file name or stem.

    `known` are the names of all documents: a source that is one of them means that one alone.
    Folders may be left out on either side, but those that are given must agree.
    """
    if claim.source is None:
        return True
    if claim.source in known:
        return claim.source == document.name
    wanted, path = PurePath(claim.source.casefold()), PurePath(document.name.casefold())
    most = min(len(wanted.parts), len(path.parts))
    same = most > 0 and wanted.parts[-most:] == path.parts[-most:]
    return same or str(wanted) in (path.stem, str(path).removesuffix(path.suffix))


@dataclass(frozen=True, slots=True)
class InContext:
    """The candidates that stand where a claim says; where none does, those that came nearest, and
    what they miss. `unchecked`: the section could not be looked for.
    """

    inside: tuple[Candidate, ...]
    outside: tuple[Candidate, ...] = ()
    missed: str = ""
    misattributed: bool = False
    notes: tuple[Note, ...] = ()
    unchecked: bool = False


def in_context(
    claim: Claim,
    candidates: Sequence[Candidate],
    config: ContextValidation,
    indexes: Mapping[str, DocumentIndex],
) -> InContext:
    """The candidates of the source that a claim names, in the section that it expects, with the
    hint around them; these get a score and more confidence.
    """
    inside = tuple(c for c in candidates if names_source(claim, c.match.document, indexes))
    if not inside:
        return InContext((), tuple(candidates), f"not in {claim.source}", misattributed=True)
    placed = _in_section(claim, inside, config, indexes)
    if not placed.inside or claim.context_hint is None or not config.enabled:
        return placed
    scored = [_scored(candidate, claim.context_hint, config) for candidate in placed.inside]
    hinted = tuple(c for c in scored if (c.match.context_score or 0.0) > MIN_CONTEXT_SCORE)
    if not hinted:
        return InContext((), tuple(scored), "not near the context hint")
    return replace(placed, inside=hinted)


def _in_section(
    claim: Claim,
    candidates: tuple[Candidate, ...],
    config: ContextValidation,
    indexes: Mapping[str, DocumentIndex],
) -> InContext:
    expected = claim.expected_section
    if expected is None or not (config.enabled and config.section_awareness):
        return InContext(candidates)
    stands = [
        stands_in(c.match, expected, indexes[c.match.document.name].titles) for c in candidates
    ]
    inside = tuple(c for c, stand in zip(candidates, stands, strict=True) if stand)
    unknown = tuple(c for c, stand in zip(candidates, stands, strict=True) if stand is None)
    if inside:
        return InContext(inside)
    if not unknown:
        where = f"on {expected}" if _PLACE.match(expected) else f"in section {expected!r}"
        return InContext((), candidates, f"not {where}", misattributed=True)
    note = Note(
        "SECTION_UNCHECKED",
        f"{unknown[0].match.document.name} has no sections in which to look for {expected!r}",
        claim.id,
    )
    return InContext(unknown, notes=(note,), unchecked=True)


def _scored(candidate: Candidate, hint: str, config: ContextValidation) -> Candidate:
    match = candidate.match
    score = context_score(match, hint, config.context_window, titles=config.section_awareness)
    raised = 1 + CONTEXT_BOOST * score if score > MIN_CONTEXT_SCORE else 1
    confidence = round(min(1.0, match.confidence * raised), 6)
    return replace(
        candidate, match=replace(match, context_score=round(score, 6), confidence=confidence)
    )


def best_in_context(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of candidates equally good, those with the most of the hint around them."""
    most = max((c.match.context_score or 0.0 for c in candidates), default=0.0)
    return [c for c in candidates if (c.match.context_score or 0.0) == most]


# The verdict.

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
        best, result = placed.outside[0], elsewhere(claim, placed.outside, placed.missed)
        fidelity = Fidelity.MISATTRIBUTED if placed.misattributed else fidelity_of(best)
        return replace(result, fidelity=fidelity, comparison=best.comparison)
    equal = best_in_context(placed.inside)
    others = [c.match for c in (*equal[1:], *[c for c in placed.inside if c not in equal])]
    best = equal[0]
    status = Status.VALIDATED
    if placed.unchecked:
        status = Status.LOW_CONFIDENCE
    elif len(equal) > 1:
        status = Status.AMBIGUOUS
    return ClaimResult(
        claim,
        status,
        best.match.confidence,
        fidelity=fidelity_of(best),
        match=best.match,
        comparison=best.comparison,
        alternatives=tuple(others[:MOST_ALTERNATIVES]),
        suggestions=(
            wording.for_places(best.match, len(equal)) if status is Status.AMBIGUOUS else ()
        ),
        notes=placed.notes,
    )


def fidelity_of(candidate: Candidate) -> Fidelity:
    """How true words that do stand there are."""
    comparison = candidate.comparison
    if comparison is None or comparison.alterations:
        return Fidelity.ALTERED
    return Fidelity.NORMALISED if comparison.rules else Fidelity.VERBATIM


def elsewhere(claim: Claim, found: Sequence[Candidate], reason: str) -> ClaimResult:
    """What is claimed stands in the documents, but not where the claim says."""
    return ClaimResult(
        claim,
        Status.FAILED,
        0.0,
        reason=FailureReason.CONTEXT_MISMATCH,
        found_at=found[0].match,
        attempts=tuple(Attempt(c.match, reason) for c in found[:MOST_ATTEMPTS]),
        suggestions=wording.for_elsewhere(found[0].match, reason),
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
    fuzzy = config.fuzzy_matching
    if (  # so near, and so harmlessly changed, that a person may decide
        best is not None
        and best.comparison is not None
        and not best.comparison.vetoed
        and fuzzy.enabled
        and best.match.similarity >= fuzzy.similarity_threshold
        and names_source(claim, best.match.document, known)
    ):
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


def distinct(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Candidates without those that mostly overlap a better one, best first, then by place.

    Any without alterations is better than any with. Of places as similar, those that say it letter
    for letter come first.
    """
    return without_doubles(
        candidates,
        key=lambda c: (
            bool(_alterations(c)),
            -c.match.similarity,
            bool(c.comparison and c.comparison.rules),
        ),
    )


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

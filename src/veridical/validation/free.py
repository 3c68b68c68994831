"""The verdict on claims in other words: paraphrases, concepts and references to sections.

What stands there word for word is found; of all else that says something a reader decides whether a
passage says it (`results.SenseReader`). Where it cannot, words do (nearly, or in another
order), and for a concept or a section, which claim no more than that the source speaks of it, a
shared subject.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from veridical.matching.passages import DocumentIndex, Passage
from veridical.text.lexicon import english
from veridical.text.tokens import Token, TokenKind, prepare, tokenize
from veridical.validation import lexicon, wording
from veridical.validation.alterations import is_name, unit_of
from veridical.validation.claims import Claim, EvidenceType
from veridical.validation.config import ValidationConfig
from veridical.validation.differences import Alteration, AlterationKind, Comparison
from veridical.validation.direct import (
    CONTEXT_BOOST,
    MOST_ALTERNATIVES,
    MOST_ATTEMPTS,
    elsewhere,
    fidelity_of,
    in_context,
    without_doubles,
)
from veridical.validation.results import (
    Attempt,
    Candidate,
    ClaimResult,
    FailureReason,
    Match,
    MatchType,
    Sense,
    Status,
)

_DIGITS = {word: str(value) for word, value in lexicon.NUMBERS.items()} | {"hundred": "100"}
_VAGUE = frozenset({"one", "first", "second", "single", "both", "once", "un", "ein", "eine", "uno"})
"""Number words that often count nothing."""


def conflicts(claim: str, passage: str) -> tuple[Alteration, ...]:
    """Signs that a passage says something else than a claim, in the order number, unit, negation,
    name; empty where there is none.

    A paraphrase may change words, never what they say. Only clear signs are looked for, and each
    leaves the claim to a person.
    """
    quoted, source = prepare(claim), prepare(passage)
    q, s = tokenize(quoted), tokenize(source)
    found: list[Alteration] = []
    missing = sorted(_numbers(q) - _numbers(s) - {"one"})
    found += [Alteration(AlterationKind.NUMBER, number, "") for number in missing]
    units = {u for t in q if (u := _unit(t))} - {u for t in s if (u := _unit(t))}
    if any(_unit(t) for t in s):
        found += [Alteration(AlterationKind.UNIT, unit, "") for unit in sorted(units)]
    denied, denying = _negations(q), _negations(s)
    if bool(denied) != bool(denying):
        found.append(Alteration(AlterationKind.NEGATION, " ".join(denied), " ".join(denying)))
    known, claimed = {t.key for t in s}, {t.key for t in q}
    found += [
        Alteration(AlterationKind.NEGATION, one, other)
        for one in sorted(claimed - known)
        for other in sorted(known - claimed)
        if frozenset((one, other)) in lexicon.OPPOSITES
    ]
    modal = {lexicon.MODALS[key] for key in claimed if key in lexicon.MODALS}
    other_modal = {lexicon.MODALS[key] for key in known if key in lexicon.MODALS}
    if modal and other_modal and not modal & other_modal:
        pair = " ".join(sorted(modal)), " ".join(sorted(other_modal))
        found.append(Alteration(AlterationKind.NEGATION, *pair))
    names = [t.text for i, t in enumerate(q) if is_name(t, i, quoted) and t.key not in known]
    found += [Alteration(AlterationKind.NAME, name, "") for name in dict.fromkeys(names)]
    return tuple(found)


def _numbers(tokens: Sequence[Token]) -> set[str]:
    numbers = {t.key for t in tokens if t.kind is TokenKind.NUMBER}
    words = {t.key for t in tokens if t.key in lexicon.NUMBER_WORDS - _VAGUE}
    return numbers | {_DIGITS.get(word, word) for word in words}


def _unit(token: Token) -> str | None:
    """Units and signs that qualify an amount; single letters are too often something else."""
    unit = unit_of(token)
    if unit is None or (token.kind is TokenKind.WORD and len(unit) < 2):
        return None
    return {"%": "percent", "per": None, "cent": None}.get(unit, unit)


def _negations(tokens: Sequence[Token]) -> list[str]:
    return sorted({t.key for t in tokens if t.key in lexicon.NEGATIONS})


CANDIDATE_FROM = 0.5
"""Similarity from which a place is worth reporting."""

CANDIDATE_SHARE = 0.7
"""Share of a claim's own threshold from which a place is, where that is lower."""

LOCATED_FROM = 0.7
"""Similarity from which a place found by its spelling is surely the one that is meant, so that no
much wider passage around it is a better candidate."""

WIDER = 1.5
"""How many times as long as the place a passage is that is much wider."""

SPELLED_FROM = 0.8
"""Similarity of spelling from which a place comes before any passage that shares the words."""

AS_GOOD = 0.02
"""Two places whose confidence differs by no more are equally good."""


def _may_pass(claim: Claim, match: Match) -> bool:
    """Whether a match is sure enough to validate the claim, with all that a context can add."""
    return match.confidence * (1 + CONTEXT_BOOST) >= claim.confidence_threshold


def _candidate_from(claim: Claim) -> float:
    return min(CANDIDATE_FROM, CANDIDATE_SHARE * claim.confidence_threshold)


def passage_candidates(
    claim: Claim, passages: Sequence[Passage], kind: MatchType
) -> list[Candidate]:
    """Candidates from passages that share the claim's words (`FUZZY`) or its subject (`SEMANTIC`),
    with what they disagree on.
    """
    states = claim.evidence_type is EvidenceType.PARAPHRASE or _is_statement(claim.quote)
    candidates = []
    for passage in passages:
        score = round(passage.similarity, 6)
        match = Match(passage.document, passage.span, kind, score, score)
        found = conflicts(claim.quote, match.shown) if states and _may_pass(claim, match) else ()
        candidates.append(Candidate(match, Comparison((), found, ()) if found else None))
    return candidates


def title_candidates(passages: Sequence[Passage]) -> list[Candidate]:
    """Candidates from section headings."""
    return [
        Candidate(Match(p.document, p.span, MatchType.EXACT, 1.0, 1.0, 0))
        if p.similarity == 1.0
        else Candidate(Match(p.document, p.span, MatchType.FUZZY, p.similarity, p.similarity))
        for p in passages
    ]


STATEMENT_WORDS = 5
"""Words from which a reference to a concept or a section says something that can be wrong."""


def _is_statement(quote: str) -> bool:
    return len(quote.split()) >= STATEMENT_WORDS


def judge_free(
    claim: Claim,
    candidates: Sequence[Candidate],
    config: ValidationConfig,
    indexes: Mapping[str, DocumentIndex],
    sense: Sense | None = None,
) -> ClaimResult:
    """Decide on a claim in other words from all its candidates, and from what was read for it."""
    least = _candidate_from(claim)
    restated = [_restated(claim, candidate) for candidate in candidates]
    places = [_lifted(c, restated) for c in _places(restated)]
    worthy = sorted(
        (  # what the sense found has passed a threshold of its own
            c
            for c in places
            if c.match.confidence >= least or c.match.match_type is MatchType.SEMANTIC
        ),
        key=_rank,
    )
    is_paraphrase = claim.evidence_type is EvidenceType.PARAPHRASE
    # A concept need not be said: it is enough that the source speaks of it, and not otherwise.
    if sense is not None and not (is_paraphrase or sense.says or sense.refutes):
        sense = None
    if sense is not None:
        worthy = _read(worthy, sense)
    if not worthy:
        return _not_found(claim, places, sense)
    placed = in_context(claim, worthy, config.context_validation, indexes)
    if not placed.inside:
        good = [c for c in worthy if c.match.confidence >= claim.confidence_threshold]
        return elsewhere(claim, good, placed.missed) if good else _not_found(claim, worthy)
    ranked = _ranked(placed.inside, sense)
    best = ranked[0]
    status = _status(claim, ranked, sense)
    if placed.unchecked and status is Status.VALIDATED:
        status = Status.LOW_CONFIDENCE
    exact = is_paraphrase and best.match.match_type is MatchType.EXACT
    return ClaimResult(
        claim,
        status,
        best.match.confidence,
        fidelity=fidelity_of(best) if exact else None,
        match=_by_context(claim, best.match, worthy) if status is Status.VALIDATED else best.match,
        comparison=best.comparison,
        alternatives=tuple(c.match for c in ranked[1 : 1 + MOST_ALTERNATIVES]),
        suggestions=_advice(status, ranked, claim, sense),
        notes=placed.notes,
    )


def _ranked(places: Sequence[Candidate], sense: Sense | None) -> list[Candidate]:
    """The places, best first. Where the letters are alike it stands, damaged or altered, whatever
    is read elsewhere; else what was read to decide comes before what shares words.
    """
    if sense is None:
        return sorted(places, key=_rank)
    alike = [c for c in places if _is_alike(c.match)]
    if alike and not _is_read_at(alike[0].match, sense):
        return sorted(places, key=lambda c: not _is_alike(c.match))  # as they were ranked
    if not (sense.says or sense.refutes):
        return list(places)
    return sorted(places, key=lambda c: (not _is_read_at(c.match, sense), *_rank(c)))


def _is_alike(match: Match) -> bool:
    return match.match_type is not MatchType.SEMANTIC and match.similarity >= ALIKE


ALIKE = 0.55
"""Similarity of letters from which a passage is the claim, written otherwise. (Of 3,141 sentences
looked for in what a machine misread of them, 69 fewer are found where the reader alone decides.)
"""


def is_read(claim: Claim, candidates: Sequence[Candidate]) -> bool:
    """Whether a claim is one to be read: it says something, in words that do not stand there."""
    kind = claim.evidence_type
    states = kind is EvidenceType.CONCEPT_REFERENCE and _is_statement(claim.quote)
    exact = any(c.match.match_type is MatchType.EXACT and not disagrees(c) for c in candidates)
    return (kind is EvidenceType.PARAPHRASE or states) and not exact


def _is_read_at(match: Match, sense: Sense) -> bool:
    return match.document is sense.document and match.span.overlap(sense.span) > 0


def _read(worthy: Sequence[Candidate], sense: Sense) -> list[Candidate]:
    """The places, as sure as the reader is: what it takes for said is a place by itself, and where
    it takes nothing for said the words alone bear out nothing.
    """
    if not sense.says:
        sure = sense.probability
        return [
            replace(c, match=replace(c.match, confidence=min(c.match.confidence, sure)))
            for c in worthy
        ]
    at = [c for c in worthy if _is_read_at(c.match, sense)]
    words = [c for c in at if c.match.match_type is not MatchType.SEMANTIC]
    found = Match(sense.document, sense.span, MatchType.SEMANTIC, sense.probability, 0.0)
    best = words[0].match if words else found
    match = replace(best, confidence=max(best.confidence, sense.probability))
    return [Candidate(match), *(c for c in worthy if c not in at)]


def _by_context(claim: Claim, match: Match, before: Sequence[Candidate]) -> Match:
    """A match that only its context made sure enough is one by its context."""
    plain = (c.match.confidence for c in before if c.match.span == match.span)
    if match.context_score is None or max(plain, default=1.0) >= claim.confidence_threshold:
        return match
    return replace(match, match_type=MatchType.CONTEXTUAL)


def _restated(claim: Claim, candidate: Candidate) -> Candidate:
    """A place found by its spelling, judged as a paraphrase.

    A negation may be worded otherwise; an opposite or a name may not take another's place.
    """
    comparison, match = candidate.comparison, candidate.match
    if match.match_type is MatchType.EXACT or not comparison or not comparison.alterations:
        return candidate
    if not _may_pass(claim, match):
        return candidate
    kept = [a for a in comparison.alterations if a.kind is not AlterationKind.NEGATION]
    named = [
        Alteration(AlterationKind.NAME, a.quoted, a.source)
        for a in kept
        if a.kind is AlterationKind.WORDING and a.quoted and _has_name(f"{a.quoted} {a.source}")
    ]
    denied = [a for a in conflicts(claim.quote, match.shown) if a.kind is AlterationKind.NEGATION]
    found = (*named, *denied, *kept)
    return replace(candidate, comparison=Comparison((), found, comparison.diff))


def _lifted(candidate: Candidate, others: Sequence[Candidate]) -> Candidate:
    """A place found by its spelling, as sure as the passage around it whose words bear it out."""
    match = candidate.match
    if match.edit_distance is None or disagrees(candidate):
        return candidate
    around = [
        other.match.confidence
        for other in others
        if other.match.document is match.document
        and other.match.match_type is MatchType.FUZZY
        and other.match.span.overlap(match.span)
        and not disagrees(other)
    ]
    confidence = max((match.confidence, *around))
    return replace(candidate, match=replace(match, confidence=confidence))


_COMMON_FIRST_WORDS = (
    english("articles", "subjects", "determiners", "prepositions", "conjunctions")
    | frozenset("all any each every no if when where who there as not".split())
) - {"i", "my"}


def _has_name(words: str) -> bool:
    """Whether a word with a capital stands there that is not one of those that begin sentences."""
    return any(
        word[:1].isupper() and word.casefold().strip(".,;:") not in _COMMON_FIRST_WORDS
        for word in words.split()
    )


def _places(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The candidates as different places: a place found by its spelling stands for any much wider
    passage around it, one surely spelled so for any, and else the most similar one is kept.
    """
    matches = [candidate.match for candidate in candidates]
    located = [m for m in matches if m.edit_distance is not None and m.similarity >= LOCATED_FROM]
    narrow = [c for c in candidates if not any(_is_wider(c.match, place) for place in located)]
    return without_doubles(narrow, key=lambda c: (not _is_spelled(c.match), -c.match.similarity))


def _is_spelled(match: Match) -> bool:
    return match.edit_distance is not None and match.similarity >= SPELLED_FROM


def _is_wider(passage: Match, place: Match) -> bool:
    return (
        passage.document is place.document
        and len(passage.span) > WIDER * len(place.span)
        and 2 * passage.span.overlap(place.span) > len(place.span)
    )


def _rank(candidate: Candidate) -> tuple[bool, float, int, bool, str, int]:
    match = candidate.match
    kinds = (MatchType.EXACT, MatchType.FUZZY, MatchType.CONTEXTUAL, MatchType.SEMANTIC)
    return (
        not _is_spelled(match),
        -match.confidence,
        kinds.index(match.match_type),
        disagrees(candidate),
        match.document.name,
        match.span.start,
    )


def disagrees(candidate: Candidate) -> bool:
    """Whether the candidate differs from the claim in something that matters."""
    return candidate.comparison is not None and candidate.comparison.vetoed


def _status(claim: Claim, ranked: Sequence[Candidate], sense: Sense | None) -> Status:
    best = ranked[0]
    if best.match.confidence < claim.confidence_threshold or disagrees(best):
        return Status.LOW_CONFIDENCE
    only_sense = best.match.match_type is MatchType.SEMANTIC
    if sense is None and only_sense and claim.evidence_type is EvidenceType.PARAPHRASE:
        return Status.LOW_CONFIDENCE
    if sense is not None and not (sense.says and _is_read_at(best.match, sense)):
        return Status.LOW_CONFIDENCE
    rivals = [c for c in ranked[1:] if _rivals(best.match, c.match)]
    return Status.AMBIGUOUS if rivals else Status.VALIDATED


def _rivals(best: Match, other: Match) -> bool:
    """Whether another place is as good as the best. Neighbouring chunks on one subject are not two
    places, so what was found by its sense has no rivals.
    """
    if best.match_type is MatchType.SEMANTIC or other.match_type is MatchType.SEMANTIC:
        return False
    if (best.context_score or 0.0) > (other.context_score or 0.0):
        return False
    return other.similarity >= best.similarity - AS_GOOD


def _advice(
    status: Status, ranked: Sequence[Candidate], claim: Claim, sense: Sense | None
) -> tuple[str, ...]:
    best = ranked[0]
    if status is Status.AMBIGUOUS:
        places = 1 + sum(_rivals(best.match, c.match) for c in ranked[1:])
        return wording.for_places(best.match, places)
    if status is Status.LOW_CONFIDENCE:
        return wording.for_doubt(best, claim.confidence_threshold, sense)
    return ()


def _not_found(
    claim: Claim, candidates: Sequence[Candidate], sense: Sense | None = None
) -> ClaimResult:
    reason = f"confidence is below {_candidate_from(claim):g}"
    ranked = sorted(candidates, key=_rank)
    return ClaimResult(
        claim,
        Status.FAILED,
        0.0,
        reason=FailureReason.NOT_FOUND,
        attempts=tuple(Attempt(c.match, reason) for c in ranked[:MOST_ATTEMPTS]),
        suggestions=wording.for_nothing(ranked[0] if ranked else None, sense),
    )


def settled(result: Candidate, claim: Claim) -> bool:
    """Whether a candidate is good enough that the sense need not be asked."""
    return result.match.confidence >= claim.confidence_threshold and not disagrees(result)

"""Does a candidate stand where the claim says? Sources, sections and hints."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from veridical.matching.context import context_score, stands_in
from veridical.matching.index import DocumentIndex
from veridical.sources.document import Document
from veridical.validation.claims import Claim
from veridical.validation.config import ContextValidation
from veridical.validation.results import Candidate, Note

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
    """Candidates parted by whether they stand where the claim says."""

    inside: tuple[Candidate, ...]
    outside: tuple[Candidate, ...]
    notes: tuple[Note, ...] = ()
    unchecked: bool = False


def in_source(claim: Claim, candidates: Sequence[Candidate], known: Collection[str]) -> InContext:
    """Part candidates by the document that the claim names; `known` are the names of all."""
    if claim.source is None:
        return InContext(tuple(candidates), ())
    inside = tuple(c for c in candidates if names_source(claim, c.match.document, known))
    return InContext(inside, tuple(c for c in candidates if c not in inside))


def in_section(
    claim: Claim,
    candidates: Sequence[Candidate],
    config: ContextValidation,
    indexes: Mapping[str, DocumentIndex],
) -> InContext:
    """Part candidates by the section that the claim expects."""
    if claim.expected_section is None or not (config.enabled and config.section_awareness):
        return InContext(tuple(candidates), ())
    inside: list[Candidate] = []
    outside: list[Candidate] = []
    unknown: list[Candidate] = []
    for candidate in candidates:
        titles = indexes[candidate.match.document.name].titles
        stands = stands_in(candidate.match, claim.expected_section, titles)
        (unknown if stands is None else inside if stands else outside).append(candidate)
    if inside or not unknown:
        return InContext(tuple(inside), (*outside, *unknown))
    note = Note(
        "SECTION_UNCHECKED",
        f"{unknown[0].match.document.name} has no sections in which to look for "
        f"{claim.expected_section!r}",
        claim.id,
    )
    return InContext(tuple(unknown), tuple(outside), (note,), unchecked=True)


def in_hint(claim: Claim, candidates: Sequence[Candidate], config: ContextValidation) -> InContext:
    """Part candidates by the context hint; those inside get a score and more confidence."""
    if claim.context_hint is None or not config.enabled:
        return InContext(tuple(candidates), ())
    inside: list[Candidate] = []
    outside: list[Candidate] = []
    for candidate in candidates:
        score = context_score(
            candidate.match,
            claim.context_hint,
            config.context_window,
            titles=config.section_awareness,
        )
        confidence = candidate.match.confidence
        if score > MIN_CONTEXT_SCORE:
            confidence = min(1.0, confidence * (1 + CONTEXT_BOOST * score))
        scored = replace(
            candidate,
            match=replace(
                candidate.match, context_score=round(score, 6), confidence=round(confidence, 6)
            ),
        )
        (inside if score > MIN_CONTEXT_SCORE else outside).append(scored)
    return InContext(tuple(inside), tuple(outside))


def best_in_context(candidates: Sequence[Candidate]) -> list[Candidate]:
    """Of candidates equally good, those with the most of the hint around them."""
    most = max((c.match.context_score or 0.0 for c in candidates), default=0.0)
    return [c for c in candidates if (c.match.context_score or 0.0) == most]

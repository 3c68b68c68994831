"""Does a candidate stand where the claim says? Sources, sections and hints."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from veridical.matching.index import DocumentIndex
from veridical.matching.match import Match
from veridical.matching.titles import TitleIndex
from veridical.sources.document import Document, Section
from veridical.sources.span import Span
from veridical.text.normalize import fold
from veridical.validation.claims import Claim
from veridical.validation.config import ContextValidation
from veridical.validation.results import Candidate, Note

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
    if titles and match.section is not None:
        present.update(fold(" ".join(match.section.path)).split())
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
    section = match.section
    if section is None:
        return False
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

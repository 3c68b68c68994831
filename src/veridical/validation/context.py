"""Does a candidate stand where the claim says? Sources, sections and hints."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from veridical.matching.passages import DocumentIndex, TitleIndex
from veridical.sources.document import Document, Section, Span
from veridical.text.normalize import fold
from veridical.validation.claims import Claim
from veridical.validation.config import ContextValidation
from veridical.validation.results import PREAMBLE, Candidate, Match, Note

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

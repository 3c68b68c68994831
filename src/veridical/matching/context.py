"""What stands around a match: words of a hint, the section, page, line or paragraph."""

from __future__ import annotations

import re

from veridical.matching.match import Match
from veridical.matching.titles import TitleIndex
from veridical.sources.document import Document, Section
from veridical.sources.span import Span
from veridical.text.normalize import fold

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

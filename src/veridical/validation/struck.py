"""Words that are shown struck through: the source has taken them back."""

from __future__ import annotations

from bisect import bisect_right

from veridical.sources.document import Document, Span
from veridical.validation.differences import Alteration, AlterationKind


def struck_span(document: Document, span: Span) -> Span | None:
    """The first part of a span that is struck through; None where there is none."""
    struck = document.struck
    after = bisect_right(struck, span.start, key=lambda part: part.end)
    if after == len(struck) or struck[after].start >= span.end:
        return None
    return Span(max(struck[after].start, span.start), min(struck[after].end, span.end))


def taken_back(words: str) -> Alteration:
    """The alteration of a quote whose words the source strikes through."""
    return Alteration(AlterationKind.WORDING, words, f"~~{words}~~")


def is_taken_back(alteration: Alteration) -> bool:
    """Whether that is what an alteration says."""
    return alteration == taken_back(alteration.quoted)

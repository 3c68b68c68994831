"""Quotes that plainly stand in the documents: once, letter for letter, and no word of them cut.

Most quotes do, and nothing is left to judge about them. To see that here spares the full search and
the comparison, which come to the same for them (a test holds the two against each other).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from veridical.matching.exact import single_places
from veridical.sources.document import Document, Format
from veridical.sources.span import Span
from veridical.text.folded import FoldedText
from veridical.text.normalize import fold
from veridical.validation.cuts import cut_alterations
from veridical.validation.settle import NEIGHBOURHOOD
from veridical.validation.struck import struck_span

Place = tuple[Document, Span]


def folded_places(
    texts: Sequence[FoldedText],
    quotes: Sequence[str],
    *,
    check: Callable[[], None] = lambda: None,
) -> list[Place | None]:
    """The one place where the folded words of each quote stand; None where that is not known."""
    return single_places(texts, [fold(quote) for quote in quotes], check=check)


def as_written(document: Document, near: Span, quote: str) -> Place | None:
    """Where a quote plainly stands whose folded words stand `near` and nowhere else; None where it
    has to be looked at more closely.

    A quote that stands as it is written is taken at its letters: whether some other place would
    show the same words without its markup is not asked.
    """
    text = document.text
    start = text.find(quote, max(0, near.end - len(quote)), near.start + len(quote))
    if start < 0 or document.format is Format.TRANSCRIPT:  # there, who speaks is asked too
        return None
    end = start + len(quote)
    if len(document.masks) and _is_marked(document, Span(start, end)):
        return None
    before, after = text[max(0, start - NEIGHBOURHOOD) : start], text[end : end + NEIGHBOURHOOD]
    return None if cut_alterations(quote, quote, before, after) else (document, Span(start, end))


def _is_marked(document: Document, span: Span) -> bool:
    """Whether a reader sees anything else than what is written, at the span or beside it."""
    near = document.masks.between(max(0, span.start - NEIGHBOURHOOD), span.end + NEIGHBOURHOOD)
    return next(near, None) is not None or struck_span(document, span) is not None

"""Words that the selectors of a web annotation point to, in the text that selectors count in.

That is the text content of HTML (see `validation.selectors`), and the document's own text else. A
quote is looked for letter for letter; the position, then what stands around it, tells places apart.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from veridical.ledger.verify_find import Words, begins_or_ends_unseen, stands_at
from veridical.ledger.wire_given import GivenCitation
from veridical.sources.document import Document, Format
from veridical.sources.span import Span

MOST_PLACES = 1_000
"""Places of one quote that are looked at."""


@dataclass(frozen=True, slots=True)
class Selected:
    """Where the words stand, and whether that is where the selectors say."""

    span: Span
    as_said: bool


class SelectedWords:
    """Finds quotes in one document, which is made ready once."""

    def __init__(self, document: Document) -> None:
        self.document = document

    @cached_property
    def _text(self) -> str:
        document = self.document
        if document.format is not Format.HTML:
            return document.text
        return document.content.slice(0, len(document.text))

    def find(self, citation: GivenCitation) -> Selected | None:
        """The place of a citation's words; None where they do not stand in the text as given, whole
        words that a reader sees.
        """
        exact = citation.cited_text or ""
        if not exact.strip():
            return None
        for start, as_said in self._starts(citation, exact):
            span = self._span(start, start + len(exact))
            if span is None:
                continue
            shown = self.document.shown(span)
            words = Words(shown, self.document.text[span.start : span.end], span.start)
            seen = shown.strip() and not begins_or_ends_unseen(self.document, span)
            if seen and stands_at(self.document, words, span.start):
                return Selected(span, as_said)
        return None

    def _starts(self, citation: GivenCitation, exact: str) -> Iterator[tuple[int, bool]]:
        """Where the quote stands, most likely place first, and whether that place was told."""
        said = citation.source_span.start if citation.source_span is not None else None
        if said is not None and self._text.startswith(exact, said) and said < len(self._text):
            yield said, citation.source_span is not None and len(citation.source_span) == len(exact)
        places = list(islice(_occurrences(self._text, exact), MOST_PLACES))
        near = said or 0

        def rank(start: int) -> tuple[bool, int]:
            return not self._in_context(citation, start, exact), abs(start - near)

        for start in sorted(places, key=rank):
            if start != said:
                yield start, said is None and self._in_context(citation, start, exact)

    def _in_context(self, citation: GivenCitation, start: int, exact: str) -> bool:
        before, after = citation.prefix or "", citation.suffix or ""
        begins = max(0, start - len(before))
        fits = self._text[begins:start] == before[-start:] if before and start else not before
        return fits and self._text.startswith(after, start + len(exact))

    def _span(self, start: int, end: int) -> Span | None:
        """The place in the document of a part of the text content."""
        document = self.document
        if document.format is not Format.HTML:
            return Span(start, end)
        offsets, position = range(len(document.text) + 1), document.content.position
        first = bisect_right(offsets, start, key=position) - 1
        last = bisect_left(offsets, end, key=position)
        for mask in document.masks.between(first, first + 1):
            first = mask.start
        return Span(first, last) if 0 <= first < last else None


def _occurrences(text: str, words: str) -> Iterator[int]:
    at = text.find(words)
    while at >= 0:
        yield at
        at = text.find(words, at + 1)

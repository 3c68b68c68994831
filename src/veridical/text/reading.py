"""The text as a reader sees it, cut into sentences and chunks, with the way back to the source."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from veridical.sources.document import Document, Span

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SENTENCE_ENDS = ".!?…‽。．！？｡؟۔।॥։።፧။᙮⸮"
"""Signs that end a sentence: Latin, East Asian, Arabic, Urdu, Hindi, Armenian, Ethiopic, Burmese.

Each can stand in a character class of a pattern as it is.
"""

QUESTION_MARKS = frozenset("?？؟፧⸮")
"""Those of them that end a question. The Greek one is a semicolon, and cannot be told from it."""

CLAUSE_ENDS = SENTENCE_ENDS + ",;:—–、，；：､،؛፣፤፥՝၊"
"""Signs that end a clause. A hyphen does so only between spaces, and is no sign of its own."""

NEGATING_SIGNS = (
    "\u274c\u274e\u2717\u2718\u2715\u2716\u2612\u26d4\U0001f6ab\U0001f44e\U0001f645\U0001f6d1"
    "\U0001f6c7\U0001f5d9\U0001f5f4\u2298\u29b8\u00ac\u2260\u2226\u2209\u20e0"
)
"""Crosses, no entry, thumbs down, the signs of logic. Each can stand in a class of characters."""


MAX_SENTENCE_CHARS = 1_000
"""Longer sentences (tables, text without full stops) are cut at a space."""

_PARAGRAPH = "\n\n"
_JOINED = 2_000
"""Parts of a text that are joined at a time."""

_SPACE = re.compile(r"[^\S \t\r\n]")


class Reading:
    """What a reader sees of a document. Offsets `to_source` are code points of `Document.text`."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self._reading_ends: array[int] = array("q")
        self._source_ends: array[int] = array("q")

    @cached_property
    def text(self) -> str:
        """The whole text as shown: markup gone, entities decoded."""
        return "".join(self._stretches())

    def _stretches(self) -> Iterator[str]:
        """The text in stretches of many masks: one of each at a time would take its size thrice."""
        source = self.document.text
        parts: list[str] = []
        at = length = 0
        for mask in self.document.masks:
            parts += source[at : mask.start], mask.shown
            length += mask.start - at + len(mask.shown)
            self._reading_ends.append(length)
            self._source_ends.append(mask.end)
            at = mask.end
            if len(parts) > _JOINED:
                yield "".join(parts)
                parts = []
        yield "".join((*parts, source[at:]))

    def to_source(self, start: int, end: int) -> Span:
        """The source span of `text[start:end]`; masks at its edges are left out."""
        first = self._after(start, bisect_right(self._reading_ends, start))
        return Span(first, max(first, self._after(end, bisect_left(self._reading_ends, end))))

    def from_source(self, offset: int) -> int:
        """Where an offset of the source lies in `text`. A mask is shown where it starts, so that
        what stands between two offsets is what `Document.shown` gives for them. `text` must have
        been read before.
        """
        masks = self.document.masks
        index = bisect_left(masks.starts, offset) - 1
        if index < 0:
            return offset
        return self._reading_ends[index] + max(0, offset - masks.ends[index])

    def to_source_starts(self, starts: NDArray[np.int32]) -> NDArray[np.int64]:
        """The starts of many source spans at once: see `to_source`."""
        import numpy as np  # a check by rules alone does without

        if not self._reading_ends:
            return np.asarray(starts, np.int64)
        ends = np.frombuffer(self._reading_ends, np.int64)
        masks = np.searchsorted(ends, starts, side="right")
        beyond = np.frombuffer(self._source_ends, np.int64) - ends
        return np.asarray(starts + np.where(masks > 0, beyond[masks - 1], 0), np.int64)

    def _after(self, offset: int, masks: int) -> int:
        """The source offset of a reading offset that `masks` masks stand before."""
        if masks == 0:
            return offset
        return self._source_ends[masks - 1] + offset - self._reading_ends[masks - 1]

    def sentences(self) -> Iterator[tuple[int, int]]:
        """Start and end of each sentence in `text`, white space trimmed, in order."""
        return sentence_spans(self.text)

    def chunks(self, size: int, overlap: int) -> Iterator[tuple[int, int]]:
        """Overlapping stretches of about `size` characters of `text`, cut at spaces."""
        step = max(1, size - overlap)
        at = 0
        while at < len(self.text):
            end = self._at_space(at + size)
            low, high = trimmed(self.text, at, end)
            if low < high:
                yield low, high
            if end >= len(self.text):
                return
            at = max(self._at_space(at + step), at + 1)

    def _at_space(self, offset: int) -> int:
        if offset >= len(self.text):
            return len(self.text)
        space = self.text.find(" ", offset, offset + 40)
        return space if space >= 0 else offset


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each sentence of a text, white space trimmed, in order."""
    import sentencex

    for start, end in _paragraphs(text):
        paragraph = text[start:end]
        # The splitter takes any white space for one byte, and panics where it is not.
        plain = _SPACE.sub(" ", paragraph) if not paragraph.isascii() else paragraph
        for found in sentencex.get_sentence_boundaries("en", plain):
            first, last = start + found["start_index"], start + found["end_index"]
            yield from cut_at_spaces(text, first, last, MAX_SENTENCE_CHARS)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    """Stretches between blank lines, joined up to a bounded length."""
    limit = 64 * 1024
    at = 0
    while at < len(text):
        end = len(text)
        if end - at > limit:
            gap = text.rfind(_PARAGRAPH, at, at + limit)
            if gap <= at:
                gap = text.rfind(" ", at, at + limit)
            end = gap if gap > at else at + limit
        yield at, end
        at = end


def cut_at_spaces(text: str, start: int, end: int, most: int) -> Iterator[tuple[int, int]]:
    """A stretch without the white space around it, in parts of at most `most` characters."""
    while start < end:
        stop = end
        if end - start > most:
            space = text.rfind(" ", start, start + most)
            stop = space if space > start else start + most
        low, high = trimmed(text, start, stop)
        if low < high:
            yield low, high
        start = stop


def trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch without the white space around it; of that alone, nothing."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())

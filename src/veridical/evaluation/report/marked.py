"""Where the words of quotes stand in the text of a source, however its lines are broken."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate

from veridical.evaluation.quotes import collapse
from veridical.sources.span import Span
from veridical.validation.reports.markup import visible

_WORD = re.compile(r"\S+")


class Places:
    """The words of a text, and where they stand in it: indexed once for many quotes."""

    def __init__(self, text: str) -> None:
        words = list(_WORD.finditer(text))
        self._joined = " ".join(word[0] for word in words)
        self._offsets = [word.start() for word in words]
        self._starts = [0, *accumulate(len(word[0]) + 1 for word in words)]

    def find(self, quote: str) -> Span | None:
        """The first place of `quote` where only white space may differ; None if there is none.

        Offsets are code points of the text.
        """
        wanted = collapse(quote)
        at = self._joined.find(wanted) if wanted else -1
        if at < 0:
            return None
        return Span(self._original(at), self._original(at + len(wanted) - 1) + 1)

    def _original(self, position: int) -> int:
        word = bisect_right(self._starts, position) - 1
        return self._offsets[word] + position - self._starts[word]


def render_marked(text: str, spans: Iterable[Span]) -> str:
    """A text as HTML with its spans highlighted; those that overlap are highlighted as one."""
    parts: list[str] = []
    at = 0
    for start, end in _merged(spans):
        parts += [visible(text[at:start]), "<mark>", visible(text[start:end]), "</mark>"]
        at = end
    return f"<bdi>{''.join(parts)}{visible(text[at:])}</bdi>"


def _merged(spans: Iterable[Span]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for span in sorted(spans, key=lambda one: (one.start, one.end)):
        if merged and span.start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], span.end)
        else:
            merged.append((span.start, span.end))
    return merged

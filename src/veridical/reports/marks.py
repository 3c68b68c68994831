"""A text with places marked in it, so that marks never overlap and never nest."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from veridical.sources.document import Span

MOST_INSIDE = 24
"""Places that one run of text names, where hundreds lie over each other."""


class Run(NamedTuple):
    """A stretch of text. Places are numbers of the spans that were given: `begin` are those that
    begin before it, `inside` those that it lies in, the weightiest first.
    """

    begin: Sequence[int]
    inside: Sequence[int]
    text: str


class _Cut(NamedTuple):
    """What changes at an offset."""

    at: int
    begin: Sequence[int]
    inside: Sequence[int]


class MarkedText:
    """A text that is shown once, part after part; what is open at the end of a part goes on in the
    next.
    """

    def __init__(self, text: str, spans: Sequence[Span], weights: Sequence[Any] = ()) -> None:
        """`weights` say which of places that lie over each other comes first, the least; by
        default it is the one that was given first.
        """
        self._text = text
        self._cuts = _cuts(spans, weights or range(len(spans)))
        self._next = 0
        self._inside: Sequence[int] = ()

    def runs(self, start: int, end: int) -> Iterator[Run]:
        """`text[start:end]` in runs. Places that began since the part before begin here."""
        begin, at = self.begun(start), start
        while self._next < len(self._cuts) and self._cuts[self._next].at < end:
            cut = self._cuts[self._next]
            self._next += 1
            yield Run(begin, self._inside, self._text[at : cut.at])
            at, begin, self._inside = cut
        yield Run(begin, self._inside, self._text[at:end])

    def begun(self, offset: int) -> Sequence[int]:
        """The places that begin up to an offset and were in no part so far."""
        begun: list[int] = []
        while self._next < len(self._cuts) and self._cuts[self._next].at <= offset:
            _, begin, self._inside = self._cuts[self._next]
            begun += begin
            self._next += 1
        return begun


def _cuts(spans: Sequence[Span], weights: Sequence[Any]) -> list[_Cut]:
    """Where runs begin; an empty span begins, but nothing lies in it."""
    begin: dict[int, list[int]] = defaultdict(list)
    end: dict[int, list[int]] = defaultdict(list)
    for number, span in enumerate(spans):
        begin[span.start].append(number)
        if span:
            end[span.end].append(number)
    active: list[tuple[Any, int]] = []
    cuts: list[_Cut] = []
    for at in sorted({*begin, *end}):
        for number in end.get(at, ()):
            del active[bisect_left(active, (weights[number], number))]
        for number in begin.get(at, ()):
            if spans[number]:
                insort(active, (weights[number], number))
        inside = [number for _, number in active[:MOST_INSIDE]]
        cuts.append(_Cut(at, begin.get(at, ()), inside))
    return cuts

"""Words that stand in the texts just once, as they are: one pass for any number of needles.

What most quotes need, and a third of the price of `locate_near`, which finds the near places too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from ahocorasick_rs import BytesAhoCorasick, MatchKind

from veridical.sources.document import Document, Span
from veridical.text.folded import FoldedChunk, FoldedText
from veridical.text.normalize import encode

LEAST_CHARS = 12
"""Shorter needles stand too often for one pass to be worth it."""

_HEAD = 8
"""Characters that the automaton looks for: to look at a needle in vain now and then costs less than
to build an automaton of longer ones.
"""

_SLICE = 16 * 1024
"""Characters searched at a time: bounds the list of hits on repetitive text."""

_MOST_HITS = 64
"""Places of one head after which those needles are given up: the text repeats itself."""


@dataclass(slots=True)
class _Sought:
    """A needle, and where it stands; `often` once that is more than one place, or too dear."""

    folded: str
    codes: bytes
    place: tuple[Document, Span] | None = None
    often: bool = False

    def stands_at(self, chunk: FoldedChunk, start: int) -> bool:
        end = start + len(self.codes)
        if chunk.codes[start:end] != self.codes:
            return False
        return chunk.points is None or chunk.text(start, end) == self.folded

    def note(self, document: Document, span: Span) -> None:
        """One more place; the overlap of two chunks shows the same one twice."""
        if self.place is None:
            self.place = document, span
        elif self.place[0] is not document or self.place[1] != span:
            self.often = True


@dataclass(slots=True)
class _Head:
    """Needles that begin alike."""

    sought: list[_Sought] = field(default_factory=list)
    hits: int = 0


def single_places(
    texts: Sequence[FoldedText],
    needles: Sequence[str],
    *,
    check: Callable[[], None] = lambda: None,
) -> list[tuple[Document, Span] | None]:
    """For each folded needle the one place in all texts where it stands as it is.

    None for one that stands nowhere or in several places, and for some others that are too short
    or begin like too much of the text: `locate_near` finds all places of these. `check` is called
    now and then and may raise to stop the search.
    """
    sought = {folded: _Sought(folded, encode(folded)) for folded in needles}
    heads: dict[bytes, _Head] = {}
    for one in sought.values():
        if len(one.codes) >= LEAST_CHARS:
            heads.setdefault(one.codes[:_HEAD], _Head()).sought.append(one)
    if heads:
        automaton = BytesAhoCorasick(list(heads), matchkind=MatchKind.Standard)
        groups = list(heads.values())
        longest = max(len(one.codes) for one in sought.values())
        for text in texts:
            for chunk in text.chunks(longest):
                check()
                for number, start in _hits(automaton, chunk):
                    _look(groups[number], text.document, chunk, start)
    return [None if (one := sought[n]).often else one.place for n in needles]


def _hits(automaton: BytesAhoCorasick, chunk: FoldedChunk) -> Iterator[tuple[int, int]]:
    """Which head stands in the chunk, and where."""
    for at in range(0, len(chunk), _SLICE):
        text = chunk.codes[at : at + _SLICE + _HEAD - 1]
        for number, start, _ in automaton.find_matches_as_indexes(text, overlapping=True):
            yield number, at + start


def _look(head: _Head, document: Document, chunk: FoldedChunk, start: int) -> None:
    head.hits += 1
    if head.hits > _MOST_HITS:
        for one in head.sought:
            one.often = True
        return
    for one in head.sought:
        if not one.often and one.stands_at(chunk, start):
            first, last = chunk.offsets[start], chunk.offsets[start + len(one.codes) - 1]
            one.note(document, Span(int(first), int(last) + 1))

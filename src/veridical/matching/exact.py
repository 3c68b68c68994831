"""Words that stand in the texts just once, as they are: one pass for any number of needles.

What most quotes need, and a third of the price of `locate_near`, which finds the near places too.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence

from ahocorasick_rs import BytesAhoCorasick, MatchKind

from veridical.matching.align import Needle
from veridical.sources.document import Document, Span
from veridical.text.folded import FoldedChunk, FoldedText

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
    heads: defaultdict[bytes, list[Needle]] = defaultdict(list)
    for needle in map(Needle, dict.fromkeys(needles)):
        if needle.length >= LEAST_CHARS:
            heads[needle.codes[:_HEAD]].append(needle)
    if not heads:
        return [None] * len(needles)
    automaton = BytesAhoCorasick(list(heads), matchkind=MatchKind.Standard)
    groups, hits = list(heads.values()), Counter[int]()
    longest = max(needle.length for group in groups for needle in group)
    # By document and span: the overlap of two chunks shows one place twice.
    places: defaultdict[str, dict[tuple[int, Span], Document]] = defaultdict(dict)
    for at, text in enumerate(texts):
        for chunk in text.chunks(longest):
            check()
            for number, start in _hits(automaton, chunk):
                hits[number] += 1
                for needle in groups[number] if hits[number] <= _MOST_HITS else ():
                    end = start + needle.length
                    if chunk.codes[start:end] == needle.codes and needle.is_at(chunk, start):
                        span = Span(int(chunk.offsets[start]), int(chunk.offsets[end - 1]) + 1)
                        places[needle.folded][at, span] = text.document
    often = {n.folded for i, group in enumerate(groups) if hits[i] > _MOST_HITS for n in group}
    found: list[tuple[Document, Span] | None] = []
    for folded in needles:
        own = places.get(folded, {}) if folded not in often else {}
        found.append(next((doc, span) for (_, span), doc in own.items()) if len(own) == 1 else None)
    return found


def _hits(automaton: BytesAhoCorasick, chunk: FoldedChunk) -> Iterator[tuple[int, int]]:
    """Which head stands in the chunk, and where."""
    for at in range(0, len(chunk), _SLICE):
        text = chunk.codes[at : at + _SLICE + _HEAD - 1]
        for number, start, _ in automaton.find_matches_as_indexes(text, overlapping=True):
            yield number, at + start

"""Does a claim put names together that the passage has apart, or take "he" for one of two?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from veridical.judging.alignment import Alignment

_APART = 3
"""Columns between two parts of a name, from which they are parts of two."""

_HE = frozenset("he she his her him".split())
_FIRST_WORDS = 3
_OF_PLACES = frozenset("in at from to near of into".split())
_LINKS = frozenset("and or of the".split())


def names_apart(a: Alignment, standing: Sequence[int]) -> str | None:
    """A name of two words in a claim whose words the passage has, as names, but never together."""
    for at, (one, other) in enumerate(pairwise(a.claim_all)):
        first, second = a.row_of[at], a.row_of[at + 1]
        if first is None or second is None or other.border:
            continue
        if not (one.named or at == 0) or not other.named or one.key in _LINKS:
            continue
        places = [_named_at(a, row, standing) for row in (first, second)]
        if all(places) and not any(
            0 < later - sooner < _APART for sooner in places[0] for later in places[1]
        ):
            return f"{one.text} {other.text}"
    return None


def _named_at(a: Alignment, row: int, standing: Sequence[int]) -> list[int]:
    inside = set(standing)
    columns = [c for c in np.flatnonzero(a.exact[row]).tolist() if c in inside]
    return columns if any(a.passage[column].named for column in columns) else []


def either_of_two(a: Alignment, standing: Sequence[int]) -> str | None:
    """The pronoun of a sentence that a claim puts a name for, where the sentence before has that
    name and another as well.
    """
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        pronoun = next((c for c in columns[:_FIRST_WORDS] if a.passage[c].key in _HE), None)
        if pronoun is None or not sentence:
            continue
        names = list(_names(a, np.flatnonzero(a.sentence_of == sentence - 1).tolist()))
        ours = [name for name in names if a.is_held[name[-1]]]
        here = {a.passage[c].stem for c in columns}
        anew = not any(a.passage[name[-1]].stem in here for name in ours)
        if ours and len(ours) < len(names) and anew:
            return a.passage[pronoun].text
    return None


def _names(a: Alignment, columns: Sequence[int]) -> Iterator[list[int]]:
    """The names of a sentence but for those of places: "in Hull"."""
    name: list[int] = []
    before = ""
    for column in [*columns, -1]:
        word = a.passage[column] if column >= 0 else None
        if word is not None and word.named and not word.border and word.number is None:
            name.append(column)
            continue
        if name and before not in _OF_PLACES:
            yield name
        name = [column] if word is not None and word.named and word.number is None else []
        before = word.key if word is not None and not name else before

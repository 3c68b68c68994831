"""Does a claim join what a sentence says of two things?

"Full-time staff get 27 days, part-time staff get 20" holds every word of "part-time staff get 27
days", and says otherwise. Where a sentence has several values of a kind, the words of the claim
must stand with the claim's value; where it sets two things against each other, with one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word, same_quantity

_LEAST_WEIGHT = 0.3
"""Weight of a claim's word from which it matters where it stands."""

_JOINS = frozenset("and but or while whereas".split())
_SETS_AGAINST = frozenset("but while whereas".split())


def mixed(a: Alignment, standing: Sequence[int]) -> str | None:
    """The word of the claim that the sentence says of something else; None where there is none.

    `standing` are the columns of the passage that the claim stands on.
    """
    for sentence in sorted({int(a.sentence_of[column]) for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        word = _with_another_value(a, columns) or _on_the_other_side(a, columns)
        if word is not None:
            return word.text
    return None


def _with_another_value(a: Alignment, columns: Sequence[int]) -> Word | None:
    ours = [word for word in a.claim_all if word.number is not None]
    for value in ours:
        rivals = [c for c in columns if _is_rival(a.passage[c], value, ours)]
        same = [c for c in columns if same_quantity(value, a.passage[c])]
        if not rivals or not same:
            continue
        parts = list(_parts(a, columns, sorted({*rivals, *same})))
        mine = {c for part in parts if any(c in part for c in same) for c in part}
        if all(_is_claimed(a, c) for c in mine):
            # "Invoices are settled in 30 days, disputed ones in 10": the head is of both.
            mine.update(range(columns[0], min(*rivals, *same)))
        for row, word in _telling(a):
            places = [c for c in columns if a.related[row, c] > 0]
            if places and not mine.intersection(places):
                return word
    return None


def _is_claimed(a: Alignment, column: int) -> bool:
    """Whether a word of the passage is one of the claim's, or carries nothing by itself."""
    word = a.passage[column]
    return word.number is not None or not word.content or bool(a.related[:, column].any())


def _is_rival(word: Word, value: Word, ours: Sequence[Word]) -> bool:
    """Whether a number of the passage could stand in the place of the claim's, and is another."""
    if word.number is None or word.unit != value.unit:
        return False
    return not any(same_quantity(word, one) for one in ours)


def _parts(a: Alignment, columns: Sequence[int], values: Sequence[int]) -> Iterator[list[int]]:
    """The sentence in as many parts as it has values: each begins at the first mark or conjunction
    after the value before, or else right behind that.
    """
    start = columns[0]
    for value, following in pairwise(values):
        between = [c for c in columns if value < c <= following]
        breaks = (c for c in between if a.passage[c].border or a.passage[c].key in _JOINS)
        end = next(breaks, value + 1)
        yield list(range(start, end))
        start = end
    yield list(range(start, columns[-1] + 1))


def _on_the_other_side(a: Alignment, columns: Sequence[int]) -> Word | None:
    """Where a sentence sets things against each other, the claim's words must stand on one side."""
    sides: list[list[int]] = [[]]
    for column in columns:
        word = a.passage[column]
        if sides[-1] and (word.border == ";" or word.key in _SETS_AGAINST):
            sides.append([])
        sides[-1].append(column)
    if len(sides) < 2:
        return None
    rows = list(_telling(a))
    held = [{row for row, _ in rows if a.related[row, side].any()} for side in sides]
    best = max(held, key=len)
    return next(
        (word for row, word in rows if row not in best and any(row in h for h in held)), None
    )


def _telling(a: Alignment) -> Iterator[tuple[int, Word]]:
    for row, word in enumerate(a.claim):
        if word.number is None and a.claim_weight[row] >= _LEAST_WEIGHT:
            yield row, word

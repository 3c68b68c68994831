"""Does a claim join the halves of two clauses that are built alike?

"Red cables carry power, blue cables carry data" holds every word of "Blue cables carry power", and
says otherwise. Values are looked at in `veridical.judging.pairing`; here it is words.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from veridical.judging.alignment import Alignment

_JOINS = frozenset("and but while whereas".split())
_SMALL = frozenset("for to by with from in on at of".split())
_LEAST_WEIGHT = 0.3


def crossed(a: Alignment, standing: Sequence[int]) -> str | None:
    """A word of the claim from one of two clauses that are built alike, where the claim has another
    from the other; None where there is none.

    Clauses are alike where they share a word of the claim. Beside it, what the claim has from
    either must stand in the place of what it has not from the other.
    """
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = [c for c in range(len(a.passage)) if a.sentence_at[c] == sentence]
        for one, other in pairwise(list(_clauses(a, columns))):
            if _counts(a, one) and _counts(a, other):
                continue
            taken = _taken(a, one, other)
            if {0, 1} <= taken.keys():
                return a.passage[taken[1]].text
    return None


def _clauses(a: Alignment, columns: Sequence[int]) -> Iterator[list[int]]:
    clause: list[int] = []
    for column in columns:
        word = a.passage[column]
        if clause and (word.border or word.key in _JOINS):
            yield clause
            clause = []
        if word.key not in _JOINS:
            clause.append(column)
    yield clause


def _counts(a: Alignment, clause: Sequence[int]) -> bool:
    return any(a.passage[column].number is not None for column in clause)


def _taken(a: Alignment, one: Sequence[int], other: Sequence[int]) -> dict[int, int]:
    """From which of two clauses, 0 or 1, the claim has a word whose counterpart it has not."""
    found: dict[int, int] = {}
    for here, there in _pairs(a, one, other):
        if here is None or there is None:
            continue
        if _is_only_here(a, here, other) and not a.is_held[there]:
            found[0] = here
        elif _is_only_here(a, there, one) and not a.is_held[here]:
            found[1] = there
    return found


def _pairs(
    a: Alignment, one: Sequence[int], other: Sequence[int]
) -> Iterator[tuple[int | None, int | None]]:
    """Words of two clauses that stand in the same place: their first ones, and those beside what
    both have. Clauses of two words, "stop the pump, open the valve", need have nothing in common.
    """
    if not one or not other:  # "and, and"
        return
    shared = list(_shared(a, one, other))
    short = _is_short(a, one) and _is_short(a, other)
    if shared or short:
        yield _beside(a, one, one[0] - 1, 1), _beside(a, other, other[0] - 1, 1)
    if short:
        yield _beside(a, one, one[-1] + 1, -1), _beside(a, other, other[-1] + 1, -1)
    for first, second in shared:
        for step in (-1, 1):
            yield _beside(a, one, first, step), _beside(a, other, second, step)


def _shared(a: Alignment, one: Sequence[int], other: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The words of the claim that both clauses have, and small words that both have."""
    for first in one:
        word = a.passage[first]
        if word.key not in _SMALL and not (word.content and a.is_held[first]):
            continue
        for second in other:
            if a.passage[second].stem == word.stem:
                yield first, second


def _beside(a: Alignment, clause: Sequence[int], column: int, step: int) -> int | None:
    """The next content word of a clause before or behind a word."""
    low, high = clause[0], clause[-1]
    at = column + step
    while low <= at <= high:
        if a.passage[at].content:
            return at
        at += step
    return None


def _is_short(a: Alignment, clause: Sequence[int]) -> bool:
    """Whether a clause is no more than what is done to what."""
    return sum(a.passage[column].content for column in clause) == _SHORT


_SHORT = 2
"""Telling words of such a clause."""


def _is_only_here(a: Alignment, column: int, other: Sequence[int]) -> bool:
    """Whether a telling word of the claim stands there, and not in the other clause."""
    rows = np.flatnonzero(a.related[:, column])
    return any(
        a.claim[row].number is None
        and a.claim_weight[row] >= _LEAST_WEIGHT
        and not a.related[row, list(other)].any()
        for row in rows
    )

"""Does a claim join what a sentence says of two things?

"Full-time staff get 27 days, part-time staff get 20" holds every word of "part-time staff get 27
days", and says otherwise. Where a sentence has several values of a kind, the words of the claim
must stand with the claim's value; where it sets two things against each other, with one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise

import numpy as np

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word, comparable, same_quantity
from veridical.judging.denials import opposites_within

_LEAST_WEIGHT = 0.3
"""Weight of a claim's word from which it matters where it stands."""

_JOINS = frozenset("and but or while whereas".split())
_SETS_AGAINST = frozenset("but while whereas".split())


def mixed(a: Alignment, standing: Sequence[int]) -> str | None:
    """The word of the claim that the sentence says of something else; None where there is none.

    `standing` are the columns of the passage that the claim stands on.
    """
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence).tolist()
        word = (
            _with_another_value(a, columns)
            or _with_its_opposite(a, columns)
            or _on_the_other_side(a, columns)
        )
        if word is not None:
            return word.text
    return None


def unplaced(a: Alignment, standing: Sequence[int], known: set[str]) -> str | None:
    """A telling word of the claim that may be any of the things which the sentence gives different
    values for: it only means nearly the same as one of them. None where there is none.

    `known` are the stems of heading and context.
    """
    ours = [word for word in a.claim_all if word.number is not None]
    if not ours:
        return None
    for sentence in sorted({a.sentence_at[column] for column in standing}):
        columns = np.flatnonzero(a.sentence_of == sentence)
        said = [a.passage[column] for column in columns]
        if not any(
            any(same_quantity(value, word) for word in said)
            and any(_is_rival(word, value, ours) for word in said)
            for value in ours
        ):
            continue
        for row, word in _telling(a):
            near = float(a.match[row, columns].max())
            if a.claim_weight[row] < _NAMES or word.stem in known or word.named:
                continue
            if near < _CERTAIN and not a.related[row].any():
                return word.text
    return None


_NAMES = 0.8
"""Weight from which a word of the claim tells things apart that have different values."""

_CERTAIN = 0.75
"""Match from which a word means the same as another."""


def strays(a: Alignment, standing: Sequence[int]) -> str | None:
    """A number of the claim that it takes from a sentence about something else: one that says
    little else of the claim, or stands beside one that says more and has another such number.
    None where there is none.
    """
    ours = [word for word in a.claim_all if word.number is not None]
    if not ours:
        return None
    best = [word for word, inside in zip(a.passage, a.in_best, strict=True) if inside]
    inside = set(standing)
    rest = a.claim_weight * np.array([word.number is None for word in a.claim])
    for row, word in enumerate(a.claim):
        if word.number is None:
            continue
        having = sorted(
            {a.sentence_at[c] for c in np.flatnonzero(a.related[row]).tolist() if c in inside}
        )
        if not having or a.best_sentence in having or any(_refers_back(a, one) for one in having):
            continue
        shares = a.matched[:, having].T @ rest / max(float(rest.sum()), 1e-9)
        rivalled = any(_is_rival(other, word, ours) for other in best)
        if rivalled or float(shares.max()) < _LEAST_SHARE:
            return word.text
    return None


def _refers_back(a: Alignment, sentence: int) -> bool:
    """Whether a sentence begins with what stands for something that was named before."""
    begin = int(np.flatnonzero(a.sentence_of == sentence)[0])
    return any(word.key in POINTING for word in a.passage[begin : begin + 2])


POINTING = frozenset("it they this that these those he she such both its their them".split())
"""Words that stand for something that was named before."""

_LEAST_SHARE = 0.3
"""Share of the rest of the claim that a sentence must have to give a number of the same thing."""


def _with_another_value(a: Alignment, columns: Sequence[int]) -> Word | None:
    ours = [word for word in a.claim_all if word.number is not None]
    for value in ours:
        rivals = [c for c in columns if _is_rival(a.passage[c], value, ours)]
        rivals += [c for c in columns if _is_short_for(a, c, value)]
        same = [c for c in columns if same_quantity(value, a.passage[c])]
        if not rivals or not same:
            continue
        parts = list(_parts(a, columns, sorted({*rivals, *same})))
        mine = {c for part in parts if any(c in part for c in same) for c in part}
        if all(_is_claimed(a, c) for c in _clauses_of(a, mine, same)):
            # "Invoices are settled in 30 days, disputed ones in 10": the head is of both.
            mine.update(range(columns[0], min(*rivals, *same)))
        for row, word in _telling(a):
            places = [c for c in columns if a.related[row, c] > 0]
            if places and not mine.intersection(places):
                return word
    return None


def _clauses_of(a: Alignment, columns: set[int], values: Sequence[int]) -> list[int]:
    """Those of some columns that no semicolon parts from one of the values."""
    return [
        column
        for column in sorted(columns)
        if any(
            all(a.passage[c].border != ";" for c in range(min(column, v) + 1, max(column, v) + 1))
            for v in values
        )
    ]


def _is_claimed(a: Alignment, column: int) -> bool:
    """Whether a word of the passage is one of the claim's, or carries nothing by itself."""
    word = a.passage[column]
    return (
        word.number is not None
        or not word.content
        or word.key == "ones"
        or bool(a.related[:, column].any())
    )


def _is_rival(word: Word, value: Word, ours: Sequence[Word]) -> bool:
    """Whether a number of the passage could stand in the place of the claim's, and is another."""
    if word.number is None or not (word.unit == value.unit or comparable(word, value)):
        return False
    return not any(same_quantity(word, one) for one in ours)


def _is_short_for(a: Alignment, column: int, value: Word) -> bool:
    """Whether a number goes without the unit that was said before: "telephones every three"."""
    word = a.passage[column]
    short = word.number is not None and word.unit is None and value.unit is not None
    return short and column > 0 and a.passage[column - 1].key == "every"


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


def _with_its_opposite(a: Alignment, columns: Sequence[int]) -> Word | None:
    """Where a sentence has a word of the claim and its opposite, on two sides of a mark or an
    "and", the claim's words must not stand on the opposite's side alone.
    """
    said = [a.passage[column] for column in columns]
    for place, rival in opposites_within(a.claim_all, said):
        word, other = a.claim_all[place], said[rival]
        parts = list(_pieces(a, columns))
        against = [part for part in parts if any(a.passage[c].key == other.key for c in part)]
        mine = [c for part in parts if part not in against for c in part]
        if not any(a.passage[c].stem == word.stem for c in mine):
            continue
        theirs = [c for part in against for c in part]
        for row, told in _telling(a):
            if a.related[row, theirs].any() and not a.related[row, mine].any():
                return told
    return None


def _pieces(a: Alignment, columns: Sequence[int]) -> Iterator[list[int]]:
    """The sentence, parted at each mark and conjunction."""
    piece: list[int] = []
    for column in columns:
        if piece and (a.passage[column].border or a.passage[column].key in _JOINS):
            yield piece
            piece = []
        piece.append(column)
    yield piece


def _on_the_other_side(a: Alignment, columns: Sequence[int]) -> Word | None:
    """Where a sentence sets things against each other, the claim's words must stand on one side;
    where the claim does so as well, those of each of its own sides.
    """
    sides: list[list[int]] = [[]]
    for column in columns:
        if sides[-1] and _sets_against(a.passage[column]):
            sides.append([])
        sides[-1].append(column)
    if len(sides) < 2:
        return None
    for rows in _sides_of_claim(a):
        held = [{row for row, _ in rows if a.related[row, side].any()} for side in sides]
        best = max(held, key=len)
        for row, word in rows:
            if row not in best and any(row in other for other in held):
                return word
    return None


def _sides_of_claim(a: Alignment) -> list[list[tuple[int, Word]]]:
    """The telling words of a claim by its sides, with their rows. What it joins by ", and" is one
    as well where it has words enough to be a clause.
    """
    found: list[list[tuple[int, Word]]] = []
    for rows in _cut_claim(a, _sets_against):
        parts = [part for part in _cut_claim(a, _adds, [row for row, _ in rows]) if part]
        whole = len(parts) > 1 and all(len(part) >= _LEAST_CLAUSE for part in parts)
        found += parts if whole else [rows]
    return [rows for rows in found if rows]


_LEAST_CLAUSE = 3
"""Telling words that a clause has at least."""


def _cut_claim(
    a: Alignment, cuts: Callable[[Word], bool], among: Sequence[int] | None = None
) -> list[list[tuple[int, Word]]]:
    side_of = list(accumulate(int(cuts(word)) for word in a.claim_all))
    sides: list[list[tuple[int, Word]]] = [[] for _ in range(side_of[-1] + 1)]
    for row, word in enumerate(a.claim):
        if a.claim_weight[row] < _LEAST_WEIGHT:
            continue
        if among is None or row in among:
            sides[side_of[a.place_of[row]]].append((row, word))
    return sides


def _adds(word: Word) -> bool:
    return word.border == "," and word.key == "and"


def _sets_against(word: Word) -> bool:
    return word.border == ";" or word.key in _SETS_AGAINST


def _telling(a: Alignment) -> Iterator[tuple[int, Word]]:
    for row, word in enumerate(a.claim):
        if word.number is None and a.claim_weight[row] >= _LEAST_WEIGHT:
            yield row, word

"""Does a claim join what two sentences say of two things?

"Full-time staff get 26 days. Part-time staff get 14." holds every word of "Part-time staff get 26
days", and says otherwise. Sentences may be read together where one of them points to the other;
where each speaks for itself, a claim must have its telling words in one of them.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import Alignment
from veridical.judging.clauses import AUXILIARIES
from veridical.judging.features_reservations import LIGHT
from veridical.judging.pairing import POINTING

_TELLING = 0.3
"""Weight of a claim's word from which it matters in which sentence it stands."""

_GOES_ON = frozenset("and but while whereas".split())
"""Words that begin another clause behind a comma."""

_SURELY_POINTING = frozenset("this these those such".split())
_BEFORE_THAT = frozenset("in at by of to for from on with after before until under during".split())
"""Words behind which "that" is no conjunction: "in that time"."""

BEGINNING = 3
"""Words of a sentence among which it points to the one before."""


def joined(a: Alignment, low: int, high: int, known: set[str]) -> str | None:
    """A word of the claim that stands in another of the sentences `low` to `high`, half-open, than
    the rest of its clause, where neither points to the other and the one with the rest speaks of
    more than the claim; None where there is none.

    `known` are the stems of heading and context.
    """
    if high - low < 2:
        return None
    for rows in _clauses(a):
        shares = a.claim_weight[rows] @ a.matched[rows, low:high]
        first, last = _together(a, low + int(np.argmax(shares)), low, high)
        inside = (a.sentence_of >= first) & (a.sentence_of < last)
        outside = (a.sentence_of >= low) & (a.sentence_of < high) & ~inside
        if not outside.any() or not _says_more(a, inside, known):
            continue
        for row in rows:
            word = a.claim[row]
            if a.claim_weight[row] < _TELLING or word.stem in known:
                continue
            if a.related[row, outside].any() and not a.related[row, inside].any():
                return word.text
    return None


def added(a: Alignment, low: int, high: int) -> str | None:
    """The last of several things of the claim, where it stands in another of the sentences `low` to
    `high` than all the others, and that sentence speaks of something else; None elsewhere.

    "Guests may use the pool and the sauna. The gym is closed" says nothing of "the pool, the sauna
    and the gym".
    """
    if high - low < 2:
        return None
    shares = a.claim_weight @ a.matched[:, low:high]
    first, last = _together(a, low + int(np.argmax(shares)), low, high)
    outside = (a.sentence_of >= low) & (a.sentence_of < high)
    outside &= ~((a.sentence_of >= first) & (a.sentence_of < last))
    if not outside.any() or not _says_more(a, outside, set()):
        return None
    inside = (a.sentence_of >= first) & (a.sentence_of < last)
    joined_by = ""
    for at, word in enumerate(a.claim_all):
        row = a.row_of[at]
        if row is None:
            joined_by = word.key if word.key in ("and", "or") else joined_by * (word.key in _SMALL)
            continue
        elsewhere = a.related[row, outside].any() and not a.related[row, inside].any()
        if joined_by and elsewhere and a.claim_weight[row] >= _TELLING:
            # "and the time can be changed" is a clause of its own.
            verb = any(after.key in AUXILIARIES for after in a.claim_all[at + 1 :])
            return None if verb else word.text
        joined_by = ""
    return None


_SMALL = frozenset("the a an our their its".split())


def _clauses(a: Alignment) -> list[list[int]]:
    """The rows of the claim, parted where it goes on to say another thing: ", but", ";"."""
    clauses: list[list[int]] = [[]]
    for word, row in zip(a.claim_all, a.row_of, strict=True):
        if word.border == ";" or (word.border and word.key in _GOES_ON):
            clauses.append([])
        if row is not None:
            clauses[-1].append(row)
    return [rows for rows in clauses if rows]


def _says_more(a: Alignment, inside: NDArray[np.bool_], known: set[str]) -> bool:
    """Whether the sentences have a telling word that the claim has not, which may be what they are
    on: "desks are booked in the portal" leaves room for shared desks.
    """
    return any(
        word.content
        and word.key not in LIGHT
        and word.stem not in known
        and not a.related[:, column].any()
        for column, word in enumerate(a.passage)
        if inside[column]
    )


def _together(a: Alignment, best: int, low: int, high: int) -> tuple[int, int]:
    """A sentence with those that it points to, and those that point to it."""
    first, last = best, best + 1
    while first > low and _points_back(a, first):
        first -= 1
    while last < high and _points_back(a, last):
        last += 1
    return first, last


def _points_back(a: Alignment, sentence: int) -> bool:
    keys = [a.passage[int(column)].key for column in np.flatnonzero(a.sentence_of == sentence)]
    # "Dantec said that" points to nothing, "That is" does.
    beginning = [key for at, key in enumerate(keys[:BEGINNING]) if key != "that" or not at]
    if not _SURELY_POINTING.isdisjoint(keys) or not POINTING.isdisjoint(beginning):
        return True
    return any(one in _BEFORE_THAT and other == "that" for one, other in pairwise(keys))

"""Which clauses of a passage a claim stands on, so that nothing else is held against it.

"Private use is allowed; private use of the scanner is not" says nothing against private use: the
denial is in a clause that adds no word of the claim. There is no parser here, only marks,
conjunctions and auxiliary verbs; where they leave a doubt, two clauses stay one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import Alignment

Columns = NDArray[np.int64]

AUXILIARIES = frozenset(
    """
    is are was were has have had may might must can could cannot will would shall should do does
    did need needs isnt arent wasnt werent hasnt havent hadnt mustnt cant couldnt wont wouldnt
    shouldnt dont doesnt didnt
    """.split()
)
"""Verbs that show that a stretch of words is a clause of its own."""

PREPOSITIONS = frozenset(
    """
    in on at of for from with under over above below outside inside within between during before
    after near to into against beyond behind without until since
    """.split()
)

_JOINS = frozenset("and but or so".split())
_SUBORDINATES = frozenset("if when where since because as although though while whereas".split())
_POINTS_BACK = frozenset("this that these those which such otherwise".split())
"""How a clause begins that speaks of what was said before it: "; this needs consent"."""

_ADDS = 0.08
"""Share of the claim that a clause must add to be one that the claim stands on."""

_TELLING = 0.3
"""Weight from which a single word of the claim is enough for that."""


def standing(a: Alignment, inside: Sequence[int]) -> list[int]:
    """Those of the columns `inside` of the passage that are in clauses which the claim stands on.

    The clause that covers most of it is one, and every other that adds a word of the claim or
    points back.
    """
    groups = _clauses(a, inside)
    if len(groups) < 2:
        return list(inside)
    strength = (a.match + a.related) / 2
    best = [strength[:, group].max(axis=1) for group in groups]
    shares = [round(float(a.covered(one)), 9) for one in best]
    first = int(np.argmax(shares))
    used, held = {first}, best[first]
    for at in sorted(range(len(groups)), key=lambda i: (-shares[i], i)):
        if at not in used and (_adds(a, groups[at], best[at], held) or _points_back(a, groups, at)):
            used.add(at)
            held = np.maximum(held, best[at])
    columns = [column for at in used for column in groups[at]]
    for at in used:
        columns.extend(_fronted(a, groups, at, used))
    return sorted(set(columns))


def _fronted(a: Alignment, groups: Sequence[list[int]], at: int, used: set[int]) -> Iterator[int]:
    """The condition at the head of a sentence whose later clause, joined by "and", is used."""
    while at and a.passage[groups[at][0]].key in _JOINS:
        at -= 1
        head = groups[at]
        if at not in used and a.passage[head[0]].key in _FRONTED:
            yield head[0]
            for column in head[1:]:
                if a.passage[column].border:
                    return
                yield column


_FRONTED = frozenset("if unless except until provided providing subject only depending".split())


def _adds(
    a: Alignment, group: list[int], mine: NDArray[np.float64], held: NDArray[np.float64]
) -> bool:
    more = np.maximum(held, mine)
    if float(a.covered(more)) - float(a.covered(held)) >= _ADDS:
        return True
    own = (a.related[:, group].max(axis=1) > 0) & (held < _HELD)
    return bool((a.claim_weight[own] >= _TELLING).any())


_HELD = 0.9
"""Strength from which a word of the claim stands in another clause already."""


def _points_back(a: Alignment, groups: Sequence[list[int]], at: int) -> bool:
    same = at > 0 and a.sentence_at[groups[at - 1][0]] == a.sentence_at[groups[at][0]]
    return same and a.passage[groups[at][0]].key in _POINTS_BACK


def _clauses(a: Alignment, inside: Sequence[int]) -> list[list[int]]:
    groups: list[list[int]] = []
    for column in inside:
        if not groups or _parts(a, groups[-1][-1], column):
            groups.append([])
        groups[-1].append(column)
    return groups


def _parts(a: Alignment, before: int, column: int) -> bool:
    """Whether a clause with a subject of its own begins at a word."""
    if a.sentence_at[before] != a.sentence_at[column]:
        return True
    word = a.passage[column]
    if word.border == ";":
        return True
    joins = word.key == "but" or (word.key in _JOINS and word.border == ",")
    return joins and _has_subject(a, column + 1)


def _has_subject(a: Alignment, start: int) -> bool:
    """Whether an auxiliary verb comes before the next mark, and something else before it."""
    for column in range(start, len(a.passage)):
        word = a.passage[column]
        if a.sentence_at[column] != a.sentence_at[start] or (word.border and column > start):
            return False
        if word.key in AUXILIARIES:
            return column > start
        if word.key in _SUBORDINATES:
            return False
    return False


def without_asides(a: Alignment, columns: Sequence[int]) -> list[int]:
    """The columns but for subordinate clauses between marks that hold no word of the claim: what
    "if that does not help" denies is not what the sentence says.
    """
    kept: list[int] = []
    heavy = a.claim_weight >= _TELLING
    for part in _parts_by_mark(a, columns):
        begins = a.passage[part[0]].key in _SUBORDINATES
        if begins and not (a.related[:, part].max(axis=1) > 0)[heavy].any():
            continue
        kept.extend(part)
    return kept or list(columns)


def _parts_by_mark(a: Alignment, columns: Sequence[int]) -> list[list[int]]:
    parts: list[list[int]] = []
    for column in columns:
        last = parts[-1][-1] if parts else -2
        if a.passage[column].border or last + 1 != column or _new_sentence(a, column):
            parts.append([])
        parts[-1].append(column)
    return parts


def _new_sentence(a: Alignment, column: int) -> bool:
    return column > 0 and a.sentence_at[column] != a.sentence_at[column - 1]


_ASKS_FOR = frozenset("if when whenever where who whoever whose that which provided once".split())
"""Words by which a claim can put a condition."""


def shares_condition(a: Alignment, columns: Sequence[int], at: int) -> bool:
    """Whether the claim has the condition that begins at `columns[at]`: all of its words, behind a
    word that puts a condition, and beside words of the clause that depends on it.
    """
    condition = _up_to_mark(a, columns, at)
    rest = [column for column in columns if column not in condition]
    telling = [c for c in condition if a.passage[c].content and c != columns[at]]
    if not telling or not rest or float(a.match[:, telling].max(axis=0).min()) < _SHARED:
        return False
    there, elsewhere = a.match[:, telling].max(axis=1), a.match[:, rest].max(axis=1)
    mine = np.flatnonzero((there >= _SHARED) & (there >= elsewhere))
    theirs = bool(((elsewhere >= _SHARED) & (elsewhere > there)).any())
    return theirs and len(mine) > 0 and _follows_a_condition(a, int(mine[0]))


_SHARED = 0.5


def turns_condition(a: Alignment, columns: Sequence[int], at: int) -> bool:
    """Whether what the claim makes the condition is what depends on it in the passage."""
    condition = _up_to_mark(a, columns, at)
    rest = [column for column in columns if column not in condition]
    place = next(i for i, word in enumerate(a.claim_all) if word.key == a.passage[columns[at]].key)
    following = range(place + 1, len(a.claim_all))
    end = next((i for i in following if a.claim_all[i].border), len(a.claim_all))
    rows = a.rows_at(range(place + 1, end))
    if not rows or not rest:
        return False
    own, other = (a.match[rows][:, part].max(axis=1) for part in (sorted(condition), rest))
    return bool((other > own).all())


def _follows_a_condition(a: Alignment, row: int) -> bool:
    """Whether a word of the claim stands right after a word that puts a condition."""
    for word in reversed(a.claim_all[: a.place_of[row]]):
        if word.key in _ASKS_FOR:
            return True
        if word.content:
            return False
    return False


def _up_to_mark(a: Alignment, columns: Sequence[int], at: int) -> set[int]:
    found = {columns[at]}
    for column in columns[at + 1 :]:
        if column - 1 not in found or a.passage[column].border or _new_sentence(a, column):
            break
        found.add(column)
    return found

"""Have two things changed places: who pays whom, what is more than what, who is led by whom?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.features_conflicts import Conflict
from veridical.validation.differences import AlterationKind

_PIVOTS = ("than", "by", "to", "from", "of")


def changed_places(a: Alignment, inside: Sequence[int]) -> Conflict | None:
    """Two things that have changed places around the same word, which is told; None where none
    have. `inside` are the columns of the passage that the claim stands on.
    """
    if not inside:
        return None
    for pivot in _PIVOTS:
        ours = [at for at, word in enumerate(a.claim_all) if word.key == pivot]
        theirs = [column for column in inside if a.passage[column].key == pivot]
        if len(ours) == len(theirs) == 1:
            found = _around_pivot(a, ours[0], inside, theirs[0])
            if found is not None:
                return found
    return _actor(a, inside) or _exchanged(a, inside) or _around_verb(a, inside)


def _around_pivot(a: Alignment, at: int, inside: Sequence[int], column: int) -> Conflict | None:
    """Where what follows "than" or "by" stands in front of it on the other side, both ways."""
    before, behind = a.rows_before(at), a.rows_behind(at)
    first = [c for c in inside if c < column and a.passage[c].content]
    last = [c for c in inside if c > column and a.passage[c].content]
    if not (before and behind and first and last):
        return None
    mine = next((r for r in behind[:_NEAR] if _meet(a, [r], first) > _meet(a, [r], last)), None)
    theirs = next((c for c in last[:_NEAR] if _meet(a, before, [c]) > _meet(a, behind, [c])), None)
    if mine is None or theirs is None:
        return None
    pivot = a.passage[column].text
    return Conflict(
        AlterationKind.WORDING, f"{pivot} {a.claim[mine].text}", f"{pivot} {a.passage[theirs].text}"
    )


def _actor(a: Alignment, inside: Sequence[int]) -> Conflict | None:
    """Who was replaced by whom, where the claim has the same order and no passive."""
    by = next((c for c in inside if a.passage[c].key == "by"), None)
    if by is None or any(word.key in ("by", *_BE) for word in a.claim_all):
        return None
    verb = next((c for c in reversed(inside) if c < by and a.passage[c].content), None)
    if verb is None or not any(a.passage[c].key in _BE for c in inside if verb - 3 <= c < verb):
        return None
    rows = np.flatnonzero(a.related[:, verb])
    if not len(rows):
        return None
    row = int(rows[0])
    before, behind = list(range(row)), list(range(row + 1, len(a.claim)))
    first = [c for c in inside if c < verb and a.passage[c].content]
    last = [c for c in inside if c > by and a.passage[c].content][:2]
    if not (before and behind and first and last):
        return None
    if _meet(a, before, first) and _meet(a, behind[:2], last) and not _meet(a, before, last):
        said = f"{a.passage[verb].text} by"
        return Conflict(AlterationKind.WORDING, a.claim[row].text, said)
    return None


_BE = frozenset("is are was were be been being".split())


def _exchanged(a: Alignment, inside: Sequence[int]) -> Conflict | None:
    """Requested by the board and carried out by the firm; suspended in July and resumed in May:
    what belongs to the one, claimed of the other.
    """
    claim, passage = a.claim_all, [a.passage[c] for c in inside]
    for pivot in _JOINTS:
        ours, theirs = _pairs(claim, pivot), _pairs(passage, pivot)
        if len(theirs) < _MOST_PAIRS:
            continue
        firsts = [claim[first] for first, _ in ours]
        for first, last in ours:
            nearest = [pair for pair in theirs if _same(passage[pair[0]], claim[first])]
            others = [pair for pair in theirs if _same(passage[pair[1]], claim[last])]
            if len(nearest) != 1 or len(others) != 1 or nearest == others:
                continue
            said, rival = nearest[0][1], others[0][0]
            if rival == said:
                continue  # "founded in Leeds in 1990"
            if a.related[:, inside[rival]].any() and not any(
                _same(passage[rival], one) for one in firsts
            ):
                continue  # "and the third to earth": the verb is left out there
            return Conflict(
                AlterationKind.WORDING,
                f"{pivot} {claim[last].text}",
                f"{pivot} {passage[said].text}",
            )
    return None


_JOINTS = ("by", "in", "on", "at", "for", "from", "to", "with")
_MOST_PAIRS = 2


def _pairs(words: Sequence[Word], pivot: str) -> list[tuple[int, int]]:
    """The places of what stands before and behind each place of a small word."""
    found = []
    for at, word in enumerate(words):
        if word.key != pivot:
            continue
        before = next((i for i in range(at - 1, -1, -1) if _tells(words[i])), None)
        behind = next((i for i in range(at + 1, len(words)) if _tells(words[i])), None)
        if before is not None and behind is not None:
            found.append((before, behind))
    return found


def _tells(word: Word) -> bool:
    return word.content and word.key not in ("out", "up", "off", "down", "away", "back")


def _same(one: Word, other: Word) -> bool:
    return one.stem == other.stem


_NEAR = 2
"""Words behind a pivot that tell what it is on: Dr Moreno."""


def _meet(a: Alignment, rows: Sequence[int], columns: Sequence[int]) -> bool:
    return bool((a.match[np.ix_(rows, columns)] >= FIRM).any())


def _around_verb(a: Alignment, inside: Sequence[int]) -> Conflict | None:
    """Only where the claim is fully covered by words of its own, and no passive turns it round."""
    if any(a.passage[i].key == "by" for i in inside):
        return None
    if any(word.key == "by" for word in a.claim_all):
        return None
    exact, same = a.related[:, list(inside)], a.exact[:, list(inside)]
    places = {}
    for row, word in enumerate(a.claim):
        columns = np.flatnonzero(same[row] if same[row].any() else exact[row])
        if len(columns) == 1:
            places[row] = (int(columns[0]), word)
    rows = sorted(places)
    for one, middle, other in zip(rows, rows[1:], rows[2:], strict=False):
        if places[one][0] > places[middle][0] > places[other][0]:
            words = [places[row][1] for row in (one, middle, other)]
            return _turned(words, a, inside, [places[row][0] for row in (other, middle, one)])
    return None


def _turned(words: list[Word], a: Alignment, inside: Sequence[int], columns: list[int]) -> Conflict:
    said = " … ".join(a.passage[inside[column]].text for column in columns)
    return Conflict(AlterationKind.WORDING, " … ".join(word.text for word in words), said)

"""Does what a claim ties to "after", "until" or "unless" hang on the same word in the passage?

"When the tank is full, it stops. It starts again three minutes after you put the tank back" has
every word of "It starts three minutes after the tank is full", and ties the start to another event.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from veridical.judging.alignment import FIRM, Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clauses import PREPOSITIONS

_KINDS = {
    **dict.fromkeys("if when whenever where once provided".split(), "case"),
    **dict.fromkeys("after following".split(), "after"),
    **dict.fromkeys("before until till".split(), "before"),
    "unless": "unless",
}
"""Words that tie a statement to an event or a case, by what they make of it."""

_POINTING = frozenset("that this these those such so then".split())

_FIRST_WORDS = 4
"""Telling words behind such a word that say what it is tied to; later ones may be of the rest."""


def tied_otherwise(a: Alignment, standing: Sequence[int]) -> str | None:
    """The words of a claim, from "after" or its like on, that the passage ties to something else;
    None where there are none, and where the passage has no such word in the columns `standing`.
    """
    for at, word in enumerate(a.claim_all):
        kind = _KINDS.get(word.key)
        regions = set(_behind(a, standing, kind)) if kind else set()
        # A claim that begins with it says nowhere without a mark where its first part ends.
        if (
            not regions
            or _points_back(a, regions)
            or (at == 0 and not any(other.border for other in a.claim_all))
        ):
            continue
        for row in a.rows_at(_event(a.claim_all, at + 1)):
            if a.related[row].any() and not any(a.match[row, c] >= FIRM for c in regions):
                return " ".join(w.text for w in a.claim_all[at : a.place_of[row] + 1])
    return None


def _points_back(a: Alignment, columns: set[int]) -> bool:
    """Whether some of it is said before: "if there is no answer in that time"."""
    return any(a.passage[column].key in _POINTING for column in columns)


def _event(claim: Sequence[Word], start: int) -> Iterator[int]:
    """The places of the first telling words up to the next mark, or the next tie."""
    left = _FIRST_WORDS
    for place in range(start, len(claim)):
        word = claim[place]
        if word.border or word.key in _KINDS or not left:
            return
        if word.content and word.key not in PREPOSITIONS:
            left -= 1
            yield place


def _behind(a: Alignment, standing: Sequence[int], kind: str) -> Iterator[int]:
    """The columns from each word of a kind to the next mark of its sentence."""
    for start in standing:
        if _KINDS.get(a.passage[start].key) != kind:
            continue
        for column in range(start + 1, len(a.passage)):
            if a.sentence_at[column] != a.sentence_at[start] or a.passage[column].border:
                break
            yield column

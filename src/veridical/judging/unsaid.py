"""What does a claim say that nothing in its passage stands for?

One telling word is enough: it may be what was made up. "The chair told the secretary to his face"
is no paraphrase of "The chair told the secretary".
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import FAINT, Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.clauses import PREPOSITIONS
from veridical.judging.features_reservations import LIGHT
from veridical.judging.pairing import POINTING
from veridical.validation import lexicon

_TELLING = 0.5
"""Weight from which a word of the claim must have a counterpart."""

_MEASURES = frozenset("size length amount number period half".split())
"""What a number with its unit is of, and half, which numbers are compared with."""

_MOVES = frozenset("come comes came coming go goes went going".split())
"""Verbs that another stands for: what comes out of it is taken from it."""

_SUBJECTS = frozenset("product item device".split())
"""What instructions are about, and do not name: store below 25 degrees."""

_IMPLIED = LIGHT | lexicon.NEGATIONS | PREPOSITIONS | _MEASURES | _MOVES | _SUBJECTS
"""Words of a claim that need no counterpart."""

_OPENERS = frozenset(
    """
    yes yeah yea yep yup ok okay well exactly actually indeed however moreover additionally
    furthermore interestingly specifically nevertheless nonetheless hence thus therefore overall
    definitely certainly likewise similarly consequently accordingly
    """.split()
)
"""Words that lead from what was said before to what is said, where a sentence begins with them."""

_AS_MODALS = {
    **dict.fromkeys(("allowed", "permitted", "able"), "may"),
    **dict.fromkeys(("need", "needs", "required", "obliged", "has", "have"), "must"),
}
"""Words that say what the modal verbs of a kind say."""

_EXCEPTS = frozenset(
    "apart aside besides except excepting excluding other but barring save".split()
)
"""Each of these may stand for another."""

_THESE = frozenset("this these".split())
_GO_ON = frozenset("it they he she".split())
"""Words with which a sentence goes on about what the last sentences are about."""

_DOES = frozenset("do does did done doing".split())
_MOST_SHOWN = 4


def unsaid(a: Alignment, standing: Sequence[int], known: set[str]) -> str | None:
    """The telling words of a claim that nothing in the passage stands for, for a reader; None where
    there are none.

    `standing` are the columns of the passage that the claim stands on; `known` are the stems of
    heading and context, which count as said.
    """
    missing = missing_words(a, known, _near(a, standing))
    return ", ".join(f'"{word.text}"' for word in missing[:_MOST_SHOWN]) or None


def missing_words(
    a: Alignment, known: set[str], near: NDArray[np.bool_] | None = None
) -> list[Word]:
    """The telling words of the claim that nothing in the passage stands for, or in its columns
    `near`.
    """
    held = a.held if near is None else a.match[:, near].max(axis=1, initial=0.0)
    told = set(a.unbound)
    excepts = not _EXCEPTS.isdisjoint(word.key for word in a.passage)
    kinds = {lexicon.MODALS.get(word.key) for word in a.passage}
    return [
        word
        for row, word in enumerate(a.claim)
        if held[row] < FAINT
        and a.place_of[row] in told
        and a.claim_weight[row] >= _TELLING
        and word.stem not in known
        and word.key not in _IMPLIED
        and word.number is None
        and _AS_MODALS.get(word.key, "") not in kinds
        and not {word.key, word.key.removesuffix("s")} & lexicon.UNITS
        and not (word.key in _EXCEPTS and excepts)
        and not _opens_speech(a.claim_all, a.place_of[row])
        and not _is_pointed_at(a, a.place_of[row])
    ]


def _opens_speech(claim: Sequence[Word], place: int) -> bool:
    """Whether a sentence begins with a word that only leads to it: "Yes," or "However,"."""
    word = claim[place]
    return word.key in _OPENERS and (place == 0 or bool(word.border))


def _is_pointed_at(a: Alignment, place: int) -> bool:
    """Whether the passage says "this standard" where the claim says which."""
    row = a.row_of[place + 1] if place + 1 < len(a.claim_all) else None
    if row is None:
        return False
    columns = np.flatnonzero(a.related[row])
    return any(column and a.passage[column - 1].key in _THESE for column in columns)


def _near(a: Alignment, standing: Sequence[int]) -> NDArray[np.bool_]:
    """The columns of the sentences that the claim stands on, and of the one before if they point
    back to it.
    """
    sentences = [a.sentence_at[column] for column in standing]
    if not sentences:
        return np.ones(len(a.passage), bool)
    low, high = min(sentences), max(sentences)
    inside = (a.sentence_of >= low) & (a.sentence_of <= high)
    columns = np.flatnonzero(inside).tolist()
    if any(_points_back(a.passage, column) for column in columns):
        low = _sentence_before(a, low)
        if a.passage[columns[0]].key in _GO_ON:
            low = _sentence_before(a, low)
    near: NDArray[np.bool_] = (a.sentence_of >= low) & (a.sentence_of <= high)
    return near


def _sentence_before(a: Alignment, sentence: int) -> int:
    """The sentence before one, but for those that have no words: the mark of a footnote."""
    worded = zip(a.passage, a.sentence_at, strict=True)
    earlier = [at for word, at in worded if at < sentence and word.content and word.number is None]
    return max(earlier, default=sentence)


def _points_back(passage: Sequence[Word], column: int) -> bool:
    """Whether a word stands for what was said before: "they", or "so" in "may do so"."""
    key = passage[column].key
    return key in POINTING or (key == "so" and column > 0 and passage[column - 1].key in _DOES)

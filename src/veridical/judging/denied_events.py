"""Does a sentence deny, in other verbs, the very thing that a claim says?

"PTO is not exchanged for money" denies that PTO is paid out, although it denies no word of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from veridical.judging.alignment import Alignment
from veridical.judging.alignment_words import Word
from veridical.judging.bounds import unbound_places
from veridical.judging.denials import opposed_words
from veridical.validation import lexicon

_ALIKE = 0.35
"""Cosine from which a word that is denied may be what the claim says in another word."""

_LEAST_WEIGHT = 0.3
"""Weight of a claim's word from which it matters."""

_MOST_DENIED = 4
"""Content words after a denial that it is taken to deny here."""

_ENDS = frozenset("but while when where if unless until because since although whereas".split())
"""Words behind which nothing is denied any more."""

_EXCLUSIVE = frozenset("only solely exclusively".split())
"""Words by which a claim itself denies something: of all others."""


def denied_event(a: Alignment, standing: Sequence[int]) -> str | None:
    """The denial, with the words up to the one that is meant; None where nothing is denied so.

    `standing` are the columns of the passage that the claim stands on. A claim that denies
    something itself is not judged here. The denial must be beside a word of the claim, and deny
    what means much the same as another, which does not stand in that clause undenied.
    """
    keys = {word.key for word in (a.claim_all[place] for place in a.unbound)}
    if keys & (lexicon.NEGATIONS | _EXCLUSIVE):
        return None
    said = [a.passage[column] for column in standing]
    if not any(word.key in lexicon.NEGATIONS for word in said):
        return None  # seven passages in ten of the examples: spares looking for opposites
    turned = {said[place].stem for _, place in opposed_words(a.claim_all, said)}
    rows = [
        row
        for row, word in enumerate(a.claim)
        if word.number is None and a.claim_weight[row] >= _LEAST_WEIGHT
    ]
    for at, denied, clause in _denials(a, standing):
        if any(a.passage[column].stem in turned for column in denied):
            continue
        beside = [column for column in clause if column not in denied]
        shared = [row for row in rows if a.related[row, clause].any()]
        for row in rows:
            if a.related[row, beside].any() if beside else False:
                continue
            column = denied[int(np.argmax(a.raw[row, denied]))]
            if a.raw[row, column] >= _ALIKE and any(other != row for other in shared):
                return " ".join(a.passage[c].text for c in range(at, column + 1))
    return None


def _denials(a: Alignment, standing: Sequence[int]) -> Iterator[tuple[int, list[int], list[int]]]:
    """Each denial: its column, those of the content words that it denies, and of its clause."""
    among = set(standing)
    said = [a.passage[column] for column in standing]
    counted = {standing[place] for place in unbound_places(said)}
    for at in standing:
        if a.passage[at].key not in lexicon.NEGATIONS or at not in counted:
            continue
        sentence = [c for c in np.flatnonzero(a.sentence_of == a.sentence_of[at]) if c in among]
        clause = [int(c) for c in sentence if _together(a, at, int(c))]
        after = clause[clause.index(at) + 1 :]
        if after[:1] and a.passage[after[0]].key == "only":
            continue
        end = next((i for i, c in enumerate(after) if i and _ends(a.passage[c])), len(after))
        denied = [
            c
            for c in after[:end]
            if a.passage[c].content and a.passage[c].key not in lexicon.NEGATIONS
        ][:_MOST_DENIED]
        if denied:
            yield at, denied, [c for c in clause if a.passage[c].content]


def _ends(word: Word) -> bool:
    return bool(word.border) or word.key in _ENDS


def _together(a: Alignment, one: int, other: int) -> bool:
    """Whether no semicolon parts two words of a sentence."""
    low, high = sorted((one, other))
    return all(a.passage[column].border != ";" for column in range(low + 1, high + 1))

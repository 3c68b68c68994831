"""Which words of a question have a counterpart in a text: by stem, by number or by meaning."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from veridical.answering.evidence.words import Words, is_number, key_of, read_keys, word_table

_RELATED = 0.97
"""What another form of the same word counts for."""

_MEANT_FROM, _MEANT_TO, _MEANT = 0.35, 0.8, 0.85
"""Cosines between which a word begins to stand for another, and what that counts for at most."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True)
class Matches:
    """The words of a question beside some texts.

    `weight` (words,) is how telling each is. `best` (words, texts) is how well each is met by a
    text, 0 to 1. `subject` (texts,) is the cosine of the question's words with those of the text.
    """

    weight: Matrix
    best: Matrix
    subject: Matrix

    def weighing(self, weights: Sequence[float]) -> Matches:
        """The same with each word of the question weighing that many times as much."""
        return replace(self, weight=self.weight * np.array(weights))

    def covered(self, met: Matrix) -> Matrix:
        """The weighted share of the question for matches (words,) or (words, n)."""
        share: Matrix = self.weight @ met / max(float(self.weight.sum()), 1e-9)
        return share


def match_texts(words: Sequence[str], texts: Sequence[str], names: Collection[str] = ()) -> Matches:
    """Lay the words of a question, of which there must be one, beside each of some texts.

    Keys in `names` are those of proper names: nothing else stands for them.
    """
    different = {text: at for at, text in enumerate(dict.fromkeys(texts))}
    matches = _match(words, [read_keys(text) for text in different], frozenset(names))
    order = [different[text] for text in texts]
    return replace(matches, best=matches.best[:, order], subject=matches.subject[order])


def _match(words: Sequence[str], lines: Sequence[Sequence[str]], names: frozenset[str]) -> Matches:
    columns: dict[str, int] = {}
    flat = [columns.setdefault(key, len(columns)) for key in chain.from_iterable(lines)]
    keys, told = [key_of(word) for word in words], list(columns)
    ours = word_table().of(keys)
    best, subject = np.zeros((len(keys), len(lines))), np.zeros(len(lines))
    if flat:
        theirs = word_table().of(told)
        same = _same(keys, told)
        firmly = np.maximum(same, _alike(ours, theirs))
        meant = _meant(keys, told, ours, theirs)
        proper = [key in names for key in keys]
        firmly[proper] = same[proper]
        meant[proper] = 0.0
        filled = [at for at, line in enumerate(lines) if line]
        begins = np.cumsum([0, *(len(lines[at]) for at in filled[:-1])])
        met = np.maximum(firmly, meant)
        best[:, filled] = np.maximum.reduceat(met[:, flat], begins, axis=1)
        vectors = np.add.reduceat(_heavy(theirs)[flat], begins, axis=0)
        asked = _heavy(ours).sum(axis=0)
        norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(asked)
        subject[filled] = np.round(vectors @ asked / np.maximum(norms, 1e-9), 4)
    return Matches(ours.weight, best, subject)


def _heavy(words: Words) -> NDArray[np.float32]:
    """Vectors (words, dims) as long as the words weigh."""
    return words.unit * words.weight[:, None].astype(np.float32)


def _same(keys: Sequence[str], told: Sequence[str]) -> Matrix:
    """1 for the same word, but for a plural: (keys, told)."""
    columns: dict[str, list[int]] = {}
    for column, other in enumerate(told):
        columns.setdefault(other.removesuffix("s"), []).append(column)
    same: Matrix = np.zeros((len(keys), len(told)))
    for row, key in enumerate(keys):
        same[row, columns.get(key.removesuffix("s"), [])] = 1.0
    return same


def _alike(ours: Words, theirs: Words) -> Matrix:
    """What other forms of the same word count for: (keys, told)."""
    alike = ours.stems[:, None] == theirs.stems[None, :]
    alike |= ours.beginnings[:, None] == theirs.beginnings[None, :]
    related: Matrix = alike * _RELATED
    return related


def _meant(keys: Sequence[str], told: Sequence[str], ours: Words, theirs: Words) -> Matrix:
    """How far a word stands for another by its meaning, numbers not at all: (keys, told)."""
    cosine = np.round((ours.unit @ theirs.unit.T).astype(np.float64), 4)
    cosine[[is_number(key) for key in keys]] = 0.0
    cosine[:, [is_number(key) for key in told]] = 0.0
    meant: Matrix = np.clip((cosine - _MEANT_FROM) / (_MEANT_TO - _MEANT_FROM), 0.0, 1.0) * _MEANT
    return meant

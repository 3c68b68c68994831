"""Words as vectors: where they lie, and how much they weigh.

An embedder gives directions only. How much a word weighs is read from how far it pulls the
embedding of a text that it stands in: in static embeddings rare, telling words are long vectors and
function words are short ones, which serves as inverse document frequency without any corpus.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from veridical.judging.words import stem
from veridical.matching.embeddings import Embedder

_YARDSTICK = "mountain"
"""The word that others are weighed against: an ordinary noun."""

_MOST_WORDS = 100_000
"""Words that are remembered."""

MOST_WEIGHT = 2.0
_LEAST_WEIGHT = 0.02
_ALIKE = 0.999
_BEGINNING = 6
"""Letters that two longer words must share to count as related."""


@dataclass(frozen=True)
class WordTable:
    """The vectors of some words.

    `rows` gives a word's row, `unit` (words, dimensions) its direction and `weight` (words,) how
    much it weighs: 1 for an ordinary noun, about 0.1 for function words, at most `MOST_WEIGHT`.
    Words of one stem have the same number in `stems` (words,), and longer words that begin alike
    in `beginnings`.
    """

    rows: Mapping[str, int]
    unit: NDArray[np.float32]
    weight: NDArray[np.float64]
    stems: NDArray[np.int64]
    beginnings: NDArray[np.int64]


class WordVectors:
    """Vectors of words from an embedder, each asked for once. Threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, tuple[NDArray[np.float32], float]] = {}

    def of(self, keys: Iterable[str]) -> WordTable:
        """The table of some words, in the order of the alphabet."""
        words = sorted(set(keys))
        known = self._known
        if len(known) > _MOST_WORDS:
            # A new dictionary: another thread may be reading the old one.
            known = self._known = {}
        known.update(self._learned([word for word in words if word not in known]))
        if not words:
            none = np.zeros(0, np.int64)
            return WordTable({}, np.zeros((0, 1), np.float32), np.zeros(0), none, none)
        return WordTable(
            {word: row for row, word in enumerate(words)},
            np.stack([known[word][0] for word in words]),
            np.array([known[word][1] for word in words]),
            _numbered(map(stem, words)),
            _numbered([word[:_BEGINNING] for word in words]),
        )

    def _learned(self, words: list[str]) -> dict[str, tuple[NDArray[np.float32], float]]:
        if not words:
            return {}
        texts = [_YARDSTICK, *words, *(f"{word} {_YARDSTICK}" for word in words)]
        vectors = self._embedder.embed(texts)
        unit = vectors[1 : len(words) + 1]
        weight = _pull(unit, vectors[0], vectors[len(words) + 1 :])
        return {
            word: (row, float(pull)) for word, row, pull in zip(words, unit, weight, strict=True)
        }


def _numbered(keys: Iterable[str]) -> NDArray[np.int64]:
    """The same number for the same key."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def _pull(
    unit: NDArray[np.float32], yardstick: NDArray[np.float32], joined: NDArray[np.float32]
) -> NDArray[np.float64]:
    """How long each word's vector is beside the yardstick's, solved from the sum of the two."""
    to_word = np.einsum("ij,ij->i", joined, unit).astype(np.float64)
    to_yardstick = (joined @ yardstick).astype(np.float64)
    between = (unit @ yardstick).astype(np.float64)
    of_word = to_word - to_yardstick * between
    of_yardstick = to_yardstick - to_word * between
    ratio = of_word / np.maximum(of_yardstick, 1e-6)
    ratio = np.where(between > _ALIKE, 1.0, ratio)
    known = np.any(unit != 0, axis=1)
    weight: NDArray[np.float64] = np.where(known, np.clip(ratio, _LEAST_WEIGHT, MOST_WEIGHT), 1.0)
    # Ten binary digits: the same on every machine, whatever the order of summation.
    return np.round(weight * 1024) / 1024

"""Words as they are laid beside each other: their keys, their vectors, how telling they are."""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.answering.evidence.synonyms import with_plain_phrases
from veridical.answering.evidence.vectors import WordVectors
from veridical.judging.words import stem
from veridical.matching.embeddings import Embedder, default_embedder
from veridical.retrieval.terms import terms
from veridical.text.normalize import fold

_WORD = re.compile(r"\d+(?:[.,]\d+)*[^\W\d_]*|[^\W_]+(?:['\u2019][^\W\d_]+)*")
_MEMBER = re.compile(r"\b([A-Z][a-z]+) ((?!I\b)[A-Z]|\d{1,2})(?![\w'\u2019.,-]*\w)")
_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
        "sixteen seventeen eighteen nineteen twenty".split(),
        start=2,
    )
}
_BEGINNING = 6
"""Letters that two longer words must share to count as related."""

MOST_WORDS = 100_000
"""Words that are remembered."""

_ROOM = 4_096


def written_words(text: str) -> list[str]:
    """The words and numbers of a text as written; of scripts without spaces, pairs of characters.

    A letter or number that tells things of one kind apart ("Tier A", "Week 6") is also joined to
    the word before it.
    """
    words = _WORD.findall(_MEMBER.sub(r"\g<0> \1\2", with_plain_phrases(text)))
    if text.isascii():
        return words
    return [part for word in words for part in _parts(word)]


def _parts(word: str) -> list[str]:
    found = [word] if word.isascii() else terms(word)
    return found if len(found) > 1 else [word]


@lru_cache(maxsize=1 << 16)
def key_of(word: str) -> str:
    """The form in which a word is compared: folded, and numbers in digits."""
    key = word.casefold().replace("\u2019", "'").removesuffix("'s")
    if key[:1].isdigit():
        return key.replace(",", "")
    return _NUMBERS.get(key) or (key if key.isascii() else fold(key)) or key


@lru_cache(maxsize=1 << 15)
def read_keys(text: str) -> tuple[str, ...]:
    """The different keys of a text, in order."""
    return tuple(dict.fromkeys(map(key_of, written_words(text))))


def is_number(key: str) -> bool:
    """Whether a key is that of a number: it counts as met by nothing but itself."""
    return key[:1].isdigit()


@dataclass(frozen=True)
class Words:
    """What is known of some words: `unit` (words, dims) is the direction of a word's vector,
    `weight` (words,) how telling it is: 1 for an ordinary noun, about 0.1 for function words.
    Words of one stem have the same number in `stems` (words,), and longer words that begin alike
    in `beginnings`.
    """

    unit: NDArray[np.float32]
    weight: NDArray[np.float64]
    stems: NDArray[np.int64]
    beginnings: NDArray[np.int64]


class WordTable:
    """Words, each learned once. Threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._start()

    def of(self, keys: Sequence[str]) -> Words:
        """What is known of some words, in their order."""
        with self._lock:
            new = [key for key in dict.fromkeys(keys) if key not in self._rows]
            if new:
                self._learn(new)
            rows = np.fromiter(map(self._rows.__getitem__, keys), np.int64, len(keys))
            numbers = self._numbers[rows]
            return Words(self._unit[rows], self._weight[rows], numbers[:, 0], numbers[:, 1])

    def _start(self) -> None:
        self._vectors = WordVectors(self._embedder)
        self._rows: dict[str, int] = {}
        self._named: dict[str, int] = {}
        self._unit: NDArray[np.float32] = np.zeros((0, 1), np.float32)
        self._weight: NDArray[np.float64] = np.zeros(0)
        self._numbers: NDArray[np.int64] = np.zeros((0, 2), np.int64)

    def _learn(self, new: Sequence[str]) -> None:
        if len(self._rows) + len(new) > MOST_WORDS:
            self._start()
        told = self._vectors.of(new)
        order = [told.rows[key] for key in new]
        at = len(self._rows)
        if at + len(new) > len(self._weight):
            room = max(2 * len(self._weight), at + len(new), _ROOM)
            unit = np.zeros((room, told.unit.shape[1]), np.float32)
            unit[:at] = self._unit[:at]
            self._unit = unit
            self._weight = np.resize(self._weight, room) if at else np.zeros(room)
            numbers = np.zeros((room, 2), np.int64)
            numbers[:at] = self._numbers[:at]
            self._numbers = numbers
        self._unit[at : at + len(new)] = told.unit[order]
        self._weight[at : at + len(new)] = told.weight[order]
        for row, key in enumerate(new, at):
            self._numbers[row] = (
                self._number(stem(key)),
                self._number(f"{key[:_BEGINNING]}-" if len(key) >= _BEGINNING else stem(key)),
            )
            self._rows[key] = row

    def _number(self, name: str) -> int:
        return self._named.setdefault(name, len(self._named))


@lru_cache(maxsize=1)
def word_table() -> WordTable:
    """The words of all questions and passages of this process."""
    return WordTable(default_embedder())

"""Words as they are laid beside each other: their keys, their vectors, how telling they are.

An embedder gives directions only. How much a word weighs is read from how far it pulls the
embedding of a text that it stands in: in static embeddings rare, telling words are long vectors and
function words are short ones, which serves as inverse document frequency without any corpus.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from veridical.judging.words import stem
from veridical.matching.embeddings import Embedder, default_embedder
from veridical.retrieval.terms import terms
from veridical.text.normalize import fold
from veridical.validation.lexicon import NUMBERS

_MEMBER = re.compile(r"\b([A-Z][a-z]+) ((?!I\b)[A-Z]|\d{1,2})(?![\w'\u2019.,-]*\w)")
_WORD = re.compile(r"\d+(?:[.,]\d+)*[^\W\d_]*|[^\W_]+(?:['\u2019][^\W\d_]+)*")
_NUMBERS = {word: str(value) for word, value in NUMBERS.items() if 2 <= value <= 20}
_BEGINNING = 6
"""Letters that two longer words must share to count as related."""

MOST_WORDS = 100_000
"""Words that are remembered."""

_YARDSTICK = "mountain"
"""The word that others are weighed against: an ordinary noun."""

_LEAST_WEIGHT, _MOST_WEIGHT = 0.02, 2.0
_ALIKE = 0.999


def written_words(text: str) -> list[str]:
    """The words and numbers of a text as written; of scripts without spaces, pairs of characters.

    A letter or number that tells things of one kind apart ("Tier A", "Week 6") is also joined to
    the word before it.
    """
    words = _WORD.findall(_MEMBER.sub(r"\g<0> \1\2", text))
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
    `stems` (words,) are what other forms of a word share, and `beginnings` what longer words that
    are related do.
    """

    unit: NDArray[np.float32]
    weight: NDArray[np.float64]
    stems: NDArray[np.str_]
    beginnings: NDArray[np.str_]


class WordTable:
    """Words, each learned once. Threads may share it."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._lock = threading.Lock()
        self._known: dict[str, tuple[NDArray[np.float32], float]] = {}

    def of(self, keys: Sequence[str]) -> Words:
        """What is known of some words, in their order; of at least one."""
        with self._lock:
            new = {key for key in keys if key not in self._known}
            if len(self._known) + len(new) > MOST_WORDS:
                self._known.clear()
                new = set(keys)
            if new:
                self._learn(sorted(new))
            known = [self._known[key] for key in keys]
        stems = [stem(key) for key in keys]
        beginnings = [
            f"{key[:_BEGINNING]}-" if len(key) >= _BEGINNING else own
            for key, own in zip(keys, stems, strict=True)
        ]
        return Words(
            np.stack([unit for unit, _ in known]),
            np.array([weight for _, weight in known]),
            np.array(stems),
            np.array(beginnings),
        )

    def _learn(self, new: Sequence[str]) -> None:
        texts = [_YARDSTICK, *new, *(f"{word} {_YARDSTICK}" for word in new)]
        vectors = self._embedder.embed(texts)
        unit, joined = vectors[1 : len(new) + 1], vectors[len(new) + 1 :]
        weights = _pull(unit, vectors[0], joined).tolist()
        self._known.update(zip(new, zip(unit, weights, strict=True), strict=True))


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
    weight: NDArray[np.float64] = np.where(known, np.clip(ratio, _LEAST_WEIGHT, _MOST_WEIGHT), 1.0)
    # Ten binary digits: the same on every machine, whatever the order of summation.
    return np.round(weight * 1024) / 1024


@lru_cache(maxsize=1)
def word_table() -> WordTable:
    """The words of all questions and passages of this process."""
    return WordTable(default_embedder())

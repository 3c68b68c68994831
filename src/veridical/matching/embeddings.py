"""Embeddings: texts as vectors whose cosine says how near their subjects are.

The embedded default is WordLlama: static vectors of 256 dimensions, which `weights/` holds.
Anything with an `embed` method can take its place.
"""

from __future__ import annotations

import heapq
import json
import re
from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from veridical.text.folded import sorted_unique

_WORD = re.compile(r"\w+|[^\w\s]")
_MOST_WORDS = 200_000
"""Words whose tokens are remembered."""


class Embedder(Protocol):
    """Turns texts into vectors."""

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape (texts, dimensions); a text without words is a zero vector."""
        ...


class StaticEmbedder:
    """WordLlama, offline: weights and tokenizer come with this package.

    The vector of a text is the mean of its tokens' vectors, so each different word is tokenized
    once and remembered: that takes a third of the time of tokenizing whole texts.
    """

    def __init__(self) -> None:
        self._table, self._tokenizer = _load()
        self._tokens: dict[str, bytes] = {}  # of uint32: a third of the memory of numbers

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of shape (texts, 256)."""
        words = [_WORD.findall(text) for text in texts]
        if len(self._tokens) > _MOST_WORDS:
            self._tokens = {}  # not cleared: another thread may be reading the old one
        known = self._tokens
        self._learn(sorted(w for w in set().union(*words) if w not in known), known)
        lines = [b"".join(map(known.__getitem__, line)) for line in words]
        rows = np.zeros((len(texts), self._table.shape[1]), np.float32)
        ids = np.frombuffer(b"".join(lines), np.uint32)
        kinds = sorted_unique(ids)
        places = np.searchsorted(kinds, ids)
        vectors = self._table[kinds].astype(np.float32)
        at = 0
        for row, line in zip(rows, lines, strict=True):
            end = at + len(line) // ids.itemsize
            if at < end:
                np.add.reduce(vectors[places[at:end]], axis=0, out=row)
                np.divide(row, end - at, out=row)
            at = end
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (rows / np.where(norms > 0, norms, 1)).astype(np.float32)
        return unit

    def _learn(self, words: Sequence[str], known: dict[str, bytes]) -> None:
        last = len(self._table) - 1
        # The tokenizer takes no half of a surrogate pair, which JSON may hold.
        safe = [word.encode("utf-8", "replace").decode() for word in words]
        for word, shown in zip(words, safe, strict=True):
            ids = array("I", (min(one, last) for one in self._tokenizer.encode(shown)))
            known[word] = ids.tobytes()


def _load() -> tuple[NDArray[np.float16], PairEncoder]:
    """The vectors of all tokens as they are stored, and the tokenizer."""
    folder = Path(str(files("veridical.matching"))) / "weights"
    model = json.loads((folder / "tokenizer.json").read_bytes())["model"]
    tokenizer = PairEncoder(model["vocab"], [merge.split(" ") for merge in model["merges"]])
    table: NDArray[np.float16] = np.load(folder / "vectors.npy")
    return table, tokenizer


class PairEncoder:
    """A tokenizer of `vocabulary`, whose `merges` are pairs of tokens, the first ones first.

    It gives the tokens of a word as Hugging Face's does. Source: Sennrich et al., arXiv:1508.07909;
    characters that are no token are read as their bytes.
    """

    def __init__(self, vocabulary: Mapping[str, int], merges: Sequence[Sequence[str]]) -> None:
        self._vocabulary = vocabulary
        self._ranks = {(one, other): rank for rank, (one, other) in enumerate(merges)}

    def encode(self, word: str) -> list[int]:
        """The ids of a word that begins after a blank."""
        written = f"\u2581{word}"
        if written in self._vocabulary:  # merging ends in it
            return [self._vocabulary[written]]
        tokens = list(written)
        if not self._vocabulary.keys() >= set(tokens):
            known = self._vocabulary
            tokens = [t for c in written for t in ([c] if c in known else _as_bytes(c))]
        self._merge(tokens)
        return [self._vocabulary[token] for token in tokens if token]

    def _merge(self, tokens: list[str]) -> None:
        """Put pairs together, the lowest rank first and of equals the leftmost; "" is left over."""
        ranks, size = self._ranks, len(tokens)
        after = list(range(1, size + 1))
        before = list(range(-1, size - 1))
        waiting = [
            (rank, left)
            for left, pair in enumerate(pairwise(tokens))
            if (rank := ranks.get(pair)) is not None
        ]
        heapq.heapify(waiting)
        while waiting:
            rank, left = heapq.heappop(waiting)
            right = after[left]
            if right >= size or ranks.get((tokens[left], tokens[right])) != rank:
                continue  # one of them is a part of another token by now
            tokens[left], tokens[right] = tokens[left] + tokens[right], ""
            far = after[left] = after[right]
            if far < size:
                before[far] = left
                if (rank := ranks.get((tokens[left], tokens[far]), -1)) >= 0:
                    heapq.heappush(waiting, (rank, left))
            near = before[left]
            if near >= 0 and (rank := ranks.get((tokens[near], tokens[left]), -1)) >= 0:
                heapq.heappush(waiting, (rank, near))


def _as_bytes(character: str) -> list[str]:
    return [f"<0x{byte:02X}>" for byte in character.encode()]


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """The embedded model, loaded once a process."""
    return StaticEmbedder()

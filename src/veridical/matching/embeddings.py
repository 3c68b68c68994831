"""Embeddings: texts as vectors whose cosine says how near their subjects are.

The embedded default is WordLlama: static vectors of 256 dimensions, which `weights/` holds.
Anything with an `embed` method can take its place.
"""

from __future__ import annotations

import heapq
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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
        # Not as a difference of sets, which would go through all words that are known.
        known = self._tokens
        self._learn(sorted({word for line in words for word in line if word not in known}), known)
        rows = np.zeros((len(texts), self._table.shape[1]), np.float32)
        for row, line in zip(rows, words, strict=True):
            ids = np.frombuffer(b"".join(map(known.__getitem__, line)), np.uint32)
            if len(ids):
                np.mean(self._table[ids].astype(np.float32), axis=0, out=row)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (rows / np.where(norms > 0, norms, 1)).astype(np.float32)
        return unit

    def _learn(self, words: Sequence[str], known: dict[str, bytes]) -> None:
        last = len(self._table) - 1
        # The tokenizer takes no half of a surrogate pair, which JSON may hold.
        safe = [word.encode("utf-8", "replace").decode() for word in words]
        for word, shown in zip(words, safe, strict=True):
            ids = np.array(self._tokenizer.encode(shown), np.uint32)
            known[word] = np.minimum(ids, last).tobytes()


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
        tokens: list[str] = []
        for character in f"\u2581{word}":
            if character in self._vocabulary:
                tokens.append(character)
            else:
                tokens += (f"<0x{byte:02X}>" for byte in character.encode())
        self._merge(tokens)
        return [self._vocabulary[token] for token in tokens if token]

    def _merge(self, tokens: list[str]) -> None:
        """Put pairs together, the lowest rank first and of equals the leftmost; "" is left over."""
        after = list(range(1, len(tokens) + 1))
        before = list(range(-1, len(tokens) - 1))
        waiting: list[tuple[int, int, str, str]] = []

        def offer(left: int) -> None:
            if left >= 0 and after[left] < len(tokens):
                pair = (tokens[left], tokens[after[left]])
                rank = self._ranks.get(pair)
                if rank is not None:
                    heapq.heappush(waiting, (rank, left, *pair))

        for left in range(len(tokens)):
            offer(left)
        while waiting:
            _, left, *pair = heapq.heappop(waiting)
            right = after[left]
            if right >= len(tokens) or pair != [tokens[left], tokens[right]]:
                continue  # one of them is a part of another token by now
            tokens[left], tokens[right] = "".join(pair), ""
            after[left] = after[right]
            if after[left] < len(tokens):
                before[after[left]] = left
            offer(before[left])
            offer(left)


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """The embedded model, loaded once a process."""
    return StaticEmbedder()

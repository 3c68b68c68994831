"""Embeddings: texts as vectors whose cosine says how near their subjects are.

The embedded default is WordLlama: static vectors of 256 dimensions, which `weights/` holds.
Anything with an `embed` method can take its place.
"""

from __future__ import annotations

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
from veridical.text.shipped import read_file, unusable

WEIGHTS = Path(str(files("veridical.matching"))) / "weights"

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
        # The tokenizer takes no half of a surrogate pair, which JSON may hold.
        safe = [word.encode("utf-8", "replace").decode() for word in words]
        for word, shown in zip(words, safe, strict=True):
            known[word] = array("I", self._tokenizer.encode(shown)).tobytes()


def _load(folder: Path = WEIGHTS) -> tuple[NDArray[np.float16], PairEncoder]:
    """The vectors of all tokens as they are stored, and the tokenizer. Raises ConfigurationError
    where their files are missing or damaged.
    """
    path = folder / "vocabulary.json"
    try:
        tokens: list[str] = json.loads(read_file(path))
        path = folder / "vectors.npy"
        table: NDArray[np.float16] = np.load(path)
    except OSError as problem:
        raise unusable(path, f"cannot be read ({problem.strerror})") from problem
    except (ValueError, EOFError) as problem:
        raise unusable(path, "is damaged") from problem
    return table, PairEncoder({token: number for number, token in enumerate(tokens)})


class PairEncoder:
    """A tokenizer that puts pairs of tokens together as long as that gives a token of `vocabulary`.

    It gives the tokens of a word as Hugging Face's does, unless it has the mark of a blank in it.
    Source: Sennrich et al., arXiv:1508.07909; the order of merges is that of what they give, and
    characters that are no token are read as their bytes. The work grows with the square of a word's
    length, so long ones are read in parts.
    """

    def __init__(self, vocabulary: Mapping[str, int]) -> None:
        self._vocabulary = vocabulary

    def encode(self, word: str) -> list[int]:
        """The ids of a word that begins after a blank."""
        written = f"\u2581{word}"
        if len(written) <= _LONGEST:
            return self._encode(written)
        parts = [written[at : at + _LONGEST] for at in range(0, len(written), _LONGEST)]
        return [one for part in parts for one in self._encode(part)]

    def _encode(self, written: str) -> list[int]:
        known = self._vocabulary
        if written in known:  # merging ends in it
            return [known[written]]
        tokens = list(written)
        ranks = [known.get(one + other, _NONE) for one, other in pairwise(tokens)]
        while ranks and (rank := min(ranks)) < _NONE:
            at = ranks.index(rank)  # of equals the leftmost
            token = tokens[at] + tokens[at + 1]
            tokens[at : at + 2] = [token]
            del ranks[at]
            if at:
                ranks[at - 1] = known.get(tokens[at - 1] + token, _NONE)
            if at < len(ranks):
                ranks[at] = known.get(token + tokens[at + 1], _NONE)
        if not known.keys() >= set(tokens):
            tokens = [t for one in tokens for t in ([one] if one in known else _as_bytes(one))]
        return [known[token] for token in tokens]


_LONGEST = 1_000
"""Characters of a word that are read together: no word of a language has as many."""

_NONE = 1 << 32
"""The rank of a pair that is no token."""


def _as_bytes(character: str) -> list[str]:
    return [f"<0x{byte:02X}>" for byte in character.encode()]


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """The embedded model, loaded once a process."""
    return StaticEmbedder()

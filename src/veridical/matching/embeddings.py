"""Embeddings: texts as vectors whose cosine says how near their subjects are.

The embedded default is WordLlama (static vectors of 256 dimensions; its weights come with its
package). Anything with an `embed` method can take its place.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Protocol

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
    """WordLlama, offline: weights and tokenizer are read from the installed package.

    The vector of a text is the mean of its tokens' vectors, so each different word is tokenized
    once and remembered: that takes a third of the time of tokenizing whole texts.
    """

    def __init__(self) -> None:
        model = _load()
        self._table: NDArray[np.float32] = model.embedding
        self._tokenizer = model.tokenizer
        self._tokenizer.no_padding()
        self._tokens: dict[str, tuple[int, ...]] = {}

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
            ids = list(chain.from_iterable(map(known.__getitem__, line)))
            if ids:
                np.mean(self._table[ids], axis=0, out=row)
        norms = np.linalg.norm(rows, axis=1, keepdims=True)
        unit: NDArray[np.float32] = (rows / np.where(norms > 0, norms, 1)).astype(np.float32)
        return unit

    def _learn(self, words: Sequence[str], known: dict[str, tuple[int, ...]]) -> None:
        last = len(self._table) - 1
        # The tokenizer takes no half of a surrogate pair, which JSON may hold.
        safe = [word.encode("utf-8", "replace").decode() for word in words]
        encoded = self._tokenizer.encode_batch_fast(safe, add_special_tokens=False)
        for word, entry in zip(words, encoded, strict=True):
            known[word] = tuple(min(token, last) for token in entry.ids)


def _load() -> Any:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    import wordllama

    # The package calls logging.basicConfig on import; an imported library must not.
    root.handlers[:], root.level = handlers, level
    folder = Path(wordllama.__file__).parent
    return wordllama.WordLlama.load(cache_dir=folder, disable_download=True)


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """The embedded model, loaded once a process."""
    return StaticEmbedder()

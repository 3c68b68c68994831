"""Embeddings: texts as vectors whose cosine says how near their subjects are.

The embedded default is WordLlama (static vectors of 256 dimensions; its weights come with its
package). Anything with an `embed` method can take its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from veridical.errors import ConfigurationError

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
        encoded = self._tokenizer.encode_batch_fast(safe, add_special_tokens=False)
        for word, entry in zip(words, encoded, strict=True):
            known[word] = np.minimum(np.array(entry.ids, np.uint32), last).tobytes()


def _load() -> tuple[NDArray[np.float16], Any]:
    """The vectors of all tokens as they are stored, and the tokenizer.

    Read without importing the package, which takes 33 MB and keeps the vectors as float32, another
    16 MB.
    """
    from safetensors import safe_open
    from tokenizers import Tokenizer

    spec = find_spec("wordllama")
    if spec is None or not spec.submodule_search_locations:
        raise ConfigurationError("the package wordllama is missing: pip install wordllama")
    folder = Path(spec.submodule_search_locations[0])
    tokenizer = Tokenizer.from_file(str(folder / "tokenizers/l2_supercat_tokenizer_config.json"))
    tokenizer.no_padding()
    tokenizer.model._resize_cache(0)  # words are remembered here, once
    with safe_open(folder / "weights/l2_supercat_256.safetensors", framework="np") as weights:
        table: NDArray[np.float16] = weights.get_tensor("embedding.weight")
    return table, tokenizer


@lru_cache(maxsize=1)
def default_embedder() -> Embedder:
    """The embedded model, loaded once a process."""
    return StaticEmbedder()

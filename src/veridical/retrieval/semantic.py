"""Search by subject: the cosines of static embeddings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from veridical.matching.embeddings import Embedder

_GRID = np.float32(2**11)
"""Vectors are rounded to multiples of 1/2048.

Products of two such numbers are multiples of 2^-22, and no partial sum over unit vectors passes 1
by more than the rounding: float32 holds each of them exactly. A cosine is then the same to the
last bit in whatever order it is summed, on every machine and in every batch, and no more than a few
ten-thousandths off.
"""

_BATCH = 512
"""Passages that are embedded at a time."""


class SemanticIndex:
    """The unit vectors of passages, shape (passages, dims), float32."""

    def __init__(self, passages: Iterable[str], embedder: Embedder) -> None:
        self._embedder = embedder
        waiting = list(passages)
        parts = [
            _rounded(embedder.embed(waiting[at : at + _BATCH]))
            for at in range(0, len(waiting), _BATCH)
        ]
        self._vectors = np.concatenate(parts) if parts else np.zeros((0, 0), np.float32)

    def scores(self, queries: Sequence[str]) -> NDArray[np.float32]:
        """The cosine of each query with each passage, shape (queries, passages)."""
        if not len(self._vectors) or not queries:
            return np.zeros((len(queries), len(self._vectors)), np.float32)
        scores: NDArray[np.float32] = _rounded(self._embedder.embed(queries)) @ self._vectors.T
        return scores


def _rounded(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    rounded: NDArray[np.float32] = np.rint(np.nan_to_num(vectors) * _GRID) / _GRID
    return rounded.astype(np.float32, copy=False)

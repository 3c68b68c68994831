"""Which chunks of a document are about the same thing as a claim?

Similar vectors mean a similar subject. They do not mean agreement: a contradiction is often nearer
to a claim than its paraphrase is.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from veridical.matching.embeddings import Embedder
from veridical.matching.passages import Passage
from veridical.text.reading import Reading

_BATCH = 512


class SemanticIndex:
    """The embedded chunks of one document."""

    def __init__(self, reading: Reading, embedder: Embedder, chunk_size: int, overlap: int) -> None:
        self._reading = reading
        self._embedder = embedder
        self._bounds = list(reading.chunks(chunk_size, overlap))
        parts = [
            embedder.embed([reading.text[a:b] for a, b in self._bounds[at : at + _BATCH]])
            for at in range(0, len(self._bounds), _BATCH)
        ]
        self._vectors = np.concatenate(parts) if parts else np.empty((0, 1), np.float32)

    def best(self, claims: Sequence[str], most: int, threshold: float) -> list[list[Passage]]:
        """For each claim up to `most` chunks whose cosine is at least `threshold`, best first."""
        if not self._bounds or not claims:
            return [[] for _ in claims]
        cosines = self._embedder.embed(claims) @ self._vectors.T
        found: list[list[Passage]] = []
        for row in cosines:
            near = np.flatnonzero(row >= threshold)
            ranked = near[np.lexsort((near, -row[near]))][:most]
            found.append([self._passage(int(i), float(row[i])) for i in ranked])
        return found

    def _passage(self, index: int, cosine: float) -> Passage:
        start, end = self._bounds[index]
        span = self._reading.to_source(start, end)
        return Passage(self._reading.document, span, round(min(1.0, max(0.0, cosine)), 6))

"""One document made ready for every kind of search. Each part is made once, when first needed."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np

from veridical.matching.embeddings import Embedder
from veridical.matching.passages import Passage, PassageIndex
from veridical.matching.titles import TitleIndex
from veridical.sources.document import Document
from veridical.text.folded import FoldedText
from veridical.text.reading import Reading

# Which chunks of a document are about the same thing as a claim?


_BATCH = 64
"""Chunks and claims embedded and compared at a time."""


class SemanticIndex:
    """The embedded chunks of one document."""

    def __init__(self, reading: Reading, embedder: Embedder, chunk_size: int, overlap: int) -> None:
        self._reading = reading
        self._embedder = embedder
        self._bounds = list(reading.chunks(chunk_size, overlap))
        self._vectors = np.empty((0, 1), np.float32)
        for at in range(0, len(self._bounds), _BATCH):
            some = self._bounds[at : at + _BATCH]
            vectors = embedder.embed([reading.text[start:end] for start, end in some])
            if not at:
                self._vectors = np.empty((len(self._bounds), vectors.shape[1]), np.float32)
            self._vectors[at : at + len(some)] = vectors

    def best(self, claims: Sequence[str], most: int, threshold: float) -> list[list[Passage]]:
        """For each claim up to `most` chunks whose cosine is at least `threshold`, best first."""
        if not self._bounds or not claims:
            return [[] for _ in claims]
        found: list[list[Passage]] = []
        for at in range(0, len(claims), _BATCH):
            for row in self._embedder.embed(claims[at : at + _BATCH]) @ self._vectors.T:
                near = np.flatnonzero(row >= threshold)
                ranked = near[np.lexsort((near, -row[near]))][:most]
                found.append([self._passage(int(i), float(row[i])) for i in ranked])
        return found

    def _passage(self, index: int, cosine: float) -> Passage:
        start, end = self._bounds[index]
        span = self._reading.to_source(start, end)
        return Passage(self._reading.document, span, round(min(1.0, max(0.0, cosine)), 6))


class DocumentIndex:
    """The searchable forms of a document."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.folded = FoldedText(document)
        self._semantic: dict[tuple[int, int], SemanticIndex] = {}

    @cached_property
    def reading(self) -> Reading:
        """The text as a reader sees it."""
        return Reading(self.document)

    @cached_property
    def passages(self) -> PassageIndex:
        """Sentences by their words."""
        return PassageIndex(self.reading, self.folded)

    @cached_property
    def titles(self) -> TitleIndex:
        """Sections by title and number."""
        return TitleIndex(self.document)

    def semantic(self, embedder: Embedder, chunk_size: int, overlap: int) -> SemanticIndex:
        """Chunks by their embedding; sizes in characters."""
        key = (chunk_size, overlap)
        if key not in self._semantic:
            self._semantic[key] = SemanticIndex(self.reading, embedder, chunk_size, overlap)
        return self._semantic[key]

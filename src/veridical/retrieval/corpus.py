"""The documents of one check, cut into chunks, the anchors they are cited by, their vectors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from veridical.matching.embeddings import Embedder, default_embedder
from veridical.retrieval.chunks import (
    DEFAULT,
    Chunk,
    ChunkPolicy,
    chunk_document,
    foreign_words,
    left_out,
)
from veridical.retrieval.lexical import LexicalIndex, QuestionScores
from veridical.sources.document import REPEATED, Document

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


LEAST_ANCHOR_DIGITS = 8
"""Hex digits of the shortest anchor (section 5.2 of the ledger specification)."""


def shortest_anchors(hashes: Iterable[str]) -> dict[str, str]:
    """For each hash the shortest prefix, at least 8 digits long, that no other of them has.

    In sorted order no hash shares more digits with any other than with its neighbours.
    """
    ordered = sorted(set(hashes))
    if not ordered:
        return {}
    shared = [0, *(_shared_digits(one, other) for one, other in pairwise(ordered)), 0]
    return {
        digest: digest[: max(LEAST_ANCHOR_DIGITS, before + 1, after + 1)]
        for digest, (before, after) in zip(ordered, pairwise(shared), strict=True)
    }


def _shared_digits(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


# What of a chunk is searched, and what the chunk keeps of its scores.


_TITLE_SHARE = 1e-3
"""What a heading with nothing below it keeps of its scores: it fits many claims and proves none."""


def searched_text(chunk: Chunk) -> str:
    """What a chunk is found by: its titles, the head of its table, and what it still says.

    Empty for a chunk that says nothing: all of it is struck through.
    """
    if not chunk.sentences:
        return ""
    document = chunk.document
    lines = [" ".join(chunk.heading_path)]
    if chunk.table_head:
        lines.append(document.shown(chunk.table_head))
    if document.struck or chunk.foreign:
        lines += map(document.shown, chunk.sentences)
    else:
        lines.append(chunk.text)
    return "\n".join(lines)


def kept_share(chunk: Chunk) -> float:
    """What a chunk keeps of its scores: nothing if it says nothing, little if it is a heading."""
    text = chunk.text
    if not chunk.sentences or not any(map(str.isalnum, text)):
        return 0.0
    is_title = bool(chunk.heading_path) and " ".join(text.split()) == chunk.heading_path[-1]
    return _TITLE_SHARE if is_title else 1.0


def unread(warnings: Iterable[str]) -> tuple[str, ...]:
    """The warnings on documents that tell what was not read or may be misread. What repeats on
    every page is not missed.
    """
    return tuple(told for told in warnings if not told.endswith(REPEATED))


class Corpus:
    """Documents and their chunks. What is derived from the documents is made on first use.

    `embedder` is what retrieval turns texts into vectors with; None is the embedded default.
    """

    def __init__(
        self,
        documents: Iterable[Document],
        *,
        policy: ChunkPolicy = DEFAULT,
        embedder: Embedder | None = None,
    ) -> None:
        self.documents = tuple(documents)
        self.policy = policy
        self.embedder = embedder

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """All chunks: documents in the order given, the chunks of each in that of its text."""
        return tuple(
            chunk for document in self.documents for chunk in chunk_document(document, self.policy)
        )

    @property
    def warnings(self) -> tuple[str, ...]:
        """What was lost in reading the documents: a line each, the name first."""
        return tuple(
            f"{document.name}: {told}" for document in self.documents for told in document.warnings
        )

    @cached_property
    def foreign(self) -> dict[str, str]:
        """What speaks to a language model in each document that has such, by its name."""
        return foreign_words(self.chunks)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What is no evidence in them since it speaks to a language model: a line each."""
        return tuple(left_out(self.foreign))

    def of_document(self, name: str) -> tuple[Chunk, ...]:
        """The chunks of the document of that name, in order; none if there is no such document."""
        return self._by_document.get(name, ())

    def anchor(self, chunk: Chunk) -> str:
        """The shortest prefix of the chunk's hash, at least `LEAST_ANCHOR_DIGITS` hex digits long,
        that no other hash of the corpus starts with.

        Chunks of the same content share their hash, and so their anchor.
        Raises KeyError for a chunk of the content of which the corpus has none.
        """
        return self._anchors[chunk.sha256]

    def with_prefix(self, prefix: str) -> tuple[Chunk, ...]:
        """The chunks whose hash starts with `prefix` (hex digits of either case), in order.

        They may differ in content: then the prefix is ambiguous. An empty prefix names none.
        """
        prefix = prefix.lower()
        if not prefix:
            return ()
        return tuple(chunk for chunk in self.chunks if chunk.sha256.startswith(prefix))

    def prepare(self) -> None:
        """Make now what the first search would make: chunks, word index, vectors and the rest."""
        _ = self.lexical, self.semantic, self.questions, self.shares

    @cached_property
    def lexical(self) -> LexicalIndex:
        """The word index of `chunks`."""
        return LexicalIndex(self._searched)

    @cached_property
    def semantic(self) -> SemanticIndex:
        """The vectors of `chunks`."""
        return SemanticIndex(self._searched, self.embedder or default_embedder())

    @cached_property
    def questions(self) -> QuestionScores:
        """What `chunks` score for questions."""
        return QuestionScores(self.chunks, self.lexical)

    @cached_property
    def shares(self) -> NDArray[np.float32]:
        """What each of `chunks` keeps of its scores, see `kept_share`."""
        return np.fromiter(map(kept_share, self.chunks), np.float32, len(self.chunks))

    @property
    def _searched(self) -> Iterator[str]:
        return map(searched_text, self.chunks)

    @cached_property
    def _by_document(self) -> dict[str, tuple[Chunk, ...]]:
        chunks: dict[str, list[Chunk]] = {}
        for chunk in self.chunks:
            chunks.setdefault(chunk.document.name, []).append(chunk)
        return {name: tuple(found) for name, found in chunks.items()}

    @cached_property
    def _anchors(self) -> dict[str, str]:
        return shortest_anchors(chunk.sha256 for chunk in self.chunks)

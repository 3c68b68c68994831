"""What vectors say of claim and passage: phrases and whole sentences."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from veridical.judging.alignment import Alignment, Vectors

_PHRASE = 3
"""Content words of the phrases that are compared."""


def phrase_features(a: Alignment) -> Iterator[tuple[str, float]]:
    """Mean and least cosine of the claim's phrases with their best counterparts."""
    content = a.content
    claim = _phrases(a.claim_vectors, np.zeros(len(a.claim), np.int64))
    passage = _phrases(a.passage_vectors[content], a.sentence_of[content])
    best = (claim @ passage.T).max(axis=1) if len(passage) else np.zeros(1)
    yield "phrase_mean", float(best.mean())
    yield "phrase_least", float(best.min())


def _phrases(vectors: Vectors, sentence_of: NDArray[np.int64]) -> Vectors:
    """Unit vectors of each run of `_PHRASE` words of one sentence; of all words where none has
    so many.
    """
    last = len(vectors) - _PHRASE + 1
    whole = sentence_of[: max(last, 0)] == sentence_of[_PHRASE - 1 :]
    if not whole.any():
        return _unit(vectors.sum(axis=0, keepdims=True)) if len(vectors) else vectors
    sums = vectors[:last].copy()
    for shift in range(1, _PHRASE):
        sums += vectors[shift : last + shift]
    return _unit(sums[whole])


def _unit(vectors: Vectors) -> Vectors:
    norms = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))
    unit: Vectors = vectors / np.maximum(norms, 1e-6)[:, None]
    return unit


def sentence_features(a: Alignment) -> Iterator[tuple[str, float]]:
    """Cosines of the claim with the nearest sentence and the whole passage."""
    claim = _unit(a.claim_vectors.sum(axis=0, keepdims=True))[0]
    sentences = np.add.reduceat(a.passage_vectors, a.begins, axis=0)
    yield "sense_best", float((_unit(sentences) @ claim).max())
    yield "sense_all", float(_unit(sentences.sum(axis=0, keepdims=True))[0] @ claim)

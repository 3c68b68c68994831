"""Hybrid retrieval: passages ranked by their words and by their subject, the rankings fused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.lexical import SUBJECT_WEIGHT
from veridical.retrieval.terms import terms

_Scores: TypeAlias = NDArray[np.float32]

RANK_OFFSET = 20
"""The constant k of reciprocal rank fusion; the lower, the more the first ranks count."""

SEMANTIC_WEIGHT = 0.5
"""What a rank by subject counts for, where one by words counts 1.

Claims share their words with their evidence, questions only their subject: with the offset of the
paper (60) and equal weights, three claims in a hundred lose their evidence from the first eight.
"""

_DEPTH = 100
"""Passages of each ranking that are fused, or as many as are asked for."""

_BATCH = 64
"""Queries that are searched for at a time."""


@dataclass(frozen=True, slots=True)
class Hit:
    """A chunk that was found. Ranks count from 1, None where it is not in that ranking.

    `score` orders the hits of one query; it says nothing on whether the chunk bears a claim out.
    """

    chunk: Chunk
    score: float
    lexical_rank: int | None
    semantic_rank: int | None


class HybridRetriever:
    """Searches a corpus by BM25 and embeddings, fused by reciprocal rank.

    Source: Cormack, Clarke and Buettcher, Reciprocal rank fusion outperforms Condorcet and
    individual rank learning methods, SIGIR 2009.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus

    def search(
        self, queries: Sequence[str], most: int = 8, *, documents: Collection[str] | None = None
    ) -> list[tuple[Hit, ...]]:
        """Up to `most` chunks for each query, best first, ties in the order of the corpus.

        `documents` restricts the search to documents of these names. A query finds the same
        whatever else is asked with it; one without a letter or digit finds nothing.
        """
        depth = max(_DEPTH, most)

        def found(query: str, cosines: _Scores, factors: _Scores) -> tuple[Hit, ...]:
            lexical = _best(self._corpus.lexical.scores(terms(query)) * factors, depth)
            return self._fused(lexical, _best(cosines * factors, depth), most)

        return self._each(queries, documents, found)

    def search_questions(
        self, questions: Sequence[str], most: int = 8, *, documents: Collection[str] | None = None
    ) -> list[tuple[Hit, ...]]:
        """Up to `most` chunks for each question, best first; otherwise as `search`.

        Scores are added up, not ranks, and a chunk also counts for what its document is about; see
        `QuestionScores`.
        """

        def found(question: str, cosines: _Scores, factors: _Scores) -> tuple[Hit, ...]:
            words, context = self._corpus.questions.words(question)
            words, subject = words * factors, cosines * factors
            scores = words + SUBJECT_WEIGHT * subject + context * factors
            return tuple(
                Hit(self._corpus.chunks[i], float(scores[i]), _rank(words, i), _rank(subject, i))
                for i in _best(scores, max(0, most))
            )

        return self._each(questions, documents, found)

    def _each(
        self,
        queries: Sequence[str],
        documents: Collection[str] | None,
        found: Callable[[str, _Scores, _Scores], tuple[Hit, ...]],
    ) -> list[tuple[Hit, ...]]:
        """What is `found` for each query by its cosines and what each chunk keeps of its scores."""
        factors = self._corpus.shares
        if documents is not None:
            names = frozenset(documents)
            factors = factors * np.array(
                [c.document.name in names for c in self._corpus.chunks], bool
            )
        results: list[tuple[Hit, ...]] = []
        for at in range(0, len(queries), _BATCH):
            batch = queries[at : at + _BATCH]
            for query, cosines in zip(batch, self._corpus.semantic.scores(batch), strict=True):
                results.append(found(query, cosines, factors) if terms(query) else ())
        return results

    def _fused(self, lexical: Sequence[int], semantic: Sequence[int], most: int) -> tuple[Hit, ...]:
        by_words = {index: rank for rank, index in enumerate(lexical, 1)}
        by_subject = {index: rank for rank, index in enumerate(semantic, 1)}
        scores = dict.fromkeys((*lexical, *semantic), 0.0)
        for index in scores:
            if index in by_words:
                scores[index] += 1 / (RANK_OFFSET + by_words[index])
            if index in by_subject:
                scores[index] += SEMANTIC_WEIGHT / (RANK_OFFSET + by_subject[index])
        ranked = sorted(scores, key=lambda index: (-scores[index], index))
        return tuple(
            Hit(self._corpus.chunks[i], scores[i], by_words.get(i), by_subject.get(i))
            for i in ranked[: max(0, most)]
        )


def _best(scores: NDArray[np.float32], depth: int) -> list[int]:
    """The passages with the highest scores above 0, best first, equals in order."""
    candidates = np.flatnonzero(scores > 0)
    if len(candidates) > depth:
        least = np.partition(scores[candidates], -depth)[-depth]
        candidates = np.flatnonzero(scores >= least)
    order = np.argsort(-scores[candidates], kind="stable")[:depth]
    best: list[int] = candidates[order].tolist()
    return best


def _rank(scores: NDArray[np.float32], index: int) -> int | None:
    """The rank of a passage by a score, from 1; None if it has none."""
    own = scores[index]
    if own <= 0:
        return None
    return 1 + int(np.count_nonzero(scores > own)) + int(np.count_nonzero(scores[:index] == own))

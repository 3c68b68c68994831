"""Search by words: BM25 over the terms of passages."""

from __future__ import annotations

import logging
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from veridical.retrieval.terms import terms

K1, B = 0.9, 0.4
"""How fast repeated terms stop to count, and how much long passages are held back.

The settings of Anserini for short passages: of the usual ones they found most, both in a handbook
and in articles that Wikipedia cites (`benchmarks/retrieval.py`).
"""

MOST_QUERY_TERMS = 200
"""Different terms of a query that are searched for; of a longer one, the first."""


class LexicalIndex:
    """BM25 scores of passages, in the variant of Lucene.

    Source: Robertson and Zaragoza, Foundations and Trends in IR 3(4), 2009; Kamphuis et al., ECIR
    2020 (the variants); computed by bm25s (Lu, arXiv:2407.03618).
    """

    def __init__(self, passages: Iterable[str]) -> None:
        self._vocabulary: dict[str, int] = {}
        learn = self._vocabulary.setdefault
        ids = [
            [learn(term, len(self._vocabulary)) for term in terms(passage)] for passage in passages
        ]
        self._size = len(ids)
        if self._vocabulary:
            self._index = _bm25s().BM25(
                k1=K1, b=B, method="lucene", backend="numpy", csc_backend="numpy"
            )
            self._index.index(
                (ids, self._vocabulary), create_empty_token=False, show_progress=False
            )

    def rarity(self, holding: int) -> float:
        """What a term counts for that `holding` of the passages hold: no score of it is higher."""
        return math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))

    def scores(self, query_terms: Iterable[str]) -> NDArray[np.float32]:
        """A score for each passage; 0 where it holds none of the terms."""
        known = [term for term in dict.fromkeys(query_terms) if term in self._vocabulary]
        if not known:
            return np.zeros(self._size, np.float32)
        ids = [self._vocabulary[term] for term in known[:MOST_QUERY_TERMS]]
        scores: NDArray[np.float32] = self._index.get_scores_from_ids(ids)
        return scores


def _bm25s() -> Any:
    import bm25s

    # On import it sets its logger to DEBUG, past what the application asked for.
    logging.getLogger("bm25s").setLevel(logging.NOTSET)
    return bm25s

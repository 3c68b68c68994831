"""Search by words: BM25 over the terms of passages, and how well a passage fits a question.

A claim shares its words with its evidence. A question shares few with its answer: what it names
often stands only in the title of the document, or in a passage before.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from veridical.retrieval.chunks import Chunk
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
    2020 (the variants). What a term adds to each passage is computed beforehand, as in bm25s (Lu,
    arXiv:2407.03618), and to the same last bit.
    """

    def __init__(self, passages: Iterable[str]) -> None:
        self._vocabulary: dict[str, int] = {}
        learn = self._vocabulary.setdefault
        ids = [
            [learn(term, len(self._vocabulary)) for term in terms(passage)] for passage in passages
        ]
        self._size = len(ids)
        lengths = np.array([len(one) for one in ids], np.int64)
        # One number for each term of each passage: sorted, a term's passages stand together.
        of_passages = np.repeat(np.arange(self._size), lengths)
        of_terms = np.fromiter(chain.from_iterable(ids), np.int64, len(of_passages))
        pairs, counts = np.unique(of_terms << 32 | of_passages, return_counts=True)
        self._passages = (pairs & 0xFFFFFFFF).astype(np.int32)
        holding = np.bincount(pairs >> 32, minlength=len(self._vocabulary))
        self._starts = np.concatenate(([0], np.cumsum(holding)))
        rarities = {each: self.rarity(each) for each in set(holding.tolist())}
        rarity = np.array([rarities[each] for each in holding.tolist()], np.float32)
        mean = lengths.mean() if len(pairs) else 1.0
        held_back = (K1 * ((1 - B) + B * lengths / mean))[self._passages]
        added = np.repeat(rarity, holding) * (counts / (held_back + counts))
        self._added = added.astype(np.float32)

    def rarity(self, holding: int) -> float:
        """What a term counts for that `holding` of the passages hold: no score of it is higher."""
        return math.log(1 + (self._size - holding + 0.5) / (holding + 0.5))

    def scores(self, query_terms: Iterable[str]) -> NDArray[np.float32]:
        """A score for each passage; 0 where it holds none of the terms."""
        known = [term for term in dict.fromkeys(query_terms) if term in self._vocabulary]
        scores = np.zeros(self._size, np.float32)
        for term in known[:MOST_QUERY_TERMS]:
            its = slice(*self._starts[self._vocabulary[term] :][:2])
            scores[self._passages[its]] += self._added[its]
        return scores


SUBJECT_WEIGHT = 1.5
"""What a cosine of 1 counts for, where a passage of all the words of the question counts 1."""

TITLE_WEIGHT = 0.2
"""What a document counts for whose title or file name holds all the words of the question."""

DOCUMENT_WEIGHT = 0.2
"""What a document counts for whose passages hold, together, all the words of the question.

The last two are round numbers that did well on the handbook of `benchmarks/retrieval.py`: on its 79
questions and on 447 other headings, each blanked and asked. Half or one and a half times of each
moves that by less than chance would. The weight of the subject was chosen on questions in everyday
words: of `ca` and `cb` in `training/data/questions`, a passage that answers is among the first 24
of its eight documents for 97 and 93 %, with a weight of 0.4 for 95 and 90 %; for the handbook it
changes nothing there.
"""


class QuestionScores:
    """Scores chunks for questions.

    All parts are shares of the question, its words weighted by their rarity: a score has the same
    meaning for every question and in a corpus of any size, 0 for nothing in common, at most 2.9.
    """

    def __init__(self, chunks: Sequence[Chunk], lexical: LexicalIndex) -> None:
        self._lexical = lexical
        # A document starts with its first chunk.
        firsts = np.array([chunk.ordinal == 0 for chunk in chunks], bool)
        self._document = np.cumsum(firsts) - 1
        titled = [chunk.document for chunk in chunks if chunk.ordinal == 0]
        self._count = len(titled)
        self._titles: dict[str, list[int]] = {}
        for number, document in enumerate(titled):
            stem = PurePosixPath(document.name.replace("\\", "/")).stem
            for term in sorted({*terms(document.title), *terms(stem)}):
                self._titles.setdefault(term, []).append(number)

    def words(self, question: str) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """What each chunk has of the words of a question, and what its document adds to that."""
        by_chunk = np.zeros(len(self._document))
        by_document = np.zeros(self._count)
        whole = 0.0
        for term in list(dict.fromkeys(terms(question)))[:MOST_QUERY_TERMS]:
            scores = self._lexical.scores([term])
            titled = self._titles.get(term, [])
            holding = np.flatnonzero(scores)
            if not len(holding) and not titled:
                continue
            rarity = self._lexical.rarity(len(holding))
            whole += rarity
            by_chunk += scores
            by_document[titled] += TITLE_WEIGHT * rarity
            is_held = np.zeros(self._count, bool)
            is_held[self._document[holding]] = True
            by_document += DOCUMENT_WEIGHT * rarity * is_held
        share = 1 / whole if whole else 0.0
        context = (by_document * share)[self._document]
        return (by_chunk * share).astype(np.float32), context.astype(np.float32)

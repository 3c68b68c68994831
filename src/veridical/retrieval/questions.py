"""How well a passage fits a question: its own words and subject, and what its document is about.

A claim shares its words with its evidence. A question shares few with its answer: what it names
often stands only in the title of the document, or in a passage before.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePosixPath

import numpy as np
from numpy.typing import NDArray

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.lexical import MOST_QUERY_TERMS, LexicalIndex
from veridical.retrieval.terms import terms
from veridical.sources.document import Document

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
            for term in sorted(_title_terms(document)):
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


def _title_terms(document: Document) -> set[str]:
    path = PurePosixPath(document.name.replace("\\", "/"))
    return {*terms(document.title), *terms(path.stem)}

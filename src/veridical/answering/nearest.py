"""The sentences that come nearest to an answer, as the reader ranks them.

Words and subject propose passages; the reader is asked how well each answers the question, and
which of its lines decide. That finds what shares no word with a question, and is wrong too often to
be an answer by itself: it is what a refusal shows, and what a model is asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from veridical.answering.addressed import addressed_in
from veridical.answering.evidence.finding import MOST_EVIDENCE, Evidence, tells, titles_of
from veridical.answering.quoting import choose_quote
from veridical.judging.calibration import sigmoid
from veridical.judging.judge import Case
from veridical.judging.lines import Lines, lines_of
from veridical.ledger.passages import Passage, heading_of, sentences_of
from veridical.matching.embeddings import default_embedder
from veridical.reader.model import Card, Reader, default_reader
from veridical.reader.windows import Window, WindowMaker
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.retrieval.shown import sentence_text
from veridical.retrieval.tables.layout import Layout

FOUND = 24
"""Chunks that are looked at for a question, cut into passages."""

MOST_READ = 12
"""Passages that are read of them, those with the nearest lines: about a third of a second."""

_DIGITS = 4

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: `lines` of the chunks in `hits`.

    `windows` are the passages that were read, `relevance` their logits. `told` are the lines in
    them, by their indexes, and `signs` what is known of each: the relevance of its passage, the
    logit that it decides there, and its nearness to the question (lines told, 3).
    """

    hits: tuple[Hit, ...]
    lines: Lines
    windows: tuple[Window, ...]
    relevance: Floats
    told: tuple[int, ...]
    signs: Floats


class NearestFinder:
    """Finds what comes nearest in a corpus. Usable from several threads at once."""

    def __init__(self, corpus: Corpus, reader: Reader | None = None) -> None:
        self._retriever = HybridRetriever(corpus)
        self._reader = reader or default_reader()
        self._maker = WindowMaker(self._reader.encode, corpus.embedder or default_embedder())

    def find(self, question: str) -> tuple[Evidence, ...]:
        """The sentences that answer a question best, best first; `score` is the calibrated
        probability that one does.
        """
        read = self.read(question)
        scores = lines_answer(self._reader.card, read.signs)
        return tuple(islice(ranked(read, scores), MOST_EVIDENCE))

    def read(self, question: str) -> Read:
        """Find passages for a question, and read those with the nearest lines."""
        (hits,) = self._retriever.search_questions([question], FOUND)
        lines = question_lines(question, [hit.chunk for hit in hits])
        passages = self._maker.passages(question, lines.lines)
        if not passages:
            return Read(hits, lines, (), np.zeros(0), (), np.zeros((0, 3)))
        near = self._maker.nearness(question, lines.lines)
        found = (hits[lines.places[one.lines[-1]][0]].score for one in passages)
        nearest = [
            score + max(near[i] for i in one.lines)
            for one, score in zip(passages, found, strict=True)
        ]
        order = np.argsort(-np.array(nearest), kind="stable")[:MOST_READ]
        windows = [passages[i] for i in order]
        reading = self._reader.read([(one.claim, one.evidence) for one in windows])
        told = [
            (line, float(relevance), float(decides), float(near[line]))
            for one, relevance, each in zip(
                windows, reading.relevance, reading.deciding, strict=True
            )
            for line, decides in zip(one.lines, one.by_line(each), strict=True)
        ]
        signs = np.array([signs for _, *signs in told])
        seen = tuple(line for line, *_ in told)
        return Read(hits, lines, tuple(windows), reading.relevance, seen, signs)


def lines_answer(card: Card, signs: Floats) -> Floats:
    """The calibrated probability of each line that was read that it answers: (lines,)."""
    weights = np.array([card.line_relevance, card.line_deciding, card.line_nearness])
    return np.array([sigmoid(float(odds)) for odds in signs @ weights + card.line_intercept])


def ranked(read: Read, scores: Floats) -> Iterator[Evidence]:
    """The lines that can be quoted, each once, best first: a lead-in stands in more passages than
    one.
    """
    best: dict[int, float] = {}
    for line, score in zip(read.told, scores.tolist(), strict=True):
        best[line] = max(score, best.get(line, 0.0))
    for line in sorted(best, key=lambda line: (-best[line], line)):
        hit, index = read.lines.places[line]
        chunk = read.hits[hit].chunk
        if _is_told(chunk, index):
            text = sentence_text(chunk, index)
            yield Evidence(chunk, index, text, round(best[line], _DIGITS), titles_of(chunk))


def question_lines(question: str, chunks: Sequence[Chunk]) -> Lines:
    """The lines of chunks that may answer a question: what speaks to a language model is left out,
    and of equal chunks all but the first.
    """
    cases = [
        Case(
            question,
            sentences_of(chunk),
            "",
            heading_of(Passage(chunk, cited=False)),
            Layout(chunk).tables,
        )
        for chunk in chunks
    ]
    lines = lines_of(cases)
    foreign = [addressed_in(chunk) for chunk in chunks]
    first = {chunk.sha256: at for at, chunk in reversed(list(enumerate(chunks)))}
    return lines.only(
        [
            line
            for line, (chunk, index) in enumerate(lines.places)
            if index not in foreign[chunk] and first[chunks[chunk].sha256] == chunk
        ]
    )


def _is_told(chunk: Chunk, index: int) -> bool:
    """Whether a sentence of a chunk says something and can be quoted."""
    layout = Layout(chunk)
    return (
        tells(chunk, layout.plain(index))
        and not layout.is_head(index)
        and not layout.is_unread(index)
        and choose_quote(chunk, (index,)) is not None
    )

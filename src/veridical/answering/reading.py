"""Answers found by reading: the sentences that the reader takes for the answer to a question.

Words and subject propose passages. The finder compares each of their lines with the question by
what is meant; the best are read beside it, each alone, and what is said of them is weighed against
each other and against there being no answer. That finds what shares no word with a question. What
is likely enough is told; the rest is what a refusal shows, and what a model is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from veridical.answering.bands import rows_in_band
from veridical.answering.evidence import ABOVE, Evidence, tells, titles_of
from veridical.answering.question import AskedQuestion
from veridical.answering.quoting import choose_quote
from veridical.judging.lines import Lines, case_of, lines_of
from veridical.judging.words import is_english, read_words
from veridical.matching.embeddings import default_embedder
from veridical.reader.finder import Finder, Told, default_finder
from veridical.reader.model import Card, Reader, default_reader
from veridical.reader.windows import UNREAD, Window, WindowMaker
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.retrieval.shown import sentence_text
from veridical.retrieval.tables.layout import Layout

FOUND = 48
"""Chunks that are looked at for a question."""

MOST_COMPARED = 256
"""Lines of them that are compared with it: the nearest by words and subject."""

MOST_RIVALS = 8
"""Lines that are read beside it, each alone."""

MOST_TOLD = 3
"""Lines that an answer found by reading is made of, at most."""

ENOUGH = 0.8
"""Lines are told until it is so likely that one of them answers. (Of 384 everyday questions that
nobody had tuned on 42 % are answered rightly so, and 8 % wrongly, where 91 % are refused of those
that nothing answers.)
"""

ANOTHER_ROW = 0.5
"""What a row counts for when it is asked how likely an answer is, behind one of the same passage:
that many rows are about what is asked tells little of whether it is there. (With 1 instead 44 % of
those questions are answered rightly, 73 instead of 77 % of formal ones that nothing answers are
refused, and three of seven that the sample does not answer get rows for other cases.)
"""

SCORE_DIGITS = 4
"""Decimals of the probability that a line answers."""

SIGNS = 4
"""What is known of a line that was read; see `Read`."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: `lines` of the chunks in `hits`.

    `rivals` are the lines that were read, by their indexes, the one that the finder takes for the
    answer first, and `windows` how they were shown. `signs` is what is known of each: its score by
    the finder, how far that is behind the best, its relevance as the reader sees it, and its
    nearness by words and subject (rivals, SIGNS).
    """

    hits: tuple[Hit, ...]
    lines: Lines
    rivals: tuple[int, ...] = ()
    windows: tuple[Window, ...] = ()
    signs: Floats = field(default_factory=lambda: np.zeros((0, SIGNS)))


class AnswerReader:
    """Reads a corpus for what answers a question. Usable from several threads at once."""

    def __init__(
        self, corpus: Corpus, reader: Reader | None = None, finder: Finder | None = None
    ) -> None:
        self._retriever = HybridRetriever(corpus)
        self._reader = reader or default_reader()
        self._finder = finder or (default_finder() if reader is None else Finder(reader))
        self._maker = WindowMaker(self._reader.encode, corpus.embedder or default_embedder())

    def find(self, question: str) -> tuple[Evidence, ...]:
        """The sentences that answer a question best, best first; `score` is the calibrated
        probability that it is this one that answers.
        """
        read = self.read(question)
        scores = answer_probabilities(self._reader.card, read.signs)
        order = np.argsort(-scores, kind="stable")
        return tuple(_evidence(read, read.rivals[i], float(scores[i])) for i in order)

    def answering(self, question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """What of the evidence that was found is told as the answer; nothing if it is too unlikely
        that it is one. What does not read as English is not told: it cannot be read for what it
        means.
        """
        if likelihood(evidence) < self._reader.card.answers:
            return ()
        scores = [one.score for one in evidence[:MOST_TOLD]]
        return tuple(
            one
            for one in evidence[: enough(scores)]
            if _adds(question, one.text) and self._is_read(question, one)
        )

    def is_english(self, question: str, found: Sequence[Evidence]) -> bool:
        """Whether a question, and what was found for it, read as English."""
        known = {word.key for one in found for word in read_words(one.text)}
        return is_english(read_words(question), self._reader.encode, known) and all(
            self._is_read(question, one) for one in found
        )

    def _is_read(self, question: str, one: Evidence) -> bool:
        """Whether a sentence, or else its passage, reads as English, words of the question aside. A
        row is mostly names and figures, and is taken for English.
        """
        known = {word.key for word in read_words(question)}
        return Layout(one.chunk).is_row(one.index) or any(
            is_english(read_words(text), self._reader.encode, known)
            for text in (one.text, one.chunk.text)
        )

    def read(self, question: str) -> Read:
        """Find lines for a question, and read the best of them beside it."""
        (hits,) = self._retriever.search_questions([question], FOUND)
        lines = question_lines(question, [hit.chunk for hit in hits])
        if not lines.lines:
            return Read(hits, lines)
        near = self._maker.nearness(question, lines.lines)
        compared = sorted(np.argsort(-near, kind="stable")[:MOST_COMPARED].tolist())
        scores = self._finder.scores(question, [_told(lines, at) for at in compared])
        best = [compared[i] for i in np.argsort(-scores, kind="stable")]
        rivals = self._rivals(question, hits, lines, best)
        windows = self._maker.alone(question, lines.lines, rivals)
        relevance = self._reader.read([(one.claim, one.evidence) for one in windows]).relevance
        score = dict(zip(compared, scores.tolist(), strict=True))
        found = np.array([score[line] for line in rivals])
        signs = np.array([found, found - found.max(initial=0.0), relevance, near[list(rivals)]]).T
        return Read(hits, lines, rivals, tuple(windows), signs)

    @staticmethod
    def _rivals(
        question: str, hits: Sequence[Hit], lines: Lines, best: Sequence[int]
    ) -> tuple[int, ...]:
        """The first lines that can be told and quoted, and are not for other numbers than the
        question's; of those that say the same under the same headings only the first, as they would
        be each other's rivals.
        """
        rivals: dict[tuple[str, str], int] = {}
        for line in best:
            if len(rivals) == MOST_RIVALS:
                break
            hit, index = lines.places[line]
            if _is_told(hits[hit].chunk, index, question):
                _, _, headings = titles_of(hits[hit].chunk).partition(ABOVE)
                rivals.setdefault((lines.lines[line].text, headings), line)
        return tuple(rivals.values())


def likelihood(evidence: Sequence[Evidence]) -> float:
    """How likely it is that one of the first sentences answers."""
    first = evidence[:MOST_TOLD]
    return together([one.score for one in first], [row_of(one.chunk, one.index) for one in first])


def together(scores: Sequence[float], rows: Sequence[str]) -> float:
    """The probability that one of some lines answers, by that of each. `rows` tells of each the
    passage that it is a row of, or nothing.
    """
    seen: set[str] = set()
    total = 0.0
    for score, row in zip(scores, rows, strict=True):
        total += score * (ANOTHER_ROW if row in seen else 1)
        seen |= {row} - {""}
    return total


def row_of(chunk: Chunk, index: int) -> str:
    """The hash of the passage that a sentence is a row of; nothing if it is none."""
    return chunk.sha256 if Layout(chunk).is_row(index) else ""


def enough(scores: Sequence[float]) -> int:
    """How many lines are told, of those with these probabilities, highest first."""
    together = np.cumsum(scores)
    return min(int(np.searchsorted(together, ENOUGH)) + 1, len(together))


def _told(lines: Lines, at: int) -> Told:
    line = lines.lines[at]
    lead_in = lines.lines[line.lead_in].text if line.lead_in >= 0 else ""
    return Told(line.text, line.heading, lead_in)


def answer_probabilities(card: Card, signs: Floats) -> Floats:
    """The calibrated probability of each line that was read that it is the answer: (rivals,).

    They compete with each other and with there being none, so that all together are below 1.
    """
    weights = [card.answer_found, card.answer_behind, card.answer_relevance, card.answer_nearness]
    logits = signs @ np.array(weights) + card.answer_intercept
    likely = np.exp(np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT))
    return np.asarray(likely / (1 + likely.sum()))


_MOST_LOGIT = 30.0


def question_lines(question: str, chunks: Sequence[Chunk]) -> Lines:
    """The lines of chunks that may answer a question; of equal chunks, of the first only."""
    cases = [case_of(question, chunk) for chunk in chunks]
    lines = lines_of(cases)
    first = {chunk.sha256: at for at, chunk in reversed(list(enumerate(chunks)))}
    return lines.only(
        [
            line
            for line, (chunk, _) in enumerate(lines.places)
            if first[chunks[chunk].sha256] == chunk
        ]
    )


def _evidence(read: Read, line: int, score: float) -> Evidence:
    hit, index = read.lines.places[line]
    chunk = read.hits[hit].chunk
    text = sentence_text(chunk, index)
    return Evidence(chunk, index, text, round(score, SCORE_DIGITS), titles_of(chunk))


def _is_told(chunk: Chunk, index: int, question: str) -> bool:
    """Whether a sentence says something, is read as a whole, can be quoted, and, if it is a row,
    is for the question's number.
    """
    layout = Layout(chunk)
    return (
        tells(chunk, layout.plain(index))
        and UNREAD.search(layout.plain(index)) is None
        and not layout.is_head(index)
        and not layout.is_unread(index)
        and choose_quote(chunk, (index,)) is not None
        and _is_in_band(question, layout, index)
    )


def _adds(question: str, text: str) -> bool:
    """Whether a sentence says more than the question does, unless that asks for a yes or a no:
    "It was exchanged in November" is no answer to on what day in November. (Of 3,032 questions of
    seven files one more is rightly refused, and none is lost.)
    """
    if AskedQuestion(question).is_yes_no:
        return True
    known = {word.stem for word in read_words(question)}
    return any(word.stem not in known for word in read_words(text))


def _is_in_band(question: str, layout: Layout, index: int) -> bool:
    """Whether a sentence is no row, or one for the question's number. (Of 768 questions that nobody
    had tuned on ten more are answered rightly, and four more wrongly.)
    """
    table = layout.table_at(index) if layout.is_row(index) else None
    rows = None if table is None else rows_in_band(question, table)
    return rows is None or index in rows

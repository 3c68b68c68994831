"""Answers found by reading: the sentences that the reader takes for the answer to a question.

Words and subject propose passages; the reader is asked how well each answers the question, and
which of its lines decide. The best lines are then read once more, each alone, and what it says of
them is weighed against each other and against there being no answer. That finds what shares no word
with a question. What is likely enough is told; the rest is what a refusal shows, and what a model
is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from veridical.answering.addressed import addressed_in
from veridical.answering.evidence.finding import ABOVE, Evidence, tells, titles_of
from veridical.answering.quoting import choose_quote
from veridical.judging.judge import Case
from veridical.judging.lines import Lines, lines_of
from veridical.judging.words import is_english, read_words
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

MOST_RIVALS = 8
"""Lines that are read once more, each alone: half a passage's time each."""

MOST_TOLD = 2
"""Lines that an answer found by reading is made of."""

NEARLY = 0.5
"""Share of the likelihood of the first line from which the second is told too. On questions that
nobody had tuned on, 22 % are answered rightly at 8 % wrong answers, and 19 % by one line alone.
"""

SCORE_DIGITS = 4
"""Decimals of the probability that a line answers."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Read:
    """What was read for a question: `lines` of the chunks in `hits`.

    `windows` are the passages that were read, `relevance` their logits. `told` are the lines in
    them, by their indexes, and `signs` what is known of each: the relevance of its passage, the
    logit that it decides there, and its nearness to the question (lines told, 3). `rivals` are the
    lines that were read alone, by their indexes, the likeliest first, and `alone` their log-odds
    before that, and their relevance then (rivals, 2).
    """

    hits: tuple[Hit, ...]
    lines: Lines
    windows: tuple[Window, ...] = ()
    relevance: Floats = field(default_factory=lambda: np.zeros(0))
    told: tuple[int, ...] = ()
    signs: Floats = field(default_factory=lambda: np.zeros((0, 3)))
    rivals: tuple[int, ...] = ()
    alone: Floats = field(default_factory=lambda: np.zeros((0, 2)))


class AnswerReader:
    """Reads a corpus for what answers a question. Usable from several threads at once."""

    def __init__(self, corpus: Corpus, reader: Reader | None = None) -> None:
        self._retriever = HybridRetriever(corpus)
        self._reader = reader or default_reader()
        self._maker = WindowMaker(self._reader.encode, corpus.embedder or default_embedder())

    def find(self, question: str) -> tuple[Evidence, ...]:
        """The sentences that answer a question best, best first; `score` is the calibrated
        probability that it is this one that answers.
        """
        read = self.read(question)
        scores = answer_probabilities(self._reader.card, read.alone)
        order = np.argsort(-scores, kind="stable")
        return tuple(_evidence(read, read.rivals[i], float(scores[i])) for i in order)

    def answering(self, question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        """What of the evidence that was found is told as the answer; nothing if it is too unlikely
        that it is one, or if question or sentence does not read as English.
        """
        told = [one for one in evidence[:MOST_TOLD] if one.score >= NEARLY * evidence[0].score]
        if sum(one.score for one in told) < self._reader.card.answers:
            return ()
        known = [read_words(one.text) for one in told]
        keys = {word.key for words in known for word in words}
        read = is_english(read_words(question), self._reader.encode, keys) and all(
            is_english(words, self._reader.encode) for words in known
        )
        return tuple(told) if read else ()

    def read(self, question: str) -> Read:
        """Find passages for a question, read those with the nearest lines, and of these the best
        once more.
        """
        (hits,) = self._retriever.search_questions([question], FOUND)
        lines = question_lines(question, [hit.chunk for hit in hits])
        passages = self._maker.passages(question, lines.lines)
        if not passages:
            return Read(hits, lines)
        near = self._maker.nearness(question, lines.lines)
        found = (hits[lines.places[one.lines[-1]][0]].score for one in passages)
        nearest = [
            score + max(near[i] for i in one.lines)
            for one, score in zip(passages, found, strict=True)
        ]
        windows = [passages[i] for i in np.argsort(-np.array(nearest), kind="stable")[:MOST_READ]]
        reading = self._reader.read([(one.claim, one.evidence) for one in windows])
        told = [
            (line, float(relevance), float(decides), float(near[line]))
            for one, relevance, each in zip(
                windows, reading.relevance, reading.deciding, strict=True
            )
            for line, decides in zip(one.lines, one.by_line(each), strict=True)
        ]
        signs = np.array([signs for _, *signs in told])
        read = Read(
            hits, lines, tuple(windows), reading.relevance, tuple(line for line, *_ in told), signs
        )
        return self._read_again(question, read)

    def _read_again(self, question: str, read: Read) -> Read:
        """The best lines that can be told and quoted, each alone; of those that say the same under
        the same headings the first, as they would be each other's rivals.
        """
        odds = line_odds(self._reader.card, read.signs)
        best: dict[int, float] = {}  # a lead-in stands in more passages than one
        for line, odd in zip(read.told, odds.tolist(), strict=True):
            best[line] = max(odd, best.get(line, odd))
        ordered = sorted(best, key=lambda line: (-best[line], line))
        likeliest: dict[tuple[str, str], int] = {}
        for line in ordered:
            if len(likeliest) < MOST_RIVALS and _is_told(read, line):
                said = _evidence(read, line, 0.0)
                _, _, headings = said.above.partition(ABOVE)  # behind the name of the document
                likeliest.setdefault((said.text, headings), line)
        rivals = tuple(likeliest.values())
        windows = self._maker.alone(question, read.lines.lines, rivals)
        again = self._reader.read([(one.claim, one.evidence) for one in windows])
        alone = np.array([[best[line] for line in rivals], again.relevance.tolist()]).T
        return replace(read, rivals=rivals, alone=alone)


def line_odds(card: Card, signs: Floats) -> Floats:
    """The calibrated log-odds of each line that was read that it answers: (lines,)."""
    weights = np.array([card.line_relevance, card.line_deciding, card.line_nearness])
    return np.asarray(signs @ weights + card.line_intercept)


def answer_probabilities(card: Card, alone: Floats) -> Floats:
    """The calibrated probability of each line that was read alone that it is the answer: (rivals,).

    They compete with each other and with there being none, so that all together are below 1.
    """
    logits = alone @ np.array([card.answer_before, card.answer_alone]) + card.answer_intercept
    likely = np.exp(np.clip(logits, -_MOST_LOGIT, _MOST_LOGIT))
    return np.asarray(likely / (1 + likely.sum()))


_MOST_LOGIT = 30.0


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


def _evidence(read: Read, line: int, score: float) -> Evidence:
    hit, index = read.lines.places[line]
    chunk = read.hits[hit].chunk
    text = sentence_text(chunk, index)
    return Evidence(chunk, index, text, round(score, SCORE_DIGITS), titles_of(chunk))


def _is_told(read: Read, line: int) -> bool:
    """Whether a line says something and can be quoted."""
    hit, index = read.lines.places[line]
    chunk = read.hits[hit].chunk
    layout = Layout(chunk)
    return (
        tells(chunk, layout.plain(index))
        and not layout.is_head(index)
        and not layout.is_unread(index)
        and choose_quote(chunk, (index,)) is not None
    )

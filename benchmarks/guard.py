"""What a guard adds to each sentence of an answer that streams, over 1,000 indexed pages."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Sequence

from benchmarks.corpus import Corpus as Text
from benchmarks.ledgers import OURS, PAGES, answer_over, documents_of
from benchmarks.measure import progress
from benchmarks.report import Line, goal
from benchmarks.retrieval import INDEXED_CHARS
from veridical.guarding.guard import Guard

SENTENCES = 20
_PARAGRAPH = 5
_DELTA = 4
_MUST_MS, _AIM_MS = 80, 40
"""Of the slowest of twenty sentences."""


def lines(source: Text, runs: int) -> list[Line]:
    """Row x: answers of 20 sentences, in pieces of four characters, to the report at their end."""
    documents = documents_of(source, INDEXED_CHARS, 100)
    guard = Guard(documents)
    guard.prepare()
    answers = answers_of(answer_over(documents, 2 * SENTENCES * max(2, runs)))
    warming, measured = answers[: len(answers) // 2], answers[len(answers) // 2 :]
    for answer in warming:
        _streamed(guard, answer)  # others: a guard looks words up once, but knows no answer before
    spent: list[float] = []
    claims = 0
    for number, answer in enumerate(measured):
        gc.collect()
        each, found = _streamed(guard, answer)
        spent.extend(each)
        claims += found
        progress(f"s, answer {number + 1}: {1000 * statistics.median(each):.1f} ms a sentence")
    median, late = statistics.median(spent), sorted(spent)[int(0.95 * len(spent))]
    return [
        Line(
            "x",
            f"guard of {len(measured)} answers, {claims} claims, {PAGES:,} pages indexed: what it "
            "adds to a sentence",
            OURS,
            f"{1000 * median:.1f} ms (95 %: {1000 * late:.1f} ms)",
            must=goal(f"95 %: {_MUST_MS} ms", met=1000 * late <= _MUST_MS),
            aim=goal(f"95 %: {_AIM_MS} ms", met=1000 * late <= _AIM_MS),
        )
    ]


def answers_of(listed: str) -> list[str]:
    """Sentences as answers in paragraphs, none twice."""
    sentences = [line.removeprefix("- ") for line in listed.splitlines()]
    return [_answer(sentences[at : at + SENTENCES]) for at in range(0, len(sentences), SENTENCES)]


def _answer(sentences: Sequence[str]) -> str:
    parts = range(0, len(sentences), _PARAGRAPH)
    return "\n\n".join(" ".join(sentences[at : at + _PARAGRAPH]) for at in parts) + "\n"


def _streamed(guard: Guard, answer: str) -> tuple[list[float], int]:
    """Seconds of CPU time for each sentence, the answer's end shared among them; and the claims."""
    stream = guard.stream()
    each: list[float] = []
    spent = 0.0
    for at in range(0, len(answer), _DELTA):
        started = time.process_time()
        out = stream.feed(answer[at : at + _DELTA])
        spent += time.process_time() - started
        if out:
            each.append(spent)
            spent = 0.0
    started = time.process_time()
    stream.finish()
    spent += time.process_time() - started
    report = stream.report
    left = len(report.sentences) - len(each)
    each.extend([spent / max(1, left)] * left)
    return each, sum(len(sentence.claims) for sentence in report.sentences)

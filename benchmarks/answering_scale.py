"""Answers at scale: 10,000 documents read, indexed and asked, in a process of its own.

`python -m benchmarks.answering_scale DATA` prints what it measured, as JSON.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from benchmarks.report import Line, goal
from benchmarks.retrieval import OURS, handbook
from veridical.answering.answerer import PolicyAnswerer
from veridical.evaluation.questions import read_questions
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import HybridRetriever
from veridical.sources.loader import load_documents

DOCUMENTS = 10_000
_QUESTIONS = Path(__file__).resolve().parent.parent / "eval" / "questions.jsonl"
_WORD = re.compile(r"\b[a-z]{4,}\b")
_VARIED = 0.25
"""The share of the different words of four letters or more that a copy has others for."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Seconds by the clock, percentiles in milliseconds. `peak` is the highest resident set of the
    whole process, in bytes.
    """

    characters: int
    chunks: int
    reading: float
    cutting: float
    indexing: float
    searching: tuple[float, float]
    answering: tuple[float, float]
    peak: int


def lines(data: Path) -> list[Line]:
    """Row m."""
    command = [sys.executable, "-m", "benchmarks.answering_scale", str(data)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    scale = Scale(**json.loads(done.stdout))
    building = scale.reading + scale.cutting + scale.indexing
    parts = f"read {scale.reading:.0f} s, cut {scale.cutting:.0f} s, index {scale.indexing:.0f} s"
    return [
        Line(
            "m",
            f"make {DOCUMENTS:,} documents ready to be asked",
            OURS,
            f"{building:.0f} s, peak {scale.peak / 1024**2:.0f} MB",
            located=f"{scale.characters / 1e6:.0f} million characters, {scale.chunks:,} chunks; "
            f"{parts}",
            must=goal("180 s, 1.5 GB", met=building <= 180 and scale.peak <= 1.5 * 1024**3),
        ),
        Line(
            "m",
            "answer a question from them, in process",
            OURS,
            _shown(scale.answering),
            located=f"finding the passages alone: {_shown(scale.searching)}",
            must=goal("p95 150 ms", met=scale.answering[1] <= 150),
            aim="80 ms",
        ),
    ]


def _shown(times: tuple[float, float]) -> str:
    return f"p50 {times[0]:.0f} ms, p95 {times[1]:.0f} ms"


def copies(texts: Sequence[str], number: int) -> Iterator[str]:
    """That many texts: the given ones, and copies of them with other words."""
    words = sorted({word for text in texts for word in _WORD.findall(text)})
    others: dict[str, str] = {}
    for at in range(number):
        copy, index = divmod(at, len(texts))
        if copy and not index:
            others = {
                word: words[(place * 7919 + copy * 104_729) % len(words)]
                for place, word in enumerate(words)
                if (place * 31 + copy * 17) % 100 < 100 * _VARIED
            }
        yield _varied(texts[index], others)


def _varied(text: str, others: dict[str, str]) -> str:
    return _WORD.sub(lambda found: others.get(found[0], found[0]), text)


def measure(data: Path) -> Scale:
    """The work itself, in this process."""
    pages, questions = handbook(data)
    with tempfile.TemporaryDirectory() as folder:
        characters = 0
        for number, text in enumerate(copies([page.text for page in pages], DOCUMENTS)):
            Path(folder, f"{number:05}.md").write_text(text, "utf-8")
            characters += len(text)
        started = time.perf_counter()
        corpus = Corpus(load_documents([folder]).documents)
    read = time.perf_counter()
    _ = corpus.chunks
    cut = time.perf_counter()
    corpus.prepare()
    ready = time.perf_counter()
    asked = [question.question for question in read_questions(_QUESTIONS)]
    asked += [question.query for question in questions]
    retriever, answerer = HybridRetriever(corpus), PolicyAnswerer(corpus)
    answerer.prepare()
    searching, answering = [], []
    for question in asked:
        start = time.perf_counter()
        retriever.search_questions([question])
        found = time.perf_counter()
        answerer.answer(question)
        searching.append(found - start)
        answering.append(time.perf_counter() - found)
    highest = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Scale(
        characters=characters,
        chunks=len(corpus.chunks),
        reading=read - started,
        cutting=cut - read,
        indexing=ready - cut,
        searching=_percentiles(searching),
        answering=_percentiles(answering),
        peak=highest if sys.platform == "darwin" else highest * 1024,
    )


def _percentiles(seconds: Sequence[float]) -> tuple[float, float]:
    """The median and the 95th percentile, in milliseconds."""
    median, high = np.percentile(seconds, (50, 95)) * 1000
    return float(median), float(high)


if __name__ == "__main__":
    print(json.dumps(asdict(measure(Path(sys.argv[1])))))

"""A whole ledger of 200 claims over 1,000 pages that are indexed."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice

from rapidfuzz import fuzz, process

from benchmarks.corpus import Corpus as Text
from benchmarks.corpus import build_text, read
from benchmarks.measure import times
from benchmarks.report import Line, goal, ratio, seconds
from benchmarks.retrieval import CLAIMS, INDEXED_CHARS
from veridical.ledger.build import LedgerBuilder
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document
from veridical.text.reading import Reading

OURS = "**Veridical**"
PAGES = 1_000
_CLAIM_CHARS = range(50, 200)
_WHEN = datetime(2026, 1, 1, tzinfo=UTC)


def lines(source: Text, runs: int) -> list[Line]:
    """Row j: extraction, retrieval, judging, and the ledger itself, as one piece of work."""
    documents = documents_of(source, INDEXED_CHARS, 100)
    builder = LedgerBuilder(Corpus(documents))
    builder.corpus.prepare()
    answer = answer_over(documents, CLAIMS)
    claims = [line.removeprefix("- ") for line in answer.splitlines()]
    chunks = [chunk.text for chunk in builder.corpus.chunks]
    spent = times(
        {
            "j": partial(builder.build, answer, created_at=_WHEN),
            "j, plainly": partial(_plainly, claims, chunks),
        },
        runs,
    )
    ours, plain = spent["j"], spent["j, plainly"]
    ledger = builder.build(answer, created_at=_WHEN)
    counts = ", ".join(f"{n} {verdict}" for verdict, n in ledger.summary.by_verdict.items() if n)
    return [
        Line(
            "j",
            f"ledger of {len(claims)} claims, {PAGES:,} pages ({len(chunks):,} chunks) indexed",
            OURS,
            seconds(ours),
            located=f"{ledger.summary.total_claims} claims: {counts}",
            must=goal("10 s", met=ours.median <= 10),
            aim=goal("5 s", met=ours.median <= 5),
        ),
        Line(
            "j",
            "",
            "rapidfuzz `token_set_ratio` of each claim with each chunk: no verdict, no sentence",
            seconds(plain),
            ratio(plain.median / ours.median),
        ),
    ]


def documents_of(source: Text, size: int, count: int) -> list[Document]:
    """The first `size` bytes of the text in about so many documents."""
    parts = [read(part) for part in _parts(build_text(source, size), count)]
    return [replace(document, name=f"{n:03}.md") for n, document in enumerate(parts)]


def _parts(text: str, count: int) -> list[str]:
    """The text in documents of about ten pages each, cut between paragraphs."""
    size = len(text) // count
    parts, at = [], 0
    while at < len(text):
        end = text.find("\n\n", at + size)
        end = len(text) if end < 0 else end
        parts.append(text[at:end])
        at = end
    return [part for part in parts if part.strip()]


def answer_over(documents: Sequence[Document], claims: int) -> str:
    """So many sentences of the documents as the items of a list: of four, one with a word left out,
    one with another number or word in it, and two as they stand.
    """
    rng = random.Random(11)
    sentences = [
        " ".join(reading.text[start:end].split())
        for document in documents
        for reading in [Reading(document)]
        for start, end in reading.sentences()
        if end - start in _CLAIM_CHARS
    ]
    chosen = rng.sample([s for s in sentences if s[0].isupper() and s[-1] == "."], claims * 2)
    items = []
    for number, sentence in enumerate(islice(chosen, claims)):
        words = sentence.split()
        if number % 4 == 1:
            del words[rng.randrange(len(words))]
        if number % 4 == 2:
            words[rng.randrange(len(words))] = str(rng.randrange(2, 99))
        items.append("- " + " ".join(words))
    return "\n".join(items) + "\n"


def _plainly(claims: Sequence[str], chunks: Sequence[str]) -> list[float]:
    scores = process.cdist(claims, chunks, scorer=fuzz.token_set_ratio, workers=1)
    best: list[float] = scores.max(axis=1).tolist()
    return best

"""How often it is told that two documents disagree on a question, of pairs by hand.

The pairs (`data/disagreement/*.jsonl`) are by people who did not know what decides. Of `own1` and
`own2` the two sentences are worded differently, of `near1` nearly alike, of `both1` and `both2`
half and half.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from veridical.answering.disagreement import find_disagreement
from veridical.answering.evidence import Evidence
from veridical.answering.question import read_question
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.shown import sentence_text
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text

DATA = Path(__file__).parent / "data" / "disagreement"


class Pair(NamedTuple):
    """A question, two sentences of two documents in Markdown, and whether they disagree on it."""

    question: str
    sentences: tuple[str, str]
    documents: tuple[str, str]
    disagree: bool


def pairs_of(name: str) -> Iterator[Pair]:
    """The pairs of one writer."""
    for row in map(json.loads, (DATA / f"{name}.jsonl").read_text("utf-8").splitlines()):
        one, other = (
            f"# {row[side + '_title']}\n\n## {row[side + '_heading']}\n\n{row[side]}\n"
            for side in ("one", "other")
        )
        yield Pair(row["question"], (row["one"], row["other"]), (one, other), row["disagree"])


def is_told(pair: Pair) -> bool:
    """Whether it is told that the two disagree."""
    corpus = Corpus(
        document_from_text(text, f"{number}.md", Format.MARKDOWN)
        for number, text in enumerate(pair.documents)
    )
    found = [
        Evidence(chunk, index, text, 1.0)
        for chunk in corpus.chunks
        for index in range(len(chunk.sentences))
        if (text := sentence_text(chunk, index)) not in chunk.heading_path
    ]
    return find_disagreement(read_question(pair.question), found) is not None


def measure() -> None:
    """Print, by writer, how many of the pairs that disagree are told to, and how many others."""
    for path in sorted(DATA.glob("*.jsonl")):
        pairs = list(pairs_of(path.stem))
        told = [pair.disagree for pair in pairs if is_told(pair)]
        disagree = sum(pair.disagree for pair in pairs)
        print(
            f"{path.stem}: {sum(told)} of {disagree} that disagree are told, "
            f"{len(told) - sum(told)} of {len(pairs) - disagree} that do not"
        )

"""Training examples of questions over several documents, in the windows that an answerer shows.

Documents of different writers are put together to corpora, so that seldom two of one subject lie
side by side: a question is asked of its corpus, and of its own document alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from training.examples import Example
from training.shown import case_of
from training.windows import deciding_lines, example
from training.writers import OWN, own_file
from veridical.judging.lines import Lines, lines_of
from veridical.reader.windows import WindowMaker, relinked
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import HybridRetriever
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text

PASSAGES = 16
"""Passages that are found for a question."""

_WINDOWS = 2
"""Windows of a question over its corpus that it is trained on."""


@dataclass(frozen=True, slots=True)
class WrittenQuestion:
    """A question that was written for us. `basis` are words of each sentence that answers it."""

    doc: str
    question: str
    answerable: bool
    kind: str
    basis: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Written:
    """Documents, by their names, and the questions to them."""

    texts: dict[str, str]
    questions: tuple[WrittenQuestion, ...]


def read_questions(path: Path, documents: Path | None = None) -> Written:
    """The questions of a file; `documents` has the texts where the file has not."""
    rows = [
        json.loads(line)
        for one in filter(None, (documents, path))
        for line in one.read_text(encoding="utf-8").splitlines()
    ]
    texts = {row["doc"]: row["text"] for row in rows if "text" in row}
    questions = tuple(
        WrittenQuestion(
            row["doc"],
            row["question"],
            row["label"] == "answerable",
            row["kind"],
            tuple(row["basis"]),
        )
        for row in rows
        if "question" in row
    )
    return Written(texts, questions)


def written_questions(names: Sequence[str]) -> list[Written]:
    """Questions by their files; one asks about documents of its own, or those of its claims."""
    out = []
    for name in names:
        path = OWN / "questions" / f"{name}.jsonl"
        own = read_questions(path)
        out.append(own if own.texts else read_questions(path, own_file(name)))
    return out


def corpora(written: Sequence[Written], beside: int, rng: random.Random) -> Iterator[Written]:
    """All documents with their questions, one of each writer at a time with `beside` others."""
    decks = [sorted(one.texts) for one in written]
    for deck in decks:
        rng.shuffle(deck)
    everything = {name: text for one in written for name, text in one.texts.items()}
    by_doc: dict[str, list[WrittenQuestion]] = {}
    for one in written:
        for question in one.questions:
            by_doc.setdefault(question.doc, []).append(question)
    for turn in range(max(map(len, decks))):
        asked = [deck[turn] for deck in decks if turn < len(deck)]
        others = [name for name in sorted(everything) if name not in asked]
        names = [*asked, *rng.sample(others, min(beside, len(others)))]
        questions = tuple(q for name in asked for q in by_doc.get(name, ()))
        yield Written({name: everything[name] for name in names}, questions)


def collections(written: Written) -> Iterator[Written]:
    """The documents of a file by collection (POOL-01, POOL-02, ...) with their questions."""
    for name in sorted({doc.rpartition("-")[0] for doc in written.texts}):
        texts = {doc: text for doc, text in written.texts.items() if doc.rpartition("-")[0] == name}
        yield Written(texts, tuple(q for q in written.questions if q.doc in texts))


def found_lines(written: Written, names: Sequence[str], asked: Sequence[str]) -> list[Lines]:
    """The lines that are found for questions among some of the documents, by their document:
    `Lines.places` has the index in `names` in place of the case.
    """
    documents = [document_from_text(written.texts[n], f"{n}.md", Format.MARKDOWN) for n in names]
    out = []
    for question, hits in zip(
        asked,
        HybridRetriever(Corpus(documents)).search_questions(asked, PASSAGES),
        strict=True,
    ):
        chunks = [hit.chunk for hit in hits if hit.chunk.sentences]
        lines = lines_of([case_of(question, chunk) for chunk in chunks])
        where = [names.index(c.document.name.removesuffix(".md")) for c in chunks]
        places = tuple((where[case], sentence) for case, sentence in lines.places)
        out.append(Lines(lines.lines, places))
    return out


def question_examples(
    written: Sequence[Written], maker: WindowMaker, rng: random.Random, beside: int = 3
) -> Iterator[Example]:
    """The first windows of each question over its corpus, and that over its own document."""
    for corpus in corpora(written, beside, rng):
        names = list(corpus.texts)
        asked = [q.question for q in corpus.questions]
        for question, lines in zip(
            corpus.questions, found_lines(corpus, names, asked), strict=True
        ):
            own = names.index(question.doc)
            yield from _windows(question, lines, own, maker, _WINDOWS)
        for name in dict.fromkeys(q.doc for q in corpus.questions):
            ours = [q for q in corpus.questions if q.doc == name]
            found = found_lines(corpus, [name], [q.question for q in ours])
            for question, lines in zip(ours, found, strict=True):
                yield from _windows(question, lines, 0, maker, 1)


def _windows(
    question: WrittenQuestion, lines: Lines, own: int, maker: WindowMaker, most: int
) -> Iterator[Example]:
    here = {i for i, (document, _) in enumerate(lines.places) if document == own}
    answers = deciding_lines(question.basis, lines) & here if question.answerable else set()
    left = list(range(len(lines.lines)))
    for _ in range(most):
        if not left:
            return
        window = maker.window(question.question, relinked(lines.lines, left))
        chosen = [left[i] for i in window.lines]
        held = int(bool(answers & set(chosen)))
        yield example(window, held, chosen, answers, question=True)
        left = [i for i in left if i not in chosen]

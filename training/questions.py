"""Training examples of questions over several documents: the lines that an answerer reads.

Documents of different writers are put together to corpora, so that seldom two of one subject lie
side by side: a question is asked of its corpus, and of its own document alone.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from training.examples import Example
from training.windows import deciding_lines, example
from training.writers import ABOUT, own_file, questions_file
from veridical.answering.reading import AnswerReader, Read
from veridical.reader.finder import Finder
from veridical.reader.model import Reader
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Format
from veridical.sources.loader import document_from_text

_BESIDE = 1
"""Documents beside one of each writer in a corpus."""


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


def read_questions(path: Path, *documents: Path) -> Written:
    """The questions of a file. Where `documents` are given they have the texts: those are kept that
    a question is about.
    """
    own = _rows(path)
    asked = [row for row in own if "question" in row]
    about = {row["doc"] for row in asked}
    others = [row for one in documents for row in _rows(one) if row["doc"] in about]
    texts = {row["doc"]: row["text"] for row in (*others, *own) if "text" in row}
    questions = tuple(
        WrittenQuestion(
            row["doc"],
            row["question"],
            row["label"] == "answerable",
            row["kind"],
            tuple(row["basis"]),
        )
        for row in asked
    )
    return Written(texts, questions)


def _rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written_questions(names: Sequence[str]) -> list[Written]:
    """Questions by their files; one asks about documents of its own, those of other files, or
    those of its claims.
    """
    out = []
    for name in names:
        own = read_questions(questions_file(name))
        if not own.texts:
            files = [(own_file(other), questions_file(other)) for other in ABOUT.get(name, (name,))]
            about = [claims if claims.is_file() else asked for claims, asked in files]
            own = read_questions(questions_file(name), *about)
        out.append(own)
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


def corpus_of(written: Written, names: Sequence[str]) -> Corpus:
    """Some of the documents, each named as it is, with `.md` behind."""
    return Corpus(
        document_from_text(written.texts[name], f"{name}.md", Format.MARKDOWN) for name in names
    )


def found(written: Written, names: Sequence[str], reader: Reader) -> AnswerReader:
    """Finds evidence in some of the documents."""
    return AnswerReader(corpus_of(written, names), reader, _finder(reader))


_finder = lru_cache(maxsize=1)(Finder)
"""One finder a reader: it is loaded once, and remembers lines."""


def answering(question: WrittenQuestion, read: Read) -> set[int]:
    """The lines that were found for a question, and answer it: those of its own document that have
    words of its basis.
    """
    if not question.answerable:
        return set()
    name = f"{question.doc}.md"
    own = {
        line
        for line, (hit, _) in enumerate(read.lines.places)
        if read.hits[hit].chunk.document.name == name
    }
    return deciding_lines(question.basis, read.lines) & own


def question_examples(
    written: Sequence[Written], reader: Reader, rng: random.Random
) -> Iterator[Example]:
    """The lines that answer a question, each alone; of those that do not, the first that the finder
    takes for an answer in its own document, and the first two in a corpus.
    """
    seen: set[tuple[int, ...]] = set()
    for corpus in corpora(written, _BESIDE, rng):
        for names, most in (*(([name], 1) for name in corpus.texts), (list(corpus.texts), 2)):
            finder = found(corpus, names, reader)
            for question in corpus.questions:
                if question.doc not in names:
                    continue
                for made in _examples(question, finder.read(question.question), most):
                    if made.ids not in seen:
                        seen.add(made.ids)
                        yield made


def _examples(question: WrittenQuestion, read: Read, most: int) -> Iterator[Example]:
    """The lines that answer, and the first so many that do not."""
    answers = answering(question, read)
    for window in read.windows:
        held = bool(answers & set(window.lines))
        most -= not held
        if held or most >= 0:
            yield example(window, int(held), window.lines, answers, question=True)

"""Questions with known outcome, for fitting and measuring the decision to answer.

Three bodies of questions are asked of each other's documents: the sample policies with questions
written for them, a public handbook with the questions it answers under their own headings, and
questions that another organisation's handbook answers. What is asked of the wrong documents is
taken to be unanswerable; a few of these questions happen to be answered all the same.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from veridical.errors import ConfigurationError
from veridical.retrieval.corpus import Corpus
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text, load_documents

_HANDBOOK = "18F"

OWN, NEAR_MISS = "sample, answerable", "sample, near misses"
OTHERS_OF_SAMPLE, SAMPLE_OF_HANDBOOK = "others' of the sample", "sample's of the handbook"
HEADED, BLANKED = "handbook's own, headings in", "handbook's own, headings blanked"
OTHERS_OF_HANDBOOK = "others' of the handbook"
WITHOUT_PAGE = "handbook's own, its page left out"
FAQ, FAQ_BLANKED = "others' own, headings in", "others' own, headings left out"
HANDBOOK_OF_FAQ, SAMPLE_OF_FAQ = "handbook's of the others'", "sample's of the others'"


@dataclass(frozen=True, slots=True)
class Case:
    """A question asked of a body of documents. `body` names the bodies as in `Bodies`.

    `without` is the name of a document that is not searched. Cases of one `group` hang together:
    they are never parted by folds. What the answer is, is known by `facts` that stand in it, or by
    its whole text, `answer`, white space collapsed, in the document that `group` names.
    """

    set: str
    body: str
    question: str
    answerable: bool
    group: str
    without: str = ""
    facts: tuple[str, ...] = ()
    answer: str = ""

    def is_answered_by(self, document: str, sentence: str) -> bool:
        """Whether a sentence of a document is part of the known answer."""
        if self.facts:
            return all(fact.casefold() in sentence.casefold() for fact in self.facts)
        return document == self.group and sentence[:_TELLING] in self.answer


_TELLING = 60
"""Characters of a sentence by which it is found again in an answer."""


@dataclass(frozen=True)
class Bench:
    """All cases, and the corpora that they are asked of."""

    corpora: Mapping[str, Corpus]
    cases: tuple[Case, ...]


def load_bench(data: Path, policies: Path, questions: Path) -> Bench:
    """The cases over the shared data in `data`, the sample policies and the questions on them.

    Raises ConfigurationError where something is missing.
    """
    rows = _rows(data / "policies" / "faq_questions.dev.jsonl")
    sample = _rows(questions)
    headed, blanked = _handbook(data / "policies", rows)
    bodies = {
        "sample": list(load_documents([str(policies)]).documents),
        "handbook": headed,
        "handbook, blanked": blanked,
        "others": _others(rows, headings=True),
        "others, blanked": _others(rows, headings=False),
    }
    corpora = {name: Corpus(documents) for name, documents in bodies.items()}
    return Bench(corpora, tuple(_cases(rows, sample)))


def _cases(
    rows: Sequence[Mapping[str, Any]], sample: Sequence[Mapping[str, Any]]
) -> Iterator[Case]:
    for row in rows:
        asked, page = row["question"], row["doc"]
        answer = " ".join(row["answer"].split())
        yield Case(OTHERS_OF_SAMPLE, "sample", asked, False, page)
        if row["org"] == _HANDBOOK:
            yield Case(HEADED, "handbook", asked, True, page, answer=answer)
            yield Case(BLANKED, "handbook, blanked", asked, True, page, answer=answer)
            yield Case(WITHOUT_PAGE, "handbook", asked, False, page, without=page)
            yield Case(HANDBOOK_OF_FAQ, "others", asked, False, page)
        else:
            yield Case(FAQ, "others", asked, True, page, answer=answer)
            yield Case(FAQ_BLANKED, "others, blanked", asked, True, page, answer=answer)
            yield Case(OTHERS_OF_HANDBOOK, "handbook", asked, False, page)
    for row in sample:
        asked, topic = row["question"], row.get("topic") or row["question"]
        own = bool(row["answerable"])
        yield Case(
            OWN if own else NEAR_MISS, "sample", asked, own, topic, facts=tuple(row["expected"])
        )
        yield Case(SAMPLE_OF_HANDBOOK, "handbook", asked, False, topic)
        yield Case(SAMPLE_OF_FAQ, "others", asked, False, topic)


def _handbook(
    folder: Path, rows: Sequence[Mapping[str, Any]]
) -> tuple[list[Document], list[Document]]:
    """The handbook as it is, and with the headings blanked that put a question word for word."""
    paths = sorted((folder / _HANDBOOK).rglob("*.md"))
    texts = {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in paths}
    without = dict(texts)
    for row in rows:
        name, asked = row["doc"], row["question"]
        if name in without:
            start = without[name].index(row["answer"])
            before, heading, after = without[name][:start].rpartition(asked)
            without[name] = before + " " * len(heading) + after + without[name][start:]
    return _read(texts), _read(without)


def _others(rows: Sequence[Mapping[str, Any]], *, headings: bool) -> list[Document]:
    """The other organisation's answers, a document a page, with or without their questions."""
    pages: dict[str, list[str]] = {}
    for row in rows:
        if row["org"] != _HANDBOOK:
            heading = f"## {row['question']}" if headings else "***"
            pages.setdefault(row["doc"], []).append(f"{heading}\n\n{row['answer']}\n")
    return _read({name: "\n".join(parts) for name, parts in pages.items()})


def _read(texts: Mapping[str, str]) -> list[Document]:
    return [
        document_from_text(text, name, Format.MARKDOWN)
        for name, text in texts.items()
        if text.strip()
    ]


def _rows(path: Path) -> list[dict[str, Any]]:
    try:
        lines = path.read_text("utf-8").splitlines()
        return [json.loads(line) for line in lines if line.strip()]
    except (OSError, ValueError) as problem:
        raise ConfigurationError(f"cannot read questions from {path}: {problem}") from problem

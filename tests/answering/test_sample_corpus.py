"""The sample policies and the questions over them are what the evaluation takes them for."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from scripts.build_policies import SOURCES, pdf_bytes

from veridical import load_documents
from veridical.matching.embeddings import _load
from veridical.retrieval.chunks import Chunk, chunk_document
from veridical.sources.document import Document
from veridical.sources.loader import load_document_bytes

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
TOPICS = {
    *("PTO", "expenses", "security", "remote work", "harassment", "onboarding", "termination"),
    *("benefits", "equipment", "acceptable use", "confidentiality"),
}
FIELDS = {"id", "question", "answerable", "topic", "expected", "sources"}


@cache
def documents() -> dict[str, Document]:
    loaded = load_documents([EXAMPLES / "policies"])
    assert not loaded.failures
    return {document.name: document for document in loaded.documents}


@cache
def chunks() -> tuple[Chunk, ...]:
    return tuple(chunk for document in documents().values() for chunk in chunk_document(document))


@cache
def evidence(name: str) -> str:
    """What may be shown as evidence of a document: its sentences, less those struck through."""
    document = documents()[name]
    shown = (
        document.shown(sentence)
        for chunk in chunks()
        if chunk.document is document
        for sentence in chunk.sentences
    )
    return folded(" ".join(shown))


def folded(text: str) -> str:
    return " ".join(text.split()).casefold()


@cache
def questions(path: str) -> tuple[dict[str, Any], ...]:
    lines = (ROOT / path).read_text("utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


EVALUATION, DEVELOPMENT = "eval/questions.jsonl", "tests/answering/dev_questions.jsonl"
ALL = [*questions(EVALUATION), *questions(DEVELOPMENT)]


def test_the_corpus_has_the_size_that_the_specification_names() -> None:
    _, tokenizer = _load()
    texts = [chunk.text for chunk in chunks()]
    words = sum(len(tokenizer.encode(word)) for text in texts for word in text.split())
    assert 21_000 <= words + sum(text.count("\n") for text in texts) <= 22_200
    assert 95 <= len(texts) <= 103


@pytest.mark.parametrize("name", SOURCES)
def test_the_pdfs_say_what_their_sources_say(name: str) -> None:
    made = load_document_bytes(pdf_bytes(name), name)
    assert made.text == documents()[name].text


def test_the_evaluation_asks_what_the_specification_says() -> None:
    asked = questions(EVALUATION)
    answerable = [question for question in asked if question["answerable"]]
    assert (len(asked), len(answerable)) == (25, 18)
    assert {question["topic"] for question in answerable} == TOPICS


def test_the_development_questions_are_other_questions() -> None:
    assert len({folded(question["question"]) for question in ALL}) == len(ALL)
    assert len({question["id"] for question in ALL}) == len(ALL)


@pytest.mark.parametrize("question", ALL, ids=lambda question: question["id"])
def test_every_question_says_what_a_right_answer_holds(question: dict[str, Any]) -> None:
    assert question.keys() == FIELDS
    assert bool(question["sources"]) is bool(question["expected"]) is question["answerable"]
    assert question["sources"] == sorted(set(question["sources"]) & documents().keys())
    texts = [evidence(source) for source in question["sources"]]
    stated_in = [
        {n for wording in wordings for n, text in enumerate(texts) if folded(wording) in text}
        for wordings in map(as_group, question["expected"])
    ]
    assert all(stated_in)
    assert set().union(*stated_in) == set(range(len(texts)))


def as_group(fact: str | list[str]) -> list[str]:
    return [fact] if isinstance(fact, str) else fact

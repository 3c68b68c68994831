"""What a question finds: also by what the document is about, and scored the same everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.retrieval.lexical import (
    DOCUMENT_WEIGHT,
    SUBJECT_WEIGHT,
    TITLE_WEIGHT,
    QuestionScores,
)
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text

HOURS = "## Opening hours\n\nThe office is open from {0} to {1} on working days."
CITIES = {"Berlin": (7, 18), "Madrid": (9, 20), "Oslo": (6, 16)}
DISTANT = (
    "## Sabbatical\n\nWhoever has been here for seven years may take a sabbatical.\n\n"
    "## Pay\n\nHalf of the salary is paid for up to six months.\n"
)
MOST = 1 + SUBJECT_WEIGHT + TITLE_WEIGHT + DOCUMENT_WEIGHT


def page(title: str, text: str, name: str) -> Document:
    return document_from_text(f"---\ntitle: {title}\n---\n\n{text}\n", name, Format.MARKDOWN)


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    offices = [page(city, HOURS.format(*CITIES[city]), f"{city[0]}.md") for city in CITIES]
    other = page("Pay", "## Salary\n\nThe salary is paid on the last day of the month.", "x.md")
    named = document_from_text(
        "## Claims\n\nWithin 30 days.\n\n## Forms\n\nOnline.", "pto-rules.md"
    )
    return Corpus([*offices, other, page("Long leave", DISTANT, "y.md"), named])


def first(corpus: Corpus, question: str) -> Hit:
    return HybridRetriever(corpus).search_questions([question])[0][0]


@pytest.mark.parametrize("city", CITIES)
def test_the_title_of_the_document_tells_like_passages_apart(corpus: Corpus, city: str) -> None:
    assert first(corpus, f"When does the {city} office open?").chunk.document.title == city


def test_what_a_question_names_may_stand_elsewhere_in_the_document(corpus: Corpus) -> None:
    hit = first(corpus, "How much salary is paid during a sabbatical of six months?")
    assert "Half of the salary" in hit.chunk.text


def test_a_score_does_not_grow_with_the_corpus() -> None:
    told = document_from_text("# Hotels\n\nA hotel costs up to 165 euros.", "hotels.md")
    others = [Document(f"{n}", f"Item number {n} is kept in room {n % 7}.") for n in range(200)]
    question = "What may a hotel cost?"
    few, many = (first(Corpus([told, *rest]), question) for rest in (others[:5], others))
    assert few.chunk == many.chunk
    assert few.score == pytest.approx(many.score, abs=0.1)


words = st.lists(st.sampled_from("leave hotel taxi office paid days fifteen 15".split()))


@given(st.lists(words.map(" ".join), min_size=1, max_size=6), words.map(" ".join))
def test_scores_are_shares(texts: list[str], question: str) -> None:
    corpus = Corpus([Document(f"{n}.txt", text) for n, text in enumerate(texts)])
    passage, context = QuestionScores(corpus.chunks, corpus.lexical).words(question)
    assert len(passage) == len(context) == len(corpus.chunks)
    for score in passage:
        assert 0 <= score <= 1
    for score in context:
        assert 0 <= score <= TITLE_WEIGHT + DOCUMENT_WEIGHT + 1e-6
    (hits,) = HybridRetriever(corpus).search_questions([question], 50)
    assert all(0 < hit.score <= MOST + 0.01 for hit in hits)


def test_hits_are_ordered_limited_and_say_their_ranks(corpus: Corpus) -> None:
    retriever = HybridRetriever(corpus)
    (hits,) = retriever.search_questions(["When is the salary paid?"], 4)
    assert len(hits) == 4
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert (hits[0].lexical_rank, hits[0].semantic_rank) == (1, 1)
    assert retriever.search_questions(["salary"], 0) == [()]
    assert retriever.search_questions([]) == []

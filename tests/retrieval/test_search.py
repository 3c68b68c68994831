"""What a search finds, in which order, and that it is always the same."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from veridical.matching.embeddings import default_embedder
from veridical.retrieval.corpus import Corpus, SemanticIndex
from veridical.retrieval.hybrid import Hit, HybridRetriever
from veridical.retrieval.lexical import K1, MOST_QUERY_TERMS, B, LexicalIndex
from veridical.sources.document import Document, Format
from veridical.sources.loader import document_from_text

HANDBOOK = """# Leave

## Annual leave
Full-time staff are entitled to 27 days of annual leave in each year.

## Sick leave
Whoever is ill tells the line manager before ten o'clock. A certificate is needed after 3 days.

## Parental leave
Parents take up to 1,200 hours in three years.

~~Fathers take no more than two weeks.~~
"""
EXPENSES = """# Expenses

## Hotels
The travel desk books hotels up to 165 euros for a night.

## Taxis
A taxi is repaid between 22:00 and 6:00.

## Allowances

| Place | Each day |
|---|---|
| Zurich | 30 euros |
"""
TRAVEL_JA = "出張の規程。宿泊費は一泊二万円を上限とする。\n\n有給休暇は年に二十日である。"


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return Corpus(
        [
            document_from_text(HANDBOOK, "leave.md", Format.MARKDOWN),
            document_from_text(EXPENSES, "expenses.md", Format.MARKDOWN),
            document_from_text(TRAVEL_JA, "ja.txt", Format.PLAIN_TEXT),
        ]
    )


@pytest.mark.parametrize(
    ("query", "title"),
    [
        ("Full-time employees get 27 days of leave a year.", "Annual leave"),
        ("Somebody who is sick must inform their manager", "Sick leave"),
        ("1200 hours", "Parental leave"),
        ("What does the company pay for accommodation at night?", "Hotels"),
        ("taxis at night are repaid", "Taxis"),
        ("daily allowance in Zürich", "Allowances"),
    ],
)
def test_the_passage_that_says_it_comes_first(corpus: Corpus, query: str, title: str) -> None:
    (hits,) = HybridRetriever(corpus).search([query])
    assert hits[0].chunk.heading_path[-1] == title


def test_scripts_without_spaces_are_found(corpus: Corpus) -> None:
    (hits,) = HybridRetriever(corpus).search(["宿泊費の上限はいくらか"])
    assert "宿泊費" in hits[0].chunk.text
    assert hits[0].lexical_rank == 1


WAYS = pytest.mark.parametrize("way", [HybridRetriever.search, HybridRetriever.search_questions])
Way = Callable[[HybridRetriever, Sequence[str]], list[tuple[Hit, ...]]]


@WAYS
@pytest.mark.parametrize("query", ["", "  \n", "?!", "—…", "\u200b"])
def test_a_query_without_words_finds_nothing(corpus: Corpus, query: str, way: Way) -> None:
    found = way(HybridRetriever(corpus), ["taxi", query, "hotel"])
    assert [bool(hits) for hits in found] == [True, False, True]


def test_hits_are_limited_ordered_and_say_their_ranks(corpus: Corpus) -> None:
    (hits,) = HybridRetriever(corpus).search(["How many days of annual leave are there?"], 3)
    assert len(hits) == 3
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    assert (hits[0].lexical_rank, hits[0].semantic_rank) == (1, 1)
    assert HybridRetriever(corpus).search(["leave"], 0) == [()]


def test_a_search_can_be_held_to_some_documents(corpus: Corpus) -> None:
    retriever = HybridRetriever(corpus)
    (hits,) = retriever.search(["annual leave"], 50, documents={"expenses.md", "unknown"})
    assert {hit.chunk.document.name for hit in hits} == {"expenses.md"}
    assert min(hit.semantic_rank or 99 for hit in hits) == 1
    assert retriever.search(["annual leave"], documents=()) == [()]


def test_struck_words_are_not_searched(corpus: Corpus) -> None:
    (hits,) = HybridRetriever(corpus).search(["fathers weeks"], 50)
    assert all(hit.lexical_rank is None for hit in hits)


def test_equals_stand_in_the_order_of_the_corpus() -> None:
    documents = [Document(f"{n}", "The same words stand here.") for n in range(150)]
    retriever = HybridRetriever(Corpus(documents))
    for most in (150, 3):
        (hits,) = retriever.search(["the same words"], most)
        assert [hit.chunk.document.name for hit in hits] == [d.name for d in documents[:most]]


def test_rows_far_down_a_table_are_found_by_its_head() -> None:
    rows = "".join(f"| Town {number} | {number} euros |\n" for number in range(300))
    table = document_from_text(f"| Place | Lodging |\n|---|---|\n{rows}", "a.md", Format.MARKDOWN)
    (hits,) = HybridRetriever(Corpus([table])).search(["Lodging in Town 250"])
    assert hits[0].chunk.table_head is not None
    assert "Town 250" in hits[0].chunk.text


@WAYS
def test_a_query_finds_the_same_in_any_company(corpus: Corpus, way: Way) -> None:
    queries = [f"{word} {number} days" for word in ("leave", "hotel") for number in range(50)]
    retriever = HybridRetriever(corpus)
    together = way(retriever, queries)
    assert together == [way(retriever, [query])[0] for query in queries]
    assert together[::-1] == way(retriever, queries[::-1])


def bm25(passages: Sequence[Sequence[str]], query: Sequence[str]) -> list[float]:
    """The formula as Lucene has it, written plainly."""
    mean = sum(map(len, passages)) / len(passages)
    scores = []
    for passage in passages:
        counts, score = Counter(passage), 0.0
        for term in dict.fromkeys(query):
            holding = sum(term in other for other in passages)
            rarity = math.log(1 + (len(passages) - holding + 0.5) / (holding + 0.5))
            norm = K1 * (1 - B + B * len(passage) / mean)
            score += rarity * counts[term] / (counts[term] + norm)
        scores.append(score)
    return scores


words = st.lists(st.sampled_from(("ox", "cat", "emu", "15", "ant")), max_size=12)


@given(st.lists(words, min_size=1, max_size=8).filter(any), words)
def test_lexical_scores_are_those_of_the_formula(
    passages: list[list[str]], query: list[str]
) -> None:
    scores = LexicalIndex(" ".join(passage) for passage in passages).scores(query)
    assert scores == pytest.approx(bm25(passages, query), rel=1e-4, abs=1e-6)


def test_a_query_of_a_megabyte_is_searched_by_its_first_terms() -> None:
    index = LexicalIndex([f"word{number}" for number in range(MOST_QUERY_TERMS + 1)])
    scores = index.scores(f"word{number}" for number in range(200_000))
    assert (scores > 0).tolist() == [True] * MOST_QUERY_TERMS + [False]


def test_cosines_are_near_the_embedders_and_the_same_in_any_batch() -> None:
    texts = [f"The {n} committee of {n * 7} members meets in room {n % 13}." for n in range(700)]
    vectors = default_embedder().embed(texts)
    index = SemanticIndex(texts, default_embedder())
    scores = index.scores(texts[:65])
    assert np.abs(scores - vectors[:65] @ vectors.T).max() < 0.002
    for number in (0, 17, 64):
        assert (index.scores([texts[number]])[0] == scores[number]).all()


def test_no_number_of_an_embedder_that_is_none_is_passed_on() -> None:
    class Broken:
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.full((len(texts), 4), np.nan, np.float32)

    assert not SemanticIndex(["a", "b"], Broken()).scores(["c"]).any()


PROGRAM = """
import sys
{hidden}
import logging
logging.basicConfig(level=logging.INFO)
from veridical import document_from_text
from veridical.retrieval.corpus import Corpus
from veridical.retrieval.hybrid import HybridRetriever
text = "# A\\n\\n" + "Staff take leave. Hotels cost money. " * 40
corpus = Corpus([document_from_text(text, "a.md")])
queries = ["leave for staff", "money", "hotels cost", "nothing of that"]
for hits in HybridRetriever(corpus).search(queries):
    for hit in hits:
        print(hit.chunk.sha256, hit.score.hex(), hit.lexical_rank, hit.semantic_rank)
"""


def run(program: str, seed: str) -> tuple[str, str]:
    environment = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout, done.stderr


def test_it_is_the_same_in_every_process_says_nothing_and_needs_numpy_only() -> None:
    hidden = "sys.modules.update(dict.fromkeys(['scipy', 'numba', 'Stemmer', 'jax', 'tqdm']))"
    plain = run(PROGRAM.format(hidden=""), "1")
    assert plain[0].count("\n") >= 4
    assert plain[1] == ""
    assert run(PROGRAM.format(hidden=hidden), "2") == plain

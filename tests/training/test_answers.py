"""What users get to questions that were written by others, by words and by reading together."""

from __future__ import annotations

import pytest
from training.questions import collections, corpus_of, written_questions

from veridical.answering.answerer import PolicyAnswerer


@pytest.fixture(scope="module")
def marina() -> PolicyAnswerer:
    (written,) = written_questions(["cc"])
    corpus = next(one for one in collections(written) if "MARINA-01" in one.texts)
    return PolicyAnswerer(corpus_of(corpus, list(corpus.texts)))


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Does the berth go to the buyer when a boat is sold?", "The berth does not go with"),
        (
            "How much is charged for cancelling the lift of a 9 m boat one working day ahead?",
            "Cancelling less than two working days ahead costs half of the price.",
        ),
    ],
)
def test_what_shares_words_and_is_denied_by_the_reader_is_not_told(
    marina: PolicyAnswerer, question: str, told: str
) -> None:
    answer = marina.answer(question)
    assert told in " ".join(statement.text for statement in answer.statements)

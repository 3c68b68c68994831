"""What a question is read as, and which texts are none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.question import MAX_QUESTION_CHARS, read_question
from veridical.errors import ValidationError


@pytest.mark.parametrize(
    ("question", "yes_no"),
    [
        ("May I bring my dog?", True),
        ("is smoking prohibited", True),
        ("How long is the trial period?", False),
        ("Mayday calls", False),
    ],
)
def test_what_asks_for_a_yes_or_a_no(question: str, yes_no: bool) -> None:
    assert read_question(question).is_yes_no is yes_no


def test_its_words_are_those_that_it_is_about_each_once() -> None:
    asked = read_question("Q1: How many\nsick days  are paid, and who pays for sick leave?")
    assert asked.text == "How many sick days are paid, and who pays for sick leave?"
    words = [word for word, _ in asked.words]
    assert {"sick", "leave"} <= set(words)
    assert "and" not in words
    assert len({stem for _, stem in asked.words}) == len(words)


def test_the_bound_is_exact_and_is_told() -> None:
    assert read_question("a" * MAX_QUESTION_CHARS).words
    with pytest.raises(ValidationError, match="10,000 characters, at most 2,000") as caught:
        read_question("leave " * 1_666 + "days")
    assert len(str(caught.value.details["value"])) < 100
    with pytest.raises(ValidationError, match="the question is empty"):
        read_question(" \n ")


@pytest.mark.parametrize("question", ["?!…", "🙂🙂", "---", "the of and"])
def test_without_words_there_is_nothing_to_look_for(question: str) -> None:
    assert read_question(question).words == ()


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        asked = read_question(text)
    except ValidationError:
        assert not text.split()
        return
    assert asked == read_question(text)
    assert asked.text
    assert all(word and stem for word, stem in asked.words)

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.question.asked import read_question
from veridical.answering.question.kinds import QuestionKind, Wanted
from veridical.answering.question.limits import MAX_QUESTION_CHARS
from veridical.errors import ValidationError


@pytest.mark.parametrize(
    ("question", "kind", "wanted"),
    [
        ("How many sick days do I get?", QuestionKind.HOW_MANY, Wanted.NUMBER),
        ("How much does a new badge cost?", QuestionKind.HOW_MUCH, Wanted.MONEY),
        ("How much paid leave do fathers get?", QuestionKind.HOW_MUCH, Wanted.DURATION),
        ("How long is the trial period?", QuestionKind.HOW_LONG, Wanted.DURATION),
        ("How often are doors checked?", QuestionKind.HOW_OFTEN, Wanted.FREQUENCY),
        ("When is the office closed?", QuestionKind.WHEN, Wanted.TIME),
        ("At what time does the canteen open?", QuestionKind.WHEN, Wanted.CLOCK),
        ("Who approves travel?", QuestionKind.WHO, Wanted.PERSON),
        ("Where are parcels kept?", QuestionKind.WHERE, Wanted.PLACE),
        ("Why are calls recorded?", QuestionKind.WHY, Wanted.REASON),
        ("Tell me the rent of a locker?", QuestionKind.KEYWORDS, None),
        ("What is the discount in the shop?", QuestionKind.WHAT, Wanted.MONEY),
        ("Who is our safety officer?", QuestionKind.WHO, Wanted.PERSON_NAME),
        ("Which bank do we use?", QuestionKind.WHAT, Wanted.NAME),
        ("May I bring my dog?", QuestionKind.YES_NO, Wanted.RULING),
        ("minibus fee", QuestionKind.KEYWORDS, Wanted.QUANTITY),
        ("Wie viele Urlaubstage habe ich?", QuestionKind.KEYWORDS, None),
    ],
)
def test_what_a_question_asks_for(question: str, kind: QuestionKind, wanted: Wanted | None) -> None:
    asked = read_question(question)
    assert (asked.kind, asked.wanted) == (kind, wanted)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("How many days may I work in Lisbon?", ("Lisbon",)),
        ("Does the Audit Committee see my FMLA form?", ("Audit Committee", "FMLA")),
        ("Who handles our 401k at Northwind's bank?", ("401k", "Northwind")),
        ("Is US leave longer for us?", ("US",)),
        ("Is the office open in August or on Monday?", ()),
        ("What Is The Maximum Length Of Parental Leave?", ()),
        ("HOW MANY SICK DAYS DO I GET?", ()),
        ("Can I extend it past 16-weeks or on the 3rd?", ()),
    ],
)
def test_names_are_told_by_their_capitals(question: str, names: tuple[str, ...]) -> None:
    assert read_question(question).names == names


def test_the_bound_is_exact_and_is_told() -> None:
    assert read_question("a" * MAX_QUESTION_CHARS).terms
    with pytest.raises(ValidationError, match="10,000 characters, at most 2,000") as caught:
        read_question("leave " * 1_666 + "days")
    assert len(str(caught.value.details["value"])) < 100
    with pytest.raises(ValidationError, match="the question is empty"):
        read_question(" \n ")


@pytest.mark.parametrize("question", ["?!…", "🙂🙂", "12.5 %", "---", "the of and"])
def test_without_words_there_is_nothing_to_look_for(question: str) -> None:
    asked = read_question(question)
    assert asked.terms == asked.words == ()


def test_scripts_without_spaces_are_read_by_pairs() -> None:
    assert read_question("年次有給休暇").words == ("年次", "次有", "有給", "給休", "休暇")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        asked = read_question(text)
    except ValidationError:
        assert not text.split()
        return
    assert asked == read_question(text)
    assert asked.text
    assert all(asked.terms)

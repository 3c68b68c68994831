"""Exact values in which a claim differs from the words that decide on it."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from veridical.judging.judge import Case
from veridical.judging.veto import Conflict, describe, vetoes
from veridical.text.spelled_out import SYMBOLS

LEAVE = "Employees get {} of paid leave each year."
DOSE = "The usual amount for adults is {} in the morning."


def found(
    claim: str, *sentences: str, shown: tuple[str, ...] = (), heading: str = "", context: str = ""
) -> list[Conflict]:
    return vetoes(Case(claim, sentences, context, heading), (0, len(sentences)), shown)


@pytest.mark.parametrize(
    ("claim", "said", "kind", "values"),
    [
        ("Staff get 25 days", "Staff get 20 days.", "number", ("25 days", "20 days")),
        ("Staff get five days", "Staff get 20 days.", "number", ("five days", "20 days")),
        ("Staff get 20 weeks", "Staff get 20 days.", "unit", ("20 weeks", "20 days")),
        ("A dose is 5 mg", "A dose is 5 g.", "unit", ("5 mg", "5 g")),
        ("It costs $5", "It costs €5.", "unit", ("$5", "€5")),
        ("It takes at least 5 days", "It takes 5 days.", "number", ("at least 5 days", "5 days")),
        ("It opens on 5 March", "It opens on 5 May.", "date", ("March", "May")),
        ("It opened in 2021", "It opened in 2020.", "date", ("2021", "2020")),
        ("It opens on Monday", "It opens on Sunday.", "date", ("Monday", "Sunday")),
        ("We told Anna so", "We told Bert so.", "name", ("Anna", "")),
        ("Smoking is not allowed", "Smoking is allowed.", "negation", ("not", "")),
        ("Smoking is allowed", "Smoking is not allowed.", "negation", ("", "not")),
        ("The leave is paid", "The leave is unpaid.", "negation", ("paid", "unpaid")),
        ("You must go", "You may go.", "negation", ("must", "may")),
        ("\u274c Smoking is allowed", "Smoking is allowed.", "negation", ("\u274c", "")),
        ("It is a\u0336l\u0336l\u0336owed", "It is allowed.", "negation", ("U+0336", "")),
    ],
)
def test_another_value_is_found_and_told(
    claim: str, said: str, kind: str, values: tuple[str, str]
) -> None:
    (conflict,) = found(claim, said)
    assert (conflict.kind, conflict.claimed, conflict.said) == (kind, *values)
    assert all(value in conflict.note for value in values)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("It takes 2 weeks", "It takes 14 days."),
        ("It takes an hour or 60 minutes", "It takes 1 hour."),
        ("It weighs 1 kg", "It weighs 1,000 g."),
        ("It costs 500 thousand euros", "It costs €500k."),
        ("It takes five days or more", "It takes at least 5 days."),
        ("Smoking is not allowed", "Smoking is prohibited."),
        ("You may not go", "You must not go."),
        ("The NSA answers", "The National Security Agency answers."),
        ("\u274c Smoking is allowed", "\u274c Smoking is allowed."),
    ],
)
def test_the_same_said_otherwise_is_no_conflict(claim: str, said: str) -> None:
    assert describe(found(claim, said)) == ""


@pytest.mark.parametrize(
    ("claim", "value"),
    [
        ("The fee is 300 euros", "300 euros"),
        ("The fee is due in May", "in May"),
        ("We told Anna so", "Anna"),
    ],
)
def test_a_value_may_stand_elsewhere_in_what_was_read(claim: str, value: str) -> None:
    said = "We told them of the fee so."
    assert found(claim, said)
    assert not found(claim, said, shown=(f"It was {value}.",))
    assert bool(found(claim, said, heading=value)) == (value != "Anna")
    assert found(claim, said, context=value)  # words of the answer prove nothing


def test_a_name_may_stand_elsewhere_in_the_passage_and_a_number_may_not() -> None:
    case = Case("Anna gets 5 days", ("She gets days.", "We told Anna of 5 days."))
    assert [conflict.claimed for conflict in vetoes(case, (0, 1))] == ["5 days"]


def test_a_denial_must_stand_in_the_words_that_decide() -> None:
    assert found("It never opens", "It opens.", shown=("It never closes.",))


@pytest.mark.parametrize(
    "claimed",
    (
        "> 20 days|>=20 days|\u226420 days|20+ days|\u00b120 days|20k days|20M days|20\u2030 days|"
        "\u2464\u24ea days|20\u2153 days|20\u20e0 days|$20 days|20 % days|200 days|2 days"
    ).split("|"),
)
def test_a_sign_at_a_number_makes_another_of_it(claimed: str) -> None:
    assert found(LEAVE.format(claimed), LEAVE.format("20 days"))


@given(st.sampled_from(sorted(SYMBOLS)), st.sampled_from(sorted(SYMBOLS)), st.integers(2, 900))
def test_a_number_with_another_unit_is_another_value(one: str, other: str, number: int) -> None:
    if SYMBOLS[one] == SYMBOLS[other] or "in" in (one, other):
        return
    assert found(DOSE.format(f"{number} {one}"), DOSE.format(f"{number} {other}"))


WORDS = st.sampled_from(
    "all few staff not never unless only 15 20 days euros Anna get must may 2020 COVID-19 over "
    "more than paid unpaid , . ?".split()
)
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)


@given(claim=TEXTS, sentences=st.lists(TEXTS, min_size=1, max_size=3))
def test_each_conflict_has_words_and_a_missing_number_is_always_found(
    claim: str, sentences: list[str]
) -> None:
    conflicts = found(claim, *sentences)
    assert all(conflict.claimed or conflict.said for conflict in conflicts)
    said = " ".join(sentences).split()
    if any(number in claim.split() and number not in said for number in ("15", "20")):
        assert conflicts


@given(st.text(max_size=60) | TEXTS)
@example("\ud800 5 \u0336 \u202e")
def test_no_text_is_too_odd_and_none_is_in_conflict_with_itself(text: str) -> None:
    assert describe(found(text, text)) == ""
    found(text, "It opens at 5.")

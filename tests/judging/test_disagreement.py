"""Signs that sentences say something else than a claim, whatever a model says of them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.judging.disagreement import Disagreement, describe, read_disagreement
from veridical.judging.judge import Case, OperatingPoint


def signs(claim: str, *sentences: str, heading: str = "", context: str = "") -> Disagreement:
    return read_disagreement(Case(claim, sentences, context, heading), (0, len(sentences)))


@pytest.mark.parametrize(
    ("claim", "passage", "told"),
    [
        ("All staff work here", "Some staff work here", '"Some", the claim "All"'),
        ("Most staff work here", "Several staff work here", '"Several", the claim "Most"'),
        ("Some staff work here", "Few staff work here", '"Few", the claim "Some"'),
        ("Few staff work here", "Most staff work here", '"Most", the claim "Few"'),
        ("Staff always work here", "Staff usually work here", '"usually", the claim "always"'),
        ("Staff work here", "Few staff work here", '"Few", which the claim does not'),
        ("Staff work here", "A few staff work here", '"few", which the claim does not'),
    ],
)
def test_more_is_claimed_than_is_said(claim: str, passage: str, told: str) -> None:
    assert told in describe(signs(claim, passage).conflicts)


@pytest.mark.parametrize(
    ("claim", "passage"),
    [
        ("Some staff work here", "All staff work here"),
        ("Some staff work here", "A few staff work here"),
        ("Staff work here", "All staff work here"),
        ("Staff work here", "Staff work here and like some music"),
        ("Some 300 people work here", "300 people work here"),
        ("The largest office is here", "The most central and largest office is here"),
        ("Every member votes", "Each member votes"),
    ],
)
def test_as_much_is_said_as_is_claimed(claim: str, passage: str) -> None:
    assert signs(claim, passage).conflicts == ()


@pytest.mark.parametrize(
    ("claim", "sentences", "taken_back"),
    [
        ("Bread is bad", ("Bread is bad is a myth.",), True),
        ("Bread is bad", ("It is untrue that bread is bad.",), True),
        ("Bread is bad", ("It is not true that bread is bad.",), True),
        ("It is a myth that bread is bad", ("Bread is bad.",), True),
        ("It is a myth that bread is bad", ("That bread is bad is false.",), False),
        ("It is not true that bread is bad", ("It is not correct that bread is bad.",), False),
        ("It is true that bread is bad", ("Bread is bad.",), False),
    ],
)
def test_what_is_called_false(claim: str, sentences: tuple[str, ...], taken_back: bool) -> None:
    found = signs(claim, *sentences)
    for point in OperatingPoint:
        assert bool(found.vetoing(point)) == taken_back, found


@pytest.mark.parametrize(
    ("following", "taken_back"),
    [
        ("No, that is wrong.", True),
        ("This is not true.", True),
        ("This is good.", False),
        ("Wrong answers are marked.", False),
        ("It was wrong of the board to keep the report of 2019 secret.", False),
    ],
)
def test_what_the_next_sentence_calls_false(following: str, taken_back: bool) -> None:
    case = Case("Bread is bad", ("Bread is bad.", following))
    assert bool(read_disagreement(case, (0, 1)).conflicts) == taken_back


def test_a_name_may_stand_around_the_sentences_and_a_number_may_not() -> None:
    assert not signs("We told Anna so", "We told her so.", heading="Anna").conflicts
    assert signs("We told Anna so", "We told her so.", context="Anna").conflicts
    assert signs("It took 12 days", "It took days.", heading="12 days", context="12 days").conflicts


@pytest.mark.parametrize(
    ("claim", "sentences", "agree"),
    [
        ("The fee is 300 euros", ("The fee is 20 euros.", "A car is 300 euros."), False),
        ("The fee is 300 euros", ("A fee is due.", "A car is 300 euros."), False),
        ("The fee is 300 euros", ("A fee is due.", "The fee is 300 euros."), True),
        ("Ann gets 9 days and Bo 8 days", ("Ann gets 9 days.", "Bo gets 8 days."), True),
        ("It opened on 5 May 2020", ("In May 2020 they came.", "It opened on the 5th."), True),
    ],
)
def test_a_number_must_stand_where_the_claim_is_spoken_of(
    claim: str, sentences: tuple[str, ...], agree: bool
) -> None:
    amounts = [c for c in signs(claim, *sentences).conflicts if c.kind in ("number", "unit")]
    assert (not amounts) == agree


def test_every_sign_counts_at_the_strict_point_and_values_and_denials_at_all() -> None:
    name = signs("They met Emma in Rome", "They met somebody in Rome.")
    assert name.conflicts
    assert [bool(name.vetoing(point)) for point in OperatingPoint] == [True, False, False]
    for found in (
        signs("It opened in 2020", "It opened."),
        signs("It opened at 5 euros", "It opened."),
        signs("It opened", "It never opened."),
    ):
        assert all(found.vetoing(point) for point in OperatingPoint)


WORDS = st.sampled_from(
    "all few staff not false 15 20 days euros Anna get 2020 COVID-19 , . ?".split()
)
TEXTS = st.lists(WORDS, max_size=9).map(" ".join)


@settings(max_examples=150, deadline=None)
@given(claim=TEXTS, sentences=st.lists(TEXTS, min_size=1, max_size=3))
def test_a_higher_point_lets_less_pass_and_each_sign_has_words(
    claim: str, sentences: list[str]
) -> None:
    found = signs(claim, *sentences)
    strict, balanced, lenient = (set(found.vetoing(point)) for point in OperatingPoint)
    assert strict >= balanced >= lenient
    assert set(found.conflicts) == strict
    assert all(conflict.claimed or conflict.said for conflict in found.conflicts)
    if any(
        number in claim.split() and not any(number in s for s in sentences)
        for number in "15 20".split()
    ):
        assert lenient

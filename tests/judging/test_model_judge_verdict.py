"""What a language model's word is worth: as much as its quotes bear out."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judging.model_said import CASE, LEAVE, UNUSED, judged

from veridical.judging.bearing import shared_words
from veridical.judging.judge import Case, OperatingPoint, SupportLevel
from veridical.judging.model_judge import BEARS_FROM, Said, judgement_of

FULL, PARTIAL, NONE = SupportLevel.FULL, SupportLevel.PARTIAL, SupportLevel.NONE


def test_full_support_with_a_quote_that_bears_it_out() -> None:
    judgement = judged()
    assert judgement.support is FULL
    assert judgement.deciding == (1, 2)
    assert judgement.similarity > 0.85
    assert judgement.notes == "It says so."


@pytest.mark.parametrize(
    ("quote", "deciding"),
    [
        ("shall receive 15 days", (1, 2)),
        ("ALL PERMANENT employees  shall\nreceive", (1, 2)),
        ("paid annual leave. Unused leave", (1, 3)),
        (". Unused leave may be carried over", (2, 3)),
    ],
)
def test_a_quote_is_found_as_the_validator_finds_it(quote: str, deciding: tuple[int, int]) -> None:
    assert judged(quote=quote).deciding == deciding


@pytest.mark.parametrize(
    ("said", "most", "why"),
    [
        ({"quote": "employees receive 15 days of leave each year"}, PARTIAL, "does not stand"),
        ({"quote": ""}, PARTIAL, "nothing was quoted"),
        ({"quote": "All permanent employees shall receive 20 days"}, PARTIAL, "does not stand"),
        ({"quote": "x" * 5_000}, PARTIAL, "does not stand"),
        ({"quote": "..."}, PARTIAL, "does not stand"),
        ({"quote": "This policy is in force."}, NONE, "do not bear"),
        ({"quote": UNUSED}, PARTIAL, "differ"),
        ({"contradicts": True}, PARTIAL, "both yes and no"),
        ({"support": "partial"}, PARTIAL, ""),
        ({"support": "none", "quote": ""}, NONE, ""),
    ],
)
@pytest.mark.parametrize("point", OperatingPoint)
def test_what_is_not_borne_out_is_never_full(
    said: dict[str, Any], most: SupportLevel, why: str, point: OperatingPoint
) -> None:
    judgement = judged(point=point, **said)
    assert judgement.support is most
    assert why in judgement.notes
    assert judgement.similarity <= 0.85
    assert not judgement.contradicts


def test_a_narrow_quote_does_not_hide_what_its_sentence_says() -> None:
    case = Case("Employees may carry leave over", ("No employees may carry leave over.",))
    judgement = judged(case, quote="employees may carry leave over")
    assert judgement.support is PARTIAL


def test_a_name_may_stand_elsewhere_in_the_passage() -> None:
    sentences = ("Anna Berg joined in 1999.", "She chairs the board.")
    case = Case("It is Anna who chairs the board", sentences)
    assert judged(case, quote="She chairs the board.").support is FULL
    other = Case("It is Emma who chairs the board", sentences)
    assert judged(other, quote="She chairs the board.").support is PARTIAL


def test_a_contradiction_needs_its_quote() -> None:
    case = Case("Permanent employees receive 20 days of annual leave", CASE.sentences)
    shown = judged(case, support="none", contradicts=True)
    assert shown.contradicts
    assert shown.deciding == (1, 2)
    assert shown.similarity <= 0.85
    for quote in ("", "They receive 12 days", "This policy is in force."):
        unproven = judged(case, support="none", contradicts=True, quote=quote)
        assert not unproven.contradicts
        assert unproven.contradiction < shown.contradiction
        assert "could not be shown" in unproven.notes


PASSAGE_WORDS = st.sampled_from("staff leave days 15 20 not Anna may office week the of".split())


@settings(max_examples=150, deadline=None)
@given(
    claim=st.lists(PASSAGE_WORDS, min_size=1, max_size=8).map(" ".join),
    sentences=st.lists(
        st.lists(PASSAGE_WORDS, min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4
    ),
    which=st.integers(0, 3),
    contradicts=st.booleans(),
)
def test_a_model_that_says_yes_to_everything_passes_only_what_words_bear_out(
    claim: str, sentences: list[str], which: int, contradicts: bool
) -> None:
    case = Case(claim, tuple(sentences))
    quote = sentences[which % len(sentences)]
    by_point = []
    for point in OperatingPoint:
        judgement = judgement_of(case, Said(quote, "", FULL, contradicts), point)
        assert (judgement.similarity > 0.85) == (judgement.support is FULL)
        assert 0 <= judgement.probability <= 1
        by_point.append(judgement)
        if judgement.support is FULL:
            assert judgement.deciding is not None
            words = " ".join(sentences[slice(*judgement.deciding)])
            assert shared_words(claim, words) >= BEARS_FROM[point]
            assert {"15", "20", "not"} & set(claim.split()) <= set(words.split())
    assert len({judgement.probability for judgement in by_point}) == 1
    strict, balanced, lenient = (judgement.support is FULL for judgement in by_point)
    assert strict <= balanced <= lenient


# --- a model that says yes to what is not there ---------------------------------------------------


@pytest.mark.parametrize(
    ("claim", "passage", "why"),
    [
        ("Staff are entitled to leave", "Staff are no longer entitled to leave.", '"no"'),
        ("Staff are entitled to leave", "Staff are not entitled to leave.", '"not"'),
        ("Staff get 25 days of leave", "Staff get up to 25 days of leave.", "at most 25 days"),
        ("Staff get at least 5 days", "Staff get at most 5 days.", "at most 5 days"),
        ("They get 90 days of leave", "Interns get leave.", "90 days"),
        ("Permanent employees receive 20 days of annual leave", LEAVE, "20 days"),
        ("Permanent employees receive fifteen weeks of annual leave", LEAVE, "fifteen weeks"),
        ("Permanent employees receive 15 weeks of annual leave", LEAVE, "15 weeks"),
        ("Permanent employees do not receive annual leave", LEAVE, '"not"'),
        ("Permanent employees of Apollo receive annual leave", LEAVE, "Apollo"),
    ],
)
@pytest.mark.parametrize("point", OperatingPoint)
def test_a_sentence_that_says_something_else_is_never_full(
    claim: str, passage: str, why: str, point: OperatingPoint
) -> None:
    judgement = judged(Case(claim, (passage,), context="90 days"), point, quote=passage)
    assert judgement.support is PARTIAL
    assert why in judgement.notes


@pytest.mark.parametrize("point", OperatingPoint)
def test_numbers_are_not_taken_from_what_was_not_quoted(point: OperatingPoint) -> None:
    case = Case("The fee is 300 euros", ("The fee may change.", "A car costs 300 euros."))
    assert judged(case, point, quote="The fee may change.").support is PARTIAL


@pytest.mark.parametrize(
    ("claim", "sentences"),
    [
        ("Alice gave Bob ten euros", ("Bob was given ten euros by Alice.",)),
        ("Anna pays the fee", ("The fee is paid by Anna.",)),
        ("The firm closed its Berlin office in 2020", ("In 2020 it shut the office in Berlin.",)),
        ("The limit is 50 euros at most", ("The limit is up to 50 euros.",)),
        ("Every employee is insured", ("All employees are insured.",)),
        ("Some staff work remotely", ("Most staff work remotely.",)),
        ("Interns get 10 days of leave", ("Staff get 25 days of leave.", "Interns get 10 days.")),
        ("Staff get 25 days of leave", ("Staff are entitled to leave.", "Leave is 25 days.")),
        ("COVID-19 spreads by air", ("COVID-19 is transmitted through the air.",)),
        ("It is a myth that bread is bad", ("It is false that bread is bad.",)),
        ("Workers get fifteen days of holiday", ("Employees receive 15 days of holiday.",)),
    ],
)
def test_an_honest_paraphrase_is_full(claim: str, sentences: tuple[str, ...]) -> None:
    judgement = judged(Case(claim, sentences), quote=" ".join(sentences))
    assert judgement.support is FULL, judgement.notes


def test_a_quote_may_not_join_two_sentences_to_a_word() -> None:
    joined = Case("International trade grew", ("They met inter-", "national trade grew."))
    judgement = judged(joined, quote="international trade grew")
    assert judgement.support is not FULL
    assert "does not stand" in judgement.notes
    apart = Case("International trade grew", ("They met.", "International trade grew."))
    assert judged(apart, quote="They met. International trade grew.").deciding == (0, 2)

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.judging import plain_cases

from veridical.judging import features_conflicts
from veridical.judging.alignment import align, words_of
from veridical.judging.alignment_vectors import MOST_WEIGHT, WordVectors
from veridical.judging.alignment_words import Word, read_words, same_quantity, stem
from veridical.judging.english import is_english
from veridical.judging.features import FEATURES, feature_values, read_cases
from veridical.judging.features_conflicts import find_conflicts
from veridical.judging.judge import Case
from veridical.judging.verbatim import says_verbatim
from veridical.matching.embeddings import default_embedder

VECTORS = WordVectors(default_embedder())


def features(claim: str, *sentences: str) -> dict[str, float]:
    case = Case(claim, sentences)
    alignment = align(case, VECTORS.of(words_of([case])))
    assert alignment is not None
    return feature_values(alignment)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("15 days", "fifteen days", True),
        ("two weeks", "14 days", True),
        ("1 year", "12 months", True),
        ("24 hours", "1,440 minutes", True),
        ("1,200 items", "1200 items", True),
        ("1.50 euros", "1.5 euros", True),
        ("$5 million", "5,000,000 dollars", True),
        ("twenty-five days", "25 days", True),
        ("5 %", "5 percent", True),
        ("€20", "20 euros", True),
        ("two hundred", "200", True),
        ("15 days", "15 weeks", False),
        ("15 days", "16 days", False),
        ("3.5 percent", "35 percent", False),
        ("$20", "€20", False),
        ("5 percent", "5 points", True),
        ("one month", "30 days", False),
    ],
)
def test_quantities_are_compared_by_value(one: str, other: str, same: bool) -> None:
    first, second = (
        next(word for word in read_words(text) if word.number is not None) for text in (one, other)
    )
    assert same_quantity(first, second) is same
    assert same_quantity(second, first) is same


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("COVID-19 spread", []),
        ("one of the staff", []),
        ("one month", [1]),
        ("three hundred and five", [300, 5]),
        ("the year 2019", [2019]),
        ("2.5 million people", [2_500_000]),
        ("at 8:30 in the morning", [510]),
        ("on the third day", [3]),
        ("for 30 seconds", [30]),
        ("9" * 40, []),
    ],
)
def test_numbers_are_read(text: str, numbers: list[int]) -> None:
    assert [w.number for w in read_words(text) if w.number is not None] == [
        Fraction(number) for number in numbers
    ]


@pytest.mark.parametrize(
    "family",
    ["report reports reported reporting", "policy policies", "employee employees", "stop stopped"],
)
def test_forms_of_a_word_share_a_stem(family: str) -> None:
    assert len({stem(word) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("claim", "said", "kinds"),
    [
        ("Staff get 20 days.", "Staff get 15 days.", ["number"]),
        ("Staff get 15 weeks.", "Staff get 15 days.", ["unit"]),
        ("Call before 8:30.", "Call before 9:30.", ["number"]),
        ("It is paid from the second day.", "It is paid from the third day.", ["number"]),
        ("It ends on 12/31/2024.", "It ends on 12/30/2024.", ["number"]),
        ("It began in 2019.", "It began in 2018.", ["date"]),
        ("It opens on Monday.", "It opens on Friday.", ["date"]),
        ("Ask Dr Jones.", "Ask Dr Smith.", ["name"]),
        ("Staff may not enter.", "Staff may enter.", ["negation"]),
        ("Staff may enter.", "Staff must enter.", ["negation"]),
        ("Prices rose.", "Prices fell.", ["negation"]),
        ("The work is paid.", "The work is unpaid.", ["negation"]),
        ("It is illegal.", "It is legal.", ["negation"]),
        ("At least 5 members.", "At most 5 members.", ["number"]),
        ("Smoking is not allowed.", "Smoking is prohibited.", []),
        ("Smoking is prohibited.", "Smoking is not allowed.", []),
        ("Staff get two weeks.", "Staff get 14 days.", []),
        ("Not only staff may enter.", "Staff may enter.", []),
        ("The team is united.", "The team is tied.", []),
        ("The US army.", "The United States army.", []),
        ("He may carry over five days.", "He may carry over 5 days.", []),
    ],
)
def test_conflicts_are_what_is_said_not_how(claim: str, said: str, kinds: list[str]) -> None:
    found = find_conflicts(read_words(claim), read_words(said), [])
    assert [conflict.kind.value for conflict in found] == kinds


def test_a_number_that_is_said_again_and_again_is_compared_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    compared: list[Word] = []

    def counted(word: Word, free: Mapping[int, Word]) -> None:
        compared.append(word)

    monkeypatch.setattr(features_conflicts, "_instead", counted)
    found = find_conflicts(read_words("28 " * 300), read_words("Staff get 27 days."), [])
    assert len(found) == 300
    assert len(compared) == 300  # and not one for each pair of them


@pytest.mark.parametrize(
    ("claim", "sentence", "verbatim"),
    [
        ("Leave is paid.", "Leave is paid.", True),
        ("leave is PAID", "In this company, leave is paid.", False),
        ("Leave is paid.", "Leave is paid if approved.", False),
        ("Leave is paid.", "Is leave is paid?", False),
        ("Leave is paid.", "It is false that leave is paid.", False),
        ("Staff get 5 days.", "Part-time staff get 5 days.", False),
        ("Staff get 5 days.", "Staff get 5 days each.", True),
        ("Staff get 5 days.", "Staff get five days.", True),
        ("Staff get 5 days.", "Staff get 5 weeks.", False),
        ("The fee is $5.", "The fee is €5.", False),
        ("The policy covers floods.", "The policy covers floods caused by rain.", False),
        ("", "Leave is paid.", False),
    ],
)
def test_verbatim_means_word_for_word_and_nothing_taken_back(
    claim: str, sentence: str, verbatim: bool
) -> None:
    assert says_verbatim(claim, sentence) is verbatim


@pytest.mark.parametrize(
    ("text", "english"),
    [
        ("Employees get 15 days of leave.", True),
        ("Leave: 15 days.", True),
        ("Der Urlaub ist nicht bezahlt.", False),
        ("Les employés ont droit à des congés.", False),
        ("Отпуск оплачивается.", False),
        ("年假", False),
        ("15", True),
    ],
)
def test_what_reads_as_english(text: str, english: bool) -> None:
    assert is_english(read_words(text)) is english


def test_features_are_those_that_are_documented() -> None:
    assert tuple(features("Staff get leave.", "Leave is given to staff.")) == tuple(FEATURES)


def test_telling_words_weigh_more() -> None:
    table = VECTORS.of(["the", "of", "employees", "zirconium"])
    weight = {word: table.weight[row] for word, row in table.rows.items()}
    assert max(weight["the"], weight["of"]) < 0.3 < weight["employees"] <= weight["zirconium"]
    assert weight["zirconium"] <= MOST_WEIGHT


@pytest.mark.parametrize(
    ("name", "claim", "more", "less"),
    [
        ("match_all", "Staff get paid leave.", "Staff get paid leave.", "Staff get paid."),
        ("match_all", "Workers buy tools.", "Employees purchase tools.", "Fish eat plankton."),
        ("related_best", "Reports are due.", "A report is due.", "A car is red."),
        ("neighbours", "annual leave policy", "annual leave policy", "policy on leave, annual"),
        ("numbers_missing", "It costs 5 dollars.", "It costs 6 dollars.", "It costs 5 dollars."),
        ("names_missing", "Ask Jones.", "Ask Smith.", "Ask Jones."),
        ("only_claim_denies", "It is not paid.", "It is paid.", "It is not paid."),
        ("sense_best", "Doctors treat patients.", "Physicians heal the sick.", "Ships sail."),
        ("ways_part", "Prices increase.", "Prices decline.", "Prices increase."),
        ("passage_hedges", "It works.", "It may possibly work.", "It works."),
    ],
)
def test_features_rise_with_what_they_mean(name: str, claim: str, more: str, less: str) -> None:
    assert features(claim, more)[name] > features(claim, less)[name]


@settings(max_examples=30, deadline=None)
@given(st.lists(st.sampled_from(plain_cases.HANDBOOK), min_size=1, max_size=6))
def test_a_claim_out_of_the_passage_is_fully_covered(sentences: list[str]) -> None:
    told = features(sentences[-1], *sentences)
    for name in ("match_all", "match_best", "match_pair", "related_all", "raw_all"):
        assert told[name] == pytest.approx(1.0, abs=1e-3)
    assert told["missing_words"] == 0


def test_what_other_cases_are_read_with_changes_nothing() -> None:
    cases = [Case(claim, (sentence,)) for claim, sentence in plain_cases.UNSUPPORTED]
    together = read_cases(cases, VECTORS)
    for case, reading in zip(cases, together, strict=True):
        (alone,) = read_cases([case], WordVectors(default_embedder()))
        assert alone is not None
        assert reading is not None
        assert alone.features.tolist() == reading.features.tolist()
        assert alone.signs == reading.signs


@pytest.mark.parametrize(("claim", "sentences"), [("", ("x",)), ("x", ()), ("…", ("…",))])
def test_without_words_there_is_nothing_to_read(claim: str, sentences: tuple[str, ...]) -> None:
    assert read_cases([Case(claim, sentences)], VECTORS) == [None]

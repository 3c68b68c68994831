"""A word that is said twice stands in two places: what holds of one need not hold of the other."""

from __future__ import annotations

import pytest

from veridical.judging.alignment import Alignment, align, words_of
from veridical.judging.alignment_vectors import WordVectors
from veridical.judging.alignment_words import read_words
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.denied_events import denied_event
from veridical.judging.features_conflicts import find_conflicts, places_of
from veridical.judging.features_contradiction import contradiction
from veridical.judging.features_hard import read_hard_signs
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel
from veridical.judging.pairing import mixed
from veridical.judging.turned import changed_places
from veridical.judging.unsaid import missing_words
from veridical.matching.embeddings import default_embedder

VECTORS = WordVectors(default_embedder())


def aligned(claim: str, *sentences: str) -> Alignment:
    case = Case(claim, sentences)
    alignment = align(case, VECTORS.of(words_of([case])))
    assert alignment is not None
    return alignment


def columns(a: Alignment) -> list[int]:
    return list(range(len(a.passage)))


def test_places_and_rows_lead_to_each_other() -> None:
    a = aligned("The manager of the store asks the manager", "A manager asks.")
    assert [word.key for word in a.claim] == ["manager", "store", "asks", "manager"]
    assert a.claim[0] is a.claim[3]  # equal words come from a cache
    assert a.place_of == (1, 4, 5, 7)
    assert a.row_of == (None, 0, None, None, 1, 2, None, 3)
    assert a.rows_before(5) == [0, 1]
    assert a.rows_behind(5) == [3]


def test_a_claim_of_function_words_has_a_row_for_each() -> None:
    a = aligned("He and she and they", "That is it.")
    assert a.place_of == a.row_of == (0, 1, 2, 3, 4)


@pytest.mark.parametrize(
    ("sentence", "claim", "word"),
    [
        (
            "Managers get a desk while interns share a table.",
            "Managers share a table while interns share a table.",
            "Managers",
        ),
        (
            "The manager of the store may approve refunds while that of the firm approves travel.",
            "The manager of the store may approve travel while that of the firm approves travel.",
            "travel",
        ),
        (
            "Drivers park in the garage while visitors park on the street.",
            "Drivers park on the street while visitors park on the street.",
            "street",
        ),
    ],
)
def test_each_side_of_a_claim_is_held_to_its_own_words(
    sentence: str, claim: str, word: str
) -> None:
    a = aligned(claim, sentence)
    assert mixed(a, columns(a)) == word
    (judged,) = CalibratedJudge(OperatingPoint.STRICT).judge([Case(claim, (sentence,))])
    assert isinstance(judged, Judgement)
    assert judged.support is not SupportLevel.FULL


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "The shuttle does not stop here; it carries not more than 8 passengers.",
            "The shuttle carries people.",
        ),
        ("Dogs may not enter; each cabin sleeps not more than 4 guests.", "Cabins sleep visitors."),
        ("Smoking is not allowed; the room holds not more than 9 people.", "It holds persons."),
    ],
)
def test_a_not_that_bounds_a_number_denies_nothing_beside_one_that_does(
    sentence: str, claim: str
) -> None:
    a = aligned(claim, sentence)
    assert denied_event(a, columns(a)) is None


def test_what_is_swapped_twice_is_told_apart() -> None:
    a = aligned(
        "Bonds were swapped for cash.", "Bonds were swapped for shares and shares for cash."
    )
    found = changed_places(a, columns(a))
    assert found is not None
    assert (found.claimed, found.said) == ("for cash", "for shares")


def test_what_stands_between_two_small_words_belongs_to_both() -> None:
    a = aligned("It was founded in 1990.", "It was founded in Leeds in 1990.")
    assert changed_places(a, columns(a)) is None


def test_the_same_month_may_stand_in_the_place_of_two() -> None:
    claim, said = "The lease runs from January to December.", "The lease runs from April to April."
    found = find_conflicts(read_words(claim), read_words(said), [])
    assert [(c.claimed, c.said, c.claim_at, c.said_at) for c in found] == [
        ("January", "April", 4, 4),
        ("December", "April", 6, 6),
    ]


def test_a_word_that_bounds_a_number_is_not_missing_beside_one_that_does_not() -> None:
    a = aligned("The minimum of guests is a minimum of 5 people.", "Dogs sleep in a tent.")
    missing = missing_words(a, set())
    assert [word.key for word in missing].count("minimum") == 1


@pytest.mark.parametrize("second", ["and Moreno", "and then, Moreno"])
def test_a_name_that_is_missing_is_missing_wherever_it_stands(second: str) -> None:
    claim = f"Moreno approves the budget {second} signs the contract."
    case = Case(claim, ("The director approves the budget and signs the contract.",))
    a = aligned(claim, *case.sentences)
    assert [conflict.claimed for conflict in read_hard_signs(case, a).conflicts] == ["Moreno"]


def test_a_number_is_told_by_its_place_and_a_word_by_all_of_its_own() -> None:
    words = read_words("Rule 27 gives Moreno 27 days, Moreno.")
    assert places_of(words, 1) == {1}
    assert places_of(words, 3) == {3, 6}
    found = find_conflicts(words, read_words("Rule 7 gives Moreno 27 days."), [])
    assert [(conflict.claim_at, conflict.said_at) for conflict in found] == [(4, 1)]


def test_a_repeated_opposite_contradicts_in_the_sentence_that_decides() -> None:
    sentences = ("Grants are paid in May and sent in May.", "Fees are paid in May.")
    a = aligned("Fees are paid in June.", *sentences)
    (conflict,) = find_conflicts(a.claim_all, a.passage, ())
    assert a.best_sentence == 1
    assert conflict.said_at == 4
    assert contradiction(a, [conflict], sentences, columns(a)) == (conflict, 1)

"""What a claim leaves out, or joins by other small words, decides whether it is borne out."""

from __future__ import annotations

import pytest
from tests.judging import kept_cases, summary_cases
from tests.judging import left_out_cases as cases

from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel

STRICT = CalibratedJudge(OperatingPoint.STRICT)


def pairs(table: str) -> list[tuple[str, str]]:
    """Each sentence of a table with the claim in the line below it."""
    lines = [line.strip() for line in table.strip().splitlines()]
    return list(zip(lines[::2], lines[1::2], strict=True))


def judged(sentence: str, claim: str, **more: str) -> Judgement:
    (told,) = STRICT.judge([Case(claim, (sentence,), **more)])
    assert isinstance(told, Judgement)
    return told


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.CASES))
def test_what_holds_in_one_case_is_not_supported_of_all(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.SOME))
def test_what_is_said_of_some_is_not_supported_of_all(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.JOINTS))
def test_what_is_joined_otherwise_is_not_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.HEARSAY))
def test_what_somebody_says_is_not_supported_as_so(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.TIMES))
def test_what_was_or_may_come_is_not_supported_as_what_is(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.FIRM))
def test_what_is_said_less_firmly_is_not_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.TURNED))
def test_what_changed_places_or_sides_is_not_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(summary_cases.WRONG))
def test_what_a_summary_gets_wrong_is_not_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(kept_cases.TRUE))
def test_what_leaves_out_nothing_that_matters_stays_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is SupportLevel.FULL, judged(sentence, claim).notes


def test_what_the_heading_says_need_not_be_said_again() -> None:
    sentence, claim = "Staff in Berlin get 30 days of leave.", "Staff get 30 days of leave."
    assert judged(sentence, claim, heading="Leave in Berlin").support is SupportLevel.FULL


def test_the_words_that_narrow_are_told() -> None:
    told = judged("Staff in Berlin get 30 days of leave.", "Staff get 30 days of leave.")
    assert told.notes == 'The passage adds "in Berlin", which the claim leaves out.'
    told = judged(
        "Critics claim that the plant pollutes the river.", "The plant pollutes the river."
    )
    assert told.notes == 'The passage tells what others say ("Critics claim").'
    told = judged("The office is open from 9 am.", "The office is open until 9 am.")
    assert told.notes == 'The passage says "from 9", the claim "until 9".'


def test_two_sides_that_the_claim_sets_against_each_other_too_are_not_mixed() -> None:
    sentence = "Affected machines are taken off the network but are not switched off."
    assert judged(sentence, sentence.replace("are not", "not")).support is SupportLevel.FULL
    turned = "Affected machines are switched off but not taken off the network."
    assert judged(sentence, turned).support is not SupportLevel.FULL


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        ("The maximum stay is 3 nights.", "Guests may stay at least 3 nights."),
        ("The stay is 3 nights.", "The minimum stay is 3 nights."),
        ("The minimum age for drivers is 21 years.", "The age of drivers is at most 21 years."),
    ],
)
def test_the_least_and_the_most_that_something_may_be_are_bounds(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize("claim", ["is is is", "28", "28 28 28", "the of it"])
def test_words_that_tell_nothing_are_not_supported(claim: str) -> None:
    sentence = "The leave of full-time staff is 28 days, and it is paid."
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(
    ("sentence", "claim"),
    [
        (
            "Antacids reduce the absorption of the drug.",
            "The drug reduces the absorption of antacids.",
        ),
        ("Banks increased the cost of loans.", "Loans increased the cost of banks."),
        ("Eco mode is switched on at the factory.", "Eco mode is switched off at the factory."),
        ("The fire began on the eastern side.", "The fire began on the western side."),
        ("The slot is on the left side.", "The slot is on the right side."),
        (
            "Staff may work abroad after the trial period.",
            "Staff may work abroad during the trial period.",
        ),
        ("Each employee is offered a meeting.", "Each employee must take part in a meeting."),
        ("Trainees receive two days for training.", "Trainees have to take two days for training."),
        (
            "The surplus was 3,150 euros, of which half will go to the club.",
            "The surplus was 3,150 euros, which will go to the club.",
        ),
    ],
)
def test_what_a_second_reader_found_is_not_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(
    ("sentences", "claim"),
    [
        (
            ("Guests may use the pool and the sauna.", "The gym is closed to guests."),
            "Guests may use the pool, the sauna and the gym.",
        ),
        (
            (
                "Orvo said it had enough stock for a month.",
                "Dantec said that it expects delays at its Halden factory.",
            ),
            "Orvo said that it expects delays at its Halden factory.",
        ),
    ],
)
def test_what_another_sentence_says_is_not_added(sentences: tuple[str, ...], claim: str) -> None:
    (told,) = STRICT.judge([Case(claim, sentences)])
    assert isinstance(told, Judgement)
    assert told.support is not SupportLevel.FULL


@pytest.mark.parametrize("ending", [":", "", " -"])
def test_an_item_that_begins_with_its_verb_is_read_under_what_leads_in(ending: str) -> None:
    sentences = (f"Do not take it if you{ending}", "have severe liver disease", "are pregnant")
    for claim in sentences[1:]:
        same = Case(claim, sentences, context="Do not take it if you:")
        turned = Case(claim, sentences, context="You can take it if you:")
        one, other = STRICT.judge([same, turned])
        assert isinstance(one, Judgement)
        assert isinstance(other, Judgement)
        assert one.support is SupportLevel.FULL
        assert other.support is not SupportLevel.FULL


@pytest.mark.parametrize(
    "lead",
    [
        "Employees are granted unpaid special leave in these cases:",
        "Employees are granted paid sick leave in these cases:",
        "Only employees are granted paid special leave in these cases:",
        "Employees are refused paid special leave in these cases:",
    ],
)
def test_a_lead_in_that_narrows_or_turns_that_of_the_source_is_seen(lead: str) -> None:
    given = "Employees are granted paid special leave in these cases:"
    sentences = (given, "own wedding: two days", "birth of a child: one day")
    same, other = STRICT.judge([Case(sentences[1], sentences, context=c) for c in (given, lead)])
    assert isinstance(same, Judgement)
    assert isinstance(other, Judgement)
    assert same.support is SupportLevel.FULL
    assert other.support is not SupportLevel.FULL


def test_a_lack_of_things_is_no_doubt() -> None:
    plain = "The warranty does not cover filters, wear and damage from lack of cleaning."
    told = judged(plain, "The warranty does not cover filters and wear.")
    assert told.support is SupportLevel.FULL, told.notes
    doubted = "There is an absence of evidence that the drug helps."
    assert (
        judged(doubted, "There is evidence that the drug helps.").support is not SupportLevel.FULL
    )


def in_two(sentence: str, claim: str) -> Judgement:
    """Judged over the sentences of a line, each by itself."""
    sentences = tuple(f"{part.rstrip('.')}." for part in sentence.split(". "))
    (told,) = STRICT.judge([Case(claim, sentences)])
    assert isinstance(told, Judgement)
    return told


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.TIED))
def test_what_is_tied_to_something_else_is_not_supported(sentence: str, claim: str) -> None:
    assert in_two(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.TIED_TRUE))
def test_what_is_tied_to_the_same_is_supported(sentence: str, claim: str) -> None:
    assert in_two(sentence, claim).support is SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.OTHERS_DEEDS))
def test_what_is_said_of_others_or_undone_is_not_supported(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.OWN_DEEDS))
def test_what_somebody_did_beside_another_is_supported(sentence: str, claim: str) -> None:
    told = judged(sentence, claim)
    assert told.support is SupportLevel.FULL, told.notes


def test_he_may_be_either_of_two() -> None:
    of_two = "The clinic took on Dr Roy when Dr Kent left. She had worked there for 31 years."
    of_one = "The clinic in Hull took on Dr Roy in May. She had worked in York for 31 years."
    assert in_two(of_two, "Dr Roy had worked there for 31 years.").support is not SupportLevel.FULL
    told = in_two(of_one, "Dr Roy had worked in York for 31 years.")
    assert told.support is SupportLevel.FULL, told.notes


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.WORD_FOR_WORD))
def test_what_is_said_word_for_word_is_supported_beside_other_things(
    sentence: str, claim: str
) -> None:
    told = judged(sentence, claim)
    assert told.support is SupportLevel.FULL, told.notes


@pytest.mark.parametrize(("sentence", "claim"), pairs(cases.NOT_WORD_FOR_WORD))
def test_titles_and_denials_beside_the_words_still_count(sentence: str, claim: str) -> None:
    assert judged(sentence, claim).support is not SupportLevel.FULL

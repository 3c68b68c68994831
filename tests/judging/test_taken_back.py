"""A sentence that stands there and is taken back by what is around it bears nothing out."""

from __future__ import annotations

import pytest

from veridical import check_answer
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.judge import Case, Judgement, OperatingPoint, SupportLevel

RULE = "Full-time staff get 27 days of annual leave."
IN_OTHER_WORDS = "Full-time employees receive 27 days of annual leave."

TAKEN_BACK = [
    f"It is not true that:\n\n- {RULE}\n",
    f"It is not true that:\n\n- Dogs are allowed.\n- {RULE}\n",
    f"The following is no longer valid:\n\n> {RULE}\n",
    f"We do not promise any of these:\n\n- {RULE}\n",
    f"Here is a common myth: {RULE}\n",
    f"Rumour has it:\n\n{RULE}\n",
    f"People often say, wrongly: {RULE}\n",
    f"{RULE} This rule was abolished in 2020.\n",
    f"{RULE}\n\nThis rule was abolished in 2020.\n",
    f"{RULE} That was a mistake in the old handbook.\n",
    f"{RULE} However, it was withdrawn.\n",
    f"{RULE} This is false.\n",
    f"{RULE} Not any more.\n",
    f"## Rejected proposals\n\n{RULE}\n",
    f"## Myths\n\n{RULE}\n",
    f"## Rules that are no longer in force\n\n{RULE}\n",
]
STANDING = [
    f"{RULE}\n",
    f"{RULE} It applies to all sites.\n",
    f"{RULE} Requests that are rejected can be appealed.\n",
    f"{RULE} This includes people who work from abroad.\n",
    f"The rules are these:\n\n- {RULE}\n- Dogs are not allowed.\n",
    f"Not many know it, but it is so. {RULE}\n",
    f"## Errors in your pay\n\n{RULE}\n",
    f"What holds:\n\n{RULE}\n",
]


@pytest.mark.parametrize("answer", [RULE, IN_OTHER_WORDS])
@pytest.mark.parametrize("source", TAKEN_BACK)
def test_what_a_source_takes_back_is_not_supported(source: str, answer: str) -> None:
    found = check_answer(answer, [("leave.md", f"# Leave\n\n{source}")])
    assert not found.grounded
    assert [str(claim.verdict) for claim in found.claims] != ["supported"]


@pytest.mark.parametrize("answer", [RULE, IN_OTHER_WORDS])
@pytest.mark.parametrize("source", STANDING)
def test_what_stands_beside_other_things_is(source: str, answer: str) -> None:
    assert check_answer(answer, [("leave.md", f"# Leave\n\n{source}")]).grounded


@pytest.mark.parametrize(
    "answer",
    [
        f"It is not true that:\n\n- {RULE}\n",
        f"The following is false:\n\n- {RULE}\n",
        f"It is false that: {RULE}\n",
        f"## Myths\n\n{RULE}\n",
    ],
)
def test_what_an_answer_takes_back_is_not_supported(answer: str) -> None:
    assert not check_answer(answer, [("leave.md", f"# Leave\n\n{RULE}\n")]).grounded


@pytest.mark.parametrize(
    ("claim", "sentences", "heading"),
    [
        ("The bonus was abolished.", ("The bonus was abolished.",), ""),
        ("The bonus was abolished.", ("It was said:", "The bonus was abolished."), ""),
        ("Rejected claims are paid a week later.", ("Rejected claims are paid a week later.",),
         "Rejected claims"),
        ("It is a myth that dogs bite.", ("Read this:", "It is a myth that dogs bite."), "Myths"),
    ],
)  # fmt: skip
def test_a_claim_that_says_so_itself_is_held_to_its_words(
    claim: str, sentences: tuple[str, ...], heading: str
) -> None:
    (judged,) = CalibratedJudge().judge([Case(claim, sentences, heading=heading)])
    assert isinstance(judged, Judgement)
    assert judged.support is SupportLevel.FULL


@pytest.mark.parametrize("point", OperatingPoint)
def test_it_holds_at_every_point_and_the_note_shows_the_words(point: OperatingPoint) -> None:
    case = Case(RULE, (RULE, "This rule was abolished in 2020."))
    (judged,) = CalibratedJudge(point).judge([case])
    assert isinstance(judged, Judgement)
    assert judged.support is not SupportLevel.FULL
    assert "This rule was abolished in 2020." in judged.notes


def test_of_two_places_the_one_that_holds_counts() -> None:
    case = Case(RULE, (f"A myth: {RULE}", "Dogs are not allowed.", RULE))
    (judged,) = CalibratedJudge().judge([case])
    assert isinstance(judged, Judgement)
    assert (judged.support, judged.deciding) == (SupportLevel.FULL, (2, 3))


@pytest.mark.parametrize(
    ("claim", "after"),
    [
        ("False alarms must be reported.", "This is false."),
        ("False alarms must be reported.", "False."),
        ("Staff with rejected claims may appeal.", "This was rejected in 2020."),
        ("Cancelled trips are repaid in full.", "This rule was cancelled."),
        ("The old wrong forms are kept for a year.", "That is wrong."),
        ("It is true that the tower is closed.", "This is not true."),
        ("Tools are lent to trainees.", "That used to be so."),
    ],
)
def test_a_word_that_only_qualifies_a_noun_of_the_claim_does_not_save_it(
    claim: str, after: str
) -> None:
    assert not check_answer(claim, [("rules.md", f"# Rules\n\n{claim} {after}\n")]).grounded


def test_a_lead_in_denies_a_claim_that_has_the_letters_of_its_denial() -> None:
    source = "# Rules\n\nWe don\u2019t promise:\n\n- The tower is open on Sundays.\n"
    assert not check_answer("The tower is open on Sundays.", [("rules.md", source)]).grounded


@pytest.mark.parametrize(
    ("claim", "source"),
    [
        ("False alarms must be reported.", "False alarms must be reported."),
        ("False alarms must be reported.",
         "False alarms must be reported. This includes false alarms at night."),
        ("Errors are reported to payroll.",
         "Errors are put right as follows:\n\n- Errors are reported to payroll."),
        ("Logs may be read by two people.",
         "Logs may be read by two people. They are used to find faults."),
        ("The bonus was abolished.", "The bonus was abolished. It was abolished by the board."),
        ("The board rejected the plan.",
         "The board rejected the plan. It was rejected because of its cost."),
        ("The alarm was false.", "The alarm was false. It was false because of dust."),
        ("The old rule is no longer valid.",
         "The old rule is no longer valid. It is no longer applied."),
    ],
)  # fmt: skip
def test_a_claim_that_says_it_of_its_subject_stands(claim: str, source: str) -> None:
    assert check_answer(claim, [("rules.md", f"# Rules\n\n{source}\n")]).grounded

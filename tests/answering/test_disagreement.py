"""When two policies contradict each other, and when they only speak of two matters."""

from __future__ import annotations

import pytest
from tests.answering.handmade import corpus_of, evidence_of, policy

from veridical.answering.answer import Disagreement
from veridical.answering.disagreement import find_disagreement
from veridical.answering.question import read_question

DISAGREE = {
    "figures a week": (
        "How many days a week may I work from home?",
        "Employees in suitable jobs may work from home up to 3 days a week.",
        (
            "After the first month you may work from home up to 2 days a week, if your job is "
            "suitable and your manager agrees."
        ),
        ("3 days a week", "2 days a week"),
    ),
    "amounts of money": (
        "How much is repaid for a hotel night?",
        "A hotel night is repaid up to $140.",
        "Up to $120 is repaid for a hotel night.",
        ("$140", "$120"),
    ),
    "days of the year": (
        "By when must unused leave be taken?",
        "Unused leave must be taken by 31 March.",
        "Unused leave must be taken by 30 June.",
        ("31 March", "30 June"),
    ),
    "a yes and a no": (
        "Can I take my dog to the office?",
        "Dogs may be taken to the office.",
        "Dogs may not be taken to the office.",
        ("yes", "no"),
    ),
    "what is required": (
        "Is a receipt required for taxis?",
        "A receipt is required for taxis.",
        "A receipt is not required for taxis.",
        ("yes", "no"),
    ),
    "a question that denies": (
        "Is smoking prohibited in the office?",
        "Employees may smoke in the office.",
        "Smoking is not allowed in the office.",
        ("no", "yes"),
    ),
    "times in other units": (
        "How long is the notice period?",
        "The notice period is 2 months.",
        "The notice period is 30 days.",
        ("2 months", "30 days"),
    ),
    "words that add nothing": (
        "How many days of leave are there?",
        "There are 28 days of leave a year.",
        "All employees normally get 30 days of leave annually.",
        ("28 days a year", "30 days a year"),
    ),
}

AGREE = {
    "How long is the notice period?": [
        ("The notice period is 30 days.", "The notice period is one month."),
        ("The notice period of managers is 3 months.", "The notice period of clerks is 1 month."),
    ],
    "How many days of leave are there?": [
        ("There are 30 days of leave.", "There are 2.5 days of leave monthly."),
        ("Employees have 25 days of leave.", "Requests for leave are answered within 5 days."),
        ("There are 25 days of leave and 10 of sick leave.", "Employees have 28 days of leave."),
    ],
    "How much is the allowance?": [
        ("The allowance is 50 dollars.", "The allowance was 40 dollars in 2019."),
        ("The allowance is $50 for dinner.", "The allowance is $20 for lunch."),
        ("The allowance is $50 in London.", "The allowance is $40."),
    ],
    "How often are passwords changed?": [
        ("Passwords change every 90 days.", "Passwords of admins change every 30 days."),
    ],
    "May employees smoke?": [
        ("Employees may smoke in the lobby.", "Employees may not smoke in the lab."),
        ("Employees may smoke with approval.", "Employees may not smoke without approval."),
        ("Employees may smoke.", "Employees need not smoke."),
        ("Employees may smoke.", "Employees do not have to smoke."),
        ("Smoking is allowed.", "Smoking is not forbidden."),
    ],
    "How many days may I work from home?": [
        ("Employees may work from home 3 days a week.", "You may work from home for three days."),
        ("You may work from home 3 days a week.", "Interns may work from home 2 days a week."),
        ("You may work from home 3 days.", "After 5 years you may work from home 4 days."),
    ],
    "How many days of leave in a row?": [
        ("Staff take at least 5 days of leave in a row.", "Staff take at most 15 days in a row."),
    ],
    "Can I take my dog to the office?": [
        ("Dogs may be taken to the office.", "Visitors may not be taken to the depot."),
    ],
}


def found(question: str, one: str, other: str, *, step: float = 0.05) -> Disagreement | None:
    corpus = corpus_of(
        policy(f"# Home Policy\n\n{one}\n", "home.md"),
        policy(f"# New Guide\n\n{other}\n", "new.md"),
    )
    said = (text.rpartition("\n")[2] for text in (one, other))
    return find_disagreement(read_question(question), evidence_of(corpus, *said, step=step))


@pytest.mark.parametrize(("question", "one", "other", "said"), DISAGREE.values(), ids=DISAGREE)
def test_a_contradiction_is_told(
    question: str, one: str, other: str, said: tuple[str, str]
) -> None:
    disagreement = found(question, one, other)
    assert disagreement is not None
    assert disagreement.titles == ("Home Policy", "New Guide")
    assert disagreement.said == said
    assert [disagreement.one.text, disagreement.other.text] == [one, other]


@pytest.mark.parametrize(
    ("question", "one", "other"),
    [(question, *pair) for question, pairs in AGREE.items() for pair in pairs],
)
def test_two_matters_are_no_contradiction(question: str, one: str, other: str) -> None:
    assert found(question, one, other) is None
    assert found(question, other, one) is None


def test_what_hardly_answers_contradicts_nothing() -> None:
    question, one, other, _ = DISAGREE["amounts of money"]
    assert found(question, one, other, step=0.97) is None


def test_one_document_is_not_held_against_itself() -> None:
    _, one, other, _ = DISAGREE["amounts of money"]
    corpus = corpus_of(policy(f"{one}\n\n{other}\n"))
    asked = read_question("How much is repaid for a hotel night?")
    assert find_disagreement(asked, evidence_of(corpus, one, other)) is None
    assert find_disagreement(asked, ()) is None


def test_what_is_repealed_contradicts_nothing() -> None:
    question, one, other, _ = DISAGREE["amounts of money"]
    assert found(question, one, f"## Repealed rules\n\n{other}") is None


def test_rows_of_tables_are_cases() -> None:
    head = "| Place | A hotel night is repaid up to |\n|---|---|\n"
    corpus = corpus_of(
        policy(head + "| hotel night | $140 a night |\n", "one.md"),
        policy(head + "| hotel night | $120 a night |\n", "two.md"),
    )
    asked = read_question("How much is repaid for a hotel night?")
    assert find_disagreement(asked, evidence_of(corpus, "$140", "$120")) is None

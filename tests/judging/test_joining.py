"""A claim that joins what two sentences say of two things is borne out by neither."""

from __future__ import annotations

import pytest

from veridical import check_answer

JOINED = [
    (("Full-time employees receive 26 days of annual leave. "
     "Part-time employees receive 14 days of annual leave."),
     "Part-time employees receive 26 days of annual leave."),
    ("Anna Keller is the data protection officer. Tom Reed is the head of security.",
     "Tom Reed is the data protection officer."),
    ("Anna Keller is the data protection officer. Tom Reed is the head of security.",
     "Anna Keller is the head of security."),
    (("Claims above 500 euros need the approval of the finance director. "
     "Managers approve claims up to 500 euros."),
     "Claims above 500 euros need the approval of a manager."),
    (("Employees may book economy class for flights under six hours. "
     "Directors may book business class for flights over six hours."),
     "Employees may book business class for flights over six hours."),
    ("Laptops are encrypted with BitLocker. Phones are wiped after ten failed attempts.",
     "Laptops are wiped after ten failed attempts."),
    ("Dr. Lee leads the cardiology ward. Dr. Shah leads the oncology ward.",
     "Dr. Lee leads the oncology ward."),
    ("Trainees work at the Leeds site. Engineers work at the Hull site.",
     "Trainees work at the Hull site."),
    ("Cats are allowed in the office. Dogs are allowed in the canteen.",
     "Dogs are allowed in the office."),
    ("The board approves budgets. The director approves hiring.",
     "The director approves budgets."),
]  # fmt: skip
TOGETHER = [
    ("Laptops are encrypted with BitLocker. They are wiped after ten failed attempts.",
     "Laptops are wiped after ten failed attempts."),
    ("Laptops are encrypted with BitLocker. Phones are wiped after ten failed attempts.",
     "Laptops are encrypted with BitLocker, and phones are wiped after ten failed attempts."),
    ("Cats are allowed in the office. Dogs are allowed in the canteen.",
     "Dogs are allowed in the canteen."),
]  # fmt: skip


def grounded(source: str, answer: str) -> bool:
    return check_answer(answer, [("rules.md", f"# Rules\n\n{source}\n")]).grounded


@pytest.mark.parametrize(("source", "answer"), JOINED)
def test_what_two_sentences_say_of_two_things_is_not_joined(source: str, answer: str) -> None:
    assert not grounded(source, answer)


@pytest.mark.parametrize(("source", "answer"), TOGETHER)
def test_what_belongs_together_is_read_together(source: str, answer: str) -> None:
    assert grounded(source, answer)


NOT_REPAID = (
    "The following are not reimbursed:\n\n- traffic fines\n- lost luggage\n- spa treatments"
)
REPAID = "The following are reimbursed:\n\n- taxi fares\n- train tickets"


@pytest.mark.parametrize(
    ("source", "answer", "expected"),
    [
        ("Minibar costs are not reimbursed.",
         "The following are reimbursed:\n\n- minibar costs", False),
        ("Minibar costs are not reimbursed.",
         "The following are not reimbursed:\n\n- minibar costs", True),
        (NOT_REPAID, "These are reimbursed:\n\n- lost luggage\n- spa treatments", False),
        (NOT_REPAID, "These are not reimbursed:\n\n- lost luggage\n- spa treatments", True),
        (REPAID, "These are reimbursed:\n\n- train tickets\n- taxi fares", True),
        (REPAID, "These are not reimbursed:\n\n- train tickets\n- taxi fares", False),
        ("The limit for a hotel night is 140 euros in Berlin and 180 euros in London.",
         "The following are not reimbursed:\n\n- hotel nights", False),
        ("Full-time staff get 26 days of leave. They do not get sick pay.",
         "Full-time staff get:\n\n- 26 days of leave", True),
    ],
)  # fmt: skip
def test_items_of_a_list_are_what_their_lead_in_says(
    source: str, answer: str, expected: bool
) -> None:
    assert grounded(source, answer) is expected

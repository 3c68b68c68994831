"""An item of a list is borne out only where the source says of it what its lead-in says."""

from __future__ import annotations

import pytest

from veridical import check_answer
from veridical.judging.calibrated import CalibratedJudge
from veridical.judging.judge import Case, Judgement, SupportLevel

HANDBOOK = """# Handbook

Keep receipts for taxis. The company reimburses taxi fares after 10 pm.

We reimburse travel costs. This includes hotel nights, bus tickets and parking fees.

The following are not reimbursed:

- traffic fines
- minibar costs

## What we repay

- phone calls home

## Rules

You need a passport for a visa. Applicants must also bring a letter from the employer.
Dogs are allowed in the garden. Weapons are banned on site. Contractors have to wear a helmet.
Full-time staff get 26 days of leave. A bonus of 500 euros is taxed. Invoices are kept for 10 years.
Applications are deleted after 6 months. Theft is reported to the police.
The insurance pays for lost keys. The director approves claims above 500 euros.
"""
SAID = (
    ("The following are reimbursed:", "taxi fares after 10 pm"),
    ("You can claim the following:", "hotel nights"),
    ("The following are reimbursed:", "parking fees"),
    ("The following are not reimbursed:", "traffic fines"),
    ("We cover:", "phone calls home"),
    ("These costs are repaid:", "phone calls home"),
    ("For a visa you need:", "a passport"),
    ("The following documents are required for a visa:", "a passport"),
    ("Applicants must bring:", "a letter from the employer"),
    ("You need:", "a letter from the employer"),
    ("Allowed in the garden:", "dogs"),
    ("Contractors must wear:", "a helmet"),
    ("Full-time staff are entitled to:", "26 days of leave"),
    ("Here is what the handbook says:", "26 days of leave"),
    ("Benefits of full-time staff include:", "26 days of leave"),
    ("The following is taxed:", "a bonus of 500 euros"),
    ("The following is kept for 10 years:", "invoices"),
    ("The following are removed after 6 months:", "applications"),
    ("The police must be told of:", "theft"),
    ("The insurance covers:", "lost keys"),
    ("The director approves:", "claims above 500 euros"),
    ("You must keep:", "receipts for taxis"),
    ("Key points:", "26 days of leave"),
)
UNSAID = (
    ("The following are reimbursed:", "Receipts for taxis"),
    ("The following are reimbursed:", "a passport"),
    ("You can claim back:", "a letter from the employer"),
    ("We pay for:", "a helmet"),
    ("Reimbursed expenses:", "a helmet"),
    ("The following are taxed:", "26 days of leave"),
    ("The insurance covers:", "phone calls home"),
    ("The following are deleted:", "invoices"),
    ("The director approves:", "hotel nights"),
    ("The following must be approved:", "bus tickets"),
    ("The following are prohibited:", "dogs"),
    ("Excluded from reimbursement:", "parking fees"),
    ("The following must be returned:", "a helmet"),
    ("The following may be taken home:", "a helmet"),
    ("The following are allowed:", "weapons"),
)


@pytest.mark.parametrize(("lead", "item"), SAID)
def test_items_of_which_the_source_says_the_same_stay_supported(lead: str, item: str) -> None:
    found = check_answer(f"{lead}\n\n- {item}\n", [("handbook.md", HANDBOOK)])
    assert [c.grounded for c in found.claims if c.text == item] == [True], found.reason


@pytest.mark.parametrize(("lead", "item"), UNSAID)
def test_items_of_which_the_source_says_something_else_are_not(lead: str, item: str) -> None:
    found = check_answer(f"{lead}\n\n- {item}\n", [("handbook.md", HANDBOOK)])
    assert [c.grounded for c in found.claims if c.text == item] == [False]


@pytest.mark.parametrize("item", ["Engage users early and often", "Evaluating invoices"])
@pytest.mark.parametrize(
    "lead", ["Duties may include but are not limited to:", "Here is how we work:", "To do:"]
)
def test_a_list_of_the_source_bears_itself_out(lead: str, item: str) -> None:
    text = f"{lead}\n\n- {item}\n- Write things down\n"
    assert check_answer(text, [("handbook.md", f"# Work\n\n{text}")]).grounded


def test_the_note_shows_the_word() -> None:
    case = Case("a passport", ("You need a passport for a visa.",), "These are reimbursed:")
    (judged,) = CalibratedJudge().judge([case])
    assert isinstance(judged, Judgement)
    assert judged.support is not SupportLevel.FULL
    assert 'does not say "reimbursed"' in judged.notes

"""A claim that one cell of a table states, and claims that only have its words."""

from __future__ import annotations

import pytest

from veridical import check_answer, document_from_text

RULES = """# Travel rules

| Grade | Meals per day | Hotel per night | Approver |
|---|---|---|---|
| Senior | 40 euros | 120 euros | Finance |
| Junior | 30 euros | 90 euros | Team lead |
| Trainee | 25 euros* | up to 80 euros | Team lead |

# Plans

| Plan | Price per month (EUR) | Storage (GB) | Support | Seats |
|---|---|---|---|---|
| Basic | 9 | 50 | E-mail | 1 |
| Team | 29 | 500 | Chat | 10 |
| Business | 79 | 2,000 | Phone | 50 |

# Reporting

| Name | Reports to | Manager |
|---|---|---|
| Ann | Bob | Bob |
| Bob | Carol | Carol |

# Votes

| Motion | For | Against |
|---|---|---|
| Budget | 12 | 5 |
| Parking | 9 | 8 |

# Trains

| From | To | Fare |
|---|---|---|
| Leeds | Hull | 12 euros |
| Hull | York | 9 euros |

# Doors

| Day | Charge (hours) |
|---|---|
| Monday | 2 |
| Sunday | 3 |

# Proposed rules

| Post | Bonus |
|---|---|
| Clerk | 500 euros |
| Driver | 700 euros |
"""
DOCUMENT = document_from_text(RULES, "rules.md")
# The first line of the document, with an empty corner: its cells must not move to the left.
TURNED = document_from_text(
    "| | AeroDry 310 | AeroDry 330 |\n|---|---|---|\n| Tank | 2.1 litres | 3.0 litres |\n"
    "| Extraction per day | 10 litres | 16 litres |\n",
    "manual.md",
)


def is_grounded(claim: str) -> bool:
    return check_answer(claim, [TURNED if "AeroDry" in claim else DOCUMENT]).grounded


@pytest.mark.parametrize(
    "claim",
    [
        "Seniors have 40 euros for meals per day.",
        "The meals per day for Junior grade are 30 euros.",
        "The price of the Team plan is 29 euros per month.",
        "The Business plan costs 79 euros per month.",
        "The Basic plan has 50 GB of storage.",
        "The Team plan includes 500 GB of storage.",
        "The storage of the Business plan is 2000 GB.",
        "The number of seats in the Team plan is 10.",
        "The approver for seniors is Finance.",
        "The manager of Ann is Bob.",
        "Support of the Business plan: phone.",
        "The tank of the AeroDry 330 has 3 litres.",
        "The extraction of the AeroDry 310 is 10 litres per day.",
    ],
)
def test_what_a_cell_states_is_supported(claim: str) -> None:
    assert is_grounded(claim)


@pytest.mark.parametrize(
    "claim",
    [
        "The hotel per night for seniors is 90 euros.",
        "Trainees have 25 euros for meals per day.",
        "The hotel per night for trainees is 80 euros.",
        "Bob reports to Ann.",
        "Ann is the manager of Bob.",
        "The manager of Bob is Bob.",
        "Finance is the approver of team leads.",
        "The price of the Team plan is 79 euros per month.",
        "The Team plan costs 29 euros.",
        "The Team plan costs 29 euros per year.",
        "The price of the Team plan is 29 dollars per month.",
        "The Basic plan has at least 50 GB of storage.",
        "Only the Basic plan has 50 GB of storage.",
        "The Team plan has no 10 seats.",
        "The hotel per night for juniors and seniors is 120 euros.",
        "The Team plan has 10 seats per month.",
        "The price per month of 10 seats in the Team plan is 29 euros.",
        "The Basic plan and the Team plan have 10 seats.",
        "The seats of the Basic plan cost 9 euros per month.",
        "Support of the Team plan is phone.",
        "The budget has 5 votes for.",
        "The votes for parking are 8.",
        "The fare from Hull to Leeds is 12 euros.",
        "The fare of Hull is 9 euros.",
        "The cost for Monday is 2 hours.",
        "The hotel per night is 120 euros.",
        "The bonus of a clerk is 500 euros.",
        "The tank of the AeroDry 330 has 2.1 litres.",
        "The extraction of the AeroDry 330 is 16 litres.",
    ],
)
def test_what_no_cell_states_is_not(claim: str) -> None:
    assert not is_grounded(claim)


def test_the_note_tells_of_the_cell() -> None:
    (claim,) = check_answer("The Team plan has 10 seats.", [DOCUMENT]).claims
    assert "cell" in claim.reason


@pytest.mark.parametrize(
    "rows", ["| Team | 10 |\n| Team | 20 |\n", "| Team | 10 |\n| team | 10 |\n"]
)
def test_a_name_that_two_rows_have_names_none(rows: str) -> None:
    document = document_from_text(f"| Plan | Seats |\n|---|---|\n{rows}| Solo | 1 |\n", "t.md")
    (claim,) = check_answer("The Team plan has 10 seats.", [document]).claims
    assert "cell" not in claim.reason


@pytest.mark.parametrize("end", ["", "\n", "\n\nNothing else.\n"])
def test_the_last_row_needs_no_line_break(end: str) -> None:
    table = "| Plan | Seats | Guests |\n|---|---|---|\n| Solo | 2 | 5 |\n| Team | 10 | 40 |"
    document = document_from_text(table + end, "plans.md")
    assert check_answer("The Team plan has 10 seats.", [document]).grounded
    assert not check_answer("The Team plan has 40 seats.", [document]).grounded
    assert not check_answer("The Team plan has 10 guests.", [document]).grounded


def test_an_ordinal_may_be_the_word_of_a_title() -> None:
    table = "| Priority | First response |\n|---|---|\n| Critical | 1 hour |\n| High | 4 hours |\n"
    document = document_from_text(table, "levels.md")
    claim = "The first response to a critical priority is {}."
    assert check_answer(claim.format("1 hour"), [document]).grounded
    assert not check_answer(claim.format("4 hours"), [document]).grounded

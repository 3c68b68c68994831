"""Types, importance, and which claims want a source."""

from __future__ import annotations

import pytest
from tests.ledger.extraction.claims_of import only

from veridical.ledger.entry import ClaimType, Importance

FACT, POLICY, NUMERIC, DEFINITION = ClaimType
CRITICAL, MATERIAL, MINOR = Importance

CLAIMS = [
    ("Employees are entitled to 15 days of annual leave.", POLICY, CRITICAL),
    ("Leave requests must be submitted 2 weeks in advance.", POLICY, CRITICAL),
    ("Unused leave can be carried forward to the next year.", POLICY, MATERIAL),
    ("Maximum carryover is 5 days.", NUMERIC, MATERIAL),
    ("The notice period is two weeks.", NUMERIC, MATERIAL),
    ("The allowance is $500.", NUMERIC, CRITICAL),
    ("Receipts are due within 30 days.", NUMERIC, CRITICAL),
    ("Reports arrive no later than Friday.", FACT, CRITICAL),
    ("Carry-over means leave that is kept.", DEFINITION, MATERIAL),
    ('"Staff" is defined as all who must sign a contract.', DEFINITION, CRITICAL),
    ("A day refers to a working day.", DEFINITION, MATERIAL),
    ("Each person receives three keys.", NUMERIC, MATERIAL),
    ("Smoking is prohibited.", POLICY, CRITICAL),
    ("The head of HR is responsible for the plan.", POLICY, MATERIAL),
    ("The team works in Berlin.", FACT, MATERIAL),
    ("The adult dose is small.", FACT, CRITICAL),
    ("For example, a team in Berlin works late.", FACT, MINOR),
    ("For example, staff must sign twice.", POLICY, CRITICAL),
    ("(The team works in Berlin.)", FACT, MINOR),
    ("El personal debe avisar.", POLICY, CRITICAL),
    ("\u5458\u5de5\u5fc5\u987b\u7533\u8bf7\u3002", POLICY, CRITICAL),
    ("\u064a\u062c\u0628 \u0627\u0644\u0637\u0644\u0628.", POLICY, CRITICAL),
]


@pytest.mark.parametrize(("answer", "kind", "weight"), CLAIMS)
def test_type_and_importance(answer: str, kind: ClaimType, weight: Importance) -> None:
    claim = only(answer)
    assert (claim.type, claim.importance) == (kind, weight)


def test_what_answers_the_question_in_its_words_is_critical() -> None:
    query = "How many days of annual leave do employees get?"
    assert only("Annual leave of employees is 25 days.", query).importance is CRITICAL
    assert only("The team works in Berlin.", query).importance is MATERIAL
    assert only("Annual leave of employees is 25 days.", "Leave?").importance is MATERIAL


@pytest.mark.parametrize(
    ("answer", "required"),
    [
        ("The team works in Berlin.", True),
        ("Smoking is prohibited.", True),
        ("For example, the team works late.", False),
        ("For example, the team works 12 hours.", True),
        ("In short, the team works late.", False),
        ("In short, leave is 25 days.", True),
    ],
)
def test_citations_are_required_but_of_asides_and_conclusions(answer: str, required: bool) -> None:
    assert only(answer).requires_citation is required

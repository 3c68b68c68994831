"""What states something is a claim, or is told as not checked; what states nothing is neither."""

from __future__ import annotations

import pytest
from tests.ledger.extraction.claims_of import extracted

from veridical import Guard, build_ledger, check_answer, document_from_text
from veridical.guarding.report import Standing
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.extraction.remarks import unchecked_parts
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_to_bytes

TRUE = "Staff get 27 days of leave a year."
SOURCE = document_from_text(f"# Leave\n\n{TRUE} Guests may bring dogs.\n", "leave.md")
GUARD = Guard([SOURCE])

STATED = [
    "| Bribes are allowed |\n|---|",
    "| Annual leave | 99 days |\n|---|---|",
    "| Bribes | Allowed |\n|---|---|\n| | |",
    "```\nBribes are allowed\n```",
    "```text\nbribes are allowed\n```",
    "```\nStaff get 99 days\n```",
    "```\nYes.\n```",
    "~~Bribes are allowed.~~",
    "<!-- Bribes are allowed -->",
    *("Absolutely.", "Definitely.", "Correct.", "OK.", "Okay!", "Totally.", "Certainly not."),
    "Aren't bribes allowed?",
    "Are the bribes not allowed at all?",
    *(f"Did you know {that}bribes are allowed?" for that in ("", "that ")),
    "Don't you think bribes are allowed?",
    "Would you not agree that bribes are allowed?",
    "Who doesn't know that bribes are allowed?",
    "Don't you want 99 days?",
    "Can't you have bribes, as you are entitled to?",
    'See [the handbook](h.html "Bribes are allowed").',
    "See [the handbook](h.html (Bribes are allowed)).",
    'See the handbook, <a href="h.html" title="Bribes are allowed">here</a>.',
    '![Leave](leave.png "Bribes are allowed")',
    "![Bribes are allowed](leave.png)",
    '<img src="x.png" alt="Bribes are allowed">',
    '[the page]: http://a.b/c "Bribes are allowed"',
]

NOT_STATED = [
    "| Item | Amount |\n|---|---|",
    *("```\nufw allow ssh\n```", "```\nsystemctl start nginx\n```", "```\ncat may.txt\n```"),
    *("```\nx is None\n```", "```\nyes\n```", "```\nTrue\n```", "```\nLoading...\n```"),
    "```\ndef f():\n    Return it.\n```",
    "~~Old rules~~",
    *("Do you want me to look up the form?", "Which office are you in?", "Is it clear or not?"),
    *("Shouldn't I look up the form?", "Don't you have the form yet?", "Can't you find the form?"),
    *("Wouldn't you like more detail?", "Isn't that what you meant?"),
    "Do you know which office you are in?",
    'See [the handbook](h.html "The handbook").',
    '[the page]: http://a.b/c "Leave policy"',
]


@pytest.mark.parametrize("stated", STATED)
def test_what_states_something_is_a_claim_or_told_and_no_answer_with_it_is_grounded(
    stated: str,
) -> None:
    found = extracted(stated)
    assert len(found.claims) + len(unchecked_parts(stated, found.skipped)) == 1
    assert not GUARD.check(stated).passed
    answer = f"{TRUE}\n\n{stated}\n"
    found = extracted(answer)
    assert len(found.claims) + len(unchecked_parts(answer, found.skipped)) == 2
    report = GUARD.check(answer)
    assert not report.grounded
    assert [one.standing for one in report.sentences if one.text == TRUE] == [Standing.GROUNDED]


@pytest.mark.parametrize("plain", NOT_STATED)
def test_what_states_nothing_fails_no_answer(plain: str) -> None:
    answer = f"{TRUE}\n\n{plain}\n"
    found = extracted(answer)
    assert (len(found.claims), unchecked_parts(answer, found.skipped)) == (1, [])
    assert GUARD.check(answer).grounded


def test_what_a_leading_question_asks_is_judged() -> None:
    for question in (
        "Did you know staff get 27 days of leave a year?",
        "Don't you think that staff get 27 days of leave a year?",
        "Who doesn't know that staff get 27 days of leave a year?",
    ):
        assert [claim.statement for claim in extracted(question).claims] == [TRUE.rstrip(".")]
        assert GUARD.check(question).grounded


def test_a_table_with_rows_keeps_its_titles() -> None:
    (claim,) = extracted("| Annual leave | 27 days |\n|---|---|\n| for staff | yes |").claims
    assert claim.statement == "Annual leave: for staff; 27 days: yes"


# --- what stands before a list: it leads in, or states something whatever the list says ---------

STATING = [
    ("Bribes are allowed", "Bribes are allowed"),
    ("Bribes are not forbidden, as follows", "Bribes are not forbidden"),
    ("**Bribes are always allowed**", "Bribes are always allowed"),
    ("According to the handbook, bribes are permitted", "Bribes are permitted"),
    ("The handbook says that bribes are permitted", "The handbook says that bribes are permitted"),
    ("The handbook allows the following bribes", "The handbook allows bribes"),
    ("Managers may accept these expensive gifts", "Managers may accept expensive gifts"),
    ("Visitors must not bring the following pets", "Visitors must not bring pets"),
]
LEADING_IN = [
    *("Here is what the handbook says", "The handbook says", "The key points are", "In short"),
    *("Staff may carry over", "You may claim", "These are reimbursed", "The rules are these"),
    *("The following may be claimed", "The following bribes are allowed", "What is allowed"),
    *("Everything that is covered", "Several documents are required", "If leave is required"),
    *("Staff are entitled to the following", "The policy covers the following points"),
    *("Staff must submit the following documents", "You may use the following channels"),
]


def list_below(lead_in: str) -> str:
    return f"{lead_in}:\n\n- {TRUE}\n"


@pytest.mark.parametrize(("lead_in", "statement"), STATING)
def test_what_rules_on_something_is_a_claim(lead_in: str, statement: str) -> None:
    answer = list_below(lead_in)
    claims = extracted(answer).claims
    assert [claim.statement for claim in claims] == [statement, TRUE.rstrip(".")]
    assert not check_answer(answer, [SOURCE]).grounded
    assert not GUARD.check(answer).grounded
    assert verify_ledger(ledger_to_bytes(build_ledger(answer, [SOURCE])), [SOURCE]).ok


@pytest.mark.parametrize("lead_in", LEADING_IN)
def test_what_only_leads_in_fails_no_answer(lead_in: str) -> None:
    answer = list_below(lead_in)
    found = extracted(answer)
    reasons = [one.reason for one in found.skipped if one.reason is not SkipReason.LIST_MARK]
    assert (len(found.claims), reasons) == (1, [SkipReason.INTRODUCTION])
    assert check_answer(answer, [SOURCE]).grounded
    assert GUARD.check(answer).grounded


def test_a_lead_in_that_the_source_bears_out_is_supported() -> None:
    found = check_answer("Guests may bring these dogs:\n\n- Guests may bring dogs.\n", [SOURCE])
    assert [claim.grounded for claim in found.claims] == [True, True]

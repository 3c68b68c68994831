"""What states something is a claim, or is told as not checked; what states nothing is neither."""

from __future__ import annotations

import pytest
from tests.ledger.extraction.claims_of import extracted

from veridical import Guard, document_from_text
from veridical.guarding.settings import Standing
from veridical.ledger.extraction.unchecked import unchecked_parts

GUARD = Guard([document_from_text("# Leave\n\nStaff get 27 days of leave a year.\n", "leave.md")])
TRUE = "Staff get 27 days of leave a year."

STATED = [
    "| Bribes are allowed |\n|---|",
    "| Annual leave | 99 days |\n|---|---|",
    "| Bribes | are allowed |\n|---|---|",
    "| Bribes | Allowed |\n|---|---|\n| | |",
    "```\nBribes are allowed\n```",
    "```text\nbribes are allowed\n```",
    "```\nStaff get 99 days\n```",
    "```\nBribes\nare allowed.\n```",
    "```\nYes.\n```",
    "~~Bribes are allowed.~~",
    "- ~~Bribes are allowed.~~",
    "<!-- Bribes are allowed -->",
    *("Absolutely.", "Definitely.", "Correct.", "OK.", "Okay!", "Totally.", "Certainly not."),
    "Aren't bribes allowed?",
    "Are bribes not allowed?",
    "Are the bribes not allowed at all?",
    "Did you know that bribes are allowed?",
    "Did you know bribes are allowed?",
    "Don't you think bribes are allowed?",
    "Would you not agree that bribes are allowed?",
    "Who doesn't know that bribes are allowed?",
    "Isn't it so that bribes are allowed?",
    "Don't you want 99 days?",
    "Can't you have bribes, as you are entitled to?",
    'See [the handbook](h.html "Bribes are allowed").',
    "See [the handbook](h.html 'Bribes are allowed').",
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
def test_what_states_something_is_a_claim_or_told(stated: str) -> None:
    found = extracted(stated)
    assert len(found.claims) + len(unchecked_parts(stated, found.skipped)) == 1
    assert not GUARD.check(stated).passed


@pytest.mark.parametrize("stated", STATED)
def test_no_answer_with_it_is_grounded(stated: str) -> None:
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

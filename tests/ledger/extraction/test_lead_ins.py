"""What stands before a list: it leads in, or it states something whatever the list says."""

from __future__ import annotations

import pytest
from tests.ledger.extraction.claims_of import extracted

from veridical import Guard, build_ledger, check_answer, document_from_text
from veridical.ledger.extraction.extractor import SkipReason
from veridical.ledger.verify import verify_ledger
from veridical.ledger.wire import ledger_to_bytes

ITEM = "Staff get 27 days of leave a year."
SOURCE = document_from_text(f"# Leave\n\n{ITEM} Guests may bring dogs.\n", "leave.md")
GUARD = Guard([SOURCE])

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
    return f"{lead_in}:\n\n- {ITEM}\n"


@pytest.mark.parametrize(("lead_in", "statement"), STATING)
def test_what_rules_on_something_is_a_claim(lead_in: str, statement: str) -> None:
    answer = list_below(lead_in)
    claims = extracted(answer).claims
    assert [claim.statement for claim in claims] == [statement, ITEM.rstrip(".")]
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

"""A right claim with the wrong source named for it is borne out in part only, and told so."""

from __future__ import annotations

import pytest

from veridical import Verdict, check_answer

LEAVE = ("leave.md", "# Leave policy\n\nStaff get 25 days of leave.\n")
TRAVEL = ("rules/travel.md", "# Travel policy\n\nTrains are paid in second class.\n")
SAID = "Staff get 25 days of leave"
ATTRIBUTED = "staff get 25 days of leave"

NAMED = [
    f"{SAID} ({{}}).",
    f"{SAID} [{{}}].",
    f"{SAID}. ({{}})",
    f"{SAID} ({{}}, page 2).",
    f"{SAID} ([{{}}]({{}})).",
    f"{SAID} [1].\n\nSources:\n[1] {{}}",
    f"{SAID} [^1].\n\n[^1]: {{}}",
    f"According to {{}}, {ATTRIBUTED}.",
    f"As stated in {{}}, {ATTRIBUTED}.",
    f"Per `{{}}`, {ATTRIBUTED}.",
    f"From {{}}:\n\n- {SAID}.",
    f"According to {{}}:\n\n- {SAID}.",
    f"## {{}}\n\n{SAID}.",
]
TOLD = "Another source says it, and rules/travel.md, which the answer names for it, does not."


@pytest.mark.parametrize("answer", NAMED)
@pytest.mark.parametrize("name", ["travel.md", "rules/travel.md"])
def test_another_source_than_the_one_named_bears_a_claim_out_in_part(
    answer: str, name: str
) -> None:
    found = check_answer(answer.replace("{}", name), [LEAVE, TRAVEL])
    assert [claim.verdict for claim in found.claims] == [Verdict.WEAK]
    assert found.claims[0].reason == TOLD
    assert not found.grounded


@pytest.mark.parametrize("answer", NAMED)
def test_the_source_that_is_named_bears_its_claim_out(answer: str) -> None:
    assert check_answer(answer.replace("{}", "leave.md"), [TRAVEL, LEAVE]).grounded


@pytest.mark.parametrize(
    "answer",
    [
        f"{SAID}.",
        f"{SAID} (leave.md, travel.md).",
        f"{SAID} (leave.md). Trains are paid in second class (travel.md).",
        "Trains are paid in second class (travel.md).",
        f"According to the leave policy, {ATTRIBUTED}.",
        f"According to the handbook, {ATTRIBUTED}.",
    ],
)
def test_what_names_no_other_source_stands(answer: str) -> None:
    assert check_answer(answer, [LEAVE, TRAVEL]).grounded


def test_a_title_of_one_source_names_it() -> None:
    rules = ("rules.md", "# Company rules\n\nWear a badge.\n")
    answer = f"According to the company rules, {ATTRIBUTED}."
    found = check_answer(answer, [LEAVE, rules])
    assert [claim.verdict for claim in found.claims] == [Verdict.WEAK]
    others = ("others.md", "# Company rules\n\nBe on time.\n")
    assert check_answer(answer, [LEAVE, rules, others]).grounded


def test_a_file_that_a_claim_is_about_is_not_its_source() -> None:
    source = ("forms.md", "# Forms\n\nSend travel.md to payroll by Friday.\n")
    assert check_answer("Send travel.md to payroll by Friday.", [source, TRAVEL]).grounded


def test_two_sources_that_say_the_same_both_bear_it_out() -> None:
    copy = ("copy.md", LEAVE[1])
    for name in ("leave.md", "copy.md"):
        assert check_answer(f"{SAID} ({name}).", [LEAVE, copy, TRAVEL]).grounded

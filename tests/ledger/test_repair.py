"""Repairs of answers: nothing invented, nothing made worse, Markdown that survives."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical import GroundingChecker, document_from_text
from veridical.judging.verdict import Verdict
from veridical.ledger.grounding import Grounding
from veridical.ledger.repair import RepairKind
from veridical.text.tokens import prepare, tokenize

SOURCE = """# Leave

Full-time staff are entitled to 27 days of annual leave in each leave year. Requests go to Maria
Keller by 30 June.

| Service | Days |
|---|---|
| under 5 years | 20 |
| over 5 years | 25 |

Staff may not carry over more than 5 days. The fee is $400 per month, paid in March.

Parcels up to 20 kg are accepted at the lodge. Visitors sign the book at the door.
"""
RANK = (Verdict.SUPPORTED, Verdict.WEAK, Verdict.NOT_FOUND, Verdict.CONTRADICTED)


@cache
def checker() -> GroundingChecker:
    return GroundingChecker([document_from_text(SOURCE, "leave.md")])


def check(answer: str) -> Grounding:
    return checker().check(answer)


@pytest.mark.parametrize(
    ("answer", "corrected"),
    [
        (
            "Full-time staff are entitled to **28** days of annual leave in each leave year [1].",
            "Full-time staff are entitled to **27** days of annual leave in each leave year [1].",
        ),
        ("The fee is $500 per month, paid in May.", "The fee is $400 per month, paid in March."),
        ("Requests go to Mario Kellner by 30 June.", "Requests go to Maria Keller by 30 June."),
        ("Every month, 500 dollars are due as the fee.", ""),
        ("Staff may carry over more than 5 days.", "Staff may not carry over more than 5 days."),
        (
            "| Service | Days |\n|---|---|\n| under 5 years | 21 |\n| over 5 years | 25 |\n",
            "| Service | Days |\n|---|---|\n| under 5 years | 20 |\n| over 5 years | 25 |\n",
        ),
        ("Visitors sign the book at the door.", "Visitors sign the book at the door."),
    ],
)
def test_what_is_wrong_is_put_right_in_the_words_of_the_source(answer: str, corrected: str) -> None:
    found = check(answer)
    if corrected:
        assert found.fixed() == corrected
    assert check(found.fixed()).outcome != "ungrounded"


TRUE = "Visitors sign the book at the door."
GONE = "A brass band plays at the solstice."


@pytest.mark.parametrize(
    ("answer", "corrected"),
    [
        (f"{TRUE} {GONE}", TRUE),
        (f"{GONE} {TRUE}", TRUE),
        (
            f"{TRUE} {GONE} [2]\n\nThe fee is $400 per month.\n",
            f"{TRUE}\n\nThe fee is $400 per month.\n",
        ),
        (f"- {TRUE}\n- {GONE}\n- {TRUE}\n", f"- {TRUE}\n- {TRUE}\n"),
        (f"1. {TRUE}\r\n2. {GONE}\r\n", f"1. {TRUE}\r\n"),
        (f"{TRUE}\n\n{GONE}\n\n{TRUE}\n", f"{TRUE}\n\n{TRUE}\n"),
        (f"{TRUE}\n\n**{GONE}**\n", f"{TRUE}\n"),
        (f"{TRUE} A [brass band](https://x.test/a.b) plays at the solstice.\n", f"{TRUE}\n"),
        (f"> {TRUE}\n> {GONE}\n", f"> {TRUE}\n"),
        (
            "| Service | Days |\n|---|---|\n| over 5 years | 25 |\n| brass bands | no sundials |\n",
            "| Service | Days |\n|---|---|\n| over 5 years | 25 |\n",
        ),
        (GONE, ""),
    ],
)
def test_what_no_source_says_is_taken_out_and_the_markdown_stays(
    answer: str, corrected: str
) -> None:
    assert check(answer).fixed() == corrected


def test_an_item_with_others_below_it_is_left_to_a_person() -> None:
    answer = f"- {GONE}\n  - {TRUE}\n"
    (claim,) = (claim for claim in check(answer).claims if not claim.grounded)
    assert claim.repair is not None
    assert (claim.repair.kind, claim.repair.applied) == (RepairKind.REMOVE, False)
    assert check(answer).fixed() == answer


def test_the_marked_form_shows_both() -> None:
    marked = check(f"The fee is $500 per month, paid in March. {GONE}").fixed(marked=True)
    assert marked == f"The fee is ${{~~500~>400~~}} per month, paid in March.{{-- {GONE}--}}"


def test_what_holds_in_part_is_offered_the_words_of_the_source() -> None:
    found = check("Full-time staff get 27 days of leave for a journey.")
    (claim,) = found.claims
    assert claim.verdict is Verdict.WEAK
    assert claim.repair is not None
    assert not claim.repair.applied
    assert claim.repair.words.startswith("Full-time staff are entitled to 27 days")
    assert "journey" in claim.repair.missing
    assert found.fixed() == found.answer


PARTS = st.sampled_from(
    [
        TRUE,
        GONE,
        "Full-time staff are entitled to 28 days of annual leave in each leave year.",
        "Staff may carry over more than 5 days, and the fee is $450 per month.",
        "It is paid in May.",
        "Requests go to Mario Keller by 30 July [1].",
        "Parcels up to 30 kg are accepted at the lodge, and owls sing.",
        "This also holds on **Sundays**.",
    ]
)


@given(st.lists(PARTS, min_size=1, max_size=6), st.sampled_from([" ", "\n\n", "\n- "]))
def test_a_repair_makes_nothing_worse_and_invents_nothing(parts: list[str], joint: str) -> None:
    answer = joint.lstrip("\n") * (joint == "\n- ") + joint.join(parts)
    before = check(answer)
    after = check(before.fixed())
    left = {one.text for one in before.claims if one.repair and not one.repair.applied}
    wrong = {one.text for one in after.claims if one.verdict is Verdict.CONTRADICTED}
    assert wrong <= left
    verdicts = {claim.text: claim.verdict for claim in before.claims}
    for claim in after.claims:
        was = verdicts.get(claim.text, Verdict.SUPPORTED)
        assert RANK.index(claim.verdict) <= RANK.index(was), claim.text
    known = {token.key for token in tokenize(prepare(f"{SOURCE} {answer}"))}
    assert {token.key for token in tokenize(prepare(before.fixed()))} <= known
    said = {token.key for token in tokenize(prepare(SOURCE))}
    for one in before.claims:
        if one.repair is not None and one.repair.kind is not RepairKind.REMOVE:
            put = " ".join(edit.new for edit in one.repair.edits)
            assert {token.key for token in tokenize(prepare(put))} <= said


def test_a_changed_quote_gets_the_words_of_the_source_back() -> None:
    checker = GroundingChecker({"pool.md": "# Pool\n\nIn the teaching pool it is 35 degrees."})
    answer = 'The manual says "In the teaching pool it is 45 degrees".'
    found = checker.check(answer)
    assert found.fixed() == answer.replace("45", "35")
    assert str(found).count("Repair: ") == 1, "told with the quote, not with its claim too"
    assert not checker.check(found.fixed()).misquoted

"""Quotes that leave words out, and say so."""

from __future__ import annotations

import pytest
from tests.validation.verdicts import STANDING, check, kinds, rules

SOURCE = (
    "The committee met in the old hall on Friday. It heard three reports from the field. "
    "The members thanked the clerk for her long service to the town."
)


@pytest.mark.parametrize("mark", ["...", "…", " ... ", " . . . ", " [...] ", " […] ", " (...) "])
def test_parts_that_stand_in_order_are_validated(mark: str) -> None:
    result = check(SOURCE, f"The committee met in the old hall{mark}on Friday.")
    assert result.status in STANDING
    result = check(SOURCE, f"It heard three reports{mark}from the field.")
    assert result.status in STANDING


def test_the_match_reaches_from_the_first_part_to_the_last() -> None:
    quote = "The committee met … on Friday. … The members thanked the clerk"
    result = check(SOURCE, quote)
    assert result.passed
    assert "ellipsis" in rules(result)
    assert result.match is not None
    assert result.match.text.startswith("The committee met")
    assert result.match.text.endswith("thanked the clerk")
    assert result.match.text in SOURCE


def test_an_ellipsis_of_the_source_itself_is_matched_as_it_stands() -> None:
    result = check("And then ... he simply left the room.", "And then ... he simply left")
    assert result.passed
    assert "ellipsis" not in rules(result)


@pytest.mark.parametrize(
    "quote",
    [
        "on Friday ... The committee met",
        "The committee met ... in a new hall",
        "The members thanked ... the whole town council",
        "The moon is full ... and the night is long",
    ],
)
def test_parts_that_do_not_stand_in_order_are_not(quote: str) -> None:
    assert check(SOURCE, quote).status not in STANDING


@pytest.mark.parametrize(
    ("source", "quote"),
    [
        ("We do not, in any case, share your data.", "We do ... share your data"),
        ("We do never ever share your own data.", "We do ... share your own data"),
        ("Staff may, unless told, carry over days.", "Staff may ... carry over days"),
        (
            "The staff may not carry days. The heads may carry days over.",
            "The staff may ... carry days over",
        ),
        (
            "The staff may carry days. They are glad. The heads do not carry days over.",
            "The staff may carry days. ... carry days over",
        ),
        ("The fee of the year is 15 million dollars.", "The fee of the year ... 15"),
    ],
)
def test_an_ellipsis_does_not_hide_a_denial(source: str, quote: str) -> None:
    assert check(source, quote).status not in STANDING


def test_whole_sentences_may_be_left_out_whatever_they_say() -> None:
    source = "The staff may carry days. This is not new. The heads agree to it."
    assert check(source, "The staff may carry days. ... The heads agree to it.").passed


def test_each_part_is_vetoed_by_itself() -> None:
    result = check(
        "Staff get 15 days of leave, as agreed in May, and one more day after ten years.",
        "Staff get 25 days of leave ... and one more day after ten years",
    )
    assert result.status not in STANDING
    assert "number" in kinds(result)


def test_parts_far_apart_are_not_one_passage() -> None:
    source = "The committee met on Friday. " + "Nothing was said. " * 200 + "The clerk went home."
    assert check(source, "The committee met ... The clerk went home").status not in STANDING

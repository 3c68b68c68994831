"""Verdicts on direct quotes, from the text of a source to the status."""

from __future__ import annotations

import pytest
from tests.validation.verdicts import STANDING, check, kinds, rules

from veridical import Fidelity, Format, Status

MARKDOWN, HTML, TEXT = Format.MARKDOWN, Format.HTML, Format.PLAIN_TEXT
LINKED = (
    'See [the *policy*](http://x.example/ "title") of \u00a7 4 & more \u2192 here.\n'
    "The \u202eend\u00ad\u200b\u200b.\n"
)


@pytest.mark.parametrize(
    ("source", "quote", "format"),
    [
        ("Staff may <i hidden>not</i> carry days over.", "Staff may not carry days over", HTML),
        ("Staff may <b style='display:none'>not</b> go.", "Staff may not go", HTML),
        ("Staff may <!-- not --> carry days over.", "Staff may not carry days over", MARKDOWN),
        ("Staff may <del>not</del> carry days over.", "Staff may not carry days over", HTML),
        ("Staff may <del>not</del> carry days over.", "Staff may carry days over", HTML),
        ("Staff may ~~not~~ carry days over.", "Staff may not carry days over", MARKDOWN),
        ("Staff may ~~not~~ carry days over.", "Staff may carry days over", MARKDOWN),
        ("The fee is ~~20 dollars~~ 15 dollars.", "fee is 20 dollars", MARKDOWN),
        ("Staff may not carry days over.", "Staff may ~~not~~ carry days over", MARKDOWN),
        ("Staff may not carry days over.", "Staff … may ~~not~~ carry days over", TEXT),
        ("Staff may not carry days over.", "Staff may <s>not</s> carry days over", HTML),
        ("About 10<sup>2</sup> cells were seen.", "About 102 cells were seen", HTML),
        ("Pay within 1<b>5</b> days of it.", "5 days of it", HTML),
        ("He was un<b>able</b> to pay it.", "able to pay it", HTML),
        ("Paid in **2**5 days of work.", "5 days of work", MARKDOWN),
        ("<p>You may</p><p>not smoke in it.</p>", "You may not smoke in it", HTML),
        ("# You may\n\nNot smoke in it.", "You may not smoke in it", MARKDOWN),
        ("Value is 14 in all cases.", ">14 in all cases", TEXT),
        ("The sum 532 is odd by law.", "The sum 5*3*2 is odd by law", TEXT),
        ("The report was done by us.", "The report was done by us in time", TEXT),
        ("Only staff may use the rooms.", "Staff may only use the rooms", TEXT),
        ("You must pay the charge today.", "You must pay the change today", TEXT),
        # Words in angle brackets that name no element are words of a source.
        ("Employees may <not> work remotely.", "Employees may work remotely.", MARKDOWN),
        ("Employees may <not> work remotely.", "Employees may not work remotely.", MARKDOWN),
        ("A List<String> <b>here</b>.", "A List here.", MARKDOWN),
        # Signs of markup and signs that nobody sees do not stand there as words do.
        *((LINKED, sign, MARKDOWN) for sign in ("](", ")", '"', "://", '")', "\u202e", "\u00ad")),
        (LINKED, "\u200b\u200b", MARKDOWN),
    ],
)
def test_what_does_not_stand_there_is_never_validated(
    source: str, quote: str, format: Format
) -> None:
    assert check(source, quote, format).status not in STANDING


@pytest.mark.parametrize(
    ("source", "quote", "format", "expected"),
    [
        ("Staff may **not** carry days.", "Staff may not carry days", MARKDOWN, ["markup"]),
        ("Staff may carry days.", "Staff may **carry** days", TEXT, ["markup"]),
        ("Staff may carry days.", "Staff may <b>carry</b> days", TEXT, ["markup"]),
        ("Staff [may](http://a.b) carry.", "Staff may carry", MARKDOWN, ["markup"]),
        ("Q&amp;A for all of us", "Q&A for all of us", HTML, ["markup"]),
        ("Staff may ~~not~~ carry days.", "may ~~not~~ carry days", MARKDOWN, []),
        ("Staff may <del>not</del> go.", "may <del>not</del> go", HTML, []),
        ("Staff may ~~never~~ not carry days.", "not carry days", MARKDOWN, []),
        ("The fee of $250 is due.", "  $250 is due ", TEXT, ["whitespace"]),
        ("Nobody at A & Sons knew.", "& SONS KNEW", TEXT, ["case"]),
        ("About 10<sup>2</sup> cells.", "About 10² cells", HTML, ["typography", "markup"]),
        ("The H<sub>2</sub>O is fine.", "The H2O is fine", HTML, ["markup"]),
        ("It is said: “Go now.”", '"Go now."', TEXT, ["typography"]),
        ("— … — ( ) — … —", "— … — ( ) —", TEXT, []),
        ("Employees may <not> work.", "Employees may <not> work", MARKDOWN, []),
        ("A List<String> <b>here</b>", "A List<String> here", MARKDOWN, ["markup"]),
        *((LINKED, sign, MARKDOWN, []) for sign in ("\u00a7", "&", "\u2192")),
    ],
)
def test_what_stands_there_is_validated_with_its_rules(
    source: str, quote: str, format: Format, expected: list[str]
) -> None:
    result = check(source, quote, format)
    assert result.status is Status.VALIDATED, result.alterations
    assert rules(result) == expected
    assert result.fidelity is (Fidelity.NORMALISED if expected else Fidelity.VERBATIM)
    assert result.confidence == 1.0


def test_a_verbatim_place_comes_before_a_normalised_one() -> None:
    result = check("the fee is due. The Fee is due.", "The Fee is due")
    assert result.status is Status.AMBIGUOUS
    assert result.match is not None
    assert (result.match.text, result.fidelity) == ("The Fee is due", Fidelity.VERBATIM)


# --- quotes that leave words out, and say so ------------------------------------------------------

PARTED = (
    "The committee met in the old hall on Friday. It heard three reports from the field. "
    "The members thanked the clerk for her long service to the town."
)


@pytest.mark.parametrize("mark", ["...", "…", " ... ", " . . . ", " [...] ", " […] ", " (...) "])
def test_parts_that_stand_in_order_are_validated(mark: str) -> None:
    result = check(PARTED, f"The committee met in the old hall{mark}on Friday.")
    assert result.status in STANDING
    result = check(PARTED, f"It heard three reports{mark}from the field.")
    assert result.status in STANDING


def test_the_match_reaches_from_the_first_part_to_the_last() -> None:
    quote = "The committee met … on Friday. … The members thanked the clerk"
    result = check(PARTED, quote)
    assert result.passed
    assert "ellipsis" in rules(result)
    assert result.match is not None
    assert result.match.text.startswith("The committee met")
    assert result.match.text.endswith("thanked the clerk")
    assert result.match.text in PARTED


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
    assert check(PARTED, quote).status not in STANDING


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


def test_each_part_is_vetoed_by_itself() -> None:
    result = check(
        "Staff get 15 days of leave, as agreed in May, and one more day after ten years.",
        "Staff get 25 days of leave ... and one more day after ten years",
    )
    assert result.status not in STANDING
    assert "number" in kinds(result)


def test_a_word_that_became_its_opposite_is_named() -> None:
    source = "Members borrow no more than six books before noon."
    result = check(source, "Members borrow no less than six books before noon.")
    assert result.status is Status.FAILED
    assert result.fidelity is Fidelity.ALTERED
    assert "Changed negation: 'more' became 'less'." in result.suggestions


def test_of_a_quote_with_an_ellipsis_a_part_that_was_changed_makes_it_altered() -> None:
    for quote in ("The committee met ... on purple", "It heard three ... from the yacht"):
        result = check(PARTED, quote)
        assert (result.status, result.fidelity) == (Status.FAILED, Fidelity.ALTERED)
    assert check(PARTED, "The yachts sank ... near purple").fidelity is Fidelity.FABRICATED


def test_a_struck_out_and_altered_quote_keeps_its_veto() -> None:
    result = check("The fee is ~~$20~~ now $15 a day.", "The fee is $25 now $15 a day", MARKDOWN)
    assert result.status is Status.FAILED
    assert "number" in kinds(result)

"""Verdicts on direct quotes, from the text of a source to the status."""

from __future__ import annotations

import pytest
from tests.validation.verdicts import STANDING, check, kinds, rules

from veridical import (
    FailureReason,
    Fidelity,
    Format,
    Status,
)

MARKDOWN, HTML, TEXT = Format.MARKDOWN, Format.HTML, Format.PLAIN_TEXT
LINKED = (
    'See [the *policy*](http://x.example/ "title") of \u00a7 4 & more \u2192 here.\n'
    "The \u202eend\u00ad\u200b\u200b.\n"
)


@pytest.mark.parametrize(
    ("source", "quote", "format"),
    [
        ("Staff may <!-- not --> carry days over.", "Staff may not carry days over", HTML),
        ("Staff may <i hidden>not</i> carry days over.", "Staff may not carry days over", HTML),
        ("Staff may <b style='display:none'>not</b> go.", "Staff may not go", HTML),
        ("Staff may <!-- not --> carry days over.", "Staff may not carry days over", MARKDOWN),
        ("Staff may <del>not</del> carry days over.", "Staff may not carry days over", HTML),
        ("Staff may <del>not</del> carry days over.", "Staff may carry days over", HTML),
        ("Staff may <s class='x'>not</s> carry days.", "Staff may not carry days", HTML),
        ("The fee is <strike>$20</strike> $15 a day.", "The fee is $20", HTML),
        ("Staff may ~~not~~ carry days over.", "Staff may not carry days over", MARKDOWN),
        ("Staff may ~~not~~ carry days over.", "Staff may carry days over", MARKDOWN),
        ("The fee is ~~20 dollars~~ 15 dollars.", "fee is 20 dollars", MARKDOWN),
        ("About 10<sup>2</sup> cells were seen.", "About 102 cells were seen", HTML),
        ("About **10**^2^ cells were seen.", "About 102 cells were seen", MARKDOWN),
        ("Pay within 1<b>5</b> days of it.", "5 days of it", HTML),
        ("He was un<b>able</b> to pay it.", "able to pay it", HTML),
        ("Paid in **2**5 days of work.", "5 days of work", MARKDOWN),
        ("<p>You may</p><p>not smoke in it.</p>", "You may not smoke in it", HTML),
        ("# You may\n\nNot smoke in it.", "You may not smoke in it", MARKDOWN),
        ("Value is 14 in all cases.", ">14 in all cases", TEXT),
        ("The sum 532 is odd by law.", "The sum 5*3*2 is odd by law", TEXT),
        ("The report was done by us.", "I think the report was done by us", TEXT),
        ("The report was done by us.", "The report was done by us in time", TEXT),
        ("Only staff may use the rooms.", "Staff may only use the rooms", TEXT),
        ("The lender pays the fee to us.", "The leader pays the fee to us", TEXT),
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


def test_an_altered_quote_names_the_real_wording() -> None:
    result = check("Staff may not carry over 15 days.", "Staff may carry over 15 days")
    assert (result.status, result.reason) == (Status.FAILED, FailureReason.NOT_FOUND)
    assert result.fidelity is Fidelity.ALTERED
    assert kinds(result) == ["negation"]
    assert result.found_at is not None
    assert result.found_at.text.startswith("Staff may not carry over 15 days")
    assert any("may not carry" in suggestion for suggestion in result.suggestions)
    assert result.confidence == 0.0


def test_a_harmless_but_real_change_is_left_to_a_person() -> None:
    result = check(
        "The committee shall publish the annual report in spring.",
        "The committee will publish the annual report in spring",
    )
    assert result.status is Status.LOW_CONFIDENCE
    assert result.fidelity is Fidelity.ALTERED
    assert result.confidence < 1


def test_invented_words_are_fabricated() -> None:
    result = check("Staff get 25 days of leave a year.", "The moon is made of green cheese")
    assert result.fidelity is Fidelity.FABRICATED
    assert result.match is None
    assert result.suggestions


def test_the_same_words_in_two_places_are_ambiguous_and_both_are_named() -> None:
    source = "# One\n\nThe fee is due in May.\n\n# Two\n\nThe fee is due in May.\n"
    result = check(source, "The fee is due in May", MARKDOWN)
    assert result.status is Status.AMBIGUOUS
    assert result.match is not None
    assert [m.section.title for m in (result.match, *result.alternatives) if m.section] == [
        "One",
        "Two",
    ]
    settled = check(source, "The fee is due in May", MARKDOWN, expected_section="Two")
    assert settled.status is Status.VALIDATED
    assert settled.match is not None
    assert settled.match.span.start > result.match.span.start


def test_a_verbatim_place_comes_before_a_normalised_one() -> None:
    result = check("the fee is due. The Fee is due.", "The Fee is due")
    assert result.status is Status.AMBIGUOUS
    assert result.match is not None
    assert (result.match.text, result.fidelity) == ("The Fee is due", Fidelity.VERBATIM)


def test_a_struck_out_and_altered_quote_keeps_its_veto() -> None:
    result = check("The fee is ~~$20~~ now $15 a day.", "The fee is $25 now $15 a day", MARKDOWN)
    assert result.status is Status.FAILED
    assert "number" in kinds(result)

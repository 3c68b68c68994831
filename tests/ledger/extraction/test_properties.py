"""What holds for every answer: claims are verbatim, in order, disjoint, and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.ledger.extraction.answers import ANSWERS
from tests.ledger.extraction.claims_of import extracted, unaccounted, unseen_but_shown

from veridical.ledger.extraction.extractor import Extraction

_PIECES = (
    [
        "Staff get 25 days.", "It must be approved", ", and the manager must sign it", "; ", "\n",
        "\n\n", " ", "- ", "1. ", "  - ", "> ", "# ", "**", "*", "_", "`", "```", "~~~\n", "[1]",
        "| a | b |\n", "|--|--|\n", "[1-3]", "[cite:a1b2c3d4]", "[cite:", "](x)", "[", "]", "(",
        ")",
        "<b>", "</b>", "<br>", "<!--", "-->", "<p>", "&amp;", "\\", ": ", "Term\n: ", "Sources:\n",
        "[1]: leave.md\n", "[^1]", "[^1]: note", "---\n", "===\n", "Sure! ", "I hope this helps! ",
        "How so? ", "\u5e74\u4f11\u306f20\u65e5\u3002", "\u2705 ", "\u274c", "\t", "\r\n", "    ",
        "\u00a0", "\u200b", "\u2028", "25", "a", ".", "!", "\ud800",
        "~~", "<s>", "</s>", "(p.md)", "(see [1])", "Source: p.md", "\u30101\u2020p.md\u3011",
        "<sup>1</sup>", "\u00b9", "[^1]: fees.md\n", "Isn't ", "?", ", right?", "See [1].",
    ]
)  # fmt: skip


def assert_sound(answer: str, extraction: Extraction) -> None:
    at = 0
    for claim in extraction.claims:
        assert answer[claim.span.start : claim.span.end] == claim.text
        assert at <= claim.span.start < claim.span.end
        assert any(character.isalnum() for character in claim.statement)
        at = claim.span.end
    at = 0
    for skip in extraction.skipped:
        assert at <= skip.span.start < skip.span.end
        at = skip.span.end
    for skip in extraction.skipped:
        assert not any(skip.span.overlap(claim.span) for claim in extraction.claims)
    assert unaccounted(answer, extraction) == ""
    assert unseen_but_shown(answer, extraction) == ""
    assert extraction.claims or extraction.warnings
    assert len({claim.id for claim in extraction.claims}) == len(extraction.claims)


@given(st.lists(st.sampled_from(_PIECES), max_size=40).map("".join))
def test_random_markup(answer: str) -> None:
    assert_sound(answer, extracted(answer))


@given(st.text(max_size=200))
def test_random_text(answer: str) -> None:
    assert_sound(answer, extracted(answer))


ONCE_WRONG = (
    "1. | a | b |\n|--|--|\n| c | d |",
    "[cite:Staff get 25 days.](x)",
    "Staff get 25 days.`<b></b>Staff get 10 days.",
    "_(see [1])",
    "x (see [1]). _ (see [2]); ",
)


@pytest.mark.parametrize("answer", [*ANSWERS, *ONCE_WRONG])
def test_written_answers(answer: str) -> None:
    extraction = extracted(answer)
    assert_sound(answer, extraction)
    assert extraction == extracted(answer)


HOSTILE = (
    [
        "[", "[[1](", "*a **", "_*", "` ", "> ", "- ", "# a\n", "|", "a|\n-|\n", "<div>",
        "<!--", "&",
        "\\", "1", "a ", "1. ", ". ", "[cite:", "[1-50]", "[^1]", "(", '"', "**a**\n", "a\n: b\n",
        "Sources:\n", "[1] a\n", "Sure! ", "a, and b; ", "\u5e74\u3002", "\u0627\u0644 ", "$1.",
        "\ufe0f\u20e3", "I hope ", "according to ", "see the policy ", "i think it is ", "a: b\n",
        "(p.md, ", "[p.md", "([a](b)", "<sup>1", "\u30101\u2020", "Source: p.md ", "~~a", "~~a~~ ",
        "<s>", "isn't it a ", "[^1]: a.md\n", "```\n", "\n", "e.g. ",
        "the documents do not ", "\u2705", "\ud83d",
    ]
)  # fmt: skip


@pytest.mark.no_cover
@pytest.mark.parametrize("unit", HOSTILE)
def test_hostile_repetition_comes_to_an_end(unit: str) -> None:
    answer = (unit * (20_000 // len(unit)))[:20_000]
    assert_sound_enough(answer, extracted(answer))


def assert_sound_enough(answer: str, extraction: Extraction) -> None:
    assert unaccounted(answer, extraction) == ""
    for claim in extraction.claims:
        assert answer[claim.span.start : claim.span.end] == claim.text


@pytest.mark.no_cover
@pytest.mark.parametrize(
    ("unit", "size"), [("[", 1_000_000), ("- Staff get 25 days [1].\n", 200_000)]
)
def test_long_answers(unit: str, size: int) -> None:
    answer = unit * (size // len(unit))
    assert_sound_enough(answer, extracted(answer))

"""A quote that plainly stands is settled as the full search and comparison settle it."""

from __future__ import annotations

from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.properties.documents import documents

from veridical import Document, Format, Status, Validator
from veridical.sources.loader import document_from_text
from veridical.validation import validator as validator_module
from veridical.validation.gather import Gatherer
from veridical.validation.results import ClaimResult

MARKUP = frozenset("*_`~<>&[]\\|#^")


def the_long_way(validator: Validator, quote: str) -> ClaimResult:
    """The result where no quote counts as plain."""
    with patch.object(validator_module, "plain_span", return_value=None):
        return validator.check(quote)


def is_plain(validator: Validator, quote: str) -> bool:
    """Whether a quote is settled without the full search."""
    with patch.object(Gatherer, "gather", side_effect=Gatherer.gather, autospec=True) as gather:
        validator.check(quote)
    return not gather.call_args.args[1]


@settings(max_examples=50, suppress_health_check=[HealthCheck.too_slow])
@given(document=documents(), data=st.data())
def test_the_short_way_says_what_the_long_way_says(document: Document, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(document.text) - 1))
    end = data.draw(st.integers(start + 1, min(len(document.text), start + 120)))
    quote, validator = document.text[start:end], Validator([document])
    short, long = validator.check(quote), the_long_way(validator, quote)
    if not is_plain(validator, quote) or not MARKUP & set(quote):
        assert short == long
    else:  # the long way also asks where the words stand without their markup
        assert long.status in (Status.VALIDATED, Status.AMBIGUOUS)
        assert long.status is Status.AMBIGUOUS or short == long


TEXT = """Staff get 25 days of leave a year, and nobody may carry over more than five of them.

The fee is 15 days of pay. He is unable to cancel the order. *Each* request needs a form; \
requests are answered within ten days. Requests are answered within ten days.
"""
CASES = {
    "it stands once": ("get 25 days of leave a year", True),
    "with its marks": ("*Each* request needs a form;", True),
    "another case": ("GET 25 days of leave a year", False),
    "another space": ("get 25  days of leave a year", False),
    "twice but for the case": ("equests are answered within ten days", False),
    "a number cut in two": ("5 days of pay. He is", False),
    "a denial cut off": ("able to cancel the order.", False),
    "a word cut off": ("t 25 days of leave a year", True),
    "too short to be looked for so": ("25 days of", False),
    "nowhere": ("get 30 days of leave a year", False),
}


@pytest.mark.parametrize(("quote", "expected"), CASES.values(), ids=CASES)
def test_what_is_plain(quote: str, expected: bool) -> None:
    validator = Validator([Document("d", TEXT)])
    assert is_plain(validator, quote) is expected
    assert validator.check(quote) == the_long_way(validator, quote)


@pytest.mark.parametrize(
    "text",
    [
        "~~"
        + "Ten days of leave are due to each. " * 3
        + "Only part-time staff get more.~~ Not so.",
        "<!--" + "x " * 80 + " Only part-time staff get more. " + "x " * 80 + "--> Hello there.",
        "Ten days. Only **part**-time staff get more. So it is.",
    ],
    ids=["struck", "hidden", "marked"],
)
def test_what_a_reader_does_not_see_so_is_not_plain(text: str) -> None:
    validator = Validator([document_from_text(text, "d.md", Format.MARKDOWN)])
    assert not is_plain(validator, "Only part-time staff get more.")

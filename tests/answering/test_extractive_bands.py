"""Bands of numbers in words, beside a reading of their own of what each phrase holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.tables.rows import Band, bands_in

PHRASES: dict[str, Callable[[Fraction, int, int], bool]] = {
    "{0} to {1} years": lambda n, low, high: low <= n <= high,
    "{0}\u2013{1} years": lambda n, low, high: low <= n <= high,
    "between {0} and {1} years": lambda n, low, high: low <= n <= high,
    "more than {0} and up to {1} years": lambda n, low, high: low < n <= high,
    "more than {0} years": lambda n, low, high: n > low,
    "over {0}": lambda n, low, high: n > low,
    "at least {0} years": lambda n, low, high: n >= low,
    "no less than {0}": lambda n, low, high: n >= low,
    "{0} years or more": lambda n, low, high: n >= low,
    "{0}+": lambda n, low, high: n >= low,
    "up to {0} years": lambda n, low, high: n <= low,
    "not more than {0} years": lambda n, low, high: n <= low,
    "fewer than {0} years": lambda n, low, high: n < low,
    "under {0}": lambda n, low, high: n < low,
    "exactly {0} years": lambda n, low, high: n == low,
}


@given(
    st.sampled_from(sorted(PHRASES)),
    st.integers(0, 40),
    st.integers(1, 20),
    st.fractions(0, 70, max_denominator=2),
)
def test_a_band_holds_what_its_words_say(
    phrase: str, low: int, width: int, number: Fraction
) -> None:
    (band,) = bands_in(phrase.format(low, low + width))
    assert band.holds(Band(number, number)) == PHRASES[phrase](number, low, low + width)


@pytest.mark.parametrize(
    ("text", "bands"),
    [
        ("after five years", [(5, 5)]),
        ("from three to six months, and over twenty-five dollars", [(3, 6), (25, None)]),
        ("a claim of $1,500 at grade 5", [(1500, 1500), (5, 5)]),
        ("on the 3rd day", []),
        ("at 8:30", []),
        ("nothing of the kind", []),
        ("9 " * 500, [(9, 9)] * 8),
    ],
)
def test_bands_are_read_in_order(text: str, bands: object) -> None:
    assert [(band.low, band.high) for band in bands_in(text)] == bands

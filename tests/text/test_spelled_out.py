"""Signs and short units in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.words import read_words
from veridical.text.spelled_out import SYMBOLS, spelled_out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("\u226520 mg/day", " at least 20 milligrams per day"),
        ("$5m and 5 m", "$5 million and 5 meters"),
        ("$500+ or 20 + 5", "at least $500 or 20 + 5"),
        ("8 \u2103, 8\u00b0F", "8 celsius, 8 fahrenheit"),
        ("12 in all, 12 in long", "12 in all, 12 inches long"),
        ("section 5 B, the 80s, a 10-K", "section 5 B, the 80s, a 10-K"),
        ("a -> 20, a < b", "a -> 20, a < b"),
        ("\u278400", "500"),
        ("10\u00b2", "10\u00b2"),
        ("no numbers ~ here <b>", "no numbers ~ here <b>"),
    ],
)
def test_what_is_spelled_out(text: str, words: str) -> None:
    assert spelled_out(text) == words


def test_every_symbol_is_a_unit_that_is_known() -> None:
    unknown = []
    for symbol, name in SYMBOLS.items():
        (number,) = (
            word for word in read_words(f"about 7{symbol} of it") if word.number is not None
        )
        if number.unit is None and symbol != "K":  # 7K are thousands
            unknown.append((symbol, name))
    assert not unknown


@given(st.text(alphabet="0123456789.,<>~+%$ gkmMBsh/-\u2265\u00bd\u2464\u2030\u00b0C", max_size=30))
def test_spelling_out_keeps_words_and_never_fails(text: str) -> None:
    assert isinstance(spelled_out(text), str)
    read_words(text)

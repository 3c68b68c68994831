"""The tokens of speech."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.text.spoken import spoken_keys, spoken_tokens

CASES = [
    ("Don't stop", ["dont", "stop"]),
    ("a well-known rule", ["a", "wellknown", "rule"]),
    ("1,000 euros, 3.5 %", ["1000", "euros", "35"]),
    ("He said: “yes” … and left!", ["he", "said", "yes", "and", "left"]),
    ("… — !", []),
    ("", []),
    ("tab\tnew\nline\u00a0nbsp", ["tab", "new", "line", "nbsp"]),
    ("Maße MASSE", ["maße", "masse"]),
    ("café cafe\u0301", ["café", "café"]),
    ("ΟΔΟΣ οδός", ["οδοσ", "οδόσ"]),
    ("Привет, мир", ["привет", "мир"]),
    ("今日はABCいい。", ["今", "日", "は", "abc", "い", "い"]),
    ("हिन्दी में", ["हिन्दी", "में"]),
    ("zero\u200bwidth so\u00adft", ["zerowidth", "soft"]),
]


@pytest.mark.parametrize(("text", "keys"), CASES)
def test_tokens_are_letters_and_digits_between_white_space(text: str, keys: list[str]) -> None:
    assert spoken_keys(text) == keys


def test_a_token_stands_from_its_first_letter_to_its_last() -> None:
    text = "— “Don't!” she said."
    tokens = spoken_tokens(text)
    places = [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]
    assert places == ["Don't", "she", "said"]


@given(st.text(alphabet=st.characters() | st.sampled_from("a1 .'-日は\u0301\u0e01\u0e31")))
def test_places_are_in_order_and_hold_their_tokens(text: str) -> None:
    tokens = spoken_tokens(text)
    assert tokens.keys == spoken_keys(text)
    last = 0
    for key, start, end in zip(tokens.keys, tokens.starts, tokens.ends, strict=True):
        assert last <= start < end <= len(text)
        assert spoken_keys(text[start:end]) == [key]
        last = end

"""Words, numbers and signs, as a reader tells them apart."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from veridical.sources.patterns import UNSPACED
from veridical.text import tokens
from veridical.text.tokens import prepare, tokenize


def keys(text: str) -> list[str]:
    return [token.key for token in tokenize(prepare(text))]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The quick fox.", ["the", "quick", "fox"]),
        ("don't don’t cannot", ["dont", "dont", "cannot"]),
        ("well-known", ["well", "known"]),
        ("1,200 1200 1.5 1,5", ["1200", "1200", "1.5", "1,5"]),
        ("1.50 is not 1.5", ["1.50", "is", "not", "1.5"]),
        ("-5 and −5 and +5", ["-5", "and", "-5", "and", "5"]),
        ("10-15 and 10–15", ["10", "-", "15", "and", "10", "-", "15"]),
        ("COVID-19", ["covid", "19"]),
        ("05/06/2024 10:30", ["05/06/2024", "10:30"]),
        ("5% 5 ‰ $5 €5", ["5", "%", "5", "‰", "$", "5", "€", "5"]),
        ("10² 10^2 m²", ["10", "^", "2", "10", "^", "2", "m", "^", "2"]),
        ("10⁻¹²", ["10", "^", "-12"]),
        ("CO₂ log₁₀2", ["co2", "log10", "2"]),
        ("½ 1/2 1½", ["1/2", "1/2", "1", "1/2"]),
        ("5mg 1st 3D", ["5", "mg", "1", "st", "3", "d"]),
        ("R&D", ["r", "and", "d"]),
        ("ﬁne", ["fine"]),
        ("１５ ١٥ १५", ["15", "15", "15"]),
        ("co\u00adop zero\u200bwidth", ["coop", "zerowidth"]),
        ("naïve Æon", ["naïve", "æon"]),
        ("漢字15日", ["漢", "字", "15", "日"]),
        ("かな", ["か", "な"]),
        ("Ελλάδα шёл", ["ελλάδα", "шёл"]),
        ("שָׁלוֹם", ["שלום"]),
        ("<<< === ~~~ ^^^", []),
        ("", []),
    ],
)
def test_keys(text: str, expected: list[str]) -> None:
    assert keys(text) == expected


@given(st.text())
def test_tokens_stand_in_order_at_their_offsets(text: str) -> None:
    prepared = prepare(text)
    end = 0
    for token in tokenize(prepared):
        assert end <= token.start < token.end <= len(prepared)
        assert prepared[token.start : token.end] == token.text
        end = token.end


_EACH_ALTERNATIVE = re.compile(
    r"(?P<number>(?:(?<![\w.,)\]])[-+])?\d+(?:[.,:/]\d+)*)"
    r"|(?P<word>[A-Za-z]+(?:'[A-Za-z]+)*\d*)"
    r"|(?P<sign>[$%&+=<>^]|(?<=\d)[-*](?=\d)|(?<=\d )[-*/](?= \d)|~(?=\d)|!(?==)"
    r"|(?<=[A-Za-z])#(?!\w)|(?<=\b[A-Z])-(?![\w-]))",
    re.ASCII,
)


@settings(max_examples=150)
@given(st.text("aBz'5019.,:/ -+*#$%&=<>^~!()[]_\n", max_size=40))
def test_ascii_tokens_are_those_of_a_search_at_each_character(text: str) -> None:
    found = [(m.start(), m.end(), m.group()) for m in _EACH_ALTERNATIVE.finditer(text)]
    assert [(t.start, t.end, t.text) for t in tokenize(text)] == found


@settings(max_examples=150)
@given(st.text("aB'’5٣五é\u0301ก²½ -.#\u0940", max_size=30))
@example("Bก")
def test_words_of_all_scripts_are_runs_of_their_letters(text: str) -> None:
    letter = rf"(?:(?![{UNSPACED}]){tokens._LETTER})"
    plain = tokens._TOKEN.replace(tokens._LETTERS, letter + "+")
    assert plain != tokens._TOKEN
    found = [(m.start(), m.group(), m.lastgroup) for m in re.finditer(plain, text)]
    got = [(m.start(), m.group(), m.lastgroup) for m in tokens._any_token().finditer(text)]
    assert got == found

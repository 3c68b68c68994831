"""What two texts must share to be found in each other."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.text.normalize import (
    LINE_END_HYPHEN,
    encode,
    fold,
    fold_character,
    line_end_hyphens,
)


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("The  Quick\tBrown\r\nFox", "the quick brown fox"),
        ("Café, naïve; façade!", "cafe naive facade"),
        ("cafe\u0301", "cafe"),
        ("ﬁne oﬃce ﬀ", "fine office ff"),
        ("Straße ſo", "strasse so"),
        ("İstanbul", "istanbul"),
        ("don’t don't donʼt", "dont dont dont"),
        ("well-known – not — so…", "well known not so"),
        ("multi-\nline and multi-  \n  line", "multiline and multiline"),
        ("10-\n15", "10 15"),
        ("co\u00adop zero\u200bwidth", "coop zerowidth"),
        ("x² H₂O ½", "x2 h2o 1 2"),
        ("１５ ① Ⅳ", "15 1 iv"),
        ("שָׁלוֹם", "שלום"),
        ("السَّلامُ", "السلام"),
        ("Όδος", "οδοσ"),
        ("漢字、かな。", "漢字 かな"),
        ("हिन्दी", "हनद"),
        ("a 😀 b", "a b"),
        ("$5.50 (or 6%)", "5 50 or 6"),
        ("\u0301", ""),
        (" \n\t ", ""),
        ("", ""),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert fold(text) == folded


@given(st.text())
def test_folding_again_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_folded_text_is_words_and_single_spaces(text: str) -> None:
    folded = fold(text)
    assert folded == " ".join(folded.split())
    assert all(character.isalnum() or character == " " for character in folded)


@given(st.characters())
def test_a_character_folds_to_itself_alone(character: str) -> None:
    folded = fold_character(character)
    assert folded == " " or all(part.isalnum() or part == " " for part in folded)


@pytest.mark.parametrize("first", ["α", "а", "א", "ا"])
def test_letters_of_one_alphabet_have_bytes_of_their_own(first: str) -> None:
    letters = "".join(chr(ord(first) + shift) for shift in range(24))
    assert len(set(encode(letters))) == 24


@given(st.text("aé5- \t\r\f\n\u2010\u00ad_", max_size=30))
def test_line_end_hyphens_are_all_found(text: str) -> None:
    found = sorted(hyphen.span() for hyphen in line_end_hyphens(text))
    assert found == [hyphen.span() for hyphen in LINE_END_HYPHEN.finditer(text)]

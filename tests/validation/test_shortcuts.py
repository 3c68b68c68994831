"""The shortcut past edges that cut nothing says what the long way says."""

from __future__ import annotations

from unittest.mock import patch

from hypothesis import example, given, settings
from hypothesis import strategies as st

from veridical.validation import cuts

PIECES = (
    "five", "two", "hundred", "and", "twenty", "twenty-five", "5", "15", "1,250", "500", "3/4",
    "un", "able", "unable", "non", "toxic", "free", "help", "less", "ful", "can", "not", "n't",
    "John", "son", "Johnson", "days", "kg", "m", "W", "mW", "AND", "FIVE", "May", "may", "s",
    "the", "x", "²", "₂", "½", "°", "C", "五", "十", "é", "e\u0301", "\u00ad", "\u200b", "ﬁ",
    "Ｆ", "ſ", "ı", "K", "\u037e", "\u0338", "\u0301",
)  # fmt: skip
SIGNS = (
    " ", " ", " ", " ", "\n", "\n\n", "  ", "\t", "\r\n", "\u00a0", "\u2009", ".", ",", ";", ":",
    "!", "?", "(", ")", "[", "]", '"', "'", "\u2019", "\u201c", "\u201d", "-", "\u2010", "\u2013",
    "\u2014", "/", "%", "$", "€", "£", "+", "=", "<", ">", "\n> ", "> ", "~", "^", "_", "*", "#",
    "&", "|", "===", "...", "\u2026", "-\n", "\x1c", "\x0b", "\u2044", "±",
)  # fmt: skip
texts = st.lists(st.sampled_from((*PIECES, *SIGNS)), max_size=14).map("".join)


@settings(max_examples=400)
@given(texts, texts, texts, texts)
@example("five", "five days", "twenty ", " more")
@example("able", "able", "un", "")
@example("Berlin", "Berlin.\u201d", "in\n\n", " ")
@example("days", "fifteen days\u2019", "> ", "\n> 5")
@example("x", "Step-by-step", "-\n", "-free")
def test_edges_between_plain_words_have_no_cut(
    quoted: str, source: str, before: str, after: str
) -> None:
    short = cuts.cut_alterations(quoted, source, before, after)
    with (
        patch.object(cuts, "starts_with_word", return_value=False),
        patch.object(cuts, "ends_with_word", return_value=False),
    ):
        assert cuts.cut_alterations(quoted, source, before, after) == short

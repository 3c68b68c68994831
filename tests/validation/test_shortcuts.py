"""Each shortcut of the comparison says what the long way says."""

from __future__ import annotations

from collections import Counter
from unittest.mock import patch

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from veridical import Document, Validator
from veridical.text.tokens import Token, TokenKind
from veridical.validation import alterations, cuts, lexicon
from veridical.validation.alterations import CANNOT, compare, negates
from veridical.validation.claims import Claim

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
words = st.lists(
    st.one_of(
        st.sampled_from(
            [
                *sorted(lexicon.NEGATIONS),
                *"helpful helpless help less ful able unable in inin do".split(),
                *"happy unhappy nonunhappy dis disable legal illegal x less".split(),
            ]
        ),
        st.text("undisfle", max_size=8),
    ),
    max_size=6,
)


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


def _negates_by_pairs(quoted: list[str], source: list[str]) -> bool:
    same = {"cant": CANNOT}
    one = Counter(same.get(key, key) for key in quoted if key in lexicon.NEGATIONS)
    other = Counter(same.get(key, key) for key in source if key in lexicon.NEGATIONS)
    return one != other or any(_denied(a, b) for a in quoted for b in source if a != b)


def _denied(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    if len(short) < 3:
        return False
    if long.endswith(short) and long.removesuffix(short) in lexicon.NEGATIVE_PREFIXES:
        return True
    if any(long == short + ending for ending in lexicon.NEGATIVE_SUFFIXES):
        return True
    stems = {one[: -len(end)] for end in ("ful", "less") if one.endswith(end)}
    return bool(stems & {other[: -len(end)] for end in ("ful", "less") if other.endswith(end)})


@settings(max_examples=400)
@given(words, words)
@example(["less"], ["ful"])
@example(["unin"], ["in"])
@example(["helpless", "a"], ["b", "helpful"])
def test_denials_are_those_of_all_pairs(quoted: list[str], source: list[str]) -> None:
    assert negates(quoted, source) == _negates_by_pairs(quoted, source)


@settings(max_examples=400)
@given(
    st.one_of(
        st.sampled_from(
            sorted(lexicon.UNITS | lexicon.DATE_WORDS | lexicon.NUMBER_WORDS | lexicon.NEGATIONS)
        ),
        st.sampled_from(PIECES),
        st.text(max_size=6),
    ),
    st.booleans(),
)
def test_a_plain_word_is_no_number_unit_or_date(key: str, capital: bool) -> None:
    token = Token(TokenKind.WORD, key.title() if capital else key, key, 0, len(key))
    told = (alterations._number(token), alterations.unit_of(token), alterations._date(token))
    assert not (alterations._is_plain(key) and any(told))


@settings(max_examples=300)
@given(texts, texts, texts, texts)
def test_comparing_without_shortcuts_is_the_same(
    quoted: str, source: str, before: str, after: str
) -> None:
    short = compare(quoted, source, before=before, after=after)
    with (
        patch.object(cuts, "starts_with_word", return_value=False),
        patch.object(cuts, "ends_with_word", return_value=False),
        patch.object(alterations, "_is_plain", return_value=False),
        patch.object(alterations, "negates", _negates_by_pairs),
    ):
        assert compare(quoted, source, before=before, after=after) == short


@pytest.mark.parametrize("ids", [("a", "b", "c", "d"), ("a", "a", "a", "a"), ("1", "0", "0", "2")])
def test_claims_are_told_apart_whatever_their_ids(ids: tuple[str, ...]) -> None:
    document = Document("d", "The first of the words stand here.\nThe second stand here too.")
    quotes = ("The first of the words", "The second stand here", "Nowhere to be found at all")
    claims = [Claim(name, quote) for name, quote in zip(ids, (*quotes, quotes[0]), strict=True)]
    results = Validator([document]).validate(claims).results
    apart = [Validator([document]).validate([claim]).results[0] for claim in claims]
    assert list(results) == apart
    assert [result.claim for result in results] == claims

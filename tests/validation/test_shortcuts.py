"""Shortcuts say what the long way says."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from veridical import Document, Validator
from veridical.validation import lexicon
from veridical.validation.alterations import CANNOT, negates
from veridical.validation.claims import Claim

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
    if any(long == short + ending for ending in ("less",)):
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


@pytest.mark.parametrize("ids", [("a", "b", "c", "d"), ("a", "a", "a", "a"), ("1", "0", "0", "2")])
def test_claims_are_told_apart_whatever_their_ids(ids: tuple[str, ...]) -> None:
    document = Document("d", "The first of the words stand here.\nThe second stand here too.")
    quotes = ("The first of the words", "The second stand here", "Nowhere to be found at all")
    claims = [Claim(name, quote) for name, quote in zip(ids, (*quotes, quotes[0]), strict=True)]
    results = Validator([document]).validate(claims).results
    apart = [Validator([document]).validate([claim]).results[0] for claim in claims]
    assert list(results) == apart
    assert [result.claim for result in results] == claims

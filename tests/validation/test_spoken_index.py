"""Tokens are found at all places where they stand, and at no others."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veridical.text.spoken import SpokenIndex

WORDS = st.lists(st.sampled_from("a b c aa".split()), max_size=40)


@given(WORDS, st.lists(st.sampled_from("a b c aa zz".split()), max_size=5))
def test_all_places_are_found(words: list[str], wanted: list[str]) -> None:
    found = list(SpokenIndex(" ".join(words)).find(wanted))
    places = range(len(words) - len(wanted) + 1) if wanted else ()
    assert found == [at for at in places if words[at : at + len(wanted)] == wanted]

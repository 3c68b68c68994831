"""Both ways of finding tokens find all places, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.validation import spoken_index
from veridical.validation.spoken_index import SpokenIndex

WORDS = st.lists(st.sampled_from("a b c aa".split()), max_size=40)


@pytest.fixture(params=[0, 3, spoken_index.MOST_PLACES], scope="module")
def most_places(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@given(WORDS, st.lists(st.sampled_from("a b c aa zz".split()), max_size=5))
def test_all_places_are_found(most_places: int, words: list[str], wanted: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(spoken_index, "MOST_PLACES", most_places)
        found = list(SpokenIndex(" ".join(words)).find(wanted))
    places = range(len(words) - len(wanted) + 1) if wanted else ()
    assert found == [at for at in places if words[at : at + len(wanted)] == wanted]

"""Citation markers of replies: how they are written, and what they point to."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.generative.reply import without_markers


@given(st.text(alphabet="[]()\u3010\u3011\uff3b\uff3d^-,;& 129ax", max_size=60))
def test_no_square_bracket_is_ever_left(text: str) -> None:
    assert not set("[]\uff3b\uff3d\u3010\u3011") & set(without_markers(text))

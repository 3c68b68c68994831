"""Citation markers of replies: how they are written, and what they point to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.answering.generative.reply import in_plain_form, source_numbers, without_markers
from veridical.ledger.markers import find_markers


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        ("Leave is paid [1].", (1,)),
        ("Leave is paid [1, 2].", (1, 2)),
        ("Leave is paid [1][2].", (1, 2)),
        ("Leave is paid [1] [2].", (1, 2)),
        ("Leave is paid [1]-[3].", (1, 2, 3)),
        ("Leave is paid [1]\u2013[3].", (1, 2, 3)),
        ("Leave is paid [1] - [3].", (1, 2, 3)),
        ("Leave is paid [1-3].", (1, 2, 3)),
        ("Leave is paid [1; 3].", (1, 3)),
        ("Leave is paid \u30101\u3011.", (1,)),
        ("Leave is paid \u30102\u2020source\u3011.", (2,)),
        ("Leave is paid \uff3b2\uff3d.", (2,)),
        ("Leave is paid [^1].", (1,)),
        ("Leave is paid [1](#source-1).", (1,)),
        ("Leave is paid [Source 2].", (2,)),
        ("Leave is paid [sources 1 & 3].", (1, 3)),
        ("Leave is paid [Doc 1, 2].", (1, 2)),
        ("Leave is paid [2][2][1, 2].", (2, 1)),
        ("Leave is paid [4].", (4,)),
        ("Leave is paid [5].", ()),
        ("Leave is paid [3-6].", (3, 4)),
        ("Leave is paid [0].", ()),
        ("Leave is paid [3-1].", ()),
        ("Leave is paid [1-999].", ()),
        ("Leave is paid [1]-[999].", ()),
        ("Leave is paid [1999].", ()),
        ("Leave is paid (1).", ()),
        ("Leave is paid [cite:a1b2c3d4].", ()),
        ("Leave is paid (leave.md).", ()),
        ("Leave is paid [-1].", ()),
        ("Leave is paid.", ()),
    ],
)
def test_numbers_of_sources_that_there_are(written: str, numbers: tuple[int, ...]) -> None:
    assert source_numbers(find_markers(in_plain_form(written)), 4) == numbers


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("27 days [1]", "27 days "),
        ("27 days [1999] a year", "27 days  a year"),
        ("27 days [1, 2]\uff3b3\uff3d\u30104\u3011", "27 days "),
        ("27 days []", "27 days "),
        ("see (1) and [sic]", "see (1) and (sic)"),
    ],
)
def test_nothing_is_left_that_looks_like_a_marker(text: str, shown: str) -> None:
    assert without_markers(text) == shown


@given(st.text(alphabet="[]()\u3010\u3011\uff3b\uff3d^-,;& 129ax", max_size=60))
def test_no_square_bracket_is_ever_left(text: str) -> None:
    assert not set("[]\uff3b\uff3d\u3010\u3011") & set(without_markers(text))

"""Sentences of cases as lines that the reader is shown, and some of those lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.judge import Case
from veridical.judging.lines import Lines, lines_of

CASES = (
    Case("May I?", ("You may not bring:", "dogs", "", "glass bottles"), heading="Park"),
    Case("May I?", ("Keys are kept at the office.", "These are\n kept as well:", "maps")),
)


def introducing(lines: Lines) -> dict[str, str]:
    """The text of the line that introduces each, by the text of the line."""
    return {
        line.text: lines.lines[line.lead_in].text if line.lead_in >= 0 else ""
        for line in lines.lines
    }


def test_lines_say_where_they_stand_and_what_introduces_them() -> None:
    lines = lines_of(CASES)
    assert lines.places == ((0, 0), (0, 1), (0, 3), (1, 0), (1, 1), (1, 2))
    assert [line.section for line in lines.lines] == [0, 0, 0, 1, 1, 1]
    assert [line.heading for line in lines.lines] == ["Park"] * 3 + [""] * 3
    assert introducing(lines) == {
        "You may not bring:": "",
        "dogs": "You may not bring:",
        "glass bottles": "You may not bring:",
        "Keys are kept at the office.": "",
        "These are kept as well:": "",
        "maps": "These are kept as well:",
    }


@pytest.mark.parametrize(
    ("kept", "led"),
    [
        ([0, 2], {"You may not bring:": "", "glass bottles": "You may not bring:"}),
        ([1, 2], {"dogs": "", "glass bottles": ""}),
        ([3, 4, 5], {"Keys are kept at the office.": "", "These are kept as well:": "",
                     "maps": "These are kept as well:"}),
        ([5], {"maps": ""}),
        ([], {}),
    ],
)  # fmt: skip
def test_lines_that_are_kept_forget_lead_ins_that_are_not(
    kept: list[int], led: dict[str, str]
) -> None:
    lines = lines_of(CASES)
    some = lines.only(kept)
    assert introducing(some) == led
    assert some.places == tuple(lines.places[i] for i in kept)


@given(st.sets(st.integers(0, 5)).map(sorted), st.data())
def test_some_of_some_lines_are_some_lines(kept: list[int], data: st.DataObject) -> None:
    """What is left out in two steps is as what is left out in one."""
    lines = lines_of(CASES)
    some = lines.only(kept)
    again = [i for i in range(len(kept)) if data.draw(st.booleans())]
    assert lines.only(range(len(lines.lines))) == lines
    assert some.only(again) == lines.only([kept[i] for i in again])
    for line, place in zip(some.lines, some.places, strict=True):
        whole = lines.lines[lines.places.index(place)]
        assert (line.text, line.section, line.heading) == (whole.text, whole.section, whole.heading)

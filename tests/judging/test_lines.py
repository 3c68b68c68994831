"""Sentences of cases as lines that the reader is shown, and some of those lines."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from veridical.judging.judge import Case
from veridical.judging.lines import lines_of

CASES = (
    Case("May I?", ("You may not bring:", "dogs", "", "glass bottles"), heading="Park"),
    Case("May I?", ("Keys are kept at the office.", "These are\n kept as well:", "maps")),
)


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

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.evaluation.responses import COSTS, LEAVE

from veridical.evaluation.quotes import (
    collapse,
    find_markers,
    quote_problem,
    read_lines,
)

SOURCES = (collapse(LEAVE), collapse(COSTS))


@given(st.text(alphabet="[]1,2-; \u2013", max_size=60))
def test_a_marker_stands_where_it_says(text: str) -> None:
    for marker in find_markers(text):
        shown = text[marker.start : marker.end]
        assert shown.startswith("[")
        assert shown.endswith("]")
        assert marker.numbers


def test_the_marker_behind_a_quote_is_told_from_those_inside_it() -> None:
    (line,) = read_lines('Quote: "carried over [see 4.2] and [7]" [2]')
    assert [marker.numbers for marker in line.markers] == [(7,), (2,)]
    behind = line.marker_behind
    assert behind is not None
    assert behind.numbers == (2,)
    assert line.text[behind.start : behind.end] == "[2]"
    (malformed,) = read_lines('Quote: "and [7]" [2].')
    assert [marker.numbers for marker in malformed.markers] == [(7,), (2,)]
    assert malformed.marker_behind is None
    assert malformed.is_malformed_quote


@pytest.mark.parametrize(
    ("quote", "problem"),
    [
        ("staff accrue 1.67", ""),
        ("per month. Leave may be carried over [see 4.2].", ""),
        ("per\u2003month. \u00a0 Leave may be", ""),
        ("Full-time staff accrue 1.76 days", "does not stand in source 1"),
        ("full-time staff accrue", "does not stand in source 1"),
        ("Full\u2010time staff", "does not stand in source 1"),
        ("Full-time staff accrue 1.67 days...", "does not stand in source 1"),
        ("Full-time \u200bstaff", "does not stand in source 1"),
        ("Receipts are due within 30 days.", "does not stand in source 1; it stands in source 2"),
        ("F", "too short"),
        (" \u00a0 ", "too short"),
    ],
)
def test_a_quote_stands_in_its_source_but_for_white_space(quote: str, problem: str) -> None:
    (line,) = read_lines(f'Quote: "{quote}" [1]')
    assert line.quote is not None
    told = quote_problem(line.quote, SOURCES)
    assert told.endswith(problem) if problem.startswith("does") else problem in told
    assert bool(told) is bool(problem)


@pytest.mark.parametrize("number", [0, 3, 99])
def test_a_quote_of_a_source_that_was_not_returned(number: int) -> None:
    (line,) = read_lines(f'Quote: "Full-time staff" [{number}]')
    assert line.quote is not None
    assert f"names source {number}, which was not returned" in quote_problem(line.quote, SOURCES)


@given(st.text(max_size=80), st.data())
def test_every_stretch_of_a_source_is_a_quote_of_it(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    quoted = collapse(text[start : data.draw(st.integers(start, len(text)))])
    (line,) = read_lines(f'Quote: "{quoted}" [1]')
    assert line.quote is not None
    assert line.quote.text == quoted
    assert (quote_problem(line.quote, [collapse(text)]) == "") is (len(quoted) > 1)

"""Long transcripts: the minutes that matter are shown, and what is not shown is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.transcripts import from_sentences

from veridical.scoring.asking.windows import (
    LEAST_TRANSCRIPT_TOKENS,
    Line,
    Windows,
    estimated_tokens,
    lines_of,
)
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    Section,
    TimingTarget,
)

CHATTER = "Unit {n} to dispatch, we are still driving north on the long road, traffic is light."
MAYDAY = "Mayday mayday, firefighter down on the second floor."
WATER = "We are knocking it down in the kitchen."


def long_lines(*marked: tuple[int, str], count: int = 600) -> tuple[Line, ...]:
    """Six seconds a line; other words at the marked places."""
    said = dict(marked)
    rows = [
        (6.0 * n, 6.0 * n + 5, said.get(n, CHATTER.format(n=n)), f"U{n % 3}") for n in range(count)
    ]
    return lines_of(from_sentences(rows, words=False))


SECTION = Section(
    "mayday",
    "Mayday",
    1.0,
    (
        Criterion("mayday-called", "A mayday is called for a firefighter", CriterionType.BOOLEAN),
        Criterion(
            "water",
            "First water",
            CriterionType.TIMING,
            timing=TimingTarget("on_scene", "water_on_fire", 60),
            cues=Cues(events=(CueGroup("water_on_fire", (Cue("knocking it down"),)),)),
        ),
    ),
)
LONG = Windows(long_lines((50, MAYDAY), (400, WATER)))


def test_a_transcript_that_fits_is_shown_whole() -> None:
    excerpt = LONG.excerpt(SECTION, LONG.tokens)
    assert excerpt.text == LONG.whole
    assert (excerpt.omitted, excerpt.lines_left_out) == ((), 0)


@pytest.mark.parametrize("tokens", [LEAST_TRANSCRIPT_TOKENS, 5_000, 10_000])
def test_each_criterion_has_its_minutes_shown_within_the_budget(tokens: int) -> None:
    excerpt = LONG.excerpt(SECTION, tokens)
    assert MAYDAY in excerpt.text
    assert WATER in excerpt.text
    assert tokens * 0.7 < estimated_tokens(excerpt.text) <= tokens


def test_lines_stand_in_order_and_gaps_say_what_they_leave_out() -> None:
    excerpt = LONG.excerpt(SECTION, 3_000)
    rows = excerpt.text.splitlines()
    assert all(row in LONG.whole for row in rows if not row.startswith("[..."))
    seconds = [float(found[1]) for row in rows if (found := re.match(r"\[(\d+\.\d)\] ", row))]
    assert seconds == sorted(seconds)
    gaps = [row for row in rows if row.startswith("[...")]
    assert len(gaps) == len(excerpt.omitted) >= 2
    assert re.fullmatch(r"\[\.\.\. \d+:\d\d to \d+:\d\d is not shown \.\.\.\]", gaps[0])
    assert excerpt.lines_left_out == len(LONG.lines) - len(seconds)
    for second in seconds:
        assert not any(gap.start <= second < gap.end for gap in excerpt.omitted)


def test_without_times_gaps_have_none() -> None:
    rows = [(None, None, line.said, None) for line in LONG.lines]
    excerpt = Windows(lines_of(from_sentences(rows))).excerpt(SECTION, 3_000)
    assert excerpt.omitted == ()
    assert excerpt.lines_left_out > 0
    assert "[... a part of the recording is not shown ...]" in excerpt.text
    assert MAYDAY in excerpt.text


def test_the_same_is_chosen_every_time() -> None:
    again = Windows(LONG.lines)
    assert again.excerpt(SECTION, 4_000) == LONG.excerpt(SECTION, 4_000)


_LINE = st.builds(
    Line,
    st.sampled_from(["x" * 500, "1" * 500, "🔥" * 500, "水" * 500, "a word", MAYDAY]),
    st.sampled_from([None, "U1", "🔥" * 100]),
    st.sampled_from([None, 12.0]),
    st.none(),
)


@settings(max_examples=30)
@given(st.lists(_LINE, min_size=1, max_size=40))
def test_whatever_is_said_something_fits_the_least_budget(lines: list[Line]) -> None:
    excerpt = Windows(lines).excerpt(SECTION, LEAST_TRANSCRIPT_TOKENS)
    assert excerpt.lines_left_out < len(lines)
    assert estimated_tokens(excerpt.text) <= LEAST_TRANSCRIPT_TOKENS

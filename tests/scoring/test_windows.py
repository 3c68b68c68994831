"""Long transcripts: the minutes that matter are shown, and what is not shown is said."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.speech.transcripts import from_sentences

from veridical.matching.embeddings import StaticEmbedder
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


def test_what_is_next_to_the_words_is_shown_too() -> None:
    text = LONG.excerpt(SECTION, LEAST_TRANSCRIPT_TOKENS).text
    assert CHATTER.format(n=47) in text
    assert CHATTER.format(n=53) in text


def test_another_section_is_shown_other_minutes() -> None:
    windows = Windows(long_lines((50, MAYDAY), (400, "The utility company has shut off the gas.")))
    gas = Section(
        "gas", "Utilities", 1.0, (Criterion("gas-off", "Gas shut off", CriterionType.BOOLEAN),)
    )
    assert "shut off the gas" in windows.excerpt(gas, LEAST_TRANSCRIPT_TOKENS).text


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


def test_a_gap_runs_from_the_first_to_the_last_second_that_is_left_out() -> None:
    lines = long_lines((0, MAYDAY), count=300)
    excerpt = Windows(lines).excerpt(SECTION, 3_000)
    shown = {float(second) for second in re.findall(r"^\[(\d+\.\d)\]", excerpt.text, re.MULTILINE)}
    hidden = [line for line in lines if line.start not in shown]
    covered = [
        line
        for line in hidden
        for gap in excerpt.omitted
        if line.start is not None
        and line.end is not None
        and gap.start <= line.start
        and line.end <= gap.end
    ]
    assert covered == hidden
    assert {gap.start for gap in excerpt.omitted} <= {line.start for line in hidden}
    assert {gap.end for gap in excerpt.omitted} <= {line.end for line in hidden}


@pytest.mark.parametrize(
    "text",
    [
        "[90.0] ENG25: Engine 25 assuming command on FTAC 205, two story structure, smoke showing.",
        "[1290.5] Dispatch: Copy 1432, 10-4, units 25, 26 and 31 to 1400 Elm Street, cross of 5th.",
        "The quick brown fox jumps over the lazy dog and then goes home to sleep for a while.",
        "Это сообщение о пожаре на втором этаже здания",
        "現場に到着しました。煙が見えます。",
    ],
)
def test_the_estimate_is_no_less_than_what_a_small_vocabulary_needs(text: str) -> None:
    """The oracle is a vocabulary of 32,000 tokens that spells numbers out digit by digit."""
    tokenizer = StaticEmbedder()._tokenizer
    needed = len(tokenizer.encode(text, add_special_tokens=False).ids)
    assert needed <= estimated_tokens(text) <= 3 * needed

"""Delivery metrics: what is measured, on what, and that nothing is ever divided by nothing."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.speech.transcripts import Sentence, from_sentences, plain, transcript

from veridical.sources.transcript import Precision, Transcript
from veridical.speech import metrics
from veridical.speech.metrics import measure
from veridical.speech.results import DeliveryMetrics, PaceWindow, Pause


def test_words_with_times() -> None:
    talk = transcript([("One", 1.0, 1.5), ("two", 1.5, 2.0), ("three.", 4.0, 5.0)])
    measured = measure(talk)
    assert (measured.start, measured.end, measured.words) == (1.0, 5.0, 3)
    assert measured.words_per_minute == 45.0
    assert measured.pauses == (Pause(2.0, 4.0),)
    assert (measured.precision, measured.notes) == (Precision.WORD, ())
    uncut = measure(replace(talk, segments=()))
    assert (uncut.start, uncut.end, uncut.pauses) == (1.0, 5.0, (Pause(2.0, 4.0),))
    assert measure(Transcript(name="talk", text="Only words here.")).words == 3


@pytest.mark.parametrize(("gap", "count"), [(1.4, 0), (1.5, 0), (1.5 + 2**-20, 1), (9.0, 1)])
@pytest.mark.parametrize("words", [True, False])
def test_only_a_longer_silence_is_a_pause(gap: float, count: int, *, words: bool) -> None:
    talk = from_sentences(
        [(0.0, 2.0, "Good evening.", None), (2.0 + gap, 5.0 + gap, "Hello there.", None)],
        words=words,
    )
    assert len(measure(talk).pauses) == count


def test_segments_only_say_that_they_are_less_precise() -> None:
    talk = from_sentences(
        [(0.0, 3.0, "No words here.", None), (6.0, 9.0, "None at all.", None)], words=False
    )
    measured = measure(talk)
    assert measured.words_per_minute == 40.0
    assert measured.pauses == (Pause(3.0, 6.0),)
    assert (measured.precision, measured.notes) == (Precision.SEGMENT, (metrics.SEGMENTS_ONLY,))


def test_a_word_without_time_inside_a_segment_hides_its_gap() -> None:
    talk = transcript([("One", 0.0, 1.0), ("two", None, None), ("three", 8.0, 9.0)])
    measured = measure(talk)
    assert measured.pauses == ()
    assert measured.notes == (metrics.SOME_WORDS_ONLY,)


def test_one_speaker_of_two() -> None:
    talk = from_sentences(
        [
            (0.0, 4.0, "Please welcome our next speaker.", "Chair"),
            (10.0, 13.0, "Thank you all.", "Ann"),
            (13.0, 16.0, "It was late.", "Ann"),
            (30.0, 31.0, "Thank you, Ann.", "Chair"),
        ]
    )
    measured = measure(talk, label="Ann")
    assert (measured.start, measured.end, measured.words) == (10.0, 16.0, 6)
    assert measured.words_per_minute == 60.0
    # The way to the lectern is nobody's pause.
    assert measure(talk).pauses == ()
    assert measure(talk, label="nobody") == DeliveryMetrics()


@pytest.mark.parametrize(
    "talk",
    [
        plain(""),
        transcript([]),
        from_sentences([(5.0, 5.0, "All at once.", None)]),
        from_sentences([(5.0, 5.0, "All at once.", None)], words=False),
        from_sentences([(5.0, 5.0 + 1e-12, "All at once.", None)]),
        plain("No times at all."),
    ],
)
def test_nothing_to_measure_gives_zeros(talk: Transcript) -> None:
    measured = measure(talk)
    assert measured.words_per_minute == 0
    assert measured.pauses == measured.pace == ()


def test_pace_over_time() -> None:
    words = [(f"w{i}", i * 0.5, i * 0.5 + 0.4) for i in range(60)]
    words += [(f"v{i}", 30 + i, 30 + i + 0.5) for i in range(20)]
    assert measure(transcript(words)).pace == (
        PaceWindow(0.0, 15.0, 120.0),
        PaceWindow(15.0, 30.0, 120.0),
        # What is left is less than half a window.
        PaceWindow(30.0, 49.5, pytest.approx(20 * 60 / 19.5)),
    )


TIMES = st.one_of(st.none(), st.floats(0, 40_000))


@st.composite
def sentences(draw: st.DrawFn) -> list[Sentence]:
    said = st.sampled_from(
        ["um", "Good evening, like, all.", "", "東京へ行きました。", "a b c d e"]
    )
    found: list[Sentence] = []
    for _ in range(draw(st.integers(0, 6))):
        start, end = draw(TIMES), draw(TIMES)
        if start is None or end is None:
            start = end = None
        speaker = draw(st.sampled_from([None, "A", "B"]))
        found.append((start, end, draw(said), speaker))
    return found


@given(sentences(), st.data())
def test_every_number_is_finite(said: list[Sentence], data: st.DataObject) -> None:
    words = data.draw(st.lists(st.booleans(), min_size=len(said), max_size=len(said)))
    measured = measure(
        from_sentences(said, words=words), label=data.draw(st.sampled_from([None, "A"]))
    )
    numbers = [measured.start, measured.end, measured.words_per_minute]
    numbers += [n for window in measured.pace for n in (window.start, window.words_per_minute)]
    numbers += [pause.seconds for pause in measured.pauses]
    assert all(math.isfinite(number) and number >= 0 for number in numbers)
    assert measured.duration_seconds >= 0
    assert all(a.end == b.start and a.start < a.end for a, b in pairwise(measured.pace))


def test_thirds_are_of_the_time_that_the_speaker_had() -> None:
    ten = "one two three four five six seven eight nine ten"
    others = [(60.0, 90.0, ten, "Chair"), (90.0, 150.0, ten, "Chair")]
    own = [(n * 10.0 + 90 * (n > 5), n * 10.0 + 90 * (n > 5) + 10, ten, "Ada") for n in range(9)]
    thirds = measure(from_sentences(sorted([*own, *others])), label="Ada").thirds
    assert [round(third.words_per_minute) for third in thirds] == [60, 60, 60]
    assert [(third.start, third.end) for third in thirds] == [(0, 30), (30, 60), (60, 180)]

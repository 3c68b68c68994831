"""What is wrong in a transcript is put right with a warning, and no time is made up."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.sources.transcripts.builders import read, said, spoken, timed

from veridical.sources.transcript import Precision


def warned(transcript: Any, start: str) -> str:
    (found,) = [text for text in transcript.warnings if text.startswith(start)]
    return str(found)


def whisper(text: str, words: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    ends = [w["end"] for w in words if type(w["end"]) is float and 9 < w["end"] < math.inf]
    end = max(ends, default=9)
    return {"segments": [{"start": 0, "end": end, "text": text, "words": words, **more}]}


def word(text: str, start: Any, end: Any) -> dict[str, Any]:
    return {"word": text, "start": start, "end": end}


@pytest.mark.parametrize(
    ("start", "end", "expected", "warning"),
    [
        (1.0, 2.0, (1.0, 2.0), None),
        (None, None, (None, None), None),
        ("1.5", "2.0s", (1.5, 2.0), "Times written as text"),
        ("0:01", 2, (1.0, 2.0), "Times written as text"),
        ("soon", 2, (None, None), "Times that are no usable number"),
        (math.nan, 2.0, (None, None), "Times that are no usable number"),
        (1.0, math.inf, (1.0, 1.0), "Times that are no usable number"),
        (10**400, 2.0, (None, None), "Times that are no usable number"),
        (True, 2.0, (None, None), "Times that are no usable number"),
        ([1], 2.0, (None, None), "Times that are no usable number"),
        (3.0, 2.0, (3.0, 3.0), "Words without a usable end"),
        (3.0, None, (3.0, 3.0), "Words without a usable end"),
        (-0.02, 0.5, (0.0, 0.5), "Times below zero"),
        (-5.0, -4.0, (None, None), "Times below zero"),
    ],
)
def test_the_times_of_a_word(
    start: Any, end: Any, expected: tuple[float | None, float | None], warning: str | None
) -> None:
    transcript = read(whisper("Yes", [word("Yes", start, end)]))
    ((text, *times),) = said(transcript)
    assert (text, tuple(times)) == ("Yes", expected)
    if warning is None:
        assert transcript.warnings == ()
    else:
        count = sum(isinstance(time, str) for time in (start, end)) or 1
        assert f": {count} (first near 0:0" in warned(transcript, warning)


def test_a_time_that_runs_backwards_is_left_out_where_the_text_has_the_order() -> None:
    words = timed("one two three four five")
    words[3].update(start=0.1, end=0.2)
    transcript = read(whisper("one two three four five", words))
    assert [start for _, start, _ in said(transcript)] == [0.0, 0.5, 1.0, None, 2.0]
    assert "first near 0:00" in warned(transcript, "Words whose times run backwards")


def test_many_insertions_do_not_lose_the_rest() -> None:
    text = " ".join(f"w{i}" for i in range(9000))
    spoken_words = text.split()
    for at in (8000, 5000, 2500, 100):
        spoken_words[at:at] = [f"x{i}" for i in range(700)]
    transcript = read(whisper(text + " end", timed(" ".join(spoken_words))))
    assert len(transcript.words) == 9000
    assert warned(transcript, "Timed words that differ").count("2,800")


def repeated(text: str, times: int, step: float = 2.0, gap: float = 0.0) -> list[dict[str, Any]]:
    return [{"start": i * step, "end": (i + 1) * step - gap, "text": text} for i in range(times)]


MORE = " ".join(f"word{i}" for i in range(120))
"""Longer speech beside a part of it: the pace of that part is not that of the whole file."""

FLAT = [{"start": 1, "end": 2, "text": "Thanks for watching!"}] * 4
KEPT = "Segments that repeat the one before"
UNTIMED = "Segments repeated faster than can be said"


@pytest.mark.parametrize(
    ("parts", "untimed", "warning"),
    [
        (repeated("Thanks for watching!", 3), 0, KEPT),
        (repeated("Thanks for watching!", 30), 0, KEPT),
        (repeated("We shall fight on the beaches", 3, step=1.0), 0, KEPT),
        (repeated("Thanks for watching!", 30, step=0.02), 29, UNTIMED),
        (repeated("Thanks for watching!", 3, gap=2.0), 2, UNTIMED),
        (FLAT, 3, UNTIMED),
        ([{**p, "compression_ratio": 2.5} for p in repeated("So do I.", 3)], 2, UNTIMED),
        (
            [{**p, "no_speech_prob": 0.7, "avg_logprob": -1.2} for p in repeated("So do I.", 3)],
            2,
            UNTIMED,
        ),
        ([{**p, "no_speech_prob": 0.7} for p in repeated("So do I.", 3)], 0, KEPT),
        (repeated("Thanks for watching!", 2), 0, None),
        (repeated("Thank you.", 5), 0, None),
        (repeated("Columbia, this is Houston.", 3, step=16, gap=12), 0, None),
        ([{**p, "speaker": str(i)} for i, p in enumerate(repeated("So do I.", 4))], 0, None),
    ],
)
def test_repeats_of_segments_stay_and_lose_times_that_cannot_be(
    parts: list[dict[str, Any]], untimed: int, warning: str | None
) -> None:
    transcript = read({"segments": [*parts, {"start": 900, "end": 960, "text": MORE}]})
    assert len(transcript.segments) == len(parts) + 1
    assert [s.start is None for s in transcript.segments[:-1]] == [
        i >= len(parts) - untimed for i in range(len(parts))
    ]
    if warning is None:
        assert transcript.warnings == ()
    else:
        count = untimed or len(parts) - 1
        assert f": {count} (first near 0:0" in warned(transcript, warning)


LOOP = "So it went, " + "and then, " * 15 + "we left."


@pytest.mark.parametrize(
    "data",
    [
        {"segments": [{"start": 3, "end": 5, "text": LOOP}]},
        {"segments": [{"start": 3, "end": 30, "text": LOOP, "compression_ratio": 3.1}]},
        {"segments": [{"start": 3, "end": 5, "text": LOOP, "words": timed(LOOP, step=0.02)}]},
    ],
    ids=["too fast", "by its own mark", "word times"],
)
def test_a_loop_that_cannot_be_speech_has_no_time(data: Any) -> None:
    for word_ in data["segments"][0].get("words", ()):
        word_["start"], word_["end"] = word_["start"] + 3, word_["end"] + 3
    data["segments"].append({"start": 900, "end": 960, "text": MORE})
    transcript = read(data)
    assert transcript.text == f"{LOOP} {MORE}"
    assert [(part[0][:9], part[1] is None) for part in spoken(transcript)[:3]] == [
        ("So it wen", False),
        ("and then,", True),
        ("we left.", False),
    ]
    loop = transcript.segments[1]
    assert transcript.moment(loop.span).precision is Precision.NONE
    assert ": 28 (" in warned(transcript, "Words of a phrase repeated faster")


def test_a_countdown_needs_more_than_one_time_below_zero() -> None:
    def origin(*starts: float) -> float:
        parts = [{"start": s, "end": s + 1.5, "text": f"At {s}"} for s in starts]
        return read({"segments": parts}).time_base.origin_seconds

    assert origin(-9, -5, 3) == -9
    assert origin(-9, 1, 3) == 0
    assert origin(-9, 1, -3) == 0
    assert origin(-5, -9, 3) == 0
    assert origin(-0.2, -0.1, 3) == 0


@pytest.mark.parametrize(
    "source", [{"text": "", "segments": []}, "WEBVTT\n", {"segments": []}, [], {"words": []}]
)
def test_no_words_at_all_is_an_empty_transcript(source: object) -> None:
    transcript = read(source)
    assert (transcript.text, transcript.words, transcript.segments) == ("", (), ())
    assert (transcript.start, transcript.end) == (0.0, 0.0)
    assert transcript.warnings == ("The transcript holds no words.",)


def test_a_moment_never_ends_before_it_starts() -> None:
    parts = [
        {"start": 0, "end": 30, "speaker": "A", "text": "long talk"},
        {"start": 10, "end": 12, "speaker": "B", "text": "aside"},
    ]
    transcript = read({"segments": parts})
    for part in transcript.segments:
        moment = transcript.moment(part.span)
        assert moment.start is not None
        assert moment.end is not None
        assert moment.start <= moment.end

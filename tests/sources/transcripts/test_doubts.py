"""In doubt the words stay: no wrong second and no wrong speaker may look right."""

from __future__ import annotations

from typing import Any

import pytest
from tests.sources.transcripts.builders import read, said, spoken, timed

from veridical.sources.transcript import Precision, TimeUnit, Transcript

TEN = "one two three four five six seven eight nine ten"


def texts(transcript: Transcript) -> list[str]:
    return [part[0] for part in spoken(transcript)]


def starts(transcript: Transcript) -> list[float | None]:
    return [part[1] for part in spoken(transcript)]


def told(transcript: Transcript, part: str) -> bool:
    return any(part in warning for warning in transcript.warnings)


def parts(*entries: tuple[float, float, str], **more: Any) -> list[dict[str, Any]]:
    return [{"start": start, "end": end, "text": text, **more} for start, end, text in entries]


# Units


MILLIS = range(0, 4000, 400)


def whole_words(per_second: int) -> list[dict[str, Any]]:
    return [
        {"text": word, "start": i * per_second, "end": (i + 1) * per_second, "confidence": 0.9}
        for i, word in enumerate(TEN.split())
    ]


@pytest.mark.parametrize(
    ("data", "unit"),
    [
        ({"words": whole_words(1), "text": TEN}, TimeUnit.SECONDS),
        ({"words": whole_words(1), "language_code": "en"}, TimeUnit.SECONDS),
        ({"utterances": parts((0, 4, TEN), (4, 9, TEN), confidence=0.9)}, TimeUnit.SECONDS),
        ({"utterances": parts((0, 9, TEN)), "status": "completed"}, TimeUnit.SECONDS),
        ({"segments": parts((0, 4000, TEN), (4000, 9000, TEN))}, TimeUnit.MILLISECONDS),
        ([{"start": i * 4000, "text": TEN} for i in range(5)], TimeUnit.MILLISECONDS),
        ([{"word": "so", "start": at, "end": at + 400} for at in MILLIS], TimeUnit.MILLISECONDS),
    ],
)
def test_times_that_are_impossible_in_a_unit_are_read_in_the_other(
    data: Any, unit: TimeUnit
) -> None:
    transcript = read(data)
    assert transcript.time_base.unit is unit
    assert 3 < transcript.end < 30
    other = {"milliseconds", "seconds"} - {unit.value}
    assert told(transcript, f"impossible in {other.pop()} and are read as {unit.value}")


def test_times_that_fit_no_unit_are_left_out() -> None:
    transcript = read({"segments": parts((0, 0.5, TEN), (0.5, 1, TEN))})
    assert transcript.text == f"{TEN} {TEN}"
    assert transcript.precision is Precision.NONE
    assert told(transcript, "all times are left out")


def test_a_log_with_long_silences_is_left_as_it_is() -> None:
    transcript = read(parts((0, 1, "Go now."), (7200, 7201, "Stop now."), (9000, 9001, "Bye.")))
    assert starts(transcript) == [0, 7200, 9000]
    assert transcript.warnings == ()


# Words and their segments


def test_a_word_outside_of_its_segment_has_the_segments_time() -> None:
    words = timed("one two three")
    words[1].update(start=50.0, end=50.4)
    transcript = read(
        {"segments": [{"start": 0, "end": 2, "text": "one two three", "words": words}]}
    )
    assert [word[1] for word in said(transcript)] == [0.0, None, 1.0]
    moment = transcript.moment(transcript.words[1].span)
    assert (moment.start, moment.precision) == (0.0, Precision.SEGMENT)
    assert told(transcript, "Words timed outside of their segment")


def test_times_never_run_backwards_from_one_segment_to_the_next() -> None:
    def data(*speakers: str) -> dict[str, Any]:
        one = {"text": "one two", "start": 0, "end": 1.5, "words": timed("one two")}
        two = {"text": "three", "start": 1.0, "end": 3.0}
        two["words"] = [{"word": "three", "start": 0.2, "end": 0.4}]
        return {"segments": [{**one, "speaker": speakers[0]}, {**two, "speaker": speakers[1]}]}

    same, other = read(data("A", "A")), read(data("A", "B"))
    assert [word[1] for word in said(same)].count(None) == 1
    assert told(same, "run backwards")
    assert None not in [word[1] for word in said(other)]


@pytest.mark.parametrize(
    ("text", "words", "sure"),
    [
        ("we go on and then we go home", "we go home", ["home"]),
        ("we go home and then we go", "we go", []),
        ("it is a dream", "it is a dream a dream", ["it", "is"]),
        ("yes we can say that we can do it", "yes we can do it", ["yes", "do", "it"]),
        ("we said nothing more", "we said more", ["we", "said", "more"]),
    ],
)
def test_a_word_with_two_places_has_none(text: str, words: str, sure: list[str]) -> None:
    segment = {"start": 0, "end": 9, "text": f"Oh {text}", "words": timed(words)}
    transcript = read({"segments": [segment]})
    assert [word[0] for word in said(transcript)] == sure
    assert transcript.text == f"Oh {text}"


# The order of time


@pytest.mark.parametrize(
    ("times", "expected", "warning"),
    [
        ([0, 4, 2, 6], [0, 2, 4, 6], "Segments out of order, sorted"),
        ([0, 5, 10, 0, 5, 10], [0, 5, 10, None, None, None], "where the clock goes back"),
        ([0, 5, 0, 5], [0, 5, None, None], "where the clock goes back"),
        ([50, 200, 300, 60, 70, 80, 90], [50, 200, 300, *[None] * 4], "where the clock goes back"),
        ([0, 5, 10, 9999, 15, 20], [0, 5, 10, None, 15, 20], "far out of order"),
        ([0, 5, 10, 0, 15, 20], [0, 5, 10, None, 15, 20], "far out of order"),
    ],
)
@pytest.mark.parametrize("shape", ["lines", "segments", "words"])
def test_a_clock_that_goes_back(
    times: list[int], expected: list[float | None], warning: str, shape: str
) -> None:
    names = [f"say{n}." for n in range(len(times))]
    if shape == "lines":
        transcript = read(
            "\n".join(f"[{t // 60}:{t % 60:02}] {n}" for t, n in zip(times, names, strict=True))
        )
    elif shape == "segments":
        transcript = read(
            {"segments": [{"start": t, "text": n} for t, n in zip(times, names, strict=True)]}
        )
    else:
        transcript = read(
            {"words": [{"word": n, "start": t} for t, n in zip(times, names, strict=True)]}
        )
        warning = warning.replace("Segments out", "Words out")
    assert starts(transcript) == expected
    assert told(transcript, warning)
    if "sorted" not in warning:
        assert texts(transcript) == names


# Captions


def vtt(*cues: tuple[str, str, str]) -> str:
    return "WEBVTT\n\n" + "".join(f"{a} --> {b}\n{text}\n\n" for a, b, text in cues)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("00:01.000 --> 00:02.000\nOne\n\ntwo three\n", [("One two three", 1.0)]),
        ("NOTES-1\n00:01.000 --> 00:02.000\nOne\n", [("One", 1.0)]),
        ("NOTE\nold:\n00:01.000 --> 00:02.000\nOne\n", []),
        ("NOTE old\n\n1\n\n00:01.000 --> 00:02.000\nOne\n", [("One", 1.0)]),
        (
            "00:01.000 --> 00:02.000\nif x <5 and y> 3 or <b and c>\n",
            [("if x <5 and y> 3 or <b and c>", 1.0)],
        ),
        (
            "00:01.000 --> 00:02.000\n<c.red.big>a</c> <i>b</i> <lang en>c</lang> <v.x Tom>d</v>",
            [("a b c", 1.0), ("d", 1.0)],
        ),
    ],
)
def test_blocks_of_webvtt(body: str, expected: list[tuple[str, float]]) -> None:
    transcript = read("WEBVTT\n\n" + body)
    assert [part[:2] for part in spoken(transcript)] == expected
    assert told(transcript, "apart from any caption") == ("two three" in body)


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "00:01,000 --> 00:02,000\nIt was\n1969\n00:03,000 --> 00:04,000\nBye",
            ["It was 1969", "Bye"],
        ),
        (
            "1\n0:01 --> 0:02\nA\n2\n0:03 --> 0:04\nIn\n1969\n0:05 --> 0:06\nB",
            ["A", "In 1969", "B"],
        ),
        ("1\n00:01,000 --> 00:02,000\nR&amp;D &lt;5&nbsp;% &copy;", ["R&D <5 % &copy;"]),
        ("1\n00:01,000 --> 00:02,000\nfrom A --> B", ["from A --> B"]),
    ],
)
def test_lines_of_srt(source: str, expected: list[str]) -> None:
    assert texts(read(source)) == expected


# Speakers


@pytest.mark.parametrize(
    "label",
    "Step 1|Covid-19|WARNING|I|Remember|Step One|The Golden Rule|First|Sugar|NASA".split("|"),
)
def test_what_is_no_speaker(label: str) -> None:
    line = f"{label}: stay calm."
    for source in (
        f"So.\n{line}\nThen.",
        f"[00:01] So.\n[00:03] {line}\n[00:05] Then.",
        "1\n00:01,000 --> 00:02,000\nSo.\n\n2\n00:03,000 --> 00:04,000\n" + line,
        vtt(("00:01.000", "00:02.000", "So."), ("00:03.000", "00:04.000", line)),
    ):
        transcript = read(source)
        assert line in transcript.text
        assert transcript.speakers == ()


def test_after_what_may_be_a_speaker_nobody_is_known() -> None:
    transcript = read("MARIA: One.\nMARIA: Two.\nTom: Three.\nFour.\nMARIA: Five.")
    assert [(part[0], part[3]) for part in spoken(transcript)] == [
        ("One.", "MARIA"),
        ("Two.", "MARIA"),
        ("Tom: Three.", None),
        ("Four.", None),
        ("Five.", "MARIA"),
    ]
    assert told(transcript, "kept in the text and the speaker left unknown: 1")


# What only one of two versions has


def test_the_whole_text_wins_over_words_that_lack_some_and_not_where_it_is_cut_off() -> None:
    text = "I will never agree to this. Not today. We all will see."
    words = timed("I will agree to this We all will see")
    transcript = read({"text": text, "words": words})
    assert transcript.text == text
    assert [word.strip(".") for word, _, _ in said(transcript)] == [w["word"] for w in words]
    assert starts(transcript) == [0.0, None, 2.5]
    assert told(transcript, "Words that only the whole text has, put in without a time: 3")
    assert read({"text": "I will", "words": words}).text == "I will agree to this We all will see"


def test_the_whole_text_wins_over_segments_that_lack_some() -> None:
    text = "Before. I will never agree. Between us. Bye now. After."
    segments = parts((0, 3, "I will agree."), (5, 6, "Bye now."))
    transcript = read({"text": text, "segments": segments})
    assert transcript.text == text
    assert starts(transcript) == [None, 0, None, 5, None]
    assert told(transcript, "Words that only the whole text has, put in without a time: 5")


def test_a_word_that_never_ends_ends_where_it_starts() -> None:
    words = timed("one two three")
    words[2]["end"] = 500.0
    segment = {"start": 0, "end": 2, "text": "one two three", "words": words}
    transcript = read({"segments": [segment]})
    assert said(transcript)[2] == ("three", 1.0, 1.0)
    assert told(transcript, "Words without a usable end")

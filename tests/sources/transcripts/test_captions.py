"""SRT and WebVTT: times, voices, markup, cues that overlap or roll."""

from __future__ import annotations

import pytest
from tests.sources.transcripts.builders import read, said, spoken

from veridical.sources.transcript import Precision, TimeUnit, TranscriptFormat

SRT = """1
00:00:01,000 --> 00:00:02,500
<i>Good</i> evening,
{\\an8}<font color="#fff">friends.</font>

2
00:00:03,000 --> 00:00:04,000 X1:10 X2:20
MARIA: Twelve < thirteen.
3
00:00:04,000 --> 00:00:05,000
[SPEAKER_01]: 42

4
00:00:05,000 --> 00:00:06,000
MARIA: So.
"""


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_srt(newline: str, mark: str) -> None:
    transcript = read(mark + SRT.replace("\n", newline))
    assert transcript.recorded_as is TranscriptFormat.SRT
    assert transcript.time_base.unit is TimeUnit.CLOCK
    assert transcript.precision is Precision.SEGMENT
    assert transcript.warnings == ()
    assert spoken(transcript) == [
        ("Good evening, friends.", 1.0, 2.5, None),
        ("Twelve < thirteen.", 3.0, 4.0, "MARIA"),
        ("42", 4.0, 5.0, "SPEAKER_01"),
        ("So.", 5.0, 6.0, "MARIA"),
    ]


VTT = """WEBVTT - a talk
Kind: captions
Language: de-CH

STYLE
::cue { color: red }

REGION
id:fred

NOTE
not spoken --
at all

intro
00:01.000 --> 00:02.500 align:start position:0% line:-1
<v.loud Tom Reed>Hi <i.x>there</i> &amp; <lang en>you</lang></v>

1:00:02.000 --> 1:00:04.000
<v Ann>Me too.
<v Tom Reed>Fish &lt; meat&nbsp;&copy;

"""


def test_webvtt() -> None:
    transcript = read(VTT)
    assert transcript.recorded_as is TranscriptFormat.WEBVTT
    assert transcript.language == "de-CH"
    assert transcript.text == "Hi there & you\n\nMe too.\n\nFish < meat ©"
    assert [part[1:] for part in spoken(transcript)] == [
        (1.0, 2.5, "Tom Reed"),
        (3602.0, 3604.0, "Ann"),
        (3602.0, 3604.0, "Tom Reed"),
    ]


def test_times_inside_a_cue_are_those_of_words() -> None:
    transcript = read(
        "WEBVTT\n\n00:01.000 --> 00:04.000\nNever <00:01.500>give up <00:02.500>hope\n"
    )
    assert said(transcript) == [
        ("Never", 1.0, 1.5),
        ("give", 1.5, 1.5),
        ("up", None, None),
        ("hope", 2.5, 4.0),
    ]


ROLLING = """WEBVTT
Kind: captions
Language: en

00:00:00.000 --> 00:00:02.000 align:start position:0%
_
we<00:00:00.500><c> all</c>

00:00:02.000 --> 00:00:02.010 align:start position:0%
we all
_

00:00:02.010 --> 00:00:04.000 align:start position:0%
we all
like<00:00:02.500><c> it</c>

00:00:04.000 --> 00:00:04.010 align:start position:0%
like it
_
""".replace("\n_\n", "\n \n")  # as these files have it: a line of one space


def test_rolling_captions_are_said_once() -> None:
    transcript = read(ROLLING)
    assert transcript.text == "we all like it"
    assert [start for _, start, _ in said(transcript)] == [0.0, 0.5, 2.01, 2.5]
    assert transcript.warnings == ("Caption lines shown again, left out: 3 (first near 0:02).",)


def test_srt_without_numbers_or_with_damaged_times() -> None:
    transcript = read(
        "00:01.5 --> 00:02.5\nOne\n\n00:03,000 --> 00:99:99,000\nTwo\n\nlater --> 00:05,000\nThree"
    )
    assert spoken(transcript) == [
        ("One", 1.5, 2.5, None),
        ("Two", 3.0, 13.0, None),
        ("Three", None, None, None),
    ]
    assert "Times that are no usable number, left out: 2." in transcript.warnings


def test_what_is_really_said_twice_stays() -> None:
    cues = [
        f"00:0{i}.000 --> 00:0{i + 1}.000\n{text}\n"
        for i, text in enumerate(["Yes.", "Yes.", "No, no.", "It is.", "Is it?", "Yes."])
    ]
    transcript = read("WEBVTT\n\n" + "\n".join(cues))
    assert transcript.text == "Yes. Yes. No, no. It is. Is it? Yes."
    assert transcript.warnings == ()

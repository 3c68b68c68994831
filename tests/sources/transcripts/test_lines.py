"""Plain text: times and speakers before the lines, in the ways people write them."""

from __future__ import annotations

import pytest
from tests.sources.transcripts.builders import read, spoken

from veridical.sources.transcript import Precision, TranscriptFormat


@pytest.mark.parametrize(
    "line",
    [
        "[01:02] Good evening.",
        "[1:02] Good evening.",
        "[00:01:02] Good evening.",
        "[00:01:02.000 --> 00:01:12.000]   Good evening.",
        "(1:02) Good evening.",
        "( 1:02 ) - Good evening.",
        "01:02 - Good evening.",
        "01:02 \u2013 Good evening.",
        "1:02\nGood evening.",
    ],
)
@pytest.mark.parametrize("label", ["", "MARIA: ", "Maria Lopez: "])
def test_a_time_before_a_line(line: str, label: str) -> None:
    transcript = read(f"[0:00] {label}So.\n" + line.replace("Good", label + "Good"))
    assert transcript.recorded_as is TranscriptFormat.LINES
    speaker = label.rstrip(": ") or None
    assert spoken(transcript)[1:] == [("Good evening.", 62.0, 72.0, speaker)]


@pytest.mark.parametrize(
    ("line", "speaker"),
    [
        ("MARIA: Hello.", "MARIA"),
        ("Dr. O'Neil-Smith: Hello.", "Dr. O'Neil-Smith"),
        ("Speaker 1: Hello.", "Speaker 1"),
        ("[SPEAKER_00]: Hello.", "SPEAKER_00"),
        ("Maria (0:12): Hello.", "Maria"),
        ("Maria Lopez  0:12\nHello.", "Maria Lopez"),
        ("Μαρία: Hello.", "Μαρία"),
    ],
)
def test_a_speaker_before_a_line(line: str, speaker: str) -> None:
    transcript = read(f"{line}\n{line}")
    assert transcript.text == "Hello. Hello."
    assert transcript.speakers == (speaker,)


@pytest.mark.parametrize(
    "line",
    [
        "we agreed on one thing: Hello.",
        "And then she said to all of us there: Hello.",
        "http://example.org is the page.",
        "It was 10:30 when we met.",
    ],
)
def test_what_only_looks_like_a_label(line: str) -> None:
    transcript = read(line)
    assert transcript.text == line
    assert transcript.speakers == ()


def test_one_word_and_a_colon_is_a_label_only_where_labels_are_used() -> None:
    assert read("So.\nRemember: this.").text == "So. Remember: this."
    assert read("Tom: So.\nAnn: This.\nTom: No.\nAnn: Yes.").speakers == ("Tom", "Ann")
    assert read("TOM REED: So.\nANN: This.").speakers == ("TOM REED", "ANN")
    assert read("So.\nTom: This.\nMore.\nTom: That.").speakers == ("Tom",)


def test_a_line_without_a_label_goes_on_with_the_speaker() -> None:
    transcript = read("[00:01] ANN: One.\n[00:03] Two.\nThree.\n\n[00:05] TOM: Four.\nANN: Five.")
    assert spoken(transcript) == [
        ("One.", 1.0, 3.0, "ANN"),
        ("Two. Three.", 3.0, 5.0, "ANN"),
        ("Four.", 5.0, 15.0, "TOM"),
        ("Five.", None, None, "ANN"),
    ]
    assert transcript.text == "One. Two. Three.\n\nFour.\n\nFive."


def test_text_without_any_time_says_so() -> None:
    transcript = read("One.\nTwo.")
    assert transcript.precision is Precision.NONE
    assert transcript.warnings == (
        "The transcript holds no times: no timestamp can be checked against it.",
    )


def test_a_missing_end_is_the_next_start_or_as_long_as_it_takes() -> None:
    long = " ".join(["word"] * 5 + ["other"] * 7)
    transcript = read(f"[00:00] One.\n[00:04] {long}\n[05:00] Two.")
    assert [part[2] for part in spoken(transcript)] == [4.0, 16.0, 310.0]
    assert transcript.warnings == (
        "Ends that are missing, estimated from what follows: 3 (first near 0:00).",
    )

"""Plain text: times, speakers and call signs before the lines, in the ways people write them."""

from __future__ import annotations

import pytest
from tests.sources.transcripts.builders import read, spoken

from veridical.sources.transcript import Precision, Transcript, TranscriptFormat


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


def test_one_word_and_a_colon_is_a_label_only_where_labels_are_used() -> None:
    for line in ("Remember: this.", "we agreed on one thing: Hello.", "http://example.org is it."):
        alone = read(f"So.\n{line}")
        assert (alone.text, alone.speakers) == (f"So. {line}", ())
    assert read("Tom: So.\nAnn: This.\nTom: No.\nAnn: Yes.").speakers == ("Tom", "Ann")
    assert read("[00:00] A: It is cold.\n[00:04] A: It is wet.\n").speakers == ("A",)
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


# Labels of one letter: speakers where several take turns, words of a sentence elsewhere.


@pytest.mark.parametrize(("first", "second"), [("A", "B"), ("Q", "A"), ("I", "S"), ("M", "W")])
def test_two_that_take_turns_are_speakers(first: str, second: str) -> None:
    talk = read(
        f"[00:00] {first}: I have never taken a bribe from any of them\n"
        f"[00:06] {second}: Except on one day in May of that year, you did.\n"
        f"[00:12] {first}: That was a loan and I paid it all back.\n"
        f"[00:20] {second}: So you say, and so say all of them.\n"
    )
    assert [segment.speaker for segment in talk.segments] == [first, second, first, second]
    assert f"{first}:" not in talk.text


@pytest.mark.parametrize("word", ["I", "A"])
def test_one_now_and_then_is_a_word(word: str) -> None:
    talk = read(
        "[00:00] So we went on and on.\n"
        f"[00:04] {word}: that is what was said.\n"
        "[00:08] And nobody knew why it was so.\n"
        f"[00:12] {word}: that is what was meant.\n"
        "[00:16] That was all of it for us.\n"
    )
    assert talk.speakers == ()
    assert talk.text.count(f"{word}:") == 2


# Call signs, "Engine 7:", and what a talk numbers, which is none.


ORDER = "All companies evacuate the building now."

CALL_SIGNS = (
    "Engine 7|ENG25|Engine-7|Engine7|Ladder 4|Battalion 2|Medic 3|E7|Engine #7|Engine No. 7|"
    "Engine 7A|Engine 7 Officer|Task Force 1|Engine 7 to Command|Command to Engine 7|Rescue 1-1|"
    "Engine 7 to Battalion Chief 2|ENG25 Alpha|Engine Seven to Command|Mission Control"
).split("|")

FORMS = {
    "brackets": "[00:{:02}] {}: {}\n",
    "bare": "0:{:02} - {}: {}\n",
    "srt": "1\n00:00:{0:02},000 --> 00:00:59,000\n{1}: {2}\n\n",
    "no times": "{1}: {2}\n",
}


def log(form: str, *lines: tuple[str, str]) -> Transcript:
    return read("".join(FORMS[form].format(5 * n, *line) for n, line in enumerate(lines)))


def speakers(transcript: Transcript) -> list[str | None]:
    return [part[3] for part in spoken(transcript)]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("sign", CALL_SIGNS)
def test_a_call_sign_is_the_speaker_even_if_it_comes_once(sign: str, form: str) -> None:
    transcript = log(
        form, ("Command", "Stand by."), ("Command", "Go on."), (sign, ORDER), ("Command", "Who?")
    )
    assert speakers(transcript) == ["Command", "Command", sign, "Command"]
    assert spoken(transcript)[2][0] == ORDER
    assert not any("speaker's name" in warning for warning in transcript.warnings)


def test_a_call_sign_with_its_time_behind_it() -> None:
    behind = read(f"Command (0:20): Go on.\nEngine 7 (0:40): {ORDER}\nEngine 7 [0:50] Out.")
    above = read(
        f"Command 0:20\nGo on.\n\nEngine 7 0:40\n{ORDER}\n\n"
        "Command 0:50\nOut.\n\nEngine 7 0:55\nYes."
    )
    assert speakers(behind) == ["Command", "Engine 7", "Engine 7"]
    assert speakers(above) == ["Command", "Engine 7", "Command", "Engine 7"]

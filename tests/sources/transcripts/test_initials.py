"""Labels of one letter: speakers where several take turns, words of a sentence elsewhere."""

from __future__ import annotations

import pytest

from veridical.sources.transcripts.loader import transcript_from_text


@pytest.mark.parametrize(("first", "second"), [("A", "B"), ("Q", "A"), ("I", "S"), ("M", "W")])
def test_two_that_take_turns_are_speakers(first: str, second: str) -> None:
    talk = transcript_from_text(
        f"[00:00] {first}: I have never taken a bribe from any of them\n"
        f"[00:06] {second}: Except on one day in May of that year, you did.\n"
        f"[00:12] {first}: That was a loan and I paid it all back.\n"
        f"[00:20] {second}: So you say, and so say all of them.\n"
    )
    assert [segment.speaker for segment in talk.segments] == [first, second, first, second]
    assert f"{first}:" not in talk.text


def test_one_on_every_line_is_the_speaker() -> None:
    talk = transcript_from_text("[00:00] A: It is cold.\n[00:04] A: It is wet.\n")
    assert talk.speakers == ("A",)


@pytest.mark.parametrize("word", ["I", "A"])
def test_one_now_and_then_is_a_word(word: str) -> None:
    talk = transcript_from_text(
        "[00:00] So we went on and on.\n"
        f"[00:04] {word}: that is what was said.\n"
        "[00:08] And nobody knew why it was so.\n"
        f"[00:12] {word}: that is what was meant.\n"
        "[00:16] That was all of it for us.\n"
    )
    assert talk.speakers == ()
    assert talk.text.count(f"{word}:") == 2

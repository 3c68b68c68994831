"""One speech out of a recording: given by its times, or found between a chair's words."""

from __future__ import annotations

import pytest
from tests.speech.transcripts import Sentence, from_sentences, plain

from veridical.errors import ConfigurationError
from veridical.sources.transcript import Transcript
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.metrics import measure
from veridical.speech.span import OUTSIDE, SPEAKER, between, likely_stretch, seconds_of
from veridical.speech.speakers import Evaluated, evaluated_speaker

CHAIR = [
    "Welcome back, everybody, and please find your seats.",
    "Our next speaker keeps bees and mends clocks.",
    "Please welcome Daniel Okafor.",
]
TALK = [
    "Thank you and good evening to you all.",
    "Two winters ago I bought a clock that had stopped at noon.",
    "My mother asked me, why do you want a clock that does not go?",
    "I said, it is not broken, it is waiting for somebody.",
    "I opened it, I cleaned it, and I closed it again.",
    "All night I lay awake and listened for the clock.",
    "In the morning my mother stood in the kitchen and smiled.",
    "It was not the spring that had failed, it was a grain of sand.",
    "So this week, take one old thing from the shelf and look inside.",
    "You may find that it is waiting for somebody.",
]
THANKS = [
    "Thank you, Daniel, that was a speech for all of us.",
    "Could the timer please give us the time?",
]


def recording(
    before: list[str] = CHAIR, after: list[str] = THANKS, *, gap: float = 4.0, words: bool = True
) -> Transcript:
    return spoken(before, TALK, after, gap=gap, words=words)


def spoken(*parts: list[str], gap: float = 4.0, words: bool = True) -> Transcript:
    """Sentences without a speaker, a silence between the parts."""
    said: list[Sentence] = []
    now = 1.0
    for part in parts:
        for sentence in part:
            said.append((now, now + 4.0, sentence, None))
            now += 4.5
        now += gap
    return from_sentences(said, words=words)


FRAMES = {
    "club": (CHAIR, 4.0, THANKS),
    "club, no silence": ([*CHAIR, "Daniel, the floor is yours."], 0.0, THANKS),
    "parish": (
        ["The minutes were circulated, and I take it that they are approved.",
         "Mrs. Whitcombe from Mill Lane wants to say something about that.", "Mrs. Whitcombe."],
        1.3, ["Thank you, Mrs. Whitcombe, for putting it so clearly.", "We come to item four."],
    ),
    "webinar": (
        ["I am Karen, and with me today is Felix Brandt.", "Felix, all yours."],
        0.0, ["That was brilliant, Felix.", "We have got a few questions in the chat."],
    ),
    "office": (
        ["Next is Paul on the new expenses procedure."],
        2.0, ["Thanks, Paul.", "Right, moving on to parking."],
    ),
}  # fmt: skip


@pytest.mark.parametrize("words", [True, False])
@pytest.mark.parametrize("frame", FRAMES)
def test_the_speech_is_found_between_the_words_of_a_chair(frame: str, words: bool) -> None:
    before, gap, after = FRAMES[frame]
    said = recording(before, after, gap=gap, words=words)
    likely = likely_stretch(said)
    assert likely is not None
    assert likely.begins.startswith("Thank you and good")
    assert likely.ends.endswith("waiting for somebody")
    talk, evaluated = between(said, Evaluated(None), likely.start, likely.end)
    result = EvaluationGenerator().generate(talk, label=evaluated.label)
    assert measure(talk, label=SPEAKER).words == sum(len(s.split()) for s in TALK)
    assert not result.evaluation.shape_problems()
    chairs = " ".join((*before, *after))
    assert not [i for i in result.evaluation.items if i.evidence_quote.rstrip(".") in chairs]
    # Seconds stay those of the recording, and nothing is lost of it.
    assert talk.text == said.text
    assert {segment.speaker for segment in talk.segments} == {SPEAKER, OUTSIDE}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ([], []),
        # A chair at one end alone may as well be the speaker, who greets or thanks somebody.
        (CHAIR, []),
        ([], THANKS),
        (CHAIR, ["My mother says to me, Daniel, open it.", "So I did."]),
        (["A boy called Danny ran across the road."], ["Danny's mother does not want our thanks."]),
        (["I was the passenger of Ellen."], ["Ellen would laugh at me now."]),
        (["I came with my friend Oliver.", "Oliver is late."], ["Oliver is not a man of clocks."]),
    ],
)
def test_nothing_is_cut_where_it_is_not_sure(before: list[str], after: list[str]) -> None:
    assert likely_stretch(recording(before, after)) is None


NAME = "Daniel Okafor"
THANKED = [*TALK, "Thank you."]


def test_a_chair_at_one_end_is_found_by_the_speakers_name() -> None:
    before, after = (
        likely_stretch(spoken(CHAIR, TALK), NAME),
        likely_stretch(spoken(THANKED, THANKS), NAME),
    )
    assert before is not None
    assert before.begins.startswith("Thank you and good")
    assert before.ends.endswith("waiting for somebody")
    assert after is not None
    assert after.begins.startswith("Thank you and good")
    assert after.ends.endswith("Thank you")
    said = spoken(CHAIR, TALK)
    divided, _ = between(said, Evaluated(None), before.start, before.end)
    assert measure(divided, label=SPEAKER).words == sum(len(s.split()) for s in TALK)


@pytest.mark.parametrize(
    "parts",
    [
        # No greeting, no silence, no thanks before it; the name in the middle; a name told by the
        # speaker, and called in his story.
        [CHAIR, TALK[1:]],
        [[*CHAIR, *TALK]],
        [TALK, THANKS],
        [[*THANKED, *THANKS]],
        [CHAIR, [*TALK[:5], "Daniel, she said."], TALK[5:]],
        [["Daniel Okafor, on clocks."], TALK],
        [["Good evening, all of you in this hall.", "I am Daniel Okafor."], TALK],
        [[*TALK, "My mother took my hand and said:"], ["Thank you, Daniel."]],
    ],
)
def test_no_word_of_a_speaker_is_cut_for_the_name(parts: list[list[str]]) -> None:
    assert likely_stretch(spoken(*parts), NAME) is None


def test_a_speech_alone_is_taken_as_it_is() -> None:
    assert likely_stretch(plain(" ".join(TALK))) is None
    # A silence for effect, however long, is no chair.
    dramatic = from_sentences(
        [
            (n * 4.5 + 6.0 * (n > 1), n * 4.5 + 6.0 * (n > 1) + 4, s, None)
            for n, s in enumerate(TALK)
        ]
    )
    assert likely_stretch(dramatic) is None


def test_thanks_of_the_speaker_do_not_end_the_speech() -> None:
    told = [*TALK, "Thank you, Mum, for every winter of it.", "Please raise your glasses to her."]
    said = [(n * 5.0 + 3 * (n > 9), n * 5.0 + 3 * (n > 9) + 4, s, None) for n, s in enumerate(told)]
    assert likely_stretch(from_sentences(said)) is None


def test_where_speakers_are_told_apart_they_stay_so() -> None:
    said = [(n * 5.0, n * 5.0 + 4, s, "Chair" if n in (0, 6) else "Ada") for n, s in
            enumerate(["Welcome.", *TALK])]  # fmt: skip
    talk, evaluated = between(
        from_sentences(said), evaluated_speaker(from_sentences(said), name="Ada"), 10.0, 40.0
    )
    assert evaluated.label == "Ada"
    assert set(talk.speakers) == {"Chair", "Ada", OUTSIDE}
    assert measure(talk, label="Ada").start == 10.0
    assert measure(talk, label="Ada").end == 39.0


@pytest.mark.parametrize(
    ("given", "seconds"), [("95", 95.0), ("1:35", 95.0), ("1:02:03", 3723.0), ("0.5", 0.5)]
)
def test_times_are_seconds_or_clock_times(given: str, seconds: float) -> None:
    assert seconds_of(given) == seconds


@pytest.mark.parametrize(
    "given", ["", "soon", "-3", "1:2:3:4", "nan", "inf", "1:", "1:75", "1:60:00"]
)
def test_what_is_no_time_is_an_error(given: str) -> None:
    with pytest.raises(ConfigurationError, match="is no time"):
        seconds_of(given)


@pytest.mark.parametrize(("start", "end"), [(900.0, None), (None, 0.5)])
def test_a_stretch_in_which_nothing_is_said_is_an_error(
    start: float | None, end: float | None
) -> None:
    with pytest.raises(ConfigurationError, match="nothing is known to be said"):
        between(recording(), Evaluated(None), start, end)
    with pytest.raises(ConfigurationError, match="no times"):
        between(from_sentences([(None, None, TALK[0], None)]), Evaluated(None), start, end)


def test_a_stretch_ends_after_it_begins() -> None:
    with pytest.raises(ConfigurationError, match="ends at 0:10, not after 0:20"):
        between(recording(), Evaluated(None), 20.0, 10.0)


def test_all_of_a_transcript_without_times_can_be_taken() -> None:
    untimed = plain(" ".join(TALK))
    assert between(untimed, Evaluated(None), 0.0, None) == (untimed, Evaluated(None))

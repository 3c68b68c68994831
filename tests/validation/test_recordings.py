"""Quotes in a recording: validated like those of any document, with the second and the speaker."""

from __future__ import annotations

import pytest
from tests.speech.transcripts import from_sentences, plain

from veridical.sources.transcript import Precision, Transcript
from veridical.validation import wording
from veridical.validation.claims import Claim
from veridical.validation.reports.html import render_html
from veridical.validation.results import ClaimResult, Status
from veridical.validation.validator import Validator

SENTENCES = [
    (0.0, 4.0, "Welcome to the meeting of the river committee.", "Chair"),
    (5.0, 9.0, "The bridge was closed on the third of May.", "Engineer"),
    (10.0, 14.0, "It will not open before the summer.", "Engineer"),
]


def check(quote: str, talk: Transcript) -> ClaimResult:
    return Validator([talk]).check(quote)


@pytest.mark.parametrize(
    ("words", "start", "precision"),
    [(True, 6.778, Precision.WORD), (False, 5.0, Precision.SEGMENT)],
)
def test_a_match_has_its_second_and_its_speaker(
    words: bool, start: float, precision: Precision
) -> None:
    result = check("closed on the third of may", from_sentences(SENTENCES, words=words))
    assert result.status is Status.VALIDATED
    assert result.match is not None
    moment = result.match.moment
    assert moment is not None
    assert moment.start == pytest.approx(start, abs=0.5)
    assert moment.end is not None
    assert moment.start < moment.end <= 9.0
    assert (moment.precision, moment.speaker) == (precision, "Engineer")
    wire = Validator([from_sentences(SENTENCES, words=words)]).validate(
        [Claim("A", "closed on the third of may")]
    )
    details = wire.to_dict()["validated_claims"][0]["match_details"]
    assert details["start_seconds"] == moment.start
    assert details["end_seconds"] == moment.end
    assert details["time_precision"] == precision
    assert details["speakers"] == ["Engineer"]


def test_the_veto_holds_for_speech() -> None:
    talk = from_sentences(SENTENCES)
    assert check("It will open before the summer", talk).status is Status.FAILED
    assert check("closed on the fourth of May", talk).status is Status.FAILED


def test_the_words_of_two_speakers_are_nobodys_quote() -> None:
    result = check("of the river committee. The bridge was closed", from_sentences(SENTENCES))
    assert result.status is Status.LOW_CONFIDENCE
    assert result.notes[-1].code == "SEVERAL_SPEAKERS"
    one = check("the third of May. It will not open", from_sentences(SENTENCES))
    assert one.status is Status.VALIDATED


@pytest.mark.parametrize(
    ("talk", "told"),
    [
        (from_sentences(SENTENCES), "talk, at 0:05, said by Engineer"),
        (from_sentences(SENTENCES, words=False), "talk, at about 0:05, said by Engineer"),
        (plain("The bridge was closed on the third of May."), "talk, no time known"),
    ],
)
def test_reports_tell_the_time_in_place_of_the_line(talk: Transcript, told: str) -> None:
    result = check("The bridge was closed", talk)
    assert result.match is not None
    assert wording.place(result.match) == told
    page = render_html(Validator([talk]).validate([Claim("A", "The bridge was closed")]))
    assert told.removeprefix("talk, ") in page

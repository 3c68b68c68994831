"""Seconds since the start of the speech: cut there, counted from there, found where a gap shows."""

from __future__ import annotations

import pytest
from tests.speech.transcripts import SENTENCES, from_sentences

from veridical.errors import ConfigurationError
from veridical.sources.transcript import Transcript
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.metrics import measure
from veridical.speech.start import from_second, from_speech_start, speech_start
from veridical.validation.timed import check_timed_quote

INTRODUCTION = [
    (2.0, 8.0, "Please welcome our first speaker of the evening.", "Chair"),
    (8.5, 12.0, "He has come all the way from Porto.", "Chair"),
]
SPEECH = [(20.0 + 10 * n, 28.0 + 10 * n, said, "Ada") for n, said in enumerate(SENTENCES)]
RADIO = "my mother gave me a broken radio"


def recording(*, words: bool = True, labelled: bool = True) -> Transcript:
    said = [*INTRODUCTION, *SPEECH]
    if not labelled:
        said = [(start, end, text, None) for start, end, text, _ in said]
    return from_sentences(said, words=words)


@pytest.mark.parametrize("words", [True, False])
def test_seconds_are_counted_from_the_start_of_the_speech(words: bool) -> None:
    talk = from_second(recording(words=words), 20.0)
    assert talk.text.startswith("When I was nine")
    assert talk.segments[1].start == 10.0
    said = [talk.text[word.span.start : word.span.end] for word in talk.words]
    assert " ".join(said) == (talk.text if words else "")
    assert check_timed_quote(RADIO, 2.0, talk).passed
    assert not check_timed_quote("welcome our first speaker of the evening", 0.0, talk).passed
    assert measure(talk).duration_seconds == 58.0
    assert talk.time_base.origin_seconds == 20.0
    assert "20 s into the recording" in talk.warnings[-1]


@pytest.mark.parametrize(("labelled", "label"), [(True, "Ada"), (True, None), (False, None)])
def test_the_start_is_found_where_a_gap_or_a_label_shows_it(
    labelled: bool, label: str | None
) -> None:
    start = speech_start(recording(labelled=labelled), label)
    assert start == (20.0 if label or not labelled else 2.0)


def test_an_evaluation_from_there_on_holds() -> None:
    talk = from_speech_start(recording(), "auto", "Ada")
    result = EvaluationGenerator().generate(talk, label="Ada")
    assert result.evaluation.items
    assert all(entry.evidence_timestamp < 60 for entry in result.evaluation.items)
    assert from_speech_start(talk, None, None) is talk


def test_it_may_be_given_as_a_clock_shows_it() -> None:
    assert from_speech_start(recording(), "0:20", None) == from_second(recording(), 20.0)


@pytest.mark.parametrize("given", ["late", "0:75", "-1", "nan", "inf", "1000"])
def test_what_is_no_second_of_it_is_refused(given: str) -> None:
    with pytest.raises(ConfigurationError):
        from_speech_start(recording(), given, None)

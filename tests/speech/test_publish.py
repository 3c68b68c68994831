"""The public copy holds no name in any field, and nothing that was not checked on the raw talk."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft7Validator
from tests.speech.talks import ADVICE, ITEMS, PRAISE, TALK, evaluated
from tests.speech.transcripts import from_sentences
from tests.validation.report_page import parse

from veridical import load_transcript
from veridical.errors import ConfigurationError, ProcessingError, ValidationError
from veridical.sources.transcript import Transcript
from veridical.speech.checking import Receipts
from veridical.speech.evaluation import EvaluationItem
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.names.text import name_keys
from veridical.speech.publish import NEUTRAL_TITLE, publish, redactor_for
from veridical.speech.redaction import Redactor
from veridical.speech.report.html import parts, render_speech_html
from veridical.speech.results import PublicEvaluation, Receipt, SpeechEvaluation
from veridical.speech.schemas import load_schema
from veridical.speech.script import render_script
from veridical.speech.wire import from_wire, to_wire

SECRET = {"priya", "tom", "anna", "kowalska", "zbigniew"}


def every_text(value: Any) -> Iterator[str]:
    """Every text anywhere in a value; the digests of receipts are no texts."""
    if isinstance(value, str) and not isinstance(value, Enum):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from every_text(part)
    elif is_dataclass(value) and not isinstance(value, Receipt):
        for field in fields(value):
            yield from every_text(getattr(value, field.name))


def words_of(value: Any) -> set[str]:
    return {key for text in every_text(value) for key in name_keys(text)}


def test_no_name_is_left_in_any_field() -> None:
    assert words_of(evaluated()) >= SECRET
    public = publish(evaluated(), title="A talk by Tom")
    assert not words_of(public) & SECRET
    assert public.title == "A talk by a fellow member"
    assert public.author == "model of a fellow member"
    assert public.redactions >= 12


def test_every_name_becomes_the_same_phrase_and_nothing_else_changes() -> None:
    public = publish(evaluated(), phrase="a guest")
    first, second, third, fourth, fifth = public.items
    assert public.opening == "Good evening, Maria. A guest, thank you for the floor."
    assert first.evidence_quote == "Thank you, a guest, and good evening"
    assert second.evidence_quote == "My brother a guest taught me to swim"
    assert second.explanation == "We could see Lopez, the brother, in the river."
    assert fourth.explanation.startswith("Pause before you name a guest, and let us")
    assert fifth.evidence_quote == "Will you promise me that before you go"
    assert [item.redacted for item in public.items] == [True, True, False, True, False]
    assert (third.evidence_quote, third.evidence_timestamp) == (ITEMS[2].evidence_quote, 26.5)


def test_the_speaker_is_named() -> None:
    public = publish(evaluated())
    assert public.speaker == "Maria Lopez"
    assert "Maria" in public.opening
    nobody = publish(evaluated(speaker=None))
    assert "Maria" not in nobody.opening + nobody.closing


def test_every_item_has_a_receipt_that_the_raw_transcript_proves() -> None:
    for item, original in zip(publish(evaluated()).items, ITEMS, strict=True):
        span = Receipts(TALK).prove(item.receipt, item.evidence_quote)
        assert span is not None
        assert TALK.text[span.start : span.end] == original.evidence_quote
        assert item.start == item.receipt.seconds


@pytest.mark.parametrize(
    "title",
    [
        "annakowalska.json",
        "AnnaKowalska-talk.json",
        "anna_kowalska_talk.json",
        "talkbypriyaandtom.txt",
        "talk-by-tom.json",
    ],
)
def test_a_name_that_cannot_be_cut_out_of_the_title_takes_all_of_it(title: str) -> None:
    assert publish(evaluated(), title=title).title == NEUTRAL_TITLE == "Speech evaluation"
    unnamed = evaluated(talk=replace(TALK, name="a-very-private-file.json"))
    assert "private" not in words_of(publish(unnamed))


def test_a_name_that_the_model_invents_goes_from_its_own_texts() -> None:
    closing = "As my friend {} says, your grandmother would nod, and so would {}."
    public = publish(evaluated(closing=closing.format("Quentin", "Gwenllian")))
    assert public.closing == closing.format("a fellow member", "a fellow member")


def test_an_everyday_word_that_is_a_name_too_stays_in_advice() -> None:
    talk = from_sentences(
        [(0.0, 8.0, "Thank you, Mark. Then I opened the old door and looked in.", None)]
    )
    item = EvaluationItem(
        ADVICE,
        "Mark two places in it where you breathe.",
        "I opened the old door and looked in",
        3.0,
        "Mark the first with a line; Mark will hear it.",
    )
    public = publish(evaluated([item], talk=talk)).items[0]
    assert public.summary == item.summary
    assert public.explanation == "Mark the first with a line; a fellow member will hear it."


def test_the_first_word_of_a_sentence_that_the_rules_quote_is_no_name() -> None:
    said = (
        "Expenditure in the quarter was thirty-one thousand. Attendance at the hall was good. "
        "Latency in the north fell to a third. Garbage from the market went to the south."
    )
    lines = [(n * 6.0, n * 6.0 + 5, f"{s}.", None) for n, s in enumerate(said[:-1].split(". "))]
    public = publish(EvaluationGenerator().generate(from_sentences(lines)))
    assert public.redactions == 0


def test_a_listed_name_counts_always() -> None:
    talk = from_sentences([(0.0, 8.0, "I told will. Will you come and see the old door?", None)])
    item = EvaluationItem(PRAISE, "Warm.", "Will you come and see the old door", 3.0, "Yes.")
    result = evaluated([item], talk=talk)
    assert publish(result).items[0].evidence_quote == item.evidence_quote
    listed = publish(result, names=["Will"]).items[0]
    assert listed.evidence_quote == "A fellow member you come and see the old door"


def test_another_finder_takes_the_place_of_the_patterns() -> None:
    class OnlyTom:
        def find(self, text: str) -> list[str]:
            return ["Tom"] if "Tom" in text else []

    public = publish(evaluated(), finder=OnlyTom())
    assert "Priya" in public.items[0].evidence_quote
    assert "Tom" not in public.items[1].evidence_quote


def test_no_name_reaches_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="veridical"):
        publish(evaluated())
        render_script(evaluated(), seconds=10)
    assert caplog.records
    assert not SECRET & set(name_keys(caplog.text))


def test_a_phrase_that_is_a_name_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="phrase"):
        publish(evaluated(), phrase="our Priya")


def redacted_items(redactor: Redactor) -> list[EvaluationItem]:
    return [replace(item, evidence_quote=redactor.redact(item.evidence_quote)) for item in ITEMS]


def redacted_talk(redactor: Redactor) -> Transcript:
    return from_sentences(
        [
            (segment.start, segment.end, redactor.redact(TALK.text[s.start : s.end]), None)
            for segment in TALK.segments
            for s in [segment.span]
        ]
    )


def with_first_check(result: SpeechEvaluation, **changes: Any) -> SpeechEvaluation:
    first, *rest = result.checks
    return replace(result, checks=(replace(first, **changes), *rest))


def with_early_quotes(result: SpeechEvaluation) -> SpeechEvaluation:
    items = tuple(redacted_items(redactor_for(result)))
    return replace(result, evaluation=replace(result.evaluation, items=items))


UNCHECKED: dict[str, tuple[Callable[[SpeechEvaluation, Redactor], SpeechEvaluation], str]] = {
    # Validate, then redact: whoever redacts first gets nothing published and nothing spoken.
    "redacted before the check": (
        lambda _, redactor: evaluated(redacted_items(redactor)),
        "did not pass the check on the raw transcript",
    ),
    "redacted after the check": (lambda result, _: with_early_quotes(result), "another quote"),
    "redacted quotes checked on a redacted transcript": (
        lambda _, redactor: evaluated(redacted_items(redactor), checked_on=redacted_talk(redactor)),
        "another transcript",
    ),
    "raw quotes checked on a redacted transcript": (
        lambda _, redactor: evaluated(checked_on=redacted_talk(redactor)),
        "did not pass",
    ),
    "one check too few": (
        lambda result, _: replace(result, checks=result.checks[:-1]),
        "5 items and 4 checks",
    ),
    "no checks": (lambda result, _: replace(result, checks=()), "5 items and 0 checks"),
    "checks of others": (
        lambda result, _: replace(result, checks=result.checks[::-1]),
        "another quote",
    ),
    "another second": (
        lambda result, _: with_first_check(result, claimed_seconds=9.0),
        "another quote",
    ),
    "no place": (lambda result, _: with_first_check(result, nearest=None), "did not pass"),
}


@pytest.mark.parametrize("output", [publish, render_script])
@pytest.mark.parametrize("how", UNCHECKED)
def test_what_was_not_checked_on_the_raw_talk_does_not_come_out(
    output: Callable[..., object], how: str
) -> None:
    spoil, told = UNCHECKED[how]
    spoiled = spoil(evaluated(), redactor_for(evaluated()))
    with pytest.raises(ProcessingError, match=told):
        output(spoiled)


# --- with its transcript: no name in it, and every quote found in it again ------------------------


EXAMPLES = Path(__file__).parents[2] / "examples" / "speech"
NAMES = ("Maria", "Tom", "Patel", "Arthur")


@pytest.fixture(scope="module")
def wire() -> dict[str, object]:
    transcript = load_transcript(EXAMPLES / "talk.json")
    generator = EvaluationGenerator()
    found = generator.generate(transcript)
    public = generator.publish(found, with_transcript=True)
    return dict(json.loads(json.dumps(to_wire(public, generator.render_script(found)))))


@pytest.fixture
def public(wire: dict[str, object]) -> PublicEvaluation:
    return from_wire(wire)


def test_names_are_gone_from_the_lines_and_nothing_else_is(public: PublicEvaluation) -> None:
    raw = load_transcript(EXAMPLES / "talk.json")
    said = " ".join(line.text for line in public.lines)
    assert all(name in raw.text for name in NAMES)
    assert not any(name in said for name in NAMES)
    assert "not a broken kettle, it was a loose wire." in said
    assert len(public.lines) == len(raw.segments)


def test_it_fits_its_schema_and_is_read_back(wire: dict[str, object]) -> None:
    assert not list(Draft7Validator(load_schema("speech_evaluation")).iter_errors(wire))
    assert from_wire(wire).lines


def test_without_it_nothing_is_said_of_it(wire: dict[str, object]) -> None:
    plain = {name: value for name, value in wire.items() if name != "transcript"}
    assert from_wire(plain) == replace(from_wire(wire), lines=())
    assert not parse(render_speech_html(from_wire(plain))).all("mark")


@pytest.mark.parametrize(
    "change", [{"title": 3}, {"evidence": []}, {"more": 1}, {"transcript": [{"text": "a"}]}]
)
def test_what_does_not_fit_is_refused(wire: dict[str, object], change: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        from_wire({**wire, **change})


def test_every_quote_is_marked_where_it_was_said(public: PublicEvaluation) -> None:
    page = parse(render_speech_html(public))
    marked = {
        f"item-{number}": "".join(
            mark.text
            for mark in page.all("mark")
            if mark.attributes["data-item"] == f"item-{number}"
        )
        for number in range(1, len(public.items) + 1)
    }
    for number, item in enumerate(public.items, 1):
        words = marked[f"item-{number}"]
        assert words.split()[0].strip(",.").lower() == item.evidence_quote.split()[0].lower()
        assert f'href="#item-{number}"' in render_speech_html(public)
    assert "".join(
        line.text for line in page.by_id("transcript").all("p") if "rests" not in line.classes
    ) == "".join(line.text for line in public.lines)
    item = replace(public.items[0], evidence_quote="nobody ever said these words")
    assert not parse(render_speech_html(replace(public, items=(item,)))).all("mark")


def test_text_of_a_line_is_text(public: PublicEvaluation) -> None:
    line = replace(public.lines[0], text="<script>alert(1)</script>", speaker="<img onerror=a>")
    report = parts(replace(public, lines=(line, *public.lines[1:])))
    assert "<script>" not in report.body
    assert "<img" not in report.body
    assert report.style.startswith(".report {")

"""A speech published with its transcript: no name in it, and every quote found in it again."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft7Validator
from tests.validation.report_page import parse

from veridical import load_transcript
from veridical.errors import ValidationError
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.report.html import parts, render_speech_html
from veridical.speech.results import PublicEvaluation
from veridical.speech.schemas import load_schema
from veridical.speech.wire import from_wire, to_wire

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

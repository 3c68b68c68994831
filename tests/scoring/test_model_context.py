"""How large a context a section needs: what is refused, and what a reply has room for."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from tests.scoring.samples import (
    ARRIVAL,
    COMMAND,
    TRANSCRIPT,
    reply_text,
    rubric_of,
    sections,
)
from tests.scoring.test_windows import LONG
from tests.speech.transcripts import from_sentences

from veridical.errors import ConfigurationError
from veridical.models.scripted import ScriptedModel
from veridical.scoring.answer import SectionAnswer
from veridical.scoring.asking.model_scorer import ModelScorer
from veridical.scoring.asking.windows import estimated_tokens
from veridical.scoring.rubric import EvidenceRules, Rubric, Section
from veridical.sources.transcript import Transcript

RUBRIC = rubric_of(ARRIVAL)
LONG_TALK = from_sentences(
    [(line.start, line.end, line.said, line.speaker) for line in LONG.lines[:600]], words=False
)


def refusal(transcript: Transcript, rubric: Rubric, tokens: int, material: str | None) -> str:
    with pytest.raises(ConfigurationError) as refused:
        ModelScorer(
            ScriptedModel([]), transcript, rubric, supplemental=material, context_tokens=tokens
        )
    return str(refused.value)


def least_of(message: str) -> int:
    (said,) = re.findall(r"all of them fit into ([\d,]+)\.", message)
    return int(said.replace(",", ""))


def test_a_context_without_room_is_refused_with_the_numbers() -> None:
    message = refusal(LONG_TALK, RUBRIC, 3_000, None)
    assert "3,000 tokens is too small for 1 of 1 sections" in message
    assert "'arrival'" in message
    assert "needs 2,000 at least" in message


@pytest.mark.parametrize("material", [None, "", "The policy. " * 300])
@pytest.mark.parametrize("talk", [TRANSCRIPT, LONG_TALK], ids=["short", "long"])
def test_a_refused_context_is_told_the_least_that_fits_all_sections(
    talk: Transcript, material: str | None
) -> None:
    rubric = rubric_of(*sections(2), ARRIVAL)
    message = refusal(talk, rubric, 1_000, material)
    least = least_of(message)
    assert "for 3 of 3 sections" in message
    assert ("material" in message) is bool(material)
    just_under = refusal(talk, rubric, least - 1, material)
    assert "for 1 of 3 sections" in just_under
    assert least_of(just_under) == least
    model = ScriptedModel([reply_text(ARRIVAL)])
    ModelScorer(model, talk, rubric, supplemental=material, context_tokens=least).score(ARRIVAL)
    assert model.calls == 1


def full_reply(section: Section) -> str:
    """Two sentences for each criterion, and a quote more than it needs, written with indents."""
    quote = {"quote": "Engine 25 on scene of a two story house. " * 3, "start": 1234.5}
    answers = [
        {
            "criterionId": criterion.id,
            "verdict": "not_observed",
            "score": 1.5,
            "confidence": 0.95,
            "rationale": "The first officer announces command and names the house. " * 5,
            "evidence": [{**quote, "speaker": "Engine 25"}] * (1 + criterion.evidence.min_evidence),
            "observedEvents": [{"name": "unit_on_scene", "at": 1234.5}]
            * (2 * bool(criterion.timing)),
        }
        for criterion in section.criteria
    ]
    notes = "What a trainer must know besides is said here. " * 10
    reply = {"sectionId": section.id, "criteria": answers, "sectionNotes": notes, "warnings": []}
    return json.dumps(reply, indent=2)


def demanding(quotes: int, count: int) -> Section:
    rule = EvidenceRules(min_evidence=quotes)
    return Section(
        "hard",
        "Hard",
        1.0,
        tuple(replace(COMMAND, id=f"c{n}", evidence=rule) for n in range(count)),
    )


@pytest.mark.parametrize("section", [sections(1)[0], ARRIVAL, demanding(3, 8)])
def test_a_reply_has_room_for_full_rationales_and_several_quotes(section: Section) -> None:
    reply = full_reply(section)
    model = ScriptedModel([reply, reply])
    rubric = rubric_of(section)
    least = least_of(refusal(TRANSCRIPT, rubric, 9, None))
    for context in (least, least + 50_000):
        outcome = ModelScorer(model, TRANSCRIPT, rubric, context_tokens=context).score(section)
        assert isinstance(outcome, SectionAnswer)
    tight, ample = (request.max_tokens for request in model.requests)
    assert estimated_tokens(reply) <= tight < 1.5 * estimated_tokens(reply)
    assert ample == min(2 * tight, 8_192)


def test_a_short_transcript_needs_little_context() -> None:
    ModelScorer(ScriptedModel([]), TRANSCRIPT, RUBRIC, context_tokens=5_000)

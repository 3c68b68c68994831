"""How large a context a section needs: what is refused, and what a reply has room for."""

from __future__ import annotations

import re

import pytest
from tests.scoring.samples import (
    ARRIVAL,
    TRANSCRIPT,
    reply_text,
    rubric_of,
    sections,
)
from tests.scoring.test_windows import LONG
from tests.speech.transcripts import from_sentences

from veridical.errors import ConfigurationError
from veridical.models.scripted import ScriptedModel
from veridical.scoring.asking.model_scorer import ModelScorer
from veridical.scoring.rubric import Rubric
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

"""The sample transcripts with their rubrics, and the answers to them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from veridical.scoring.answer import (
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionVerdict,
    SectionAnswer,
)
from veridical.scoring.rubric import Criterion, Rubric, Section
from veridical.scoring.rubrics.file import load_rubric
from veridical.scoring.scorecard import CriterionScore, Scorecard
from veridical.scoring.scorer import RubricScorer
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import load_transcript

AS_GIVEN = "examples/scoring"
"""The folder as the README gives it to the command, and scorecards and ratings name it."""

EXAMPLES = Path(__file__).parents[2] / AS_GIVEN


class Reader:
    """The answers, handed in as those of a scorer."""

    name = "reader"
    rule_based = False

    def __init__(self, answers: dict[str, dict[str, Any]]) -> None:
        self._answers = answers

    def score(self, section: Section) -> SectionAnswer:
        return SectionAnswer(section.id, tuple(map(self._answer, section.criteria)))

    def _answer(self, criterion: Criterion) -> CriterionAnswer:
        answer = self._answers[criterion.id]
        events: tuple[CitedEvent, ...] = ()
        if criterion.timing is not None:
            timing = criterion.timing
            events = (
                CitedEvent(timing.start_event, answer["timing"]["startedAt"]),
                CitedEvent(timing.end_event, answer["timing"]["endedAt"]),
            )
        return CriterionAnswer(
            criterion.id,
            CriterionVerdict(answer["verdict"]),
            answer.get("score"),
            evidence=tuple(
                CitedEvidence(proof["quote"], proof["at"], proof["speaker"])
                for proof in answer.get("proof", [])
            ),
            observed_events=events,
        )


@dataclass(frozen=True)
class Sample:
    rubric: str
    transcript: str
    speakers: set[str]
    least_agreement: int
    """Of how many criteria the cues say what the reader says, today; fewer is a step back."""

    def __str__(self) -> str:
        return self.rubric


SAMPLES = [
    Sample(
        "fireground",
        "fireground.vtt",
        {
            *("Dispatch", "Engine 7", "Engine 12", "Ladder 4", "Battalion 2", "Command"),
            *("Rescue 1", "Medic 3", "Safety"),
        },
        least_agreement=19,
    ),
    Sample(
        "customer-call",
        "customer-call.json",
        {"Agent", "Customer", "Supervisor"},
        least_agreement=15,
    ),
]


@cache
def transcript_of(sample: str) -> Transcript:
    return load_transcript(EXAMPLES / sample, name=f"{AS_GIVEN}/{sample}")


@cache
def rubric_of(name: str) -> Rubric:
    return load_rubric(name)


@cache
def answers_to(name: str) -> dict[str, dict[str, Any]]:
    key = json.loads((EXAMPLES / f"{name}.answers.json").read_text("utf-8"))
    return {answer["criterionId"]: answer for answer in key["criteria"]}


@cache
def card_of(name: str, transcript: str) -> Scorecard:
    return RubricScorer().score(transcript_of(transcript), rubric_of(name))


def criteria_of(rubric: Rubric) -> list[Criterion]:
    return [criterion for section in rubric.sections for criterion in section.criteria]


def scored(sample: Sample) -> dict[str, CriterionScore]:
    card = card_of(sample.rubric, sample.transcript)
    return {
        criterion.review.criterion_id: criterion
        for section in card.sections
        for criterion in section.criteria
    }

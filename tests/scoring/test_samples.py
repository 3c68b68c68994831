"""The sample transcripts, the shipped rubrics and the answers to them.

The answers are a careful reader's, whatever the cues say. The cues may miss what the reader saw;
they may never be kinder.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from veridical.scoring.report.html import render_html
from veridical.scoring.report.markdown import render_markdown
from veridical.scoring.report.table import render_table
from veridical.scoring.rubric import Criterion, Rubric, Section
from veridical.scoring.rubrics.file import lint_rubric, load_rubric, shipped_names, shipped_text
from veridical.scoring.scorecard import (
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionScore,
    CriterionVerdict,
    Scorecard,
    SectionAnswer,
    WarningCode,
)
from veridical.scoring.scorer import RubricScorer, ScoringRun
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import load_transcript, transcript_from_text

EXAMPLES = Path(__file__).parents[2] / "examples/scoring"
TRANSCRIPTS = {"fireground": "fireground.vtt", "customer-call": "customer-call.json"}
LEAST_AGREEMENT = {"fireground": 19, "customer-call": 15}
"""Of how many criteria the cues say what the reader says, today; fewer is a step back."""

KINDNESS = {"met": 2, "partial": 1}
each_sample = pytest.mark.parametrize("sample", TRANSCRIPTS)


@cache
def talk_and_rubric(sample: str) -> tuple[Transcript, Rubric]:
    return load_transcript(EXAMPLES / TRANSCRIPTS[sample]), load_rubric(sample)


@cache
def answers_to(sample: str) -> dict[str, dict[str, Any]]:
    key = json.loads((EXAMPLES / f"{sample}.answers.json").read_text("utf-8"))
    return {answer["criterionId"]: answer for answer in key["criteria"]}


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
        if (timing := criterion.timing) is not None:
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


def test_shipped_rubrics_are_sound_and_say_which_criteria_are_for_people_and_models() -> None:
    assert set(shipped_names()) == set(TRANSCRIPTS)
    for name in TRANSCRIPTS:
        found = lint_rubric(shipped_text(name), f"{name}.yaml")
        _, rubric = talk_and_rubric(name)
        without_cues = [c.id for s in rubric.sections for c in s.criteria if c.cues is None]
        assert len(without_cues) == 2
        assert [problem.severity for problem in found] == ["warning"] * len(without_cues)
        assert all("cues" in problem.message for problem in found)


@each_sample
def test_the_answers_stand_when_a_scorer_hands_them_in(sample: str) -> None:
    """So that a model that reads as well as the reader loses nothing to the checks."""
    transcript, rubric = talk_and_rubric(sample)
    reader = Reader(answers_to(sample))
    card = ScoringRun(transcript, rubric, reader).scorecard(map(reader.score, rubric.sections))
    for criterion in (criterion for section in card.sections for criterion in section.criteria):
        answer = answers_to(sample)[criterion.review.criterion_id]
        assert criterion.review.verdict.value == answer["verdict"], criterion.review
        assert criterion.review.option == answer.get("option")
        for evidence, proof in zip(criterion.review.evidence, answer.get("proof", []), strict=True):
            assert evidence.verified
            assert not evidence.corrected
            assert evidence.speaker == proof["speaker"]
        seconds = None if criterion.timing is None else criterion.timing.seconds
        assert seconds == answer.get("timing", {}).get("seconds")


@each_sample
def test_the_cues_are_never_kinder_than_the_reader_and_agree_as_often_as_they_did(
    sample: str,
) -> None:
    card = RubricScorer().score(*talk_and_rubric(sample))
    agreed = 0
    for found in (criterion for section in card.sections for criterion in section.criteria):
        answer = answers_to(sample)[found.review.criterion_id]
        verdict, truth = found.review.verdict.value, answer["verdict"]
        agreed += verdict == truth
        assert KINDNESS.get(verdict, 0) <= KINDNESS.get(truth, 0), found.review
        assert verdict != "missed" or truth == "missed", found.review
        if "score" in answer and found.review.score is not None:
            assert found.review.score <= answer["score"], found.review
        _require_times(found, answer)
    assert agreed >= LEAST_AGREEMENT[sample]


def _require_times(found: CriterionScore, answer: dict[str, Any]) -> None:
    if found.timing is not None and found.timing.seconds is not None:
        truth = answer["timing"]
        assert found.timing.started_at == truth["startedAt"], found.review
        assert found.timing.ended_at == truth["endedAt"], found.review
        assert found.timing.seconds == pytest.approx(truth["seconds"])


def without_speakers(label: str | None) -> Transcript:
    """The radio call as Whisper writes it down, or with speakers that are only numbered."""
    radio, _ = talk_and_rubric("fireground")
    segments = [
        {
            "start": each.start,
            "end": each.end,
            "text": f" {radio.text[each.span.start : each.span.end]}",
            **({"speaker": f"{label}{number % 3}"} if label else {}),
        }
        for number, each in enumerate(radio.segments)
    ]
    return transcript_from_text(json.dumps({"language": "en", "segments": segments}))


@pytest.mark.parametrize("label", [None, "SPEAKER_0"])
def test_a_call_without_names_is_scored_by_its_words_and_says_so(label: str | None) -> None:
    radio, rubric = talk_and_rubric("fireground")
    named = RubricScorer().score(radio, rubric)
    transcript = without_speakers(label)
    card = RubricScorer().score(transcript, rubric)
    assert verdicts(card) == verdicts(named)
    whole = next(w for w in card.warnings if w.code is WarningCode.SPEAKER_UNKNOWN)
    assert whole.section_id is None
    assert whole not in named.warnings
    reason = "the transcript names no speaker by whom it counts"
    for_a_person = {i.criterion_id for i in card.human_review.items if reason in i.reasons}
    assert "command-transfer" in for_a_person
    assert "strategy" not in for_a_person  # its cues may be anybody's
    table, page = "\n".join(render_table(card)), render_html(card, transcript)
    for shown in (table, render_markdown(card), page):
        assert "peaker unknown: cues of the rubric count by" in shown
        assert "speaker unknown: \u201ctaking command\u201d at 6:11" in shown


def verdicts(card: Scorecard) -> dict[str, str]:
    return {
        c.review.criterion_id: c.review.verdict.value for s in card.sections for c in s.criteria
    }

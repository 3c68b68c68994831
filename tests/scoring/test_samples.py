"""The sample transcripts, the shipped rubrics and the answers to them.

The answers are a careful reader's, whatever the cues say. The cues may miss what the reader saw;
they may never be kinder.
"""

from __future__ import annotations

import pytest
from tests.scoring.shipped_samples import (
    SAMPLES,
    Reader,
    Sample,
    answers_to,
    criteria_of,
    rubric_of,
    scored,
    transcript_of,
)

from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.rubrics.file import lint_rubric
from veridical.scoring.rubrics.shipped import shipped_text
from veridical.scoring.scorer import ScoringRun

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=str)

NOT_DONE = {
    CriterionVerdict.MISSED,
    CriterionVerdict.NOT_OBSERVED,
    CriterionVerdict.NOT_APPLICABLE,
}


# The transcripts


# The rubrics


@each_sample
def test_a_shipped_rubric_has_no_faults(sample: Sample) -> None:
    """What lint says of it is that some criteria are for people and models alone."""
    found = lint_rubric(shipped_text(sample.rubric), f"{sample.rubric}.yaml")
    without_cues = [c.id for c in criteria_of(rubric_of(sample.rubric)) if c.cues is None]
    assert len(without_cues) == 2
    assert [problem.severity for problem in found] == ["warning"] * len(without_cues)
    assert all("cues" in problem.message for problem in found)


# The answers


@each_sample
def test_what_proves_an_answer_is_said_at_its_second_by_its_speaker(sample: Sample) -> None:
    transcript = transcript_of(sample.transcript)
    for answer in answers_to(sample.rubric).values():
        for proof in answer.get("proof", []):
            (segment,) = [s for s in transcript.segments if s.start == proof["at"]]
            assert segment.speaker == proof["speaker"]
            assert proof["quote"] in transcript.text[segment.span.start : segment.span.end]


@each_sample
def test_the_answers_stand_when_a_scorer_hands_them_in(sample: Sample) -> None:
    """So that a model that reads as well as the reader loses nothing to the checks."""
    transcript, rubric = transcript_of(sample.transcript), rubric_of(sample.rubric)
    reader = Reader(answers_to(sample.rubric))
    card = ScoringRun(transcript, rubric, reader).scorecard(map(reader.score, rubric.sections))
    for section in card.sections:
        for criterion in section.criteria:
            answer = answers_to(sample.rubric)[criterion.review.criterion_id]
            assert criterion.review.verdict.value == answer["verdict"], criterion.review
            assert criterion.review.option == answer.get("option")
            assert all(evidence.verified for evidence in criterion.review.evidence)
            assert not any(evidence.corrected for evidence in criterion.review.evidence)
            seconds = None if criterion.timing is None else criterion.timing.seconds
            assert seconds == answer.get("timing", {}).get("seconds")


# The cues, held to the answers


@each_sample
def test_the_cues_are_never_kinder_than_the_reader(sample: Sample) -> None:
    too_kind = {}
    for criterion_id, found in scored(sample).items():
        truth = CriterionVerdict(answers_to(sample.rubric)[criterion_id]["verdict"])
        verdict = found.review.verdict
        is_false_met = verdict is CriterionVerdict.MET and truth is not CriterionVerdict.MET
        is_false_partial = verdict is CriterionVerdict.PARTIAL and truth in NOT_DONE
        if is_false_met or is_false_partial:
            too_kind[criterion_id] = (verdict.value, truth.value)
    assert too_kind == {}


@each_sample
def test_the_cues_never_score_higher_than_the_reader(sample: Sample) -> None:
    for criterion_id, answer in answers_to(sample.rubric).items():
        found = scored(sample)[criterion_id].review.score
        if "score" in answer and found is not None:
            assert found <= answer["score"], criterion_id


@each_sample
def test_the_cues_call_nothing_missed_that_was_done(sample: Sample) -> None:
    for criterion_id, found in scored(sample).items():
        if found.review.verdict is CriterionVerdict.MISSED:
            assert answers_to(sample.rubric)[criterion_id]["verdict"] == "missed", criterion_id


@each_sample
def test_a_time_that_is_computed_is_the_readers(sample: Sample) -> None:
    for criterion_id, found in scored(sample).items():
        if found.timing is None or found.timing.seconds is None:
            continue
        truth = answers_to(sample.rubric)[criterion_id]["timing"]
        assert found.timing.started_at == truth["startedAt"], criterion_id
        assert found.timing.ended_at == truth["endedAt"], criterion_id
        assert found.timing.seconds == pytest.approx(truth["seconds"])


@each_sample
def test_the_cues_agree_with_the_reader_as_often_as_they_did(sample: Sample) -> None:
    agreed = [
        criterion_id
        for criterion_id, found in scored(sample).items()
        if found.review.verdict.value == answers_to(sample.rubric)[criterion_id]["verdict"]
    ]
    assert len(agreed) >= sample.least_agreement

"""The sample transcripts, the shipped rubrics and the answers to them.

The answers are a careful reader's, whatever the cues say. The cues may miss what the reader saw;
they may never be kinder.
"""

from __future__ import annotations

import csv
import re
from itertools import pairwise

import pytest
from tests.scoring.shipped_samples import (
    EXAMPLES,
    SAMPLES,
    Reader,
    Sample,
    answers_to,
    card_of,
    criteria_of,
    rubric_of,
    scored,
    transcript_of,
)

from veridical.scoring.agreement import compare_with_people
from veridical.scoring.answer import CriterionVerdict
from veridical.scoring.human_ratings import read_ratings
from veridical.scoring.rubric import CriterionType
from veridical.scoring.rubrics.file import lint_rubric
from veridical.scoring.rubrics.shipped import shipped_names, shipped_text
from veridical.scoring.scorer import scorecard_of

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=str)

NOT_DONE = {
    CriterionVerdict.MISSED,
    CriterionVerdict.NOT_OBSERVED,
    CriterionVerdict.NOT_APPLICABLE,
}


# The transcripts


@each_sample
def test_a_transcript_is_read_whole_and_has_the_length_of_a_real_one(sample: Sample) -> None:
    transcript = transcript_of(sample.transcript)
    assert transcript.warnings == ()
    assert transcript.end - transcript.start >= 20 * 60
    assert len(transcript.segments) >= 150
    assert set(transcript.speakers) == sample.speakers
    assert None not in {segment.speaker for segment in transcript.segments}


@each_sample
def test_nobody_speaks_over_another_or_faster_than_people_do(sample: Sample) -> None:
    transcript = transcript_of(sample.transcript)
    for segment, following in pairwise(transcript.segments):
        assert segment.start is not None
        assert segment.end is not None
        assert following.start is not None
        assert segment.start < segment.end <= following.start
        words = transcript.text[segment.span.start : segment.span.end].split()
        assert len(words) / (segment.end - segment.start) < 4.5


# The rubrics


def test_the_shipped_rubrics_are_those_of_the_samples() -> None:
    assert set(shipped_names()) == {sample.rubric for sample in SAMPLES}


@each_sample
def test_a_shipped_rubric_has_no_faults(sample: Sample) -> None:
    """What lint says of it is that some criteria are for people and models alone."""
    found = lint_rubric(shipped_text(sample.rubric), f"{sample.rubric}.yaml")
    without_cues = [c.id for c in criteria_of(rubric_of(sample.rubric)) if c.cues is None]
    assert len(without_cues) == 2
    assert [problem.severity for problem in found] == ["warning"] * len(without_cues)
    assert all("cues" in problem.message for problem in found)


@each_sample
def test_a_shipped_rubric_shows_every_kind_of_criterion(sample: Sample) -> None:
    criteria = criteria_of(rubric_of(sample.rubric))
    assert {criterion.type for criterion in criteria} == set(CriterionType)
    assert {criterion.required for criterion in criteria} == {True, False}


# The answers


@each_sample
def test_the_answers_name_every_criterion_in_the_order_of_the_rubric(sample: Sample) -> None:
    in_order = [criterion.id for criterion in criteria_of(rubric_of(sample.rubric))]
    assert list(answers_to(sample.rubric)) == in_order
    assert list(scored(sample)) == in_order


@each_sample
def test_what_proves_an_answer_is_said_at_its_second_by_its_speaker(sample: Sample) -> None:
    transcript = transcript_of(sample.transcript)
    for answer in answers_to(sample.rubric).values():
        for proof in answer.get("proof", []):
            (segment,) = [s for s in transcript.segments if s.start == proof["at"]]
            assert segment.speaker == proof["speaker"]
            assert proof["quote"] in transcript.text[segment.span.start : segment.span.end]


@each_sample
def test_an_answer_has_proof_unless_it_says_that_there_is_nothing_to_prove(sample: Sample) -> None:
    for answer in answers_to(sample.rubric).values():
        silent = CriterionVerdict(answer["verdict"]) in NOT_DONE - {CriterionVerdict.MISSED}
        assert ("proof" in answer) is not silent


@each_sample
def test_the_verdict_of_an_answer_fits_its_score(sample: Sample) -> None:
    for criterion in criteria_of(rubric_of(sample.rubric)):
        answer = answers_to(sample.rubric)[criterion.id]
        if "score" in answer:
            low, high = criterion.scale
            verdict = {low: "missed", high: "met"}.get(answer["score"], "partial")
            assert answer["verdict"] == verdict
            assert low <= answer["score"] <= high


def test_the_human_ratings_are_of_all_criteria_and_mostly_those_of_the_answers() -> None:
    with (EXAMPLES / "human.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["transcript", "criterion_id", "verdict", "score"]
    rated = {(row["transcript"], row["criterion_id"]): row["verdict"] for row in rows}
    answered = {
        (sample.transcript, criterion_id): answer["verdict"]
        for sample in SAMPLES
        for criterion_id, answer in answers_to(sample.rubric).items()
    }
    assert len(rows) == len(rated)
    assert rated.keys() == answered.keys()
    assert sum(rated[key] != answered[key] for key in rated) == 7


def test_every_human_rating_is_of_a_criterion_of_a_scorecard() -> None:
    cards = [card_of(sample.rubric, sample.transcript) for sample in SAMPLES]
    ratings = read_ratings((EXAMPLES / "human.csv").read_text("utf-8"), "human.csv")
    report = compare_with_people(cards, ratings, "human.csv")
    assert report.unmatched == ()
    assert report.unrated == 0


def test_the_readme_gives_the_seconds_at_which_things_are_said() -> None:
    """Every clock time of the table, of whichever transcript, is that of an utterance."""
    table = (EXAMPLES / "README.md").read_text("utf-8").partition("## What is in them")[2]
    told = {
        int(minutes) * 60 + int(seconds)
        for minutes, seconds in re.findall(r"\b(\d+):(\d\d)\b", table)
    }
    said = {
        int(segment.start or 0)
        for sample in SAMPLES
        for segment in transcript_of(sample.transcript).segments
    }
    assert len(told) > 10
    assert told <= said


@each_sample
def test_the_answers_stand_when_a_scorer_hands_them_in(sample: Sample) -> None:
    """So that a model that reads as well as the reader loses nothing to the checks."""
    transcript, rubric = transcript_of(sample.transcript), rubric_of(sample.rubric)
    reader = Reader(answers_to(sample.rubric))
    card = scorecard_of(transcript, rubric, map(reader.score, rubric.sections), reader)
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

"""Words of a cue that something around them twists, near it or far from it."""

from __future__ import annotations

import pytest
from tests.scoring.offline.talk import answer, cues, met_by, rubric, talk
from tests.scoring.offline.twisted import FLAGGED, PLAIN, TWISTED, Lines

from veridical.scoring.answer import CriterionVerdict, WarningCode
from veridical.scoring.merge import CONFIDENT_FROM
from veridical.scoring.offline.scorer import CueScorer
from veridical.scoring.rubric import Criterion, CriterionType, Cues


@pytest.mark.parametrize("by", TWISTED)
def test_what_is_twisted_is_not_observed(by: str) -> None:
    counted = [
        lines
        for cue, lines in TWISTED[by]
        if answer(talk(*lines), met_by(cue)).verdict is not CriterionVerdict.NOT_OBSERVED
    ]
    assert not counted


@pytest.mark.parametrize(("cue", "line"), FLAGGED)
def test_what_stands_in_odd_company_is_for_a_person_to_see(cue: str, line: str) -> None:
    confidence = answer(talk(line), met_by(cue)).confidence
    assert confidence is not None
    assert confidence < CONFIDENT_FROM


@pytest.mark.parametrize(("cue", "lines"), PLAIN)
def test_what_is_said_plainly_is_met_without_a_doubt(cue: str, lines: Lines) -> None:
    found = answer(talk(*lines), met_by(cue))
    assert found.verdict is CriterionVerdict.MET, found.rationale
    assert (found.confidence or 0) >= CONFIDENT_FROM


def test_a_failing_is_read_as_carefully_as_a_success() -> None:
    lost = Criterion("w", "W", CriterionType.BOOLEAN, cues=Cues(missed=cues("we lost water")))
    assert answer(talk("A: We lost water."), lost).verdict is CriterionVerdict.MISSED
    pressure = answer(talk("A: We lost water pressure for a second, all good."), lost)
    assert (pressure.confidence or 0) < CONFIDENT_FROM


def test_a_cue_in_a_statement_that_is_not_plain_is_a_warning() -> None:
    one = rubric(met_by("gas is off"))
    result = CueScorer(talk("Engine 9: The gas is off the hook loud."), one).score(one.sections[0])
    (warning,) = result.warnings
    assert warning.code is WarningCode.NEAR_CUE
    assert "off the hook" in warning.message
    assert "may make something else" in result.criteria[0].rationale


@pytest.mark.parametrize(
    ("speaker", "words", "verdict"),
    [
        ("Engine 7", "Two blocks off, I see Medic 3 on scene.", CriterionVerdict.NOT_OBSERVED),
        ("Engine 7", "Engine 9 is on scene.", CriterionVerdict.NOT_OBSERVED),
        ("Engine 7", "Engine seven on scene.", CriterionVerdict.MET),
        ("Engine 7", "Ladder 4, we're on scene.", CriterionVerdict.MET),
        ("Engine 7", "Command from Engine 7 on scene.", CriterionVerdict.MET),
    ],
)
def test_of_a_cue_by_some_the_arrival_of_another_is_no_sign(
    speaker: str, words: str, verdict: CriterionVerdict
) -> None:
    said = talk(f"{speaker}: {words}")
    assert answer(said, met_by("on scene", speakers=("Engine *",))).verdict is verdict

"""Never a false "met": whatever is asked, denied, ordered, doubted or read back does not count."""

from __future__ import annotations

import pytest
from tests.scoring.offline.said import FLAGGED, NOT_SO, PLAIN, SO
from tests.scoring.offline.talk import SECONDS_APART, answer, cues, met_by, rubric, talk

from veridical.scoring.answer import CriterionVerdict, WarningCode
from veridical.scoring.merge import CONFIDENT_FROM
from veridical.scoring.offline.scorer import CueScorer
from veridical.scoring.rubric import Criterion, CriterionType, Cues


@pytest.mark.parametrize("kind", NOT_SO)
def test_what_is_not_said_to_be_so_is_not_observed(kind: str) -> None:
    for cue, *turns in NOT_SO[kind]:
        found = answer(talk(*turns), met_by(cue))
        assert found.verdict is CriterionVerdict.NOT_OBSERVED, turns
        assert (found.score, found.evidence) == (None, ())
        assert cue[:20] in found.rationale


def test_what_is_said_as_done_is_met_by_the_turn_that_says_so() -> None:
    for cue, *turns in (*SO, *PLAIN):
        found = answer(talk(*(turn.removeprefix("*") for turn in turns)), met_by(cue))
        assert found.verdict is CriterionVerdict.MET, found.rationale
        assert found.score == 1
        if (cue, *turns) in PLAIN:
            assert (found.confidence or 0) >= CONFIDENT_FROM, turns
        else:
            says_so = next((n for n, turn in enumerate(turns) if turn.startswith("*")), 0)
            assert found.evidence[0].start == (says_so + 1) * SECONDS_APART


@pytest.mark.parametrize(("cue", "turn"), FLAGGED)
def test_what_stands_in_odd_company_is_for_a_person_to_see(cue: str, turn: str) -> None:
    confidence = answer(talk(turn), met_by(cue)).confidence
    assert confidence is not None
    assert confidence < CONFIDENT_FROM


def test_a_failing_is_read_as_carefully_as_a_success() -> None:
    lost = Criterion("w", "W", CriterionType.BOOLEAN, cues=Cues(missed=cues("we lost water")))
    assert answer(talk("A: We lost water."), lost).verdict is CriterionVerdict.MISSED
    pressure = answer(talk("A: We lost water pressure for a second, all good."), lost)
    assert (pressure.confidence or 0) < CONFIDENT_FROM


@pytest.mark.parametrize(
    ("cue", "said", "told"),
    [
        ("gas is off", "Engine 9: The gas is off the hook loud.", "off the hook"),
        ("primary search complete", "Ladder 4: Primary search underway.", "underway"),
    ],
)
def test_words_like_a_cue_and_a_cue_in_odd_words_are_a_warning(
    cue: str, said: str, told: str
) -> None:
    one = rubric(met_by(cue))
    result = CueScorer(talk(said, "Ladder 4: Coming down."), one).score(one.sections[0])
    (warning,) = result.warnings
    assert warning.code is WarningCode.NEAR_CUE
    assert told in warning.message
    assert result.criteria[0].verdict is CriterionVerdict.NOT_OBSERVED


@pytest.mark.parametrize(
    ("pattern", "said", "counts"),
    [
        ("Engine *", "Engine 7: Engine seven on scene.", True),
        ("engine ?", "Engine 7: On scene.", True),
        ("ENGINE 7", "Engine 7: On scene.", True),
        ("Engine", "Engine 7: On scene.", False),
        ("[E]*", "Engine 7: On scene.", False),
        ("*", "-: On scene.", False),
        # The arrival of another is no sign.
        ("Engine *", "Engine 7: Two blocks off, I see Medic 3 on scene.", False),
        ("Engine *", "Engine 7: Engine 9 is on scene.", False),
        ("Engine *", "Engine 7: Ladder 4, we're on scene.", True),
        ("Engine *", "Engine 7: Command from Engine 7 on scene.", True),
    ],
)
def test_only_the_named_speakers_count_and_only_of_themselves(
    pattern: str, said: str, counts: bool
) -> None:
    found = answer(talk(said), met_by("on scene", speakers=(pattern,)))
    assert (found.verdict is CriterionVerdict.MET) is counts

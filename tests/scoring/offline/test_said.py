"""Never a false "met": whatever is asked, denied, ordered, doubted or read back does not count."""

from __future__ import annotations

import pytest
from tests.scoring.offline.said import FLAGGED, NOT_SO, PLAIN, SO
from tests.scoring.offline.talk import SECONDS_APART, answer, met_by, rubric, talk

from veridical.scoring.merge import CONFIDENT_FROM
from veridical.scoring.offline.scorer import CueScorer
from veridical.scoring.rubric import Criterion, CriterionType, Cue, Cues
from veridical.scoring.scorecard import CriterionVerdict, WarningCode

MET = CriterionVerdict.MET


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


def test_a_cue_in_odd_words_is_a_warning() -> None:
    one = rubric(met_by("gas is off"))
    said = talk("Engine 9: The gas is off the hook loud.", "Ladder 4: Coming down.")
    result = CueScorer(said, one).score(one.sections[0])
    (warning,) = result.warnings
    assert warning.code is WarningCode.NEAR_CUE
    assert "off the hook" in warning.message
    assert result.criteria[0].verdict is CriterionVerdict.NOT_OBSERVED


@pytest.mark.parametrize(
    ("pattern", "said", "counts"),
    [
        ("Engine *", "Engine 7: Engine seven on scene.", True),
        ("engine ?", "Engine 7: On scene.", True),
        ("ENGINE 7", "Engine 7: On scene.", True),
        ("Engine", "Engine 7: On scene.", False),
        ("[E]*", "Engine 7: On scene.", False),
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


@pytest.mark.parametrize(
    ("pattern", "label"),
    [
        ("Engine *", "ENG25"),
        ("Engine *", "E25"),
        ("ENG25", "Engine 25"),
        ("E25", "Engine twenty-five"),
        ("Battalion *", "BC2"),
    ],
)
def test_a_unit_is_one_speaker_however_it_is_written(pattern: str, label: str) -> None:
    said = talk(f"{label}: We are on scene.", "Medic 3: Copy.")
    found = answer(said, met_by("on scene", speakers=(pattern,)))
    assert found.verdict is CriterionVerdict.MET


@pytest.mark.parametrize(
    ("said", "by", "verdict", "told"),
    [
        # Nobody is named, or only numbered: the words count, and a person is told.
        ("-: On scene.", "Engine *", MET, "speaker unknown: \u201cOn scene\u201d at 0:10 counts"),
        ("SPEAKER_00: On scene.", "Engine *", MET, "it should be said by Engine *"),
        ("-: Engine 7 on scene.", "Engine *", MET, "speaker unknown"),
        ("-: I see Medic 3 on scene.", "Engine *", CriterionVerdict.NOT_OBSERVED, ""),
        ("-: Hello there.", "Engine *", CriterionVerdict.NOT_OBSERVED, ""),
        # Others are named, who do not count.
        ("Engine 7: On scene.\nMedic 3: Copy.", "Medic *", CriterionVerdict.NOT_OBSERVED, ""),
    ],
)
def test_words_whose_speaker_is_unknown(
    said: str, by: str, verdict: CriterionVerdict, told: str
) -> None:
    one = rubric(met_by("on scene", speakers=(by,)))
    result = CueScorer(talk(*said.split("\n")), one).score(one.sections[0])
    assert result.criteria[0].verdict is verdict
    messages = [w.message for w in result.warnings if w.code is WarningCode.SPEAKER_UNKNOWN]
    assert len(messages) == bool(told)
    assert all(told in message for message in messages)


def test_words_of_another_are_told_and_not_denied() -> None:
    one = met_by("on scene", speakers=("Medic *",))
    found = answer(talk("Engine 7: On scene.", "Medic 3: Copy."), one)
    assert found.rationale.endswith(
        "\u201cOn scene\u201d was said at 0:10 by Engine 7, but counts only when said by Medic *."
    )


def test_a_speaker_by_whom_cues_count_and_who_does_not_occur_is_told() -> None:
    others = met_by("taking command", speakers=("Battalion *", "Command"))
    known = Criterion(
        "known", "Known", CriterionType.BOOLEAN, cues=Cues(met=(Cue("on scene", ("Engine *",)),))
    )
    one = rubric(others, known)
    result = CueScorer(talk("Engine 7: On scene, taking command."), one).score(one.sections[0])
    (warning,) = result.warnings
    assert (warning.code, warning.criterion_id) == (WarningCode.SPEAKER_UNKNOWN, "it")
    assert warning.message == (
        "the transcript has no speaker by whom its cues count: Battalion * or Command"
    )

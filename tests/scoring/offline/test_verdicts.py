"""What hits come to, by the type of criterion."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.scoring.offline.talk import answer, cues, groups, rubric, talk

from veridical.scoring.offline.scorer import CueScorer
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cues,
    EnumOption,
    EvidenceRules,
    Grading,
    TimingTarget,
)
from veridical.scoring.scorecard import CitedEvent, CriterionVerdict, WarningCode

MET, MISSED, PARTIAL, UNSEEN = (
    CriterionVerdict.MET,
    CriterionVerdict.MISSED,
    CriterionVerdict.PARTIAL,
    CriterionVerdict.NOT_OBSERVED,
)

DONE, NOT_DONE = "lap is complete", "no lap was made"
LAP = Criterion(
    "lap", "Lap", CriterionType.BOOLEAN, cues=Cues(met=cues(DONE), missed=cues(NOT_DONE))
)


@pytest.mark.parametrize(
    ("lines", "verdict", "score"),
    [
        (("A: The lap is complete.",), MET, 1),
        (("A: There's no lap was made here.",), MISSED, 0),
        (("A: The lap is complete.", "B: No lap was made, Chief."), UNSEEN, None),
        (("A: No lap was made yet.", "B: The lap is complete."), UNSEEN, None),
        (("A: The lap is complete.", "B: Correction, no lap was made."), MISSED, 0),
        (("A: No lap was made.", "B: Correction, the lap is complete."), MET, 1),
        (("A: The lap is complete.", "A: I misspoke, no lap was made."), MISSED, 0),
        (("A: No lap was made.", "A: I stand corrected, the lap is complete."), MET, 1),
        (("A: Nothing of it.",), UNSEEN, None),
    ],
)
def test_of_done_and_not_done_only_a_correction_decides(
    lines: tuple[str, ...], verdict: CriterionVerdict, score: float | None
) -> None:
    found = answer(talk(*lines), LAP)
    assert (found.verdict, found.score) == (verdict, score)
    assert bool(found.evidence) == (verdict is not UNSEEN)
    one = rubric(LAP)
    warnings = CueScorer(talk(*lines), one).score(one.sections[0]).warnings
    is_contradiction = len(lines) > 1 and verdict is UNSEEN
    told = [(WarningCode.CONTRADICTED, "lap")] * is_contradiction
    assert [(warning.code, warning.criterion_id) for warning in warnings] == told


SIZE_UP = Cues(
    elements=groups(house=["two-story"], smoke=["smoke showing"], plan=["pulling a line"])
)


@pytest.mark.parametrize(
    ("said", "verdict", "score"),
    [
        ("Two-story, smoke showing, we're pulling a line.", MET, 4),
        ("Two story house, smoke showing.", PARTIAL, 3),
        ("Smoke showing, nothing else.", PARTIAL, 2),
        ("Are you pulling a line?", UNSEEN, None),
    ],
)
def test_the_share_of_the_elements_is_the_score(
    said: str, verdict: CriterionVerdict, score: float | None
) -> None:
    graded = Criterion("up", "Up", CriterionType.GRADED, grading=Grading(1, 4), cues=SIZE_UP)
    found = answer(talk(f"Engine 7: {said}"), graded)
    assert (found.verdict, found.score) == (verdict, score)


MODE = Criterion(
    "mode",
    "Mode",
    CriterionType.ENUM,
    options=(EnumOption("unclear", 0), EnumOption("outside", 1), EnumOption("inside", 2)),
    cues=Cues(
        options=groups(unclear=["no plan"], outside=["defensive mode"], inside=["offensive mode"])
    ),
)


@pytest.mark.parametrize(
    ("lines", "verdict", "score"),
    [
        (("A: Offensive mode.",), MET, 2),
        (("A: There is no plan.",), MISSED, 0),
        (("A: Defensive mode on this one.",), PARTIAL, 1),
        (("A: Defensive mode.", "A: Offensive mode on this one."), PARTIAL, 1),
        (("A: Offensive mode.", "A: Defensive mode on this one."), PARTIAL, 1),
        (("A: Defensive mode.", "A: We're switching to offensive mode."), MET, 2),
        (("A: We will go to offensive mode.",), UNSEEN, None),
    ],
)
def test_of_several_options_the_lowest_counts_unless_it_is_replaced(
    lines: tuple[str, ...], verdict: CriterionVerdict, score: float | None
) -> None:
    found = answer(talk(*lines), MODE)
    assert (found.verdict, found.score) == (verdict, score)


@pytest.mark.parametrize(
    ("lines", "verdict"),
    [
        (("A: The lap is complete.",), UNSEEN),
        (("A: The lap is complete, the lap is complete.",), UNSEEN),
        (("A: The lap is complete.", "B: Say again?", "A: I say the lap is complete."), MET),
        (("A: The lap is complete.", "B: Copy, lap is complete."), UNSEEN),
    ],
)
def test_as_many_distinct_places_as_the_criterion_asks_for(
    lines: tuple[str, ...], verdict: CriterionVerdict
) -> None:
    twice = replace(LAP, evidence=EvidenceRules(min_evidence=2))
    found = answer(talk(*lines), twice)
    assert found.verdict is verdict
    assert verdict is MET or "2 places" in found.rationale


WATER = Criterion(
    "water",
    "Water",
    CriterionType.TIMING,
    timing=TimingTarget("arrived", "water", 30, 60),
    cues=Cues(events=groups(arrived=["on scene"], water=["water on the fire"])),
)
RUN = (
    "Engine 7: Engine 7 is on scene.",
    "Command: Engine 7, advise when you have water on the fire.",
    "Engine 7: Copy, will advise.",
    "Ladder 4: Ladder 4 is on scene.",
    "Engine 7: Command from Engine 7, water on the fire.",
    "Command: Copy, water on the fire.",
)


def test_events_are_the_reports_and_not_the_orders_or_read_backs() -> None:
    found = answer(talk(*RUN), WATER)
    assert found.observed_events == (
        CitedEvent("arrived", 10),
        CitedEvent("arrived", 40),
        CitedEvent("water", 50),
    )
    assert found.verdict is PARTIAL
    assert [item.start for item in found.evidence] == [10, 40, 50]
    assert "0:20" in found.rationale

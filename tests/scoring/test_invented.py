"""Units, seconds and speakers that nobody named: found, and few false alarms."""

from __future__ import annotations

import pytest
from tests.speech.transcripts import from_sentences

from veridical.scoring.checking.invented import STRUCK, InventionFinder
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    Rubric,
    Section,
    Template,
    TimingTarget,
)
from veridical.scoring.units import unit_of
from veridical.sources.transcript import Transcript

RADIO = from_sentences(
    [
        (5.0, 9.0, "Dispatch to Engine 25, Engine 26 and Ladder 7, structure fire.", "Dispatch"),
        (20.0, 26.0, "Engine two five en route, Battalion two copies.", "ENG25"),
        (60.0, 66.0, "Medics 1 and 3 stage at the corner, time is 14:05.", "BC2"),
        (590.0, 600.0, "Wagon 7 on scene.", "Wagon 7"),
    ]
)


def rubric() -> Rubric:
    cues = Cues(events=(CueGroup("assigned", (Cue("Truck 12 to the roof"),)),))
    timing = TimingTarget("assigned", "done", 60, 1800)
    criterion = Criterion("c", "Engine 40 assigned", CriterionType.TIMING, timing=timing, cues=cues)
    section = Section("s", "S", 1.0, (criterion,), description="As with Squad 8 on day 2.")
    return Rubric(Template("t", "T", "1"), (section,))


def found(text: str, transcript: Transcript = RADIO) -> list[tuple[str, str]]:
    finder = InventionFinder(transcript, rubric(), tolerance_seconds=20.0)
    _, warnings = finder.strike(text, "the rationale")
    return [(w.code.value, w.message) for w in warnings]


@pytest.mark.parametrize(
    ("text", "left", "named"),
    [
        ("Engine 9 met 17 people.", f"{STRUCK} met {STRUCK} people.", ["Engine 9", "17"]),
        ("It took 132 s, not 1,320.", f"It took {STRUCK} s, not {STRUCK}.", ["132", "1,320"]),
        ("Engines 25 and 27 came at 12:30.", f"Engines 25 and {STRUCK} came at {STRUCK}.", None),
        ("With Engine 25, in 60 of 1800 s, 30 minutes, 3 of 4 parts, at 590.", "", []),
        ("Code 3, 10-4, 14:05, the 25th and 2x; by SOP 414.", "", []),
    ],
)
def test_what_is_invented_is_struck_out(text: str, left: str, named: list[str] | None) -> None:
    finder = InventionFinder(RADIO, rubric(), tolerance_seconds=20.0, material="SOP 414")
    shown, warnings = finder.strike(text, "the rationale")
    assert shown == (left or text)
    if named is not None:
        told = [f"the rationale named {name}, {NOBODY}; it is struck out" for name in named]
        assert [warning.message for warning in warnings] == told


NOBODY = "which neither the transcript nor the rubric does"
ENDED = "but the recording runs from 0:05 to 10:00"


@pytest.mark.parametrize(
    ("text", "code", "told"),
    [
        ("Engine 9 assumed command.", "unit", f"Engine 9, {NOBODY}"),
        ("ENGINE 9 assumed command.", "unit", f"ENGINE 9, {NOBODY}"),
        ("Engine Twenty-Seven assumed command.", "unit", f"Engine Twenty-Seven, {NOBODY}"),
        ("E9 assumed command.", "unit", f"E9, {NOBODY}"),
        ("E-9 assumed command.", "unit", f"E 9, {NOBODY}"),
        ("Engine Company 9 laid a line.", "unit", f"Engine 9, {NOBODY}"),
        ("Engines 25 and 27 laid a line.", "unit", f"Engines 27, {NOBODY}"),
        ("Ladder 3 went to the roof.", "unit", f"Ladder 3, {NOBODY}"),
        ("Battalion Chief 4 took over.", "unit", f"Battalion 4, {NOBODY}"),
        ("BC4 took over.", "unit", f"BC4, {NOBODY}"),
        ("Command was assumed at 12:30.", "time", f"12:30, {ENDED}"),
        ("Command was assumed [12:30].", "time", f"12:30, {ENDED}"),
        ("Command was assumed (12:30).", "time", f"12:30, {ENDED}"),
        ("Command was assumed at 950 s.", "time", f"950 s, {ENDED}"),
        ("Command was assumed at approximately 950.5 seconds.", "time", f"950.5 s, {ENDED}"),
    ],
)
def test_units_that_nobody_named_and_seconds_that_the_recording_does_not_have(
    text: str, code: str, told: str
) -> None:
    assert found(text) == [(f"invented_{code}", f"the rationale named {told}; it is struck out")]


@pytest.mark.parametrize(
    "text",
    [
        "Engine 25, E25, ENG25, Engine two five, Engine Twenty-Five and Engine twenty five.",
        "Engines 25 and 26 and Ladder 7; Engine 26 was second.",
        "Battalion 2, BC2, Battalion Chief 2 and Battalion Chief Two.",
        "Medic 1 and Medic Three staged.",
        "Truck 12, Engine 40 and Squad 8 are the rubric's.",
        "Section 3, step 2, level 4, floor 9, channel 5, Criterion 9, Phase 2, Table 9, Item 4.",
        "The engine 2 minutes later called again; engine 9 minutes out.",
        "They rescue 2 victims; Rescue 2 people; the truck 4 times; unit 3 of the course.",
        "The chief 3 times asked; Station 5% full; engine 2.5 inch line; Engine 12:30.",
        "Engine one hundred meters away.",
        "T 2, e9, r2, R2 and m1 are no units.",
        "Engine is no unit.",
        "Command was assumed at 1:35, at 95 s, [00:95] and [04:15].",
        "At 10:20 it ended, from 0:00 on; at 620 s.",
        "The clock said 14:05, and so at 14:05 they arrived.",
        "It took 45:00, a ratio of 16:09, NFPA 1410:2020, at 11:30 am, at 14:30 hours.",
        "Within 1800 seconds; 60 s long, 30 minutes; at 12 locations; at 1:2 odds.",
    ],
)
def test_what_is_no_invention(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    "name", ["Re\u017fcue 9", "eng\u0131ne 9", "Engine \u017fix", "Engine f\u0131ve"]
)
def test_letters_that_are_only_like_those_of_a_unit(name: str) -> None:
    heard = from_sentences([(5.0, 9.0, f"{name} on scene.", name)])
    assert found(f"{name} was on scene.", heard) == []
    assert unit_of(name) is None


def test_each_invention_once() -> None:
    assert len(found("Engine 9 and Engine 9, at 12:30 and at 12:30.")) == 2


def test_a_very_long_text_takes_no_time() -> None:
    assert found("Engine " * 200_000) == []
    assert found("at 1:" * 200_000) == []

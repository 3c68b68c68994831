"""A scorecard that somebody has edited: what no longer follows from the rest is refused."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.scoring.samples import ARRIVAL, TRANSCRIPT, item, reply_to, rubric_of
from tests.scoring.test_wire import edited, first

from veridical.errors import ValidationError
from veridical.models.scripted import ScriptedModel
from veridical.scoring.scorer import RubricScorer
from veridical.scoring.wire import scorecard_from_bytes, scorecard_to_bytes

Wire = dict[str, Any]


def criterion(wire: Wire, section: int = 0, index: int = 0) -> Wire:
    found: Wire = wire["sections"][section]["criteria"][index]
    return found


def clock(wire: Wire) -> Wire:
    timing: Wire = criterion(wire, 1)["timing"]
    return timing


def repeat(part: list[Any]) -> None:
    part.append(copy.deepcopy(part[0]))


def not_a_word(wire: Wire) -> None:
    first(wire).update(evidence=first(wire)["evidence"][1:])


def quicker(wire: Wire) -> None:
    clock(wire).update(endedAt=61.0, seconds=1.0)


def at_once(wire: Wire) -> None:
    quicker(wire)
    criterion(wire, 1)["observedEvents"][1].update(at=61.0, latest=61.0)


def silenced(wire: Wire) -> None:
    wire["humanReview"].update(items=[], required=False)


def unwarned(wire: Wire) -> None:
    wire["warnings"] = []


@pytest.mark.parametrize(
    ("change", "path"),
    [
        (lambda w: w["overall"].update(score=1.0), "overall.score"),
        (lambda w: w["overall"].update(score=None), "overall.score"),
        (lambda w: w["overall"].update(status="pass"), "overall.status"),
        (lambda w: w["overall"].update(scoredWeight=1.0), "overall.scoredWeight"),
        (lambda w: w["scoring"]["thresholds"].update({"pass": 0.9}), "sections[0].status"),
        (lambda w: w["sections"][0].update(score=1.0), "sections[0].score"),
        (lambda w: w["sections"][0].update(status="fail"), "sections[0].status"),
        (lambda w: w["sections"][2].update(status="pass"), "sections[2].status"),
        (lambda w: [s.update(weight=1.0) for s in w["sections"]], "sections"),
        (lambda w: w["sections"][0].update(weight=0.4999), "overall.score"),
        (lambda w: repeat(w["sections"]), "sections"),
        (lambda w: w["sections"][1].update(sectionId="size-up"), "sections[1].sectionId"),
        (lambda w: repeat(w["sections"][0]["criteria"]), "sections[0].criteria[3].criterionId"),
        (lambda w: first(w).update(weight=2.0), "sections[0].score"),
        (lambda w: first(w).update(normalizedScore=0.5), "sections[0].criteria[0].normalizedScore"),
        (lambda w: first(w).update(countedAsMissed=True), "sections[0].criteria[0].countedAsMis"),
        (lambda w: first(w).update(score=4000), "sections[0].criteria[0].score"),
        (lambda w: first(w).update(score=0.0), "sections[0].criteria[0].score"),
        (lambda w: first(w).update(givenVerdict="missed"), "sections[0].criteria[0].verdict"),
        (lambda w: first(w).update(givenVerdict="not_observed"), "sections[0].criteria[0].verdict"),
        (lambda w: first(w).update(minEvidence=2), "sections[0].criteria[0].verdict"),
        (not_a_word, "sections[0].criteria[0].verdict"),
        (lambda w: first(w)["scale"].update(max=2.0), "sections[0].criteria[0].scale.max"),
        (lambda w: criterion(w, 0, 1)["scale"].update(max=0.0), "sections[0].criteria[1].scale"),
        (lambda w: criterion(w, 0, 1)["scale"].update(max=3.0), "sections[0].criteria[1].score"),
        (lambda w: criterion(w, 1).update(timing=None), "sections[1].criteria[0].timing"),
        (lambda w: first(w).update(timing=clock(w)), "sections[0].criteria[0].timing"),
        (lambda w: clock(w).update(seconds=1.0), "sections[1].criteria[0].timing.seconds"),
        (lambda w: clock(w).update(targetSeconds=5.0), "sections[1].criteria[0].verdict"),
        (lambda w: clock(w).update(endEvent="water"), "sections[1].criteria[0].timing.endSource"),
        (lambda w: clock(w).update(closeCall=True), "sections[1].criteria[0].timing.closeCall"),
        (quicker, "sections[1].criteria[0].timing.endedAt"),
        (at_once, "sections[1].criteria[0].observedEvents[1].at"),
        (unwarned, "warnings"),
        (silenced, "humanReview.items"),
        (lambda w: w["modelInfo"]["usage"].update(calls=0), "modelInfo.usage.calls"),
    ],
)
def test_what_does_not_follow_from_the_rest_is_refused_with_its_path(
    change: Callable[[Wire], object], path: str
) -> None:
    with pytest.raises(ValidationError, match="the scorecard contradicts itself") as caught:
        scorecard_from_bytes(edited(change))
    assert caught.value.details["path"].startswith(path)
    assert path in str(caught.value)


@pytest.mark.parametrize("number", [1e308, -1e308, 5e-324])
def test_numbers_at_the_edge_of_floats_are_no_traceback(number: float) -> None:
    def change(wire: Wire) -> None:
        first(wire).update(weight=abs(number))
        criterion(wire, 0, 1).update(weight=abs(number), score=number)
        criterion(wire, 0, 1)["scale"].update(min=-1e308, max=1e308)

    with pytest.raises(ValidationError, match="scorecard"):
        scorecard_from_bytes(edited(change))


def test_a_card_of_a_real_run_is_read_whatever_the_model_said() -> None:
    """Unlike the cards of other tests it has come through the checks of evidence and events."""
    quotes = {"Engine 25 assuming command": 6, "Engine 25 on scene": 0, "water on the fire": 131}
    command, scene, water = (
        {"quote": words, "start": start, "speaker": "ENG25"} for words, start in quotes.items()
    )
    events = [{"name": "unit_on_scene", "at": 0}, {"name": "water_on_fire", "at": 131}]
    invented = {"quote": "Engine 9 on scene", "start": 3.0, "speaker": "ENG9"}
    for report in (item("size-up", "partial", score=3.999), item("size-up", "missed", score=4)):
        for cited in ([scene, water], [scene], [invented, command], []):
            clocked = item("first-water", "met", evidence=cited, observedEvents=events)
            mode = item("attack-mode", "met", evidence=[invented])
            reply = reply_to(ARRIVAL, item("announce-command"), report, mode, clocked)
            model = ScriptedModel([json.dumps(reply)])
            card = RubricScorer(model).score(TRANSCRIPT, rubric_of(ARRIVAL))
            assert scorecard_from_bytes(scorecard_to_bytes(card)) == card

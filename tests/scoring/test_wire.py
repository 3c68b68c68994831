"""The file of a scorecard: the same bytes each time, and nothing is believed on the way back."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.scoring.cards import (
    MET,
    NOT_OBSERVED,
    PARTIAL,
    boolean,
    card,
    choice,
    event,
    failed,
    graded,
    proof,
    radio,
    reviewed,
    rubric,
    said,
    section,
    simple_card,
    timing,
    unproven,
)
from tests.scoring.invariants import require_sums
from tests.scoring.samples import ARRIVAL, TRANSCRIPT, item, reply_to, rubric_of

from veridical.errors import ValidationError
from veridical.models.scripted import ScriptedModel
from veridical.scoring.schemas import load_schema
from veridical.scoring.scorecard import (
    CardWarning,
    CheckedEvent,
    CheckedEvidence,
    Scorecard,
    TimeRange,
    WarningCode,
)
from veridical.scoring.scorer import RubricScorer
from veridical.scoring.wire import scorecard_from_bytes, scorecard_to_bytes, scorecard_to_wire

WRONG = CheckedEvidence(
    "Engine 9 on scene", False, 12.0, "ENG9", reason="the words are not in the transcript"
)


def full_card() -> Scorecard:
    """A card that has something of everything."""
    clock = [proof(radio(), "Engine 25 on scene"), proof(radio(), "Engine 25 assuming")]
    events = [
        CheckedEvent(name, claimed, True, words.start, words.start, index)
        for index, (name, claimed, words) in enumerate(
            zip(("arrival", "command"), (60.0, 90.0), clock, strict=True)
        )
    ]
    moved = replace(proof(radio(), "smoke showing"), claimed_start=300.0, corrected=True)
    of = rubric(
        section(
            "size-up",
            boolean("report", required=True),
            graded("detail", 0, 4),
            choice("mode", ("defensive", 0), ("offensive", 1)),
            weight=0.5,
        ),
        section("command", timing("clock", required=True), weight=0.25),
        section("search", boolean("all-clear"), weight=0.25),
    )
    made = card(
        of,
        reviewed(
            "size-up",
            said("report", MET, evidence=[moved, WRONG], confidence=0.4),
            said("detail", PARTIAL, 3, evidence=[proof(radio(), "two story house")]),
            said("mode", NOT_OBSERVED),
            warnings=[CardWarning(WarningCode.EVIDENCE_CORRECTED, "moved", None, "report")],
            omitted=[TimeRange(100.0, 140.0)],
        ),
        reviewed(
            "command",
            said("clock", MET, events=events, evidence=clock),
        ),
        failed("search"),
    )
    return replace(made, created_at="2026-01-02T03:04:05Z")


def test_evidence_shows_the_transcripts_times_where_verified_and_the_claimed_ones_where_not() -> (
    None
):
    found, wrong = scorecard_to_wire(full_card())["sections"][0]["criteria"][0]["evidence"]
    assert (found["verified"], found["speaker"], found["matchedText"]) == (
        True, "ENG25", "smoke showing",
    )  # fmt: skip
    assert 60.0 <= found["start"] < 66.0
    assert found["claimed"]["start"] == 300.0
    place = found["position"]
    assert radio().text[place["start"] : place["end"]] == "smoke showing"
    assert (wrong["verified"], wrong["start"], wrong["speaker"]) == (False, 12.0, "ENG9")
    assert (wrong["position"], wrong["matchedText"]) == (None, None)
    assert "createdAt" not in scorecard_to_wire(simple_card(MET))
    of = rubric(section("one", boolean("a")))
    events = [event("arrival", 60.0), unproven("command", 70.0)]
    made = card(of, reviewed("one", said("a", MET, events=events)))
    shown = scorecard_to_wire(made)["sections"][0]["criteria"][0]["observedEvents"]
    assert [(e["at"], e["verified"], e["latest"]) for e in shown] == [
        (60.0, True, 60.0), (70.0, False, None),
    ]  # fmt: skip


Wire = dict[str, Any]
INDEPENDENT = jsonschema.Draft7Validator(load_schema("scorecard"))


@pytest.mark.parametrize(
    "made", [full_card(), simple_card(MET, NOT_OBSERVED), card(rubric(section("a", boolean("b"))))]
)
def test_a_card_is_read_back_as_it_was_written(made: Scorecard) -> None:
    data = scorecard_to_bytes(made)
    assert scorecard_from_bytes(data) == made
    assert scorecard_to_bytes(scorecard_from_bytes(data)) == data
    # An independent implementation of JSON Schema says the same of it.
    wire = json.loads(data)
    INDEPENDENT.validate(wire)
    require_sums(wire)


# What is not a scorecard


def edited(change: Callable[[Wire], object]) -> bytes:
    wire = scorecard_to_wire(full_card())
    change(wire)
    return json.dumps(wire).encode()


def first(wire: Wire) -> Wire:
    return criterion(wire)


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
        (lambda w: w.pop("overall"), "(top)"),
        (lambda w: w.update(extra=1), "(top)"),
        (lambda w: w["overall"].update(score=1.01), "overall.score"),
        (lambda w: w["overall"].update(score=True), "overall.score"),
        (lambda w: w["overall"].update(incompleteSections=[]), "overall.incompleteSections"),
        (lambda w: w["humanReview"].update(required=False), "humanReview.required"),
        (lambda w: first(w).update(verdict="MET"), "sections[0].criteria[0].verdict"),
        (lambda w: first(w).update(verdict="not_observed"), "sections[0].criteria[0].score"),
        (lambda w: first(w).update(score=None), "sections[0].criteria[0].score"),
        (
            lambda w: first(w)["evidence"][1].update(verified=True),
            "sections[0].criteria[0].evidence[1]",
        ),
        (
            lambda w: first(w)["evidence"][1].update(start=99.0),
            "sections[0].criteria[0].evidence[1].start",
        ),
        (
            lambda w: first(w)["evidence"][0]["position"].update(end=0),
            "sections[0].criteria[0].evidence[0].position.end",
        ),
        (
            lambda w: w["sections"][1]["criteria"][0]["observedEvents"][0].update(evidence=2),
            "sections[1].criteria[0].observedEvents[0].evidence",
        ),
    ],
)
def test_what_does_not_fit_is_refused_with_its_path(
    change: Callable[[Wire], object], path: str
) -> None:
    with pytest.raises(ValidationError, match="scorecard") as caught:
        scorecard_from_bytes(edited(change))
    assert caught.value.details["path"].startswith(path)
    assert path.removeprefix("(top)") in str(caught.value)


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
def test_what_somebody_edited_and_no_longer_follows_from_the_rest_is_refused(
    change: Callable[[Wire], object], path: str
) -> None:
    with pytest.raises(ValidationError, match="the scorecard contradicts itself") as caught:
        scorecard_from_bytes(edited(change))
    assert caught.value.details["path"].startswith(path)
    assert path in str(caught.value)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "not JSON: line 1"),
        (b"\xff{}", "not UTF-8: byte 1"),
        (b"[]", "is not a JSON object"),
        (b"null", "is not a JSON object"),
        (b'{"a": NaN}', "NaN for a number"),
        (b'{"a": 1e999}', "too large"),
        (b'{"a": ' + b"9" * 5000 + b"}", "too large"),
        (b'{"a": 1, "a": 1}', "twice"),
        (b"[" * 100_000, "deep"),
        (b'{"a":' * 500 + b"1" + b"}" * 500, "does not fit"),
        (b'"' + b" " * (64 * 1024 * 1024) + b'"', "the limit is"),
    ],
    ids=["empty", "utf", "list", "null", "nan", "inf", "digits", "twice", "deep", "nested", "big"],
)
def test_bytes_that_are_no_scorecard_are_an_error_that_says_why(data: bytes, message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        scorecard_from_bytes(data)


@given(st.data())
def test_a_card_that_was_tampered_with_is_read_or_refused(data: st.DataObject) -> None:
    """Any value in any place: a card or a ValidationError, never a traceback."""
    wire = json.loads(scorecard_to_bytes(full_card()))
    node: Any = wire
    for _ in range(data.draw(st.integers(1, 7))):
        keys = sorted(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if isinstance(node[key], dict | list) and node[key] and data.draw(st.booleans()):
            node = node[key]
            continue
        texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
        values = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts
        node[key] = data.draw(values | st.just([]) | st.just({}))
        break
    try:
        read = scorecard_from_bytes(json.dumps(wire).encode())
    except ValidationError:
        return
    assert scorecard_from_bytes(scorecard_to_bytes(read)) == read


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


@pytest.mark.parametrize("number", [1e308, -1e308, 5e-324])
def test_numbers_at_the_edge_of_floats_are_no_traceback(number: float) -> None:
    def change(wire: Wire) -> None:
        first(wire).update(weight=abs(number))
        criterion(wire, 0, 1).update(weight=abs(number), score=number)
        criterion(wire, 0, 1)["scale"].update(min=-1e308, max=1e308)

    with pytest.raises(ValidationError, match="scorecard"):
        scorecard_from_bytes(edited(change))

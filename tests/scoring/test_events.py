"""Which words an event leans on: its own, and no others that happen to be near."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from tests.scoring.cards import boolean, rubric, section, timing
from tests.speech.transcripts import from_sentences

from veridical.models.scripted import ScriptedModel
from veridical.scoring.checking.evidence import EvidenceChecker
from veridical.scoring.checking.review import check_events
from veridical.scoring.rubric import Cue, CueGroup, Cues, Rubric
from veridical.scoring.scorecard import (
    CheckedEvent,
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionVerdict,
    SectionAnswer,
    TimingResult,
    WarningCode,
)
from veridical.scoring.scorer import RubricScorer, prepare
from veridical.sources.transcript import Transcript

CUES = Cues(
    events=(
        CueGroup("arrival", (Cue("on scene"),)),
        CueGroup("water", (Cue("have water on the fire"), Cue("has water on the fire"))),
    )
)


def timed_rubric(target: float = 45.0, most: float = 50.0) -> Rubric:
    clock = timing("clock", "arrival", "water", target=target, most=most)
    return rubric(section("one", replace(clock, cues=CUES)))


SAID = (
    (0.0, 3.0, "Engine 7 on scene with smoke showing", "E7"),
    (30.0, 33.0, "Engine 7 stretch a line to the door", "IC"),
    (40.0, 43.0, "Still stretching the line, door is locked", "E7"),
    (58.0, 61.0, "Command, we have water on the fire", "E7"),
)
RADIO = from_sentences(SAID)

SCENE = CitedEvidence("Engine 7 on scene", 0.0)
LINE = CitedEvidence("Still stretching the line", 40.0)
WATER = CitedEvidence("Command, we have water on the fire", 58.0)
FALSE = CitedEvidence("Water is flowing on the fire", 58.0)


def found(
    cited: Sequence[CitedEvent],
    evidence: Sequence[CitedEvidence],
    transcript: Transcript = RADIO,
) -> list[CheckedEvent]:
    of = timed_rubric()
    checker = EvidenceChecker(transcript, of)
    checked = [checker.check(each, of.sections[0].criteria[0]) for each in evidence]
    return list(check_events(cited, checked, checker))


@pytest.mark.parametrize(
    ("name", "at", "evidence", "leans_on"),
    [
        ("arrival", 0.0, (SCENE, WATER), (0, 0.0)),
        ("Arrival!", 0.0, (SCENE, WATER), (0, 0.0)),  # but for case and signs
        ("water", 58.0, (SCENE, WATER), (1, 58.0)),
        ("water", 60.0, (SCENE, WATER), (1, 58.0)),  # as good as the same moment
        ("water", 62.9, (SCENE, WATER), (1, 58.0)),  # the words end at 61 s
        ("water", 63.1, (SCENE, WATER), None),
        ("water", 55.9, (SCENE, WATER), None),  # far within the tolerance for quotes
        ("water", 100.0, (SCENE, WATER), None),
        ("mayday", 58.0, (SCENE, WATER), None),
        # Its own quote was refused: no other stands in for it.
        ("water", 58.0, (SCENE, LINE, FALSE), None),
        ("water", 41.0, (replace(FALSE, start=41.0), LINE), None),
        ("water", 40.0, (replace(FALSE, start=40.0), LINE), (1, 40.0)),
        # The quote was cited for another second than it has; so was its event.
        ("water", 48.0, (replace(WATER, start=48.0), LINE), (0, 58.0)),
        ("water", 58.0, (replace(WATER, start=48.0), LINE), (0, 58.0)),
        ("water", 58.0, (replace(WATER, start=None),), (0, 58.0)),
        ("water", 17.0, (SCENE, LINE), None),
        ("water", 58.0, (), None),
    ],
)
def test_an_event_leans_on_the_quote_of_its_second(
    name: str, at: float, evidence: Sequence[CitedEvidence], leans_on: tuple[int, float] | None
) -> None:
    (event,) = found([CitedEvent(name, at)], evidence)
    assert event.claimed_at == at
    assert event.verified is (leans_on is not None)
    assert (event.evidence, event.at) == (leans_on or (None, None))
    assert bool(event.reason) is (leans_on is None)


TOUCHING = from_sentences(
    [
        (5.0, 35.0, "Engine 1 on scene, two story house, smoke showing.", "E1"),
        (35.0, 40.0, "Engine 1 has water on the fire.", "E1"),
    ],
    words=False,
)
FIRST = CitedEvidence("Engine 1 on scene, two story house", 5.0)
SECOND = CitedEvidence("Engine 1 has water on the fire", 35.0)


def test_touching_captions_take_the_time_from_one_to_the_next_by_model_and_by_cues() -> None:
    of = timed_rubric(10, 20)
    events = (CitedEvent("arrival", 5.0), CitedEvent("water", 35.0))
    answer = CriterionAnswer(
        "clock", CriterionVerdict.MISSED, evidence=(FIRST, SECOND), observed_events=events
    )
    cues = RubricScorer()
    handed_in = prepare(TOUCHING, of).scorecard([SectionAnswer("one", (answer,))])
    for card in (handed_in, cues.score(TOUCHING, of)):
        clock = card.sections[0].criteria[0]
        assert clock.timing is not None
        assert clock.timing.seconds == 30.0
        assert clock.review.verdict is CriterionVerdict.MISSED


@pytest.mark.parametrize(
    "evidence",
    [(SCENE,), (SCENE, CitedEvidence("on scene with smoke showing", 0.0))],
    ids=["one quote", "overlapping quotes"],
)
@pytest.mark.parametrize("at", [0.0, 2.0, 4.9])
def test_the_same_words_do_not_start_and_stop_a_clock(
    at: float, evidence: Sequence[CitedEvidence]
) -> None:
    """Else the time between two events would be none, and a criterion met that was not."""
    cited = [CitedEvent("arrival", 0.0), CitedEvent("water", at)]
    assert took(cited, evidence).seconds is None
    assert took([*cited[:1], CitedEvent("water", 58.0)], (*evidence, WATER)).seconds == 58.0


def took(
    cited: Sequence[CitedEvent], evidence: Sequence[CitedEvidence], transcript: Transcript = RADIO
) -> TimingResult:
    of = timed_rubric()
    answer = CriterionAnswer(
        "clock",
        CriterionVerdict.MET,
        evidence=tuple(evidence),
        observed_events=tuple(cited),
    )
    card = prepare(transcript, of).scorecard([SectionAnswer("one", (answer,))])
    timed = card.sections[0].criteria[0].timing
    assert timed is not None
    return timed


LONG = (
    (0.0, 3.0, "Engine 7 on scene with smoke showing", "E7"),
    (10.0, 60.0, "We are stretching the line and now at last we have water on the fire", "E7"),
)
PIECES = (
    LONG[0],
    (10.0, 20.0, "We are stretching the line", "E7"),
    (20.0, 40.0, "and now at last", "E7"),
    (40.0, 60.0, "we have water on the fire", "E7"),
)


@pytest.mark.parametrize(
    ("said", "words", "latest"),
    [(LONG, True, 56.7), (LONG, False, 60.0), (PIECES, True, 56.7), (PIECES, False, 60.0)],
)
def test_words_that_go_on_for_long_do_not_tell_by_their_first_when_it_was(
    said: tuple[tuple[float, float, str, str], ...], words: bool, latest: float
) -> None:
    transcript = from_sentences(said, words=words)
    whole = CitedEvidence(
        "We are stretching the line and now at last we have water on the fire", 10.0
    )
    cited = [CitedEvent("arrival", 0.0), CitedEvent("water", 10.0)]
    _, event = found(cited, (SCENE, whole), transcript)
    assert event.at == 10.0
    assert event.latest == pytest.approx(latest, abs=0.5)
    assert took(cited, (SCENE, whole), transcript).close_call
    # Words that are soon said do.
    (event,) = found([CitedEvent("water", 58.0)], (WATER,))
    assert (event.at, event.latest) == (58.0, 58.0)


def test_what_a_criterion_that_times_nothing_observed_is_kept_by_its_words() -> None:
    """The example of the scoring contract: its rubric need not know the event."""
    of = rubric(section("arrival-size-up", boolean("announce-command")))
    talk = from_sentences(
        [(90.0, 96.0, "Engine 25 assuming command on FTAC 205, offensive mode.", "Engine 25")]
    )
    reply = {
        "sectionId": "arrival-size-up",
        "criteria": [
            {
                "criterionId": "announce-command",
                "verdict": "met",
                "score": 1,
                "confidence": 0.83,
                "rationale": "Clear command assumption and tactical channel stated.",
                "evidence": [
                    {
                        "quote": "Engine 25 assuming command on FTAC 205...",
                        "start": 90,
                        "speaker": "ENG25",
                    }
                ],
                "observedEvents": [{"name": "command_assumed", "at": 90}],
            }
        ],
        "sectionNotes": "Optional evaluator notes.",
        "warnings": ["Optional warning strings."],
    }
    card = RubricScorer(ScriptedModel([json.dumps(reply)])).score(talk, of)
    review = card.sections[0].criteria[0].review
    assert (review.verdict, review.score) == (CriterionVerdict.MET, 1)
    assert (review.evidence[0].verified, review.evidence[0].corrected) == (True, False)
    (event,) = review.events
    assert (event.name, event.verified, event.at) == ("command_assumed", True, 90.0)
    assert [w.code for w in card.warnings] == [WarningCode.SCORER_WARNING]
    assert card.human_review.items == ()  # what the model warns of is a warning, and no task

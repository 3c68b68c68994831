"""Scored incidents made by hand: what the tests of the scorecard's forms share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tests.speech.transcripts import from_sentences

from veridical.scoring.rubric import CriterionType, ScoringRules, Template, TimingTarget
from veridical.scoring.scorecard import (
    CardWarning,
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    CriterionScore,
    CriterionVerdict,
    EvidenceFidelity,
    HumanReview,
    ModelInfo,
    Overall,
    ReviewItem,
    Scorecard,
    ScoredTranscript,
    SectionScore,
    Status,
    TimeRange,
    TimingResult,
    Usage,
    WarningCode,
)
from veridical.sources.document import Span
from veridical.sources.transcript import Transcript

MET, MISSED, PARTIAL, NOT_OBSERVED, NOT_APPLICABLE = CriterionVerdict
SCORES = {MET: 1.0, PARTIAL: 0.5, MISSED: 0.0}

SAID = [
    (0.0, 6.0, "Engine 25, Ladder 7, Battalion 3, structure fire, 14 Elm Street.", "Dispatch"),
    (8.0, 11.0, "Engine 25 copies, responding to 14 Elm Street.", "Engine 25"),
    (13.0, 15.0, "Ladder 7 responding.", "Ladder 7"),
    (17.0, 19.5, "Battalion 3 responding.", "Battalion 3"),
    (88.0, 97.0, "Engine 25 on scene, two story wood frame, smoke showing from side alpha.",
     "Engine 25"),
    (97.5, 104.0, "Engine 25 assuming Elm Street command on tac 5.", "Engine 25"),
    (106.0, 109.0, "Copy, Engine 25 has Elm Street command.", "Dispatch"),
    (131.0, 135.0, "Engine 25 is stretching a line to the front door.", "Engine 25"),
    (180.0, 186.0, "Ladder 7 on scene, starting primary search on the second floor.", "Ladder 7"),
    (219.5, 224.0, "Engine 25 to command, water on the fire.", "Engine 25"),
    (300.0, 306.0, "Battalion 3 on scene, assuming Elm Street command from Engine 25.",
     "Battalion 3"),
    (420.0, 426.0, "Command from Ladder 7, primary search is complete, all clear.", "Ladder 7"),
    (428.0, 431.0, "Command copies, primary all clear.", "Battalion 3"),
    (655.0, 660.0, "Dispatch to command, you are at ten minutes.", "Dispatch"),
    (662.0, 668.0, "Command copies ten minutes, we have a knockdown.", "Battalion 3"),
    (900.0, 905.0, "All companies, personnel accountability report.", "Battalion 3"),
    (907.0, 909.0, "Engine 25 has par with four.", "Engine 25"),
    (911.0, 913.0, "Ladder 7 has par with three.", "Ladder 7"),
    (1250.0, 1256.0, "Command to dispatch, the fire is under control.", "Battalion 3"),
    (1258.0, 1260.0, "Copy, under control at twenty one minutes.", "Dispatch"),
]  # fmt: skip


def radio() -> Transcript:
    """Twenty-one minutes of a fire, four speakers."""
    return from_sentences(SAID)


RADIO = radio()


def quote(words: str, transcript: Transcript = RADIO, **more: Any) -> CheckedEvidence:
    """Verified evidence: the first place where the words stand."""
    at = transcript.text.index(words)
    return quote_at(at, at + len(words), transcript, **more)


def quote_at(start: int, end: int, transcript: Transcript = RADIO, **more: Any) -> CheckedEvidence:
    span = Span(start, end)
    moment = transcript.moment(span)
    words = transcript.text[start:end]
    fields: dict[str, Any] = {
        "quote": words,
        "verified": True,
        "claimed_start": moment.start,
        "claimed_speaker": moment.speaker,
        "fidelity": EvidenceFidelity.VERBATIM,
        "span": span,
        "matched_text": words,
        "start": moment.start,
        "end": moment.end,
        "speaker": moment.speaker,
    }
    return CheckedEvidence(**(fields | more))


def invented(words: str, **more: Any) -> CheckedEvidence:
    fields = {"reason": "these words are not in the transcript", "claimed_start": 120.0}
    return CheckedEvidence(words, verified=False, **(fields | more))


def event(name: str, at: float, evidence: int = 0) -> CheckedEvent:
    return CheckedEvent(name, at, verified=True, at=at, latest=at, evidence=evidence)


def criterion(
    name: str,
    verdict: CriterionVerdict = MET,
    *evidence: CheckedEvidence,
    title: str | None = None,
    given: CriterionVerdict | None = None,
    events: Sequence[CheckedEvent] = (),
    rationale: str = "It was said in so many words.",
    confidence: float | None = 0.83,
    option: str | None = None,
    **more: Any,
) -> CriterionScore:
    """A criterion of a scorecard, a required one that was not observed counts as missed."""
    score = SCORES.get(verdict)
    review = CriterionReview(
        name,
        verdict,
        given or verdict,
        more.pop("score", score),
        option,
        confidence,
        rationale,
        tuple(evidence),
        tuple(events),
    )
    fields: dict[str, Any] = {
        "type": CriterionType.BOOLEAN,
        "required": False,
        "weight": 1.0,
        "scale": (0.0, 1.0),
        "normalized": score,
    }
    if more.get("required") and verdict is NOT_OBSERVED:
        fields |= {"normalized": 0.0, "counted_as_missed": True}
    title = name.replace("-", " ").capitalize() if title is None else title
    return CriterionScore(review, title, **(fields | more))


def timed(
    name: str,
    verdict: CriterionVerdict,
    started: float | None,
    ended: float | None,
    *,
    target: float | None = 120.0,
    most: float | None = 240.0,
    close_call: bool = False,
    **more: Any,
) -> CriterionScore:
    """A criterion that the clock decides, from `on_scene` to `water`."""
    seconds = None if started is None or ended is None else ended - started
    result = TimingResult(
        TimingTarget("on_scene", "water", target, most),
        started,
        ended,
        seconds,
        close_call,
        "" if seconds is not None else "there is no verified event water",
    )
    return criterion(
        name, verdict, *more.pop("evidence", ()), type=CriterionType.TIMING, timing=result, **more
    )


def section(
    name: str,
    *criteria: CriterionScore,
    weight: float = 0.5,
    score: float | None = 0.8,
    status: Status = Status.PASS,
    **more: Any,
) -> SectionScore:
    title = more.pop("title", name.replace("-", " ").capitalize())
    return SectionScore(name, title, weight, score, status, criteria, **more)


def card(
    *sections: SectionScore,
    transcript: Transcript = RADIO,
    warnings: Iterable[CardWarning] = (),
    review: Iterable[ReviewItem] = (),
    **more: Any,
) -> Scorecard:
    fields: dict[str, Any] = {
        "template": Template("fire-ground", "Fire-ground radio", "1.0"),
        "rubric_sha256": "ab" * 32,
        "scoring": ScoringRules(),
        "transcript": ScoredTranscript(
            "elm-street.vtt",
            transcript.sha256,
            transcript.start,
            transcript.end,
            transcript.precision.value,
            transcript.speakers,
        ),
        "overall": Overall(0.82, Status.PASS, 1.0),
        "sections": sections,
        "warnings": tuple(warnings),
        "model_info": ModelInfo("a-model", False, Usage(5, 6500, 1200)),
        "human_review": HumanReview(tuple(review)),
    }
    return Scorecard(**(fields | more))


COMMAND = "Engine 25 assuming Elm Street command on tac 5"
ON_SCENE = "Engine 25 on scene, two story wood frame"
WATER = "water on the fire"

ARRIVAL = section(
    "arrival",
    criterion(
        "size-up",
        PARTIAL,
        quote("two story wood frame, smoke showing from side alpha"),
        title="Gives a size-up on arrival",
        type=CriterionType.GRADED,
        required=True,
        weight=2.0,
        scale=(0.0, 4.0),
        score=3.0,
        normalized=0.75,
        rationale="Building, conditions and place were given; no action was stated with them.",
    ),
    criterion(
        "announce-command",
        MET,
        quote(COMMAND),
        quote("Elm Street command"),
        title="Announces command",
        required=True,
        events=[event("command_assumed", 97.5)],
    ),
    criterion(
        "attack-mode",
        NOT_OBSERVED,
        invented("We are going offensive", claimed_speaker="Engine 25"),
        title="Names the mode of attack",
        given=MET,
        required=True,
        confidence=0.4,
        rationale="The mode was named on arrival.",
    ),
    weight=0.4,
    score=0.6,
    status=Status.NEEDS_IMPROVEMENT,
    notes="Clear voice, calm traffic.",
    usage=Usage(1, 3100, 640, 2950),
)
ATTACK = section(
    "attack",
    timed(
        "first-water",
        PARTIAL,
        88.0,
        220.0,
        title="First water within two minutes",
        evidence=(quote(ON_SCENE), quote(WATER, quote="We have water on the fire",
                                         fidelity=EvidenceFidelity.PARAPHRASE, corrected=True,
                                         reason="it was said at 3:39, not at 4:30")),
        events=[event("on_scene", 88.0), event("water", 220.0, 1)],
    ),
    timed("search", MET, 180.0, 420.0, target=300.0, most=420.0, title="Primary search",
          evidence=(quote("starting primary search"), quote("primary search is complete"),
                    quote("primary all clear")),
          events=[event("search_started", 183.0), event("all_clear", 424.0, 1),
                  CheckedEvent("mayday", 500.0, verified=False, reason="no words show it")]),
    timed("transfer", MISSED, 300.0, 1250.0, target=60.0, most=120.0,
          title="Transfers command to the first chief", close_call=True,
          evidence=(quote("assuming Elm Street command from Engine 25"),
                    quote("the fire is under control"))),
    timed("par", NOT_OBSERVED, None, None, title="Accountability every fifteen minutes"),
    criterion("mayday", NOT_APPLICABLE, title="Answers a mayday", rationale="", confidence=None),
    score=0.9,
    weight=0.4,
    omitted=(TimeRange(1000.0, 1200.0),),
    usage=Usage(1, 3400, 560, 3250),
)  # fmt: skip
AFTER = section(
    "after",
    weight=0.2,
    score=None,
    status=Status.INCOMPLETE,
    title="After the knockdown",
    failure="the model gave no usable JSON in 3 attempts",
    usage=Usage(3, None, None, 2500),
)
INCIDENT = card(
    ARRIVAL,
    ATTACK,
    AFTER,
    overall=Overall(0.75, Status.INCOMPLETE, 0.8),
    warnings=[
        CardWarning(WarningCode.TRANSCRIPT_REPAIRED, "two cues stood out of order"),
        CardWarning(
            WarningCode.VERDICT_WITHOUT_EVIDENCE,
            "Names the mode of attack: met, but no evidence of it verified",
            "arrival",
            "attack-mode",
        ),
        CardWarning(
            WarningCode.EVIDENCE_NOT_VERIFIED,
            "Names the mode of attack: a quote is not in the transcript",
            "arrival",
            "attack-mode",
        ),
        CardWarning(WarningCode.UNKNOWN_CRITERION, "it scored “weather”", "attack", "weather"),
    ],
    review=[
        ReviewItem(
            "arrival", "attack-mode", ("it is required and was not observed", "it is unsure: 40%")
        ),
        ReviewItem("attack", "transfer", ("the time is too close to a limit to be sure",)),
        ReviewItem("after", None, ("it is incomplete: the model gave no usable JSON",)),
    ],
)

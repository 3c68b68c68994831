"""Rubrics, reviews and scorecards for tests, built by hand."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from tests.scoring.report.incidents import quote
from tests.speech.transcripts import from_sentences

from veridical.scoring.merge import merge
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    EnumOption,
    EvidenceRules,
    Grading,
    Rubric,
    ScoringRules,
    Section,
    Template,
    TimingTarget,
)
from veridical.scoring.scorecard import (
    SCORED,
    CardWarning,
    CheckedEvent,
    CheckedEvidence,
    CriterionReview,
    CriterionVerdict,
    Scorecard,
    SectionFailure,
    SectionReview,
    TimeRange,
    Usage,
)
from veridical.sources.transcript import Transcript

MET, MISSED, PARTIAL, NOT_OBSERVED, NOT_APPLICABLE = CriterionVerdict

SAID = (
    (0.0, 4.0, "Dispatch to Engine 25, structure fire at 14 Elm Street", "DISPATCH"),
    (6.0, 9.0, "Engine 25 copies, structure fire at 14 Elm Street", "ENG25"),
    (60.0, 66.0, "Engine 25 on scene, two story house, smoke showing from side alpha", "ENG25"),
    (90.0, 95.0, "Engine 25 assuming Elm Street command on tac 5", "ENG25"),
    (150.0, 154.0, "Command, Ladder 7, primary search is complete, all clear", "LAD7"),
    (156.0, 158.0, "Command copies all clear", "ENG25"),
)


def radio(*, words: bool = True) -> Transcript:
    """A short fire-ground transcript; without `words` only its segments have times."""
    return from_sentences(SAID, words=words)


def boolean(id: str, *, required: bool = False, weight: float = 1.0) -> Criterion:
    return Criterion(id, id.capitalize(), CriterionType.BOOLEAN, required=required, weight=weight)


def graded(
    id: str, least: float, greatest: float, *, required: bool = False, weight: float = 1.0
) -> Criterion:
    return Criterion(
        id,
        id.capitalize(),
        CriterionType.GRADED,
        required=required,
        weight=weight,
        grading=Grading(least, greatest),
    )


def choice(id: str, *options: tuple[str, float]) -> Criterion:
    named = tuple(EnumOption(value, score) for value, score in options)
    return Criterion(id, id.capitalize(), CriterionType.ENUM, options=named)


def timing(
    id: str,
    start: str = "arrival",
    end: str = "command",
    *,
    target: float | None = 60.0,
    most: float | None = 120.0,
    required: bool = False,
    weight: float = 1.0,
) -> Criterion:
    return Criterion(
        id,
        id.capitalize(),
        CriterionType.TIMING,
        required=required,
        weight=weight,
        timing=TimingTarget(start, end, target, most),
        evidence=EvidenceRules(min_evidence=0),
    )


def section(id: str, *criteria: Criterion, weight: float = 1.0) -> Section:
    return Section(id, id.capitalize(), weight, criteria)


def rubric(*sections: Section, scoring: ScoringRules | None = None) -> Rubric:
    template = Template("fire-ground", "Fire ground", "1.0", "For tests.", ("radio",))
    return Rubric(template, sections, scoring or ScoringRules(), sha256="a" * 64)


def proof(transcript: Transcript, words: str) -> CheckedEvidence:
    """Verified evidence of words that stand in a transcript."""
    return quote(words, transcript)


def event(name: str, at: float, *, latest: float | None = None) -> CheckedEvent:
    """A verified event. `said` puts the words in that show it."""
    late = at if latest is None else latest
    return CheckedEvent(name, at, verified=True, at=at, latest=late, evidence=0)


def unproven(name: str, at: float) -> CheckedEvent:
    return CheckedEvent(name, at, verified=False, reason="no verified words at that second")


def said(
    id: str,
    verdict: CriterionVerdict,
    score: float | None = None,
    *,
    given: CriterionVerdict | None = None,
    events: Sequence[CheckedEvent] = (),
    evidence: Sequence[CheckedEvidence] = (),
    confidence: float | None = 0.9,
    option: str | None = None,
) -> CriterionReview:
    """A review of a criterion; without a score a scored verdict has 1, 0.5 or 0."""
    if score is None and verdict in SCORED:
        score = {MET: 1.0, PARTIAL: 0.5, MISSED: 0.0}[verdict]
    shown, events = tuple(evidence), tuple(events)
    if not shown:
        shown, events = _words_for(events)
        if verdict in SCORED and not shown:
            shown = (proof(radio(), "on scene"),)
    return CriterionReview(
        id,
        verdict,
        given or verdict,
        score,
        option,
        confidence,
        "Because it was said.",
        shown,
        events,
    )


def _words_for(
    events: Sequence[CheckedEvent],
) -> tuple[tuple[CheckedEvidence, ...], tuple[CheckedEvent, ...]]:
    """Words of its own for each event, said at its second; an arrival's are no other's."""
    spoken = [proof(radio(), text) for _, _, text, _ in SAID]
    shown: list[CheckedEvidence] = []
    leaning = []
    for found in events:
        if found.verified:
            words = spoken.pop(0 if found.name == "arrival" else -1)
            shown.append(replace(words, claimed_start=found.at, start=found.at, end=found.latest))
        leaning.append(replace(found, evidence=len(shown) - 1) if found.verified else found)
    return tuple(shown), tuple(leaning)


def reviewed(
    id: str,
    *criteria: CriterionReview,
    warnings: Iterable[CardWarning] = (),
    omitted: Iterable[TimeRange] = (),
    usage: Usage | None = None,
) -> SectionReview:
    cost = usage or Usage(1, 100, 20, 90)
    return SectionReview(id, criteria, "", tuple(warnings), cost, tuple(omitted))


def failed(id: str, reason: str = "the model gave no JSON") -> SectionFailure:
    return SectionFailure(id, reason, Usage(3, None, None, 90))


def card(of: Rubric, *outcomes: SectionReview | SectionFailure) -> Scorecard:
    return merge(of, radio(), outcomes, scorer="scripted", rule_based=False)


def simple_card(*verdicts: CriterionVerdict) -> Scorecard:
    """One section, a boolean criterion `c0`, `c1`... for each verdict."""
    criteria = [boolean(f"c{index}") for index in range(len(verdicts))]
    reviews = [said(f"c{index}", verdict) for index, verdict in enumerate(verdicts)]
    return card(rubric(section("only", *criteria)), reviewed("only", *reviews))

"""What stands of a section's answer once its evidence is checked."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.scoring.cards import simple_card
from tests.speech.transcripts import from_sentences

from veridical.scoring.checking.evidence import EvidenceChecker
from veridical.scoring.checking.review import review_section
from veridical.scoring.merge import find_concerns
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    EnumOption,
    EvidenceRules,
    Grading,
    Rubric,
    Section,
    Template,
    TimingTarget,
)
from veridical.scoring.scorecard import (
    CardWarning,
    CitedEvidence,
    CriterionAnswer,
    CriterionReview,
    CriterionVerdict,
    SectionAnswer,
    SectionReview,
    Usage,
    WarningCode,
)
from veridical.sources.transcript import Transcript

RADIO = from_sentences(
    [
        (10.0, 14.0, "Dispatch to Engine 25, respond to a structure fire.", "Dispatch"),
        (60.0, 64.0, "Engine 25 on scene, two story house, nothing showing.", "ENG25"),
        (70.0, 74.0, "Engine 25 assuming command on FTAC 205.", "ENG25"),
        (100.0, 104.0, "Water is on the fire.", "ENG25"),
    ]
)
ARRIVAL = CitedEvidence("Engine 25 on scene", 60, "ENG25")
COMMAND = CitedEvidence("Engine 25 assuming command", 70, "ENG25")
WATER = CitedEvidence("Water is on the fire", 100, "ENG25")
FALSE = CitedEvidence("We have a second alarm", 100, "ENG25")

BOOLEAN = Criterion("b", "B", CriterionType.BOOLEAN)
GRADED = Criterion("g", "G", CriterionType.GRADED, grading=Grading(1.0, 5.0))
ENUM = Criterion(
    "e",
    "E",
    CriterionType.ENUM,
    options=(EnumOption("full", 3.0), EnumOption("some", 1.0), EnumOption("none", 0.0)),
)
TIMED = Criterion(
    "t", "T", CriterionType.TIMING, timing=TimingTarget("on_scene", "command_assumed", 30, 60)
)
CUED = Criterion(
    "q", "Q", CriterionType.BOOLEAN, cues=Cues(events=(CueGroup("water", (Cue("x"),)),))
)


def review(
    *answers: CriterionAnswer,
    criteria: tuple[Criterion, ...] = (BOOLEAN,),
    transcript: Transcript = RADIO,
    **more: object,
) -> SectionReview:
    section = Section("s", "S", 1.0, criteria)
    rubric = Rubric(Template("t", "T", "1"), (section,))
    given = SectionAnswer("s", answers, **more)  # type: ignore[arg-type]
    return review_section(section, given, EvidenceChecker(transcript, rubric))


def one(
    criterion: Criterion, verdict: str, *evidence: CitedEvidence, **more: object
) -> tuple[CriterionReview, list[str]]:
    """The review of one criterion and the codes of the warnings about it."""
    given = CriterionAnswer(
        criterion.id,
        CriterionVerdict(verdict),
        evidence=evidence,
        **more,  # type: ignore[arg-type]
    )
    unseen = (CriterionAnswer(other.id, CriterionVerdict.NOT_OBSERVED) for other in (TIMED, CUED))
    reviewed = review(given, *unseen, criteria=(criterion, TIMED, CUED))
    codes = [w.code.value for w in reviewed.warnings if w.criterion_id == criterion.id]
    return reviewed.criteria[0], codes


@pytest.mark.parametrize("verdict", ["met", "missed", "partial"])
def test_a_verdict_needs_verified_evidence(verdict: str) -> None:
    stands, codes = one(BOOLEAN, verdict, ARRIVAL)
    assert (stands.verdict, stands.given_verdict, codes) == (verdict, verdict, [])
    for evidence in ((), (FALSE,), (replace(ARRIVAL, speaker="Dispatch"),)):
        fallen, codes = one(BOOLEAN, verdict, *evidence, score=1.0)
        assert (fallen.verdict, fallen.given_verdict) == ("not_observed", verdict)
        assert (fallen.score, fallen.option) == (None, None)
        assert codes == ["evidence_not_verified"] * len(evidence) + ["verdict_without_evidence"]


@pytest.mark.parametrize(
    ("least", "evidence", "verdict"),
    [
        (2, (ARRIVAL, COMMAND), "met"),
        (2, (ARRIVAL,), "not_observed"),
        (2, (ARRIVAL, ARRIVAL), "not_observed"),  # one place twice
        (2, (ARRIVAL, CitedEvidence("on scene, two story house", 60)), "not_observed"),  # overlap
        (2, (ARRIVAL, CitedEvidence("two story house", 60)), "not_observed"),  # one sentence
        (2, (ARRIVAL, FALSE, COMMAND), "met"),
        (3, (ARRIVAL, COMMAND, WATER), "met"),
        (0, (), "met"),
        (0, (FALSE,), "met"),
    ],
)
def test_as_many_distinct_places_as_the_criterion_asks_for(
    least: int, evidence: tuple[CitedEvidence, ...], verdict: str
) -> None:
    criterion = replace(BOOLEAN, evidence=EvidenceRules(min_evidence=least))
    found, codes = one(criterion, "met", *evidence)
    assert found.verdict == verdict
    assert codes.count("evidence_not_verified") == evidence.count(FALSE)
    assert ("verdict_without_evidence" in codes) is (verdict == "not_observed")


@pytest.mark.parametrize(
    ("said", "quote", "told"),
    [
        ("Do you have water on the fire?", "water on the fire", "in_doubt"),
        (
            "Water is on the fire by Engine 7.",
            "The water is now on the fire by Engine 7",
            "paraphrased",
        ),
    ],
)
def test_evidence_that_stands_and_yet_is_to_be_looked_at(said: str, quote: str, told: str) -> None:
    loose = replace(BOOLEAN, evidence=EvidenceRules(require_verbatim_quote=False))
    reviewed = review(
        CriterionAnswer("b", CriterionVerdict.MET, evidence=(CitedEvidence(quote, 0),)),
        criteria=(loose,),
        transcript=from_sentences([(0.0, 4.0, said, "A")]),
    )
    assert reviewed.criteria[0].verdict == "met"
    assert [w.code.value for w in reviewed.warnings] == [f"evidence_{told}"]


@pytest.mark.parametrize("quote", ["water on the fire", "have water on the fire"])
def test_a_verdict_of_missed_needs_the_denial_in_the_quote_too(quote: str) -> None:
    denied = from_sentences([(0.0, 4.0, "We do not have water on the fire.", "A")])

    def verdict(words: str) -> str:
        given = CriterionAnswer("b", CriterionVerdict.MISSED, evidence=(CitedEvidence(words, 0.0),))
        return review(given, transcript=denied).criteria[0].verdict

    assert verdict(quote) == "not_observed"
    assert verdict(f"do not have {quote.removeprefix('have ')}") == "missed"


NOT_FOR_A_PERSON = {
    # Said where they belong: in the section's status, or of the whole.
    WarningCode.SECTION_INCOMPLETE,
    WarningCode.SECTION_WITHOUT_SCORE,
    WarningCode.TRANSCRIPT_REPAIRED,
    WarningCode.EMERGENCY_WORDS,
    # A model's own, which is no task.
    WarningCode.SCORER_WARNING,
}


@pytest.mark.parametrize("code", sorted(set(WarningCode) - NOT_FOR_A_PERSON))
def test_whatever_is_warned_of_is_for_a_person_to_look_at(code: WarningCode) -> None:
    section = simple_card(CriterionVerdict.MET).sections[0]
    about = section.criteria[0].review.criterion_id
    found = find_concerns([section], [CardWarning(code, "x", section.section_id, about)])
    assert [item.criterion_id for item in found.items] == [about]


@pytest.mark.parametrize(
    ("label", "claimed", "invented"),
    [
        ("BC2", "ENG25", True),
        ("BC2", "BC2", False),
        ("BC2", "unknown", False),
        ("SPEAKER_00", "ENG25", False),  # a name for somebody without one
        ("SPEAKER_00", "SPEAKER_09", True),
        (None, "ENG25", False),
    ],
)
def test_a_speaker_whom_a_transcript_of_names_does_not_have_is_invented(
    label: str | None, claimed: str, invented: bool
) -> None:
    transcript = from_sentences([(0.0, 4.0, "We are on scene.", label)])
    given = CriterionAnswer(
        "b", CriterionVerdict.MET, evidence=(CitedEvidence("not said at all", 0, claimed),)
    )
    codes = [w.code.value for w in review(given, transcript=transcript).warnings]
    assert ("invented_speaker" in codes) is invented


@pytest.mark.parametrize(
    ("criterion", "verdict", "given", "expected"),
    [
        (BOOLEAN, "met", None, ("met", 1.0, None, False)),
        (BOOLEAN, "met", 1.0, ("met", 1.0, None, False)),
        (BOOLEAN, "met", 0.83, ("met", 1.0, None, True)),
        (BOOLEAN, "met", 0.0, ("missed", 0.0, None, True)),
        (BOOLEAN, "met", 0.05, ("partial", 0.05, None, True)),
        (BOOLEAN, "missed", 1.0, ("missed", 0.0, None, True)),
        (GRADED, "met", None, ("met", 5.0, None, False)),
        (GRADED, "met", 4.0, ("met", 4.0, None, False)),
        (GRADED, "met", 3.0, ("partial", 3.0, None, True)),
        (GRADED, "partial", 4.9999999, ("partial", 3.0, None, True)),
        (GRADED, "met", 1.0, ("missed", 1.0, None, True)),
        (GRADED, "missed", 4.0, ("missed", 1.0, None, True)),
        (ENUM, "met", None, ("met", 3.0, "full", False)),
        (ENUM, "met", 3.0, ("met", 3.0, "full", False)),
        (ENUM, "met", 2.9, ("partial", 1.0, "some", True)),
        (ENUM, "partial", 2.9999999999, ("partial", 1.0, "some", True)),
        (ENUM, "met", 7.0, ("met", 3.0, "full", True)),
        (ENUM, "partial", None, ("partial", 1.0, "some", False)),
        (ENUM, "partial", 1.0, ("partial", 1.0, "some", False)),
        (ENUM, "partial", 0.4, ("missed", 0.0, "none", True)),
        (ENUM, "missed", 3.0, ("missed", 0.0, "none", True)),
    ],
)
def test_scores_are_bounded_and_never_kinder_than_the_verdict(
    criterion: Criterion,
    verdict: str,
    given: float | None,
    expected: tuple[str, float, str | None, bool],
) -> None:
    found, codes = one(criterion, verdict, ARRIVAL, score=given)
    adjusted = "score_adjusted" in codes
    assert (found.verdict, found.score, found.option, adjusted) == expected
    assert found.given_verdict == verdict


def test_what_is_named_in_rationale_and_notes_is_checked() -> None:
    met = CriterionAnswer(
        "b",
        CriterionVerdict.MET,
        evidence=(ARRIVAL,),
        rationale="Engine 25 and Ladder 3 arrived at 95:00.",
    )
    reviewed = review(met, notes="Engine 9 was late.", warnings=(_OWN,), usage=Usage(calls=2))
    assert [(w.code.value, w.section_id, w.criterion_id) for w in reviewed.warnings] == [
        ("scorer_warning", "s", None),
        ("invented_unit", "s", "b"),
        ("invented_time", "s", "b"),
        ("invented_unit", "s", None),
    ]
    assert (reviewed.notes, reviewed.usage.calls) == ("[not in the transcript] was late.", 2)


_OWN = CardWarning(WarningCode.SCORER_WARNING, "noisy recording")


def test_the_verdict_of_a_timing_criterion_is_left_for_the_clock() -> None:
    answer = CriterionAnswer("t", CriterionVerdict.MET, score=1.0, evidence=(FALSE,))
    reviewed = review(answer, criteria=(TIMED,))
    assert (reviewed.criteria[0].verdict, reviewed.criteria[0].score) == ("met", None)
    assert [w.code for w in reviewed.warnings] == [WarningCode.EVIDENCE_NOT_VERIFIED]

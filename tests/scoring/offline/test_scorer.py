"""The scorer as a whole: its evidence stands up to the check that a model's has to pass."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from tests.scoring.offline.said import NOT_SO, SO
from tests.scoring.offline.talk import cues, groups, rubric, talk

from veridical.scoring.checking.evidence import EvidenceChecker
from veridical.scoring.checking.review import review_section
from veridical.scoring.offline.scorer import CueScorer
from veridical.scoring.rubric import Criterion, CriterionType, Cues, Rubric, TimingTarget
from veridical.scoring.scorecard import CriterionVerdict
from veridical.sources.document import Format
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import transcript_from_text

SAID = (*SO, *(exchange for kind in NOT_SO.values() for exchange in kind))
PHRASES = sorted({cue for cue, *_ in SAID})
LINES = sorted({turn.removeprefix("*") for _, *turns in SAID for turn in turns})


def every_cue(max_chars: int = 300) -> Rubric:
    """A rubric with a criterion for each cue of the tables, and a clock between two of them."""
    listed = [
        Criterion(f"c{number}", phrase, CriterionType.BOOLEAN, cues=Cues(met=cues(phrase)))
        for number, phrase in enumerate(PHRASES)
    ]
    clock = Criterion(
        "clock",
        "Clock",
        CriterionType.TIMING,
        timing=TimingTarget("a", "b", 60),
        cues=Cues(events=groups(a=["on scene"], b=["water on the fire"])),
    )
    return rubric(*listed, clock, max_chars=max_chars)


@example(["Engine 7: water on the fire", "Engine 7: Two point 5 on scene."], 30)
@given(st.lists(st.sampled_from(LINES), min_size=1, max_size=25), st.sampled_from([30, 80, 300]))
def test_whatever_is_said_its_evidence_is_verified(lines: list[str], max_chars: int) -> None:
    said, whole = talk(*lines), every_cue(max_chars)
    section = whole.sections[0]
    result = CueScorer(said, whole).score(section)
    review = review_section(section, result, EvidenceChecker(said, whole))
    for given_answer, reviewed in zip(result.criteria, review.criteria, strict=True):
        assert reviewed.verdict is given_answer.verdict, given_answer
        assert reviewed.score == given_answer.score
        assert all(item.verified and not item.corrected for item in reviewed.evidence)
        assert all(event.verified for event in reviewed.events)
        for item in given_answer.evidence:
            assert len(item.quote) <= max_chars


def test_a_transcript_without_words_shows_nothing() -> None:
    whole = every_cue()
    for text in ("", " \n ", "...!?", "\U0001f525"):
        said = Transcript(name="t", text=text, format=Format.TRANSCRIPT)
        answers = CueScorer(said, whole).score(whole.sections[0]).criteria
        assert {one.verdict for one in answers} == {CriterionVerdict.NOT_OBSERVED}


def test_without_times_there_is_evidence_but_no_event() -> None:
    whole = every_cue()
    said = transcript_from_text(
        "Nozzle: Engine 7 is on scene.\nCommand: Very good.\n"
        "Nozzle: We have water on the fire.\nCommand: Go on."
    )
    result = CueScorer(said, whole).score(whole.sections[0])
    clock = result.criteria[-1]
    water = result.criteria[PHRASES.index("water on the fire")]
    assert water.verdict is CriterionVerdict.MET
    assert (water.evidence[0].start, water.evidence[0].speaker) == (None, "Nozzle")
    assert clock.verdict is CriterionVerdict.NOT_OBSERVED
    assert not clock.observed_events
    assert "no times" in clock.rationale

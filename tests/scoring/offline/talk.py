"""Short talk over radio and telephone, and rubrics of one criterion, for the offline scorer."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.scoring.offline.scorer import CueScorer
from veridical.scoring.rubric import (
    Criterion,
    CriterionType,
    Cue,
    CueGroup,
    Cues,
    ModelRules,
    Rubric,
    Section,
    Template,
)
from veridical.scoring.scorecard import CriterionAnswer
from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import transcript_from_text

SECONDS_APART = 10


def talk(*lines: str) -> Transcript:
    """A transcript of lines, each "Speaker: words", or "-: words" by nobody known.

    They begin ten seconds apart, the first at second 10, and end just before the next.
    """
    blocks = ["WEBVTT"]
    for number, line in enumerate(lines, start=1):
        speaker, _, words = line.partition(": ")
        voice = "" if speaker == "-" else f"<v {speaker}>"
        start, end = number * SECONDS_APART, (number + 1) * SECONDS_APART - 1
        blocks.append(f"{_stamp(start)} --> {_stamp(end)}\n{voice}{words}")
    return transcript_from_text("\n\n".join(blocks))


def _stamp(seconds: int) -> str:
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}.000"


def cues(*phrases: str) -> tuple[Cue, ...]:
    """Cues that anybody may say."""
    return tuple(Cue(phrase) for phrase in phrases)


def groups(**named: Sequence[str]) -> tuple[CueGroup, ...]:
    """Cues under names."""
    return tuple(CueGroup(name, cues(*phrases)) for name, phrases in named.items())


def rubric(*criteria: Criterion, max_chars: int = 300) -> Rubric:
    """A rubric of one section."""
    section = Section("only", "Only", 1.0, criteria)
    return Rubric(
        Template("test", "Test", "1.0"),
        (section,),
        llm=ModelRules(evidence_quote_max_chars=max_chars),
    )


def met_by(*phrases: str, speakers: tuple[str, ...] = ()) -> Criterion:
    """A criterion that is met by any of some phrases."""
    listed = tuple(Cue(phrase, speakers) for phrase in phrases)
    return Criterion("it", "It", CriterionType.BOOLEAN, cues=Cues(met=listed))


def answer(transcript: Transcript, criterion: Criterion) -> CriterionAnswer:
    """What the cues say of one criterion."""
    one = rubric(criterion)
    return CueScorer(transcript, one).score(one.sections[0]).criteria[0]

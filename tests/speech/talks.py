"""A talk full of names, and its evaluation as somebody who checked it hands it on."""

from __future__ import annotations

from collections.abc import Sequence

from tests.speech.transcripts import from_sentences

from veridical.sources.document import Span
from veridical.sources.transcript import Transcript
from veridical.speech.evaluation import EvaluationItem, ItemType, StructuredEvaluation
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    History,
    HistoryEntry,
    SpeechEvaluation,
    Step,
    ToneRule,
    ToneViolation,
)
from veridical.validation.timed import check_timed_quote

PRAISE, ADVICE = ItemType.COMMENDATION, ItemType.RECOMMENDATION

TALK = from_sentences(
    [
        (0.0, 4.0, "Please welcome our speaker, Maria Lopez.", "Anna Kowalska"),
        (5.0, 10.0, "Thank you, Priya, and good evening to all of you.", "Maria Lopez"),
        (11.0, 17.0, "I grew up in Paris, near St. Mary's Hospital.", "Maria Lopez"),
        (18.0, 24.0, "My brother Tom Lopez taught me to swim in the cold river.", "Maria Lopez"),
        (25.0, 31.0, "He said that fear is only a door that sticks.", "Maria Lopez"),
        (32.0, 40.0, "So push it, and um call Zbigniew when it does not open.", "Maria Lopez"),
        (41.0, 46.0, "Will you promise me that before you go home tonight?", "Maria Lopez"),
    ]
)

ITEMS = (
    EvaluationItem(
        PRAISE,
        "You thanked Priya warmly.",
        "Thank you, Priya, and good evening",
        5.0,
        "That made the whole room feel seen.",
    ),
    EvaluationItem(
        PRAISE,
        "The story of Tom carries the speech.",
        "My brother Tom Lopez taught me to swim",
        18.0,
        "We could see Lopez, the brother, in the river.",
    ),
    EvaluationItem(
        PRAISE,
        "A picture that stays.",
        "fear is only a door that sticks",
        26.5,
        "It is short and it can be repeated.",
    ),
    EvaluationItem(
        ADVICE,
        "Let the call to action stand alone.",
        "call Zbigniew when it does not open",
        36.0,
        "Pause before you name Zbigniew, and let us think of our own friend.",
    ),
    EvaluationItem(
        ADVICE,
        "Wait for the answer to your question.",
        "Will you promise me that before you go",
        41.0,
        "Three seconds of silence would let us nod.",
    ),
)


def evaluated(
    items: Sequence[EvaluationItem] = ITEMS,
    *,
    talk: Transcript = TALK,
    checked_on: Transcript | None = None,
    opening: str = "Good evening, Maria. Anna, thank you for the floor.",
    closing: str = "Thank you, Maria, we look forward to your next speech.",
    speaker: str | None = "Maria Lopez",
) -> SpeechEvaluation:
    """An evaluation of these items, each checked on `checked_on` (the talk unless given)."""
    raw = checked_on or talk
    return SpeechEvaluation(
        evaluation=StructuredEvaluation(opening, tuple(items), closing),
        checks=tuple(
            check_timed_quote(item.evidence_quote, item.evidence_timestamp, raw) for item in items
        ),
        transcript=talk,
        metrics=DeliveryMetrics(
            start=0.0,
            end=46.0,
            words=70,
            fillers=(Filler("um", 33.0, Span(0, 2)),),
            notes=("words of Anna Kowalska are not counted",),
        ),
        author="model of zbigniew",
        rule_based=False,
        speaker=speaker,
        history=History(
            (HistoryEntry(1, Step.DROPPED, 4, ("contiguous",), "the transcript reads “Priya”"),)
        ),
        tone=(ToneViolation(ToneRule.METRIC, "opening", "Tom spoke 120 words a minute."),),
        warnings=("the segment of Kowalska overlaps",),
    )

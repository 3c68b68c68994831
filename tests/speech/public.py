"""Evaluations made by hand, as the public sees them: what the tests of the page share."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from veridical.sources.document import Span
from veridical.sources.transcript import Precision
from veridical.speech.evaluation import ItemType
from veridical.speech.results import (
    DeliveryMetrics,
    Filler,
    History,
    HistoryEntry,
    PaceWindow,
    Pause,
    PublicEvaluation,
    PublicItem,
    Receipt,
    Step,
    ToneRule,
    ToneViolation,
)

DIGEST = "3f2a91c05d7e" + "0123456789abcdef" * 3 + "beef"
COMMENDATION, RECOMMENDATION = ItemType.COMMENDATION, ItemType.RECOMMENDATION


def item(
    start: float | None = 10.0, kind: ItemType = COMMENDATION, lasts: float = 3.0, **more: Any
) -> PublicItem:
    """An item whose quote was said from `start` on; None: no time is known."""
    made = PublicItem(
        type=kind,
        summary="You open with a scene.",
        evidence_quote="It was raining, and the last bus had already left.",
        evidence_timestamp=0.0 if start is None else start,
        explanation="A scene draws us in. Keep it.",
        start=start,
        end=None if start is None else start + lasts,
        precision=Precision.NONE if start is None else Precision.WORD,
        receipt=Receipt(DIGEST, 10, 0.0 if start is None else start),
        redacted=False,
    )
    return replace(made, **more)


def filler(seconds: float | None, word: str = "um") -> Filler:
    return Filler(word, seconds, Span(0, len(word)))


def metrics(end: float = 100.0, **more: Any) -> DeliveryMetrics:
    made = DeliveryMetrics(0.0, end, 240, 144.0, precision=Precision.WORD)
    return replace(made, **more)


def public(*items: PublicItem, **more: Any) -> PublicEvaluation:
    made = PublicEvaluation(
        opening="",
        items=items,
        closing="",
        metrics=metrics(),
        author="rules",
        rule_based=True,
        title="The last bus",
        speaker=None,
        history=History(),
        tone=(),
        warnings=(),
        redactions=0,
        phrase="a fellow member",
    )
    return replace(made, **more)


RATES = (118, 131, 142, 150, 171, 188, 164, 139, 128, 121, 133, 126)
TALK = public(
    item(12.4, summary="You open with a scene, not with yourself."),
    item(
        84.0,
        summary="You ask us a question and give us time to answer it.",
        evidence_quote="When did you last wait for someone who did not come?",
        explanation="The pause after it is what makes it work. Keep both.",
    ),
    item(
        151.2,
        RECOMMENDATION,
        summary="Slow down where the numbers come.",
        evidence_quote="forty two percent of all of them um a fellow member told us leave early",
        explanation="Three numbers in one breath are hard to hear. Try one, then a breath.",
        redacted=True,
    ),
    item(
        163.0,
        RECOMMENDATION,
        summary="Say the sentence that matters on its own.",
        evidence_quote="and that is why we need the late bus and also the tram and",
        explanation="Cut it after 'the late bus', and let it stand.",
    ),
    item(
        341.5,
        summary="You end with something that we can do tonight.",
        evidence_quote="Tonight, before you leave, ask the person next to you",
    ),
    opening="Thank you for taking us to that bus stop. Here is what stayed with me.",
    closing="I would love to hear this talk again in the spring.",
    speaker="Ada",
    redactions=3,
    metrics=DeliveryMetrics(
        start=1.2,
        end=356.0,
        words=846,
        words_per_minute=143.1,
        fillers=tuple(
            filler(at, word)
            for at, word in [
                (31, "um"), (55, "uh"), (92, "um"), (149, "um"), (152, "um"), (153, "like"),
                (153.2, "um"), (158, "um"), (201, "you know"), (276, "uh"), (277, "um"),
            ]
        ),
        pauses=tuple(
            Pause(at, at + lasts)
            for at, lasts in [(16, 2.1), (87.5, 4.2), (121, 1.6), (246, 2.4), (338, 2.8)]
        ),
        pace=tuple(
            PaceWindow(n * 30.0, min(356.0, n * 30.0 + 30.0), rate) for n, rate in enumerate(RATES)
        ),
        precision=Precision.WORD,
    ),
    history=History(
        (
            HistoryEntry(1, Step.PASSED, 1),
            HistoryEntry(1, Step.PASSED, 2),
            HistoryEntry(1, Step.FAILED, 3, ("contiguous", "locality"), "No such words."),
            HistoryEntry(1, Step.RETRY_PASSED, 3),
            HistoryEntry(1, Step.PASSED, 4),
            HistoryEntry(1, Step.PASSED, 5),
        ),
        generations=1,
        calls=2,
        first_try_items=5,
        first_try_passed=4,
    ),
)  # fmt: skip
TROUBLED = replace(
    TALK,
    items=TALK.items[1:3],
    author="small-model-7b",
    rule_based=False,
    history=replace(
        TALK.history,
        entries=(
            HistoryEntry(1, Step.REPLY_REJECTED, None, (), "The reply was cut off."),
            HistoryEntry(1, Step.REGENERATED),
            HistoryEntry(2, Step.FAILED, 1, ("min_tokens",), "4 tokens where 6 are needed."),
            HistoryEntry(2, Step.RETRY_FAILED, 1, ("contiguous",)),
            HistoryEntry(2, Step.DROPPED, 1),
            HistoryEntry(2, Step.BEST_EFFORT),
        ),
        generations=2,
        best_effort=True,
    ),
    tone=(
        ToneViolation(ToneRule.SCORE, "items[1].explanation", "This is a seven out of ten."),
        ToneViolation(ToneRule.UNSPECIFIC, "closing", "Great job!"),
    ),
    warnings=("The recording has two words out of order; they were put in order.",),
)

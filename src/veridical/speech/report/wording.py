"""What the page of a speech says in words: times, steps, rules, and who wrote it."""

from __future__ import annotations

from veridical.reports.axis import known
from veridical.reports.words import count, percent
from veridical.sources.transcript import Precision, clock
from veridical.speech.evaluation import LEAST_ITEMS, MOST_ITEMS, ItemType
from veridical.speech.results import (
    DeliveryMetrics,
    History,
    PublicEvaluation,
    PublicItem,
    Step,
    ToneRule,
)

# No voice is as fast: a rate above this is an error of the times.
MOST_WORDS_PER_MINUTE = 2_000.0
UNKNOWN = "not known"

TYPE_WORDS = {
    ItemType.COMMENDATION: "Commendation",
    ItemType.RECOMMENDATION: "Recommendation",
}
TYPE_ICONS = {ItemType.COMMENDATION: "✓", ItemType.RECOMMENDATION: "→"}
TYPE_TONES = {ItemType.COMMENDATION: "com", ItemType.RECOMMENDATION: "rec"}

STEP_WORDS = {
    Step.PASSED: "passed",
    Step.FAILED: "failed",
    Step.RETRY_PASSED: "asked again: passed",
    Step.RETRY_FAILED: "asked again: failed",
    Step.DROPPED: "dropped",
    Step.STRIPPED: "sentences left out",
    Step.REPLY_REPAIRED: "the reply was repaired",
    Step.REPLY_REJECTED: "the reply could not be used",
    Step.REGENERATED: "everything was written anew",
    Step.FILLED_UP: "filled up",
    Step.BEST_EFFORT: "best effort",
}

RULE_WORDS = {
    ToneRule.UNKIND: "unkind",
    ToneRule.DIAGNOSIS: "a diagnosis",
    ToneRule.SCORE: "a score",
    ToneRule.METRIC: "recites a measurement",
    ToneRule.UNGROUNDED_PRAISE: "praise without evidence",
    ToneRule.MODEL_TALK: "talks about being a model",
    ToneRule.NOT_ACTIONABLE: "nothing to act on",
    ToneRule.UNSPECIFIC: "not specific",
}

PRECISION_WORDS = {
    Precision.WORD: "to the word",
    Precision.SEGMENT: "to the segment",
    Precision.NONE: "no times",
}


def stretch(start: float, end: float) -> str:
    """`m:ss–m:ss`, or one time where both read the same."""
    first, last = clock(start), clock(end)
    return first if first == last else f"{first}–{last}"


def lasting(seconds: float) -> str:
    """A length of time: `2.4 s`, from one minute on `m:ss min`."""
    return f"{seconds:.1f} s" if seconds < 59.95 else f"{clock(seconds + 0.5)} min"


def known_stretch(start: float, end: float) -> str:
    """The same; `not known` where one of the times is none of a recording."""
    first, last = known(start), known(end)
    return UNKNOWN if first is None or last is None else stretch(first, last)


def known_length(seconds: float) -> str:
    """A length of time, or `not known`."""
    return UNKNOWN if known(seconds) is None else lasting(seconds)


def known_second(seconds: float) -> str:
    """A second to a thousandth, or `not known`."""
    return UNKNOWN if known(seconds) is None else f"{seconds:.3f}".rstrip("0").rstrip(".")


def pauses(metrics: DeliveryMetrics) -> str:
    """How many pauses there are, and how long they are together."""
    if metrics.precision is Precision.NONE:
        return UNKNOWN
    if not metrics.pauses:
        return "0"
    silent = sum(pause.seconds for pause in metrics.pauses if known(pause.seconds) is not None)
    return f"{len(metrics.pauses):,}, {lasting(silent)} in all"


def rate(words_per_minute: float) -> str:
    """Words a minute as a whole number; `not known` where it is none that anybody could speak."""
    if not 0 <= words_per_minute <= MOST_WORDS_PER_MINUTE:
        return UNKNOWN
    return f"{words_per_minute:.0f}"


def pace(metrics: DeliveryMetrics) -> str:
    """The pace of the whole speech."""
    whole = rate(metrics.words_per_minute)
    if metrics.precision is Precision.NONE or whole == UNKNOWN:
        return UNKNOWN
    return f"{whole} words a minute"


def said_at(item: PublicItem) -> str:
    """When the quoted words were said, as closely as it is known; empty where it is not."""
    start, end = known(item.start), known(item.end)
    if start is None or item.precision is Precision.NONE:
        return ""
    if item.precision is Precision.SEGMENT:
        return f"about {clock(start)}"
    return clock(start) if end is None or end < start else stretch(start, end)


def said_precisely(item: PublicItem) -> str:
    """What the time of an item rests on, in words."""
    if said_at(item):
        return PRECISION_WORDS[item.precision]
    claimed = known(item.evidence_timestamp)
    return UNKNOWN if claimed is None else f"{clock(claimed)} claimed, not checked"


def written_by(public: PublicEvaluation) -> str:
    """Who wrote the evaluation; the name is not escaped."""
    if public.rule_based:
        return "written by fixed rules, no model"
    return f"written by {public.author or 'a model without a name'}"


def first_try(history: History) -> str:
    """The pass rate at first try, with its denominator."""
    if not history.first_try_items:
        return "No item was checked at first try."
    rate = percent(history.first_try_passed / history.first_try_items)
    return (
        f"At first try, {history.first_try_passed:,} of {count(history.first_try_items, 'item')} "
        f"passed ({rate} %)."
    )


def numbers(public: PublicEvaluation) -> str:
    """`3 commendations and 2 recommendations`."""
    kinds = [sum(item.type is kind for item in public.items) for kind in ItemType]
    return " and ".join(
        count(number, kind.value) for kind, number in zip(ItemType, kinds, strict=True)
    )


def wanted() -> str:
    """The numbers of items that an evaluation should have."""
    return " and ".join(
        f"{LEAST_ITEMS[kind]} to {MOST_ITEMS[kind]} {kind.value}s" for kind in ItemType
    )

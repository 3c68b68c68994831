"""What the report says, and the signs that it uses: word, sign and colour always together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from veridical.evaluation.run import EvalQuestion, Outcome
from veridical.evaluation.summary import shown_percent
from veridical.judging.metrics import Rate


@dataclass(frozen=True, slots=True)
class Look:
    """How an outcome is shown: `tone` is its class of colours, `pattern` that of its bars."""

    word: str
    sign: str
    tone: str
    pattern: str
    meaning: str


LOOKS: Mapping[Outcome, Look] = MappingProxyType(
    {
        Outcome.WRONGLY_REFUSED: Look(
            "Wrongly refused", "−", "all", "lines", "refused, though the documents answer it"
        ),
        Outcome.WRONGLY_ANSWERED: Look(
            "Wrongly answered", "+", "fail", "crosses", "answered, though the documents do not"
        ),
        Outcome.ERROR: Look("No response", "!", "none", "dots", "time-out, error status or shape"),
        Outcome.NOT_GROUNDED: Look(
            "Not grounded", "✕", "fail", "slant", "citations and answer do not fit together"
        ),
        Outcome.NOT_QUOTED: Look(
            "Not quoted", "≠", "quote", "stripes", "grounded, but no quote stands in its source"
        ),
        Outcome.NOT_CORRECT: Look(
            "Not correct", "?", "low", "grid", "grounded and quoted, but not the expected answer"
        ),
        Outcome.RIGHT: Look("Right", "✓", "ok", "plain", "grounded, quoted, and as expected"),
    }
)
"""In the order in which they are shown: wrong refusals first, what is right last."""


MEANINGS = {
    "groundedness": ("Groundedness", "cites what it returns, or refuses rightly"),
    "citation_accuracy": ("Citation accuracy", "grounded, and a quote stands in its source"),
    "correct": ("Correct", "says what is expected, of questions with a known outcome"),
    "answered": ("Answered", "of the answerable questions"),
    "refused": ("Refused", "of the unanswerable questions"),
    "false_answers": ("Wrongly answered", "of the unanswerable questions; lower is better"),
    "false_refusals": ("Wrongly refused", "of the answerable questions; lower is better"),
    "citation_precision": ("Citation precision", "of the markers, borne out by their source"),
    "citation_recall": ("Citation recall", "of the statements, borne out by a citation"),
}
"""The rates, by their names and in words."""


def share(rate: Rate) -> str:
    """A rate in percent; a dash of nothing."""
    return shown_percent(rate) if rate.of else "–"


def between(rate: Rate) -> str:
    """The 95 % interval of a rate; a dash of nothing."""
    if rate.interval is None:
        return "–"
    low, high = rate.interval
    return f"{low * 100:.1f} to {high * 100:.1f} %"


def milliseconds(value: float | None) -> str:
    """A time; a dash where none was told."""
    if value is None:
        return "–"
    return f"{value:,.0f} ms" if value >= 100 else f"{value:.1f} ms"


def known_outcome(question: EvalQuestion) -> str:
    """What is expected of an answer, as plain text."""
    if not question.answerable:
        return "a refusal: the documents do not answer it"
    facts = "; ".join(
        " or ".join(f"“{wording}”" for wording in wordings) for wordings in question.expected
    )
    return facts or "an answer"

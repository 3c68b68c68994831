"""What a speech evaluation comes to, as typed values. `wire` turns them into JSON."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from veridical.sources.document import Span
from veridical.sources.transcript import Precision, Transcript
from veridical.speech.evaluation import ItemType, StructuredEvaluation
from veridical.validation.timed import TimedQuoteResult


@dataclass(frozen=True, slots=True)
class Filler:
    """A word that fills a pause: `word` as it is listed ("um"), when, and where in the text."""

    word: str
    seconds: float | None
    span: Span


@dataclass(frozen=True, slots=True)
class Pause:
    """A silence, from and to these seconds."""

    start: float
    end: float

    @property
    def seconds(self) -> float:
        """How long it lasts."""
        return self.end - self.start


@dataclass(frozen=True, slots=True)
class PaceWindow:
    """The pace between two seconds, in words per minute."""

    start: float
    end: float
    words_per_minute: float


@dataclass(frozen=True, slots=True)
class Third:
    """A third of a speech: from and to these seconds, its pace, and how many pauses and fillers."""

    start: float
    end: float
    words_per_minute: float
    pauses: int
    fillers: int


@dataclass(frozen=True, slots=True)
class DeliveryMetrics:
    """How the speech was delivered. Everything is 0 or empty where there is nothing to measure.

    `start` and `end` are when the first segment starts and the last one ends, in seconds;
    `precision` says what the times rest on, and `notes` what that means for the reader.
    """

    start: float = 0.0
    end: float = 0.0
    words: int = 0
    words_per_minute: float = 0.0
    fillers: tuple[Filler, ...] = ()
    pauses: tuple[Pause, ...] = ()
    pace: tuple[PaceWindow, ...] = ()
    thirds: tuple[Third, ...] = ()
    precision: Precision = Precision.NONE
    notes: tuple[str, ...] = ()

    @property
    def duration_seconds(self) -> float:
        """From the start of the first segment to the end of the last."""
        return self.end - self.start


class ToneRule(StrEnum):
    """What an evaluation must not do, or must."""

    UNKIND = "unkind"
    DIAGNOSIS = "diagnosis"
    SCORE = "score"
    METRIC = "metric"
    UNGROUNDED_PRAISE = "ungrounded_praise"
    MODEL_TALK = "model_talk"
    NOT_ACTIONABLE = "not_actionable"
    UNSPECIFIC = "unspecific"


@dataclass(frozen=True, slots=True)
class ToneViolation:
    """A sentence that breaks a rule of tone. `field` is its place, such as `items[2].summary`."""

    rule: ToneRule
    field: str
    sentence: str


class Step(StrEnum):
    """What happened to a generation or to one of its items."""

    PASSED = "passed"
    FAILED = "failed"
    RETRY_PASSED = "retry_passed"
    RETRY_FAILED = "retry_failed"
    DROPPED = "dropped"
    STRIPPED = "stripped"
    REPLY_REPAIRED = "reply_repaired"
    REPLY_REJECTED = "reply_rejected"
    REGENERATED = "regenerated"
    FILLED_UP = "filled_up"
    BEST_EFFORT = "best_effort"


@dataclass(frozen=True, slots=True)
class HistoryEntry:
    """One step of the work. `generation` counts from 1; `item`, from 1, is None for the whole.

    `checks` names the checks that failed; `reason` says it in words.
    """

    generation: int
    step: Step
    item: int | None = None
    checks: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """How the evaluation came about.

    `first_try_passed` of `first_try_items` items passed in the first generation that was usable,
    before anything was asked again. `calls` counts how often the author was asked.
    """

    entries: tuple[HistoryEntry, ...] = ()
    generations: int = 0
    calls: int = 0
    first_try_items: int = 0
    first_try_passed: int = 0
    best_effort: bool = False

    @property
    def shortfall(self) -> str:
        """Why it is only the best effort; empty where it is not."""
        told = [entry.reason for entry in self.entries if entry.step is Step.BEST_EFFORT]
        return told[-1] if told else ""


@dataclass(frozen=True, slots=True)
class SpeechEvaluation:
    """An evaluation whose every quote was checked on the raw transcript, names and all.

    `checks[i]` is the check of `evaluation.items[i]`. `author` names what wrote it. Not for the
    public: `publish` makes the copy without names.
    """

    evaluation: StructuredEvaluation
    checks: tuple[TimedQuoteResult, ...]
    transcript: Transcript
    metrics: DeliveryMetrics
    author: str
    rule_based: bool
    speaker: str | None = None
    history: History = History()
    tone: tuple[ToneViolation, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def unsure(self) -> tuple[str, ...]:
        """Which items rest on words of which a recogniser was unsure, without those words: they
        may be names.
        """
        return tuple(
            f"item {number} rests on words of which the recogniser was unsure: listen to them"
            for number, check in enumerate(self.checks, 1)
            if check.nearest is not None and check.nearest.unsure
        )


@dataclass(frozen=True, slots=True)
class Receipt:
    """Proof of a redacted quote for whoever has the raw transcript.

    `digest` is a keyed hash, in hex, of the raw words, `tokens` how many they are, and `seconds`
    when they start. The key is made from the raw transcript, so that the names cannot be guessed
    from the receipt.
    """

    digest: str
    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PublicItem:
    """An item without names. `start` and `end` are when the quoted words were said, in seconds."""

    type: ItemType
    summary: str
    evidence_quote: str
    evidence_timestamp: float
    explanation: str
    start: float | None
    end: float | None
    precision: Precision
    receipt: Receipt
    redacted: bool


@dataclass(frozen=True, slots=True)
class PublicLine:
    """What was said in one go, without names. Times are seconds, None where not known."""

    start: float | None
    end: float | None
    speaker: str | None
    text: str


@dataclass(frozen=True, slots=True)
class PublicEvaluation:
    """The copy of an evaluation that may be shown: names are gone from every field.

    `lines` are the whole transcript, where that was asked for.
    """

    opening: str
    items: tuple[PublicItem, ...]
    closing: str
    metrics: DeliveryMetrics
    author: str
    rule_based: bool
    title: str
    speaker: str | None
    history: History
    tone: tuple[ToneViolation, ...]
    warnings: tuple[str, ...]
    redactions: int
    phrase: str
    lines: tuple[PublicLine, ...] = ()

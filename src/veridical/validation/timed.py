"""Is this quote in the recording, at that second?

The evidence contract: a quote's tokens stand in the transcript one after the other, they are 6 to
15, and the first of them was said within 20 seconds of the time that is claimed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from veridical.errors import ConfigurationError
from veridical.sources.document import Span
from veridical.sources.transcript import Moment, Transcript


@dataclass(frozen=True, slots=True)
class TimedQuotePolicy:
    """Limits of a timed quote: its tokens, and the seconds it may lie from the claimed time."""

    min_tokens: int = 6
    max_tokens: int = 15
    tolerance_seconds: float = 20.0

    def __post_init__(self) -> None:
        if not 1 <= self.min_tokens <= self.max_tokens:
            raise ConfigurationError(
                f"timed quotes: need 1 <= min_tokens <= max_tokens, got {self.min_tokens} and "
                f"{self.max_tokens}"
            )
        if not 0 <= self.tolerance_seconds < math.inf:
            raise ConfigurationError(
                "timed quotes: tolerance_seconds must be a number from 0 up, got "
                f"{self.tolerance_seconds}"
            )


DEFAULT_TIMED_POLICY = TimedQuotePolicy()


class TimedCheck(StrEnum):
    """What is checked of a timed quote."""

    CONTIGUOUS = "contiguous"
    MIN_TOKENS = "min_tokens"
    MAX_TOKENS = "max_tokens"
    LOCALITY = "locality"
    WORDING = "wording"
    SPEAKER = "speaker"


class Outcome(StrEnum):
    """How a check ended. `unchecked` is not `passed`: what it needs is missing."""

    PASSED = "passed"
    FAILED = "failed"
    UNCHECKED = "unchecked"


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """One check, its outcome, and why in words."""

    check: TimedCheck
    outcome: Outcome
    message: str


@dataclass(frozen=True, slots=True)
class Occurrence:
    """A place where the quote stands.

    `drift_seconds` is how far it lies from the claimed time: its first word or, where only the
    segment has times, the nearest second of the segment in which it starts; None where no time is
    known.
    """

    span: Span
    moment: Moment
    drift_seconds: float | None
    unsure: tuple[str, ...] = ()
    """Words in it of which the recogniser was unsure."""

    def to_mapping(self) -> dict[str, Any]:
        """The occurrence as plain data, ready for JSON. Positions are code points of the text."""
        return {
            "start_position": self.span.start,
            "end_position": self.span.end,
            "start_seconds": self.moment.start,
            "end_seconds": self.moment.end,
            "precision": self.moment.precision.value,
            "speakers": list(self.moment.speakers),
            "drift_seconds": self.drift_seconds,
            **({"unsure_words": list(self.unsure)} if self.unsure else {}),
        }


@dataclass(frozen=True, slots=True)
class Correction:
    """A quote and a time that would pass in place of those given."""

    quote: str
    seconds: float | None


@dataclass(frozen=True, slots=True)
class TimedQuote:
    """A quote to check and the second that is claimed for its first word.

    `label` is the transcript's label of who must have said it; None means anybody.
    """

    quote: str
    seconds: float
    label: str | None = None


@dataclass(frozen=True, slots=True)
class TimedQuoteResult:
    """Everything that was checked of one quote.

    `nearest` is the occurrence that decides: the one that passes, else the one that comes nearest
    to it. `occurrences` are all of them in order of the text; `more_occurrences` says that there
    are more than are listed.
    """

    quote: str
    claimed_seconds: float
    tokens: int
    checks: tuple[CheckOutcome, ...]
    occurrences: tuple[Occurrence, ...] = ()
    more_occurrences: bool = False
    nearest: Occurrence | None = None
    correction: Correction | None = None

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.outcome is Outcome.PASSED for check in self.checks)

    @property
    def failed_checks(self) -> tuple[CheckOutcome, ...]:
        """The checks that failed; where none did, those that could not be made."""
        failed = tuple(check for check in self.checks if check.outcome is Outcome.FAILED)
        return failed or tuple(c for c in self.checks if c.outcome is Outcome.UNCHECKED)

    @property
    def true_seconds(self) -> float | None:
        """When the words were really said; None where they were not, or no time is known."""
        return self.nearest.moment.start if self.nearest is not None else None

    @property
    def drift_seconds(self) -> float | None:
        """How far that is from the claimed time."""
        return self.nearest.drift_seconds if self.nearest is not None else None

    def to_mapping(self) -> dict[str, Any]:
        """The result as plain data, ready for JSON."""
        return {
            "quote": self.quote,
            "passed": self.passed,
            "claimed_seconds": self.claimed_seconds
            if math.isfinite(self.claimed_seconds)
            else None,
            "true_seconds": self.true_seconds,
            "drift_seconds": self.drift_seconds,
            "tokens": self.tokens,
            "checks": [
                {"check": c.check.value, "outcome": c.outcome.value, "message": c.message}
                for c in self.checks
            ],
            "occurrences": [occurrence.to_mapping() for occurrence in self.occurrences],
            "more_occurrences": self.more_occurrences,
            "correction": self.correction
            and {
                "quote": self.correction.quote,
                "seconds": self.correction.seconds,
            },
        }


def check_timed_quote(
    quote: str,
    seconds: float,
    transcript: Transcript,
    *,
    policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY,
    label: str | None = None,
) -> TimedQuoteResult:
    """Check that `quote` stands in `transcript` and was said at `seconds`.

    With `label` the words must be those of the speaker labelled so. The result lists every check
    with its own outcome. For many quotes of one transcript use `TimedQuoteChecker`, which makes the
    transcript ready once.
    Source: the evidence contract, "Validation Algorithm" and "Segment-Level Fallback".
    """
    from veridical.validation.timed_checker import TimedQuoteChecker

    return TimedQuoteChecker(transcript, policy).check(quote, seconds, label=label)

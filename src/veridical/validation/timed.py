"""Is this quote in the recording, at that second?

The evidence contract: a quote's tokens stand in the transcript one after the other, they are 6 to
15, and the first of them was said within 20 seconds of the time that is claimed.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice
from typing import Any

from veridical.codec import Codec, Form
from veridical.errors import ConfigurationError
from veridical.sources.document import Span
from veridical.sources.transcript import Moment, Precision, Transcript
from veridical.text.spoken import SpokenIndex, spoken_keys
from veridical.validation.values import is_unit, same_values


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
        """The result as plain data, ready for JSON. Positions are code points of the text."""
        return {
            "quote": self.quote,
            "passed": self.passed,
            "claimed_seconds": self.claimed_seconds
            if math.isfinite(self.claimed_seconds)
            else None,
            "true_seconds": self.true_seconds,
            "drift_seconds": self.drift_seconds,
            "tokens": self.tokens,
            "checks": [_CODEC.write(check) for check in self.checks],
            "occurrences": [_CODEC.write(occurrence) for occurrence in self.occurrences],
            "more_occurrences": self.more_occurrences,
            "correction": self.correction and _CODEC.write(self.correction),
        }


_CODEC = Codec(
    {
        Span: Form({"start": "start_position", "end": "end_position"}),
        Occurrence: Form({"span": "", "moment": "", "unsure": "unsure_words"}, optional={"unsure"}),
        Moment: Form(
            {"start": "start_seconds", "end": "end_seconds"},
            apart={"latest", "speakers_known"},
        ),
    }
)


_CLAUSE_END = re.compile(r"[.!?;:,\u2026\u3002\u3001\uff01\uff1f]")

LEAST_LIKE = 0.6
"""Similarity from which other words are called what the quote should have been."""

MAX_SEARCHED_CHARS = 2_000
"""Longer texts are no quotes, and are not looked for."""


MOST_OCCURRENCES = 1_000
"""Occurrences of one quote that are listed; of more, those about the claimed second."""

MOST_FOUND = 100_000
"""Occurrences of one quote that are looked for."""

MOST_SIGNS = 8
"""Signs next to a quote that are read with it."""

_DRIFT_DECIMALS = 6
"""120.3 - 100.3 is 20 seconds, not the little more that floats make of it."""


class TimedQuoteChecker:
    """Checks quotes against one transcript, which is made ready once."""

    def __init__(
        self, transcript: Transcript, policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY
    ) -> None:
        self.transcript = transcript
        self.policy = policy

    @cached_property
    def index(self) -> SpokenIndex:
        """The transcript's tokens, ready to be searched."""
        return SpokenIndex(self.transcript.text)

    def check(self, quote: str, seconds: float, *, label: str | None = None) -> TimedQuoteResult:
        """Check one quote. With `label` the words must be those of the speaker labelled so."""
        return self.check_all([TimedQuote(quote, seconds, label)])[0]

    def check_all(self, quotes: Iterable[TimedQuote]) -> list[TimedQuoteResult]:
        """Check many quotes at once; the results stand in their order, the failed corrected."""
        listed = list(quotes)
        results = [self.judge(quote) for quote in listed]
        failed = [index for index, result in enumerate(results) if not result.passed]
        places = self._places([results[index] for index in failed])
        for index, place in zip(failed, places, strict=True):
            if place is not None:
                results[index] = self._corrected(listed[index], results[index], place)
        return results

    def _places(self, failed: Sequence[TimedQuoteResult]) -> list[Span | None]:
        """Where each quote stands, or where the words stand that are most like it."""
        places = [result.nearest.span if result.nearest else None for result in failed]
        missing = [
            index
            for index, result in enumerate(failed)
            if places[index] is None and len(result.quote) <= MAX_SEARCHED_CHARS
        ]
        if not missing:
            return places
        from veridical.matching.align import Needle
        from veridical.matching.locate import locate
        from veridical.text.folded import FoldedText
        from veridical.text.normalize import fold

        needles = [Needle(fold(failed[index].quote)) for index in missing]
        for index, found in zip(missing, locate(FoldedText(self.transcript), needles), strict=True):
            if found and found[0].similarity >= LEAST_LIKE:
                places[index] = found[0].span
        return places

    def _corrected(
        self, quote: TimedQuote, result: TimedQuoteResult, place: Span
    ) -> TimedQuoteResult:
        """The result with what the quote should have been, if that would pass itself."""
        words = self._words_at(place)
        seconds = self.transcript.moment(words).start
        text = " ".join(self.transcript.text[words.start : words.end].split())
        when = quote.seconds if seconds is None else seconds
        again = self.judge(TimedQuote(text, when, quote.label))
        fails = any(check.outcome is Outcome.FAILED for check in again.checks)
        if fails or (seconds is None and text == quote.quote):
            return result
        return replace(result, correction=Correction(text, seconds))

    def _words_at(self, place: Span) -> Span:
        """A place widened to whole words, made as long as a quote must be, cut where it may end."""
        index, policy = self.index, self.policy
        first = min(index.first_from(place.start), len(index) - 1)
        count = 1
        while first + count < len(index) and index.span(first, count).end < place.end:
            count += 1
        # A quote that runs to the end of the text has to begin earlier.
        first = max(0, min(first, len(index) - policy.min_tokens))
        count = max(count, policy.min_tokens)
        if count <= policy.max_tokens:
            return index.span(first, count)
        for shorter in range(policy.max_tokens, policy.min_tokens - 1, -1):
            span, after = index.span(first, shorter), index.span(first + shorter, 1)
            if _CLAUSE_END.search(self.transcript.text[span.end : after.start]):
                return span
        return index.span(first, policy.max_tokens)

    def judge(self, quote: TimedQuote) -> TimedQuoteResult:
        """The checks of one quote, without a correction."""
        keys = spoken_keys(quote.quote)
        found = list(islice(self.index.find(keys), MOST_FOUND))
        occurrences = tuple(
            self._occurrence(self.index.span(first, len(keys)), quote.seconds)
            for first in self._nearest(found, quote.seconds)
        )
        best = self._best(quote, occurrences)
        return TimedQuoteResult(
            quote=quote.quote,
            claimed_seconds=quote.seconds,
            tokens=len(keys),
            checks=tuple(self._checks(quote, len(keys), best)),
            occurrences=occurrences,
            more_occurrences=len(found) > MOST_OCCURRENCES,
            nearest=best,
        )

    def _nearest(self, found: Sequence[int], seconds: float) -> Sequence[int]:
        """Of very many places, those about the claimed second."""
        if len(found) <= MOST_OCCURRENCES:
            return found
        offset = self.transcript.offset_at(seconds) if math.isfinite(seconds) else 0
        at = bisect_left(found, self.index.first_from(offset)) - MOST_OCCURRENCES // 2
        first = max(0, min(at, len(found) - MOST_OCCURRENCES))
        return found[first : first + MOST_OCCURRENCES]

    def _occurrence(self, span: Span, seconds: float) -> Occurrence:
        moment = self.transcript.moment(span)
        drift = self.drift(moment, seconds)
        if drift is not None and self.transcript.precision is Precision.SEGMENT:
            # With the times of segments only, all that the quote touches must lie near the second.
            starts = [part.start for part in self.transcript.segments_in(span)]
            beyond = max(start - seconds for start in starts if start is not None)
            drift = max(drift, round(beyond, _DRIFT_DECIMALS))
        return Occurrence(span, moment, drift, self.transcript.unsure_in(span))

    def drift(self, moment: Moment, seconds: float) -> float | None:
        """How far a second lies from some words, in seconds; None where one is not known."""
        if moment.start is None or not math.isfinite(seconds):
            return None
        latest = moment.start if moment.latest is None else moment.latest
        return round(max(moment.start - seconds, seconds - latest, 0.0), _DRIFT_DECIMALS)

    def _best(self, quote: TimedQuote, occurrences: Sequence[Occurrence]) -> Occurrence | None:
        """The occurrence that passes if one does; else the one that comes nearest to it."""

        def rank(occurrence: Occurrence) -> tuple[bool, bool, float, float, int]:
            drift = math.inf if occurrence.drift_seconds is None else occurrence.drift_seconds
            return (
                not self.agrees(quote.quote, occurrence.span),
                not _said_by(quote.label, occurrence),
                drift,
                seconds_apart(occurrence.moment, quote.seconds),
                occurrence.span.start,
            )

        return occurrences[0] if len(occurrences) == 1 else min(occurrences, key=rank, default=None)

    def _checks(
        self, quote: TimedQuote, tokens: int, best: Occurrence | None
    ) -> Iterator[CheckOutcome]:
        least, most = self.policy.min_tokens, self.policy.max_tokens
        there = "the words stand in the transcript"
        if best is None:
            there = "the words do not stand in the transcript in this order"
        elif best.unsure:
            there += f", but the recogniser was unsure of: {', '.join(best.unsure)}"
        yield _outcome(TimedCheck.CONTIGUOUS, best is not None, there)
        yield _outcome(TimedCheck.MIN_TOKENS, tokens >= least, f"{tokens} tokens, at least {least}")
        yield _outcome(TimedCheck.MAX_TOKENS, tokens <= most, f"{tokens} tokens, at most {most}")
        if best is None:
            yield _unchecked(TimedCheck.LOCALITY, "words that are not there have no time")
            yield _unchecked(TimedCheck.WORDING, "words that are not there cannot be compared")
            if quote.label is not None:
                yield _unchecked(TimedCheck.SPEAKER, "words that are not there have no speaker")
            return
        yield self._locality(quote, best)
        yield self._wording(quote, best)
        if quote.label is not None or _is_doubtful(best.moment):
            yield _speaker(quote.label, best)

    def _locality(self, quote: TimedQuote, best: Occurrence) -> CheckOutcome:
        if best.drift_seconds is None:
            reason = (
                "the transcript has no time for these words"
                if best.moment.start is None
                else f"{quote.seconds} is not a second"
            )
            return _unchecked(TimedCheck.LOCALITY, reason)
        where = f"said at {best.moment.start:g} s"
        if best.moment.precision is not Precision.WORD:
            where = f"in a segment from {best.moment.start:g} to {best.moment.end:g} s"
        return _outcome(
            TimedCheck.LOCALITY,
            best.drift_seconds <= self.policy.tolerance_seconds,
            f"{where}, claimed for {quote.seconds:g} s: "
            f"{best.drift_seconds:g} s apart, at most {self.policy.tolerance_seconds:g} s",
        )

    def _wording(self, quote: TimedQuote, best: Occurrence) -> CheckOutcome:
        told, agrees = "numbers, signs and short forms agree", self.agrees(quote.quote, best.span)
        if not agrees:
            said = " ".join(self.transcript.text[best.span.start : best.span.end].split())
            told = "a number, sign or short form was changed: the transcript reads "
            told += f"\u201c{said}\u201d"
        return _outcome(TimedCheck.WORDING, agrees, told)

    def agrees(self, quote: str, span: Span) -> bool:
        """Whether what the contract's tokens forget is the same there: "3.5" is not "35"."""
        return same_values(quote, self._with_signs(span))

    def _with_signs(self, span: Span) -> str:
        """The text of a span and the signs that touch it: "$" and "%" belong to their number.

        A unit belongs to it over a space too, and so does a minus.
        """
        text, start, end = self.transcript.text, span.start, span.end
        least, most = max(0, start - MOST_SIGNS), min(len(text), end + MOST_SIGNS)
        while start > least and is_sign(text[start - 1]):
            start -= 1
        while end < most and is_sign(text[end]):
            end += 1
        return _sign_before(text, start) + text[start:end] + _unit_after(text, end)


def _unit_after(text: str, end: int) -> str:
    """A unit over a space from the number before it: "50 %"."""
    after = text[end : end + 2]
    is_over_space = len(after) == 2 and after[0] == " " and is_unit(after[1])
    return after if is_over_space and text[end - 1].isdigit() else ""


def _sign_before(text: str, start: int) -> str:
    """A sign alone over a space from the number after it: "- 5", "$ 5"."""
    before = text[max(0, start - 3) : start].rjust(3)
    is_sign = before[1] in "-\u2212\u2013\u00a7\u2116" or is_unit(before[1])
    is_alone = before[0].isspace() and before[2] == " " and is_sign
    return before[1:] if is_alone and (text[start].isdigit() or is_unit(text[start])) else ""


def is_sign(character: str) -> bool:
    """Whether it is neither a letter nor a digit, nor space."""
    return not character.isalnum() and not character.isspace()


def _speaker(wanted: str | None, best: Occurrence) -> CheckOutcome:
    said_by = " and ".join(best.moment.speakers)
    if wanted is None and len(best.moment.speakers) > 1:
        return _outcome(TimedCheck.SPEAKER, False, f"said partly by {said_by}, so by none of them")
    if not best.moment.speakers_known and (wanted is None or set(best.moment.speakers) <= {wanted}):
        return _unchecked(
            TimedCheck.SPEAKER, "the transcript does not tell of every word who said it"
        )
    return _outcome(
        TimedCheck.SPEAKER, _said_by(wanted, best), f"said by {said_by}, should be {wanted}"
    )


def seconds_apart(moment: Moment, seconds: float) -> float:
    """How far a second lies from the beginning of some words; infinite where one is not known.

    Tells two segments apart that touch at that second, so that it is 0 seconds away from both: the
    words are those of the one that begins there.
    """
    if moment.start is None or not math.isfinite(seconds):
        return math.inf
    return abs(moment.start - seconds)


def _is_doubtful(moment: Moment) -> bool:
    """Whether some words are known to be one speaker's, but not all."""
    return bool(moment.speakers) and moment.speaker is None


def _said_by(wanted: str | None, occurrence: Occurrence) -> bool:
    """Whether all of it is said by that speaker, or by anybody, but by one."""
    if wanted is None:
        return not _is_doubtful(occurrence.moment)
    return occurrence.moment.speaker == wanted


def _outcome(check: TimedCheck, passed: bool, message: str) -> CheckOutcome:
    return CheckOutcome(check, Outcome.PASSED if passed else Outcome.FAILED, message)


def _unchecked(check: TimedCheck, message: str) -> CheckOutcome:
    return CheckOutcome(check, Outcome.UNCHECKED, message)


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
    return TimedQuoteChecker(transcript, policy).check(quote, seconds, label=label)

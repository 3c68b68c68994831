"""The checks of the evidence contract, one by one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice

from veridical.sources.span import Span
from veridical.sources.transcript import Moment, Precision, Transcript
from veridical.text.spoken import spoken_keys
from veridical.text.tokens import prepare, tokenize
from veridical.validation.spoken_index import SpokenIndex
from veridical.validation.timed import (
    DEFAULT_TIMED_POLICY,
    CheckOutcome,
    Occurrence,
    Outcome,
    TimedCheck,
    TimedQuote,
    TimedQuotePolicy,
    TimedQuoteResult,
)

MOST_OCCURRENCES = 1_000
"""Occurrences of one quote that are looked at and listed."""

MOST_SIGNS = 8
"""Signs next to a quote that are read with it."""

_DRIFT_DECIMALS = 6
"""120.3 - 100.3 is 20 seconds, not the little more that floats make of it."""

_VALUE_SIGNS = frozenset("$%&+-#<>=^*/\u00a2\u00a3\u00a4\u00a5\u00b0\u00b1\u00d7\u00f7\u2030")
_FIRST_CURRENCY, _LAST_CURRENCY = "\u20a0", "\u20cf"
_EDGES = '.,;:!?"\u2026\u201c\u201d'
"""Punctuation that a quote may begin or end with and its place not, or the other way round."""


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

    def check(self, quote: str, seconds: float, *, speaker: str | None = None) -> TimedQuoteResult:
        """Check one quote. With `speaker`, a label of the transcript, the words must be theirs."""
        return self.check_all([TimedQuote(quote, seconds, speaker)])[0]

    def check_all(self, quotes: Iterable[TimedQuote]) -> list[TimedQuoteResult]:
        """Check many quotes at once; the results stand in their order, the failed corrected."""
        listed = list(quotes)
        results = [self.judge(quote) for quote in listed]
        failed = [index for index, result in enumerate(results) if not result.passed]
        if failed:
            from veridical.validation.timed_corrections import corrected

            pairs = [(listed[index], results[index]) for index in failed]
            for index, result in zip(failed, corrected(self, pairs), strict=True):
                results[index] = result
        return results

    def judge(self, quote: TimedQuote) -> TimedQuoteResult:
        """The checks of one quote, without a correction."""
        keys = spoken_keys(quote.quote)
        found = list(islice(self.index.find(keys), MOST_OCCURRENCES + 1))
        occurrences = tuple(
            self._occurrence(self.index.span(first, len(keys)), quote.seconds)
            for first in found[:MOST_OCCURRENCES]
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

    def _occurrence(self, span: Span, seconds: float) -> Occurrence:
        moment = self.transcript.moment(span)
        return Occurrence(span, moment, self._drift(span, moment, seconds))

    def _drift(self, span: Span, moment: Moment, seconds: float) -> float | None:
        if moment.start is None or not math.isfinite(seconds):
            return None
        if moment.precision is Precision.WORD:
            return round(abs(seconds - moment.start), _DRIFT_DECIMALS)
        end = self.transcript.segments_in(span)[0].end
        outside = max(moment.start - seconds, seconds - (moment.start if end is None else end))
        return round(max(outside, 0.0), _DRIFT_DECIMALS)

    def _best(self, quote: TimedQuote, occurrences: Sequence[Occurrence]) -> Occurrence | None:
        """The occurrence that passes if one does; else the one that comes nearest to it."""

        def rank(occurrence: Occurrence) -> tuple[bool, bool, float, int]:
            drift = math.inf if occurrence.drift_seconds is None else occurrence.drift_seconds
            return (
                not self._same_values(quote, occurrence),
                not _said_by(quote.speaker, occurrence),
                drift,
                occurrence.span.start,
            )

        return occurrences[0] if len(occurrences) == 1 else min(occurrences, key=rank, default=None)

    def _checks(
        self, quote: TimedQuote, tokens: int, best: Occurrence | None
    ) -> Iterator[CheckOutcome]:
        yield _contiguous(best)
        yield self._min_tokens(tokens)
        yield self._max_tokens(tokens)
        yield self._locality(quote, best)
        yield self._wording(quote, best)
        if quote.speaker is not None:
            yield _speaker(quote.speaker, best)

    def _min_tokens(self, tokens: int) -> CheckOutcome:
        least = self.policy.min_tokens
        return _outcome(
            TimedCheck.MIN_TOKENS, tokens >= least, f"{tokens} tokens, at least {least}"
        )

    def _max_tokens(self, tokens: int) -> CheckOutcome:
        most = self.policy.max_tokens
        message = f"{tokens} tokens, at most {most}"
        return _outcome(TimedCheck.MAX_TOKENS, tokens <= most, message)

    def _locality(self, quote: TimedQuote, best: Occurrence | None) -> CheckOutcome:
        if best is None:
            return _unchecked(TimedCheck.LOCALITY, "words that are not there have no time")
        if best.drift_seconds is None:
            reason = (
                "the transcript has no time for these words"
                if best.moment.start is None
                else f"{quote.seconds} is not a second"
            )
            return _unchecked(TimedCheck.LOCALITY, reason)
        where = "said at" if best.moment.precision is Precision.WORD else "in a segment from"
        return _outcome(
            TimedCheck.LOCALITY,
            best.drift_seconds <= self.policy.tolerance_seconds,
            f"{where} {best.moment.start:g} s, claimed for {quote.seconds:g} s: "
            f"{best.drift_seconds:g} s apart, at most {self.policy.tolerance_seconds:g} s",
        )

    def _wording(self, quote: TimedQuote, best: Occurrence | None) -> CheckOutcome:
        if best is None:
            return _unchecked(TimedCheck.WORDING, "words that are not there cannot be compared")
        if self._same_values(quote, best):
            return _outcome(TimedCheck.WORDING, True, "numbers, signs and short forms agree")
        said = " ".join(self._text(best).split())
        return _outcome(
            TimedCheck.WORDING,
            False,
            f"a number, sign or short form was changed: the transcript reads \u201c{said}\u201d",
        )

    def _same_values(self, quote: TimedQuote, occurrence: Occurrence) -> bool:
        """Whether what the contract's tokens forget is the same: "3.5" is not "35"."""
        text = self._with_signs(occurrence.span)
        if _as_copied(text) == _as_copied(quote.quote):
            return True
        return _values(text) == _values(quote.quote)

    def _with_signs(self, span: Span) -> str:
        """The text of a span and the signs that touch it: "$" and "%" belong to their number."""
        text, start, end = self.transcript.text, span.start, span.end
        least, most = max(0, start - MOST_SIGNS), min(len(text), end + MOST_SIGNS)
        while start > least and _is_sign(text[start - 1]):
            start -= 1
        while end < most and _is_sign(text[end]):
            end += 1
        return text[start:end]

    def _text(self, occurrence: Occurrence) -> str:
        return self.transcript.text[occurrence.span.start : occurrence.span.end]


def _is_sign(character: str) -> bool:
    return not character.isalnum() and not character.isspace()


def _contiguous(best: Occurrence | None) -> CheckOutcome:
    if best is None:
        return _outcome(
            TimedCheck.CONTIGUOUS, False, "the words do not stand in the transcript in this order"
        )
    return _outcome(TimedCheck.CONTIGUOUS, True, "the words stand in the transcript")


def _speaker(wanted: str, best: Occurrence | None) -> CheckOutcome:
    if best is None:
        return _unchecked(TimedCheck.SPEAKER, "words that are not there have no speaker")
    if not best.moment.speakers:
        return _unchecked(TimedCheck.SPEAKER, "the transcript does not tell who said it")
    said_by = ", ".join(best.moment.speakers)
    return _outcome(
        TimedCheck.SPEAKER, _said_by(wanted, best), f"said by {said_by}, should be {wanted}"
    )


def _said_by(wanted: str | None, occurrence: Occurrence) -> bool:
    return wanted is None or occurrence.moment.speakers == (wanted,)


def _outcome(check: TimedCheck, passed: bool, message: str) -> CheckOutcome:
    return CheckOutcome(check, Outcome.PASSED if passed else Outcome.FAILED, message)


def _unchecked(check: TimedCheck, message: str) -> CheckOutcome:
    return CheckOutcome(check, Outcome.UNCHECKED, message)


def _as_copied(text: str) -> str:
    """A text but for case, white space and punctuation at its ends.

    Most quotes differ in no more, and need not be taken apart.
    """
    return " ".join(text.casefold().split()).strip(_EDGES)


def _values(text: str) -> str:
    """The words, numbers and signs of value of a text, run together.

    Run together, because the contract takes "well-known" and "wellknown" for the same word. Notes
    of music, arrows and the like say nothing about a value.
    """
    return "".join(
        token.key
        for token in tokenize(prepare(text))
        if any(map(str.isalnum, token.text))
        or token.text in _VALUE_SIGNS
        or _FIRST_CURRENCY <= token.text <= _LAST_CURRENCY
    )

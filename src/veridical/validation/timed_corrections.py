"""What a failed quote should have been: the words that were said, and when."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from veridical.sources.span import Span
from veridical.validation.timed import Correction, Outcome, TimedQuote, TimedQuoteResult

if TYPE_CHECKING:
    from veridical.validation.timed_checker import TimedQuoteChecker

_CLAUSE_END = re.compile(r"[.!?;:,\u2026\u3002\u3001\uff01\uff1f]")

LEAST_LIKE = 0.6
"""Similarity from which other words are called what the quote should have been."""

MAX_SEARCHED_CHARS = 2_000
"""Longer texts are no quotes, and are not looked for."""


def corrected(
    checker: TimedQuoteChecker, failed: Sequence[tuple[TimedQuote, TimedQuoteResult]]
) -> list[TimedQuoteResult]:
    """The results with corrections where there are any, in the order given.

    A correction is checked as a quote would be: advice that would fail again is not given.
    """
    places = _places(checker, failed)
    return [
        _with_correction(checker, quote, result, place)
        for (quote, result), place in zip(failed, places, strict=True)
    ]


def _with_correction(
    checker: TimedQuoteChecker, quote: TimedQuote, result: TimedQuoteResult, place: Span | None
) -> TimedQuoteResult:
    if place is None:
        return result
    words = _words_at(checker, place)
    seconds = checker.transcript.moment(words).start
    text = " ".join(checker.transcript.text[words.start : words.end].split())
    again = checker.judge(
        TimedQuote(text, quote.seconds if seconds is None else seconds, quote.label)
    )
    if any(check.outcome is Outcome.FAILED for check in again.checks):
        return result
    if seconds is None and text == quote.quote:
        return result
    return replace(result, correction=Correction(text, seconds))


def _places(
    checker: TimedQuoteChecker, failed: Sequence[tuple[TimedQuote, TimedQuoteResult]]
) -> list[Span | None]:
    """Where each quote stands, or where the words stand that are most like it."""
    places = [result.nearest.span if result.nearest else None for _, result in failed]
    missing = [
        index
        for index, (quote, _) in enumerate(failed)
        if places[index] is None and len(quote.quote) <= MAX_SEARCHED_CHARS
    ]
    if missing:
        for index, found in zip(
            missing, _most_like(checker, [failed[index][0] for index in missing]), strict=True
        ):
            places[index] = found
    return places


def _most_like(checker: TimedQuoteChecker, quotes: Sequence[TimedQuote]) -> list[Span | None]:
    from veridical.matching.align import Needle
    from veridical.matching.locate import locate
    from veridical.text.folded import FoldedText
    from veridical.text.normalize import fold

    needles = [Needle(fold(quote.quote)) for quote in quotes]
    found = locate(FoldedText(checker.transcript), needles)
    return [
        places[0].span if places and places[0].similarity >= LEAST_LIKE else None
        for places in found
    ]


def _words_at(checker: TimedQuoteChecker, place: Span) -> Span:
    """A place widened to whole words, made as long as a quote must be, and cut where it may end."""
    index, policy = checker.index, checker.policy
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
        if _CLAUSE_END.search(checker.transcript.text[span.end : after.start]):
            return span
    return index.span(first, policy.max_tokens)

"""The evidence contract once more, written as plainly as it is stated, to compare with."""

from __future__ import annotations

import unicodedata

from veridical.sources.transcript import Transcript
from veridical.speech.evaluation import EvaluationItem
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

Placed = tuple[str, tuple[float, float] | None, str | None]


def naive_tokens(text: str) -> list[str]:
    """Lower case, letters and digits only; a character of Japanese is a token of its own."""
    tokens: list[str] = []
    for run in text.split():
        current = ""
        for character in run:
            if "\u2e80" <= character <= "\u9fff" and character.isalnum():
                tokens += [current, character]
                current = ""
            elif character.isalnum() or unicodedata.category(character)[0] == "M":
                current += character.casefold()
        tokens.append(current)
    return [unicodedata.normalize("NFC", token) for token in tokens if token]


def fits_the_contract(
    talk: Transcript,
    item: EvaluationItem,
    speaker: str | None,
    policy: TimedQuotePolicy = DEFAULT_TIMED_POLICY,
) -> bool:
    """Whether the quote stands in the words of one speaker, in its length, near its second."""
    quoted = naive_tokens(item.evidence_quote)
    if not policy.min_tokens <= len(quoted) <= policy.max_tokens:
        return False
    timed = is_timed(talk)
    placed = placed_tokens(talk)
    for first in range(len(placed) - len(quoted) + 1):
        there = placed[first : first + len(quoted)]
        if [key for key, _, _ in there] != quoted:
            continue
        labels = {label for _, _, label in there}
        near = not timed or _near(there[0][1], item.evidence_timestamp, policy.tolerance_seconds)
        if near and len(labels) == 1 and speaker in (None, *labels):
            return True
    return False


def quotable_tokens(talk: Transcript, speaker: str | None, least: int) -> int:
    """How many tokens lie in runs of at least `least`: of one speaker, with their times if any."""
    runs = [0]
    before: str | None = None
    for _, times, label in placed_tokens(talk):
        known = times is not None or not is_timed(talk)
        if not known or label != before:
            runs.append(0)
        if known and speaker in (None, label):
            runs[-1] += 1
        before = label
    return sum(run for run in runs if run >= least)


def is_timed(talk: Transcript) -> bool:
    """Whether anything in it has a time."""
    return any(segment.start is not None for segment in talk.segments)


def placed_tokens(talk: Transcript) -> list[Placed]:
    """Every token with the time of its word, or else of its segment, and who said it."""
    placed: list[Placed] = []
    for segment in talk.segments:
        inside = [w for w in talk.words if segment.span.start <= w.span.start < segment.span.end]
        times = (
            (segment.start, segment.end)
            if segment.start is not None and segment.end is not None
            else None
        )
        if not inside:
            said = talk.text[segment.span.start : segment.span.end]
            placed += [(key, times, segment.speaker) for key in naive_tokens(said)]
        for word in inside:
            own = (word.start, word.start) if word.start is not None else times
            said = talk.text[word.span.start : word.span.end]
            placed += [(key, own, word.speaker or segment.speaker) for key in naive_tokens(said)]
    return placed


def _near(times: tuple[float, float] | None, claimed: float, tolerance: float) -> bool:
    return times is not None and times[0] - tolerance <= claimed <= times[1] + tolerance

"""The evidence contract once more, written as plainly as it is stated, to compare with."""

from __future__ import annotations

import unicodedata

from veridical.sources.transcript import Transcript
from veridical.speech.evaluation import EvaluationItem

LEAST, MOST, TOLERANCE = 6, 15, 20.0


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


def fits_the_contract(talk: Transcript, item: EvaluationItem, speaker: str | None) -> bool:
    """Whether the quote stands in one speaker's segments, in its length, near its second."""
    quoted = naive_tokens(item.evidence_quote)
    if not LEAST <= len(quoted) <= MOST:
        return False
    timed = any(segment.start is not None for segment in talk.segments)
    placed = _placed(talk)
    for first in range(len(placed) - len(quoted) + 1):
        there = placed[first : first + len(quoted)]
        if [key for key, _, _ in there] != quoted:
            continue
        labels = {label for _, _, label in there}
        near = not timed or _near(there[0][1], item.evidence_timestamp)
        if near and len(labels) == 1 and speaker in (None, *labels):
            return True
    return False


def _near(times: tuple[float, float] | None, claimed: float) -> bool:
    return times is not None and times[0] - TOLERANCE <= claimed <= times[1] + TOLERANCE


def _placed(talk: Transcript) -> list[tuple[str, tuple[float, float] | None, str | None]]:
    """Every token with the time of its word, or else of its segment, and its speaker."""
    placed: list[tuple[str, tuple[float, float] | None, str | None]] = []
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
            placed += [(key, own, segment.speaker) for key in naive_tokens(said)]
    return placed

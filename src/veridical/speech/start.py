"""Seconds that are counted from the start of the speech, not of the recording."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeVar

from veridical.errors import ConfigurationError
from veridical.sources.document import Span
from veridical.sources.transcript import Precision, Segment, Transcript, Word
from veridical.speech.metrics import measure
from veridical.speech.span import seconds_of

AUTO = "auto"
GAP_SECONDS = 5.0
"""A silence that parts what comes before a speech from the speech."""

_Part = TypeVar("_Part", Word, Segment)

_INTRODUCTION = 0.25
"""The share of a recording in which a speech has begun."""


def speech_start(transcript: Transcript, label: str | None = None) -> float:
    """The second after the last long silence in the first quarter of what is said; else the first.

    With `label`, of what the speaker labelled so says.
    """
    told = measure(transcript, label=label)
    within = told.start + _INTRODUCTION * told.duration_seconds
    gaps = (gap.end for gap in told.pauses if gap.seconds >= GAP_SECONDS and gap.end <= within)
    return max(gaps, default=told.start)


def from_second(transcript: Transcript, seconds: float) -> Transcript:
    """What is said from a second on, which becomes second 0; its warnings tell of it.

    Raises ConfigurationError where no time is known, or nothing is said from there on.
    """
    timed = transcript.precision is Precision.WORD
    parts: tuple[Word | Segment, ...] = transcript.words if timed else transcript.segments
    known = [(part.start if timed else part.end, part.span.start) for part in parts]
    if all(second is None for second, _ in known):
        raise ConfigurationError("the transcript has no times from which seconds could be counted")
    later = [at for second, at in known if second is not None and second >= seconds]
    if not 0 <= seconds < math.inf or not later:
        raise ConfigurationError(
            f"nothing is known to be said from {seconds:g} s on: give a second between 0 and "
            f"{transcript.end:g}"
        )
    first = min(later)

    def less(second: float | None) -> float | None:
        return None if second is None else round(max(0.0, second - seconds), 6)

    def moved(parts: tuple[_Part, ...]) -> tuple[_Part, ...]:
        return tuple(
            replace(
                part,
                span=Span(max(0, part.span.start - first), part.span.end - first),
                start=less(part.start),
                end=less(part.end),
            )
            for part in parts
            if part.span.end > first
        )

    base = transcript.time_base
    note = f"seconds are counted from the start of the speech, {seconds:g} s into the recording"
    return replace(
        transcript,
        text=transcript.text[first:],
        words=moved(transcript.words),
        segments=moved(transcript.segments),
        time_base=replace(base, origin_seconds=base.origin_seconds + seconds),
        warnings=(*transcript.warnings, note),
    )


def from_speech_start(transcript: Transcript, given: str | None, label: str | None) -> Transcript:
    """The speech as `--speech-start` gives it: from that second, from where it is found, or all.

    Raises ConfigurationError for what is neither a time nor `auto`.
    """
    if given is None:
        return transcript
    try:
        seconds = speech_start(transcript, label) if given == AUTO else seconds_of(given)
    except ConfigurationError:
        told = f"{given!r} is neither seconds (95), a clock time (1:35) nor {AUTO}"
        raise ConfigurationError(told) from None
    return from_second(transcript, seconds)

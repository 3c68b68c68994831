"""Plain text with a time and a speaker before each line, as people and web pages write it."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.labels import is_certain, split_label
from veridical.sources.transcripts.raw import RawSegment, RawTranscript
from veridical.sources.transcripts.seconds import CLOCK_PATTERN, Clock, clock_seconds

_TIME = CLOCK_PATTERN
_RANGE = rf"({_TIME})(?:\s*+(?:-->|to|[-\u2013\u2014])\s*+({_TIME}))?+"
_BRACKETED = lazy(rf"\s*+[\[(]\s*+{_RANGE}\s*+[\])]\s*+(?:[-\u2013\u2014:]\s++)?")
_BARE = lazy(rf"\s*+{_RANGE}(?:\s*+[-\u2013\u2014:]\s++|\s*+\Z)")
_COLUMN = lazy(rf"\s*+{_RANGE}\s++(?=\S)")
_TRAILING = lazy(rf"(.{{1,80}}?)\s*+[\[(]?\s*+({_TIME})\s*+[\])]?\s*+:?\s*+")
_AFTER_NAME = lazy(rf"([^\[\]():]{{1,60}}?)\s*+[\[(]\s*+({_TIME})\s*+[\])]\s*+:?\s*+")

COLUMN_SHARE = 0.5
"""From this share of lines that begin with a bare time, the times are a column of their own."""


@dataclass(slots=True)
class _Line:
    text: str
    start: float | None = None
    end: float | None = None
    label: str | None = None


def read_lines(text: str) -> RawTranscript:
    """The lines of a text. One without a label goes on with the speaker of the line before.

    One without a time goes on with the segment of the line before, in a text that has times.
    """
    raw = RawTranscript(TranscriptFormat.LINES, unit=TimeUnit.CLOCK)
    clock = Clock(raw.repairs)
    written = [line for line in text.splitlines() if line.strip()]
    columns = sum(_COLUMN().match(line) is not None for line in written)
    has_column = columns > 1 and columns >= COLUMN_SHARE * len(written)
    lines = [_read_line(line, has_column=has_column) for line in written]
    _drop_uncertain_labels(lines)
    has_times = any(line.start is not None for line in lines)
    speaker: str | None = None
    for line in lines:
        speaker = line.label or speaker
        goes_on = has_times and line.start is None and raw.segments
        if goes_on and raw.segments[-1].speaker == speaker:
            raw.segments[-1].text += f" {line.text}"
        elif goes_on and not raw.segments[-1].text:
            raw.segments[-1].speaker, raw.segments[-1].text = speaker, line.text
        else:
            times = clock.seconds(line.start), clock.seconds(line.end)
            raw.segments.append(RawSegment(line.text, *times, speaker))
    return raw


def begins_with_time(line: str) -> bool:
    """Whether a line begins with a time in brackets, so that it is no JSON."""
    return _BRACKETED().match(line) is not None


def _read_line(line: str, *, has_column: bool) -> _Line:
    found = _BRACKETED().match(line) or _BARE().match(line)
    if found is None and has_column:
        found = _COLUMN().match(line)
    if found and (start := clock_seconds(found[1])) is not None:
        end = clock_seconds(found[2]) if found[2] else None
        labelled = split_label(line[found.end() :])
        label, text = labelled or (None, line[found.end() :])
        return _Line(text, start, end, label)
    headed = _headed(line)
    if headed is not None:
        return headed
    labelled = split_label(line)
    return _Line(labelled[1], label=labelled[0]) if labelled else _Line(line)


def _headed(line: str) -> _Line | None:
    """`Maria (0:12): text`, or `Maria 0:12` alone, as meeting services write."""
    found = _AFTER_NAME().match(line)
    rest = line[found.end() :] if found else ""
    if found is None:
        found = _TRAILING().fullmatch(line)
    if found is None:
        return None
    start, name = clock_seconds(found[2]), split_label(f"{found[1].strip()}:")
    if start is None or name is None or name[1]:
        return None
    return _Line(rest, start, label=name[0])


def _drop_uncertain_labels(lines: list[_Line]) -> None:
    """Put back what only looks like a label: one word, once, in a text that does not begin so."""
    if lines and lines[0].label is not None:
        return
    counts = Counter(line.label for line in lines)
    for line in lines:
        if line.label is not None and counts[line.label] == 1 and not is_certain(line.label):
            line.text, line.label = f"{line.label}: {line.text}", None

"""Plain text with a time and a speaker before each line, as people and web pages write it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.labels import (
    Label,
    accepted_names,
    is_role,
    may_be_name,
    split_label,
)
from veridical.sources.transcripts.raw import RawSegment, RawTranscript
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import CLOCK_PATTERN, Clock, clock_seconds

_TIME = CLOCK_PATTERN
_RANGE = rf"({_TIME})(?:\s*+(?:-->|to|[-\u2013\u2014])\s*+({_TIME}))?"
_BRACKETED = lazy(rf"\s*+[\[(]\s*+{_RANGE}\s*+[\])]\s*+(?:[-\u2013\u2014:]\s++)?")
_BARE = lazy(rf"\s*+{_RANGE}(?:\s*+[-\u2013\u2014:]\s++|\s*+\Z)")
_COLUMN = lazy(rf"\s*+{_RANGE}\s++(?=\S)")
_TRAILING = lazy(rf"(.{{1,80}}?)\s++({_TIME})\s*+")
_AFTER_NAME = lazy(rf"([^\[\]():]{{1,60}}?)\s*+[\[(]\s*+({_TIME})\s*+[\])]\s*+:?\s*+")
_INLINE = {
    sign: lazy(rf"(?<=\s)\{sign}\s*+({_TIME})\s*+\{closing}(?=\s|\Z)")
    for sign, closing in ("[]", "()")
}

COLUMN_SHARE = 0.5
"""From this share of lines that begin with a bare time, the times are a column of their own."""

MIN_TRAILING = 2
TRAILING_SHARE = 0.25
"""So many lines, and this share of all, of a name and a time are headings: one is "John 3:16"."""


@dataclass(slots=True)
class _Line:
    """`written` is the line with its label, `label` what may be one."""

    written: str
    start: float | None = None
    end: float | None = None
    label: Label | None = None
    is_heading: bool = False
    text: str = ""
    speaker: str | None = None


def read_lines(text: str) -> RawTranscript:
    """The lines of a text. One without a label goes on with the speaker of the line before.

    One without a time goes on with the segment of the line before, in a text that has times.
    """
    raw = RawTranscript(TranscriptFormat.LINES, unit=TimeUnit.CLOCK)
    clock = Clock(raw.repairs)
    written = [line for line in text.splitlines() if line.strip()]
    columns = sum(_COLUMN().match(line) is not None for line in written)
    has_column = columns > 1 and columns >= COLUMN_SHARE * len(written)
    lines = [part for line in written for part in _read_line(line, has_column=has_column)]
    _settle_headings(lines)
    _settle_labels(lines, raw)
    has_times = any(line.start is not None for line in lines)
    for line in lines:
        last = raw.segments[-1] if raw.segments else None
        goes_on = has_times and line.start is None and last is not None
        if goes_on and last is not None and last.speaker == line.speaker:
            last.text += f" {line.text}"
        elif goes_on and last is not None and not last.text:
            last.speaker, last.text = line.speaker, line.text
        else:
            times = clock.seconds(line.start), clock.seconds(line.end)
            raw.segments.append(RawSegment(line.text, *times, line.speaker))
    return raw


def begins_with_time(line: str) -> bool:
    """Whether a line begins with a time in brackets, so that it is no JSON."""
    return _BRACKETED().match(line) is not None


def _read_line(line: str, *, has_column: bool) -> list[_Line]:
    """A line, or its parts where more times stand in brackets in it."""
    bracketed = _BRACKETED().match(line)
    found = bracketed or _BARE().match(line)
    if found is None and has_column:
        found = _COLUMN().match(line)
    if found and (start := clock_seconds(found[1])) is not None:
        end = clock_seconds(found[2]) if found[2] else None
        rest = line[found.end() :]
        if bracketed and end is None:
            return _parts(rest, start, line.lstrip()[0])
        return [_Line(rest, start, end, split_label(rest))]
    return [_heading(line) or _Line(line, label=split_label(line))]


def _parts(text: str, start: float, sign: str) -> list[_Line]:
    """A text that begins at `start`, cut at each later time in the same brackets."""
    lines: list[_Line] = []
    at = 0
    for found in _INLINE[sign]().finditer(text):
        seconds = clock_seconds(found[1])
        if seconds is not None and seconds >= start:
            part = text[at : found.start()]
            lines.append(_Line(part, start, label=split_label(part)))
            start, at = seconds, found.end()
    part = text[at:].lstrip()
    return [*lines, _Line(part, start, label=split_label(part))]


def _heading(line: str) -> _Line | None:
    """`Maria (0:12): text`, or what may be `Maria 0:12` alone, as meeting services write."""
    found = _AFTER_NAME().match(line)
    rest, is_bare = line[found.end() :] if found else "", found is None
    if found is None:
        found = _TRAILING().fullmatch(line)
    if found is None:
        return None
    start, name = clock_seconds(found[2]), " ".join(found[1].split())
    if start is None or not name or not may_be_name(name):
        return None
    label = Label(name, rest, is_certain=not is_bare or is_role(name))
    return _Line(line, start, label=label, is_heading=is_bare)


def _settle_headings(lines: list[_Line]) -> None:
    """Read `Maria 0:12` as text where it is no pattern of the file with times that go on."""
    headings = [line for line in lines if line.is_heading]
    names = accepted_names([line.label for line in lines])
    starts = [line.start for line in headings if line.start is not None]
    is_pattern = (
        len(headings) >= max(MIN_TRAILING, TRAILING_SHARE * len(lines))
        and all(a <= b for a, b in pairwise(starts))
        and all(line.label is not None and line.label.name in names for line in headings)
    )
    for line in headings:
        if not is_pattern:
            line.start, line.label = None, None


def _settle_labels(lines: list[_Line], raw: RawTranscript) -> None:
    """Give each line its speaker; after what may be a label nobody is known to speak."""
    names = accepted_names([line.label for line in lines if line.label or line.written.strip()])
    speaker: str | None = None
    for line in lines:
        line.text = line.written
        if line.label is not None and line.label.name in names:
            speaker, line.text = line.label.name, line.label.rest
        elif line.label is not None:
            speaker = None
            raw.repairs.count(Repair.UNSURE_LABELS, line.start)
        line.speaker = speaker

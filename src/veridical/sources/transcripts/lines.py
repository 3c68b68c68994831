"""Plain text with times and speakers before its lines, as people and web pages write it.

A sentence may begin like the label of a speaker ("Remember: ..."). A label that is missed costs a
name; words taken for a label would be lost, and what follows given to nobody who said it. So labels
(`MARIA:`, `Engine 7:`, `[SPEAKER_00]:`) must be certain, or come again in the file; all else stays
in the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from veridical.sources.patterns import lazy, word_lists
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.raw import (
    CLOCK_PATTERN,
    RawSegment,
    RawTranscript,
    Repair,
    clock_seconds,
)

MAX_LABEL_WORDS = 4
"""Numbers are not counted: "Engine 7 to Ladder 4" has three."""

_BRACKETED = lazy(r"\s*+(?:>>+|-)?\s*+\[([^\[\]:]{1,60}+)\]\s*+[:\uff1a]\s*+")
_PLAIN = lazy(
    r"\s*+(>>+\s*+)?([^\W_](?:[\w .'\u2019&()/#-]{0,58}[\w.)])?)\s{0,3}"
    r"[:\uff1a](?:\s++|\Z|(?<=\uff1a))"
)
_CLOCK_ONLY = lazy(r"[\d:.,\s]*+")
_NUMBERED = lazy(
    r"(?i)(?:unknown )?(?:s|p|spk|speaker|voice|participant|person|caller|guest|host|interviewer|"
    r"interviewee|respondent|channel|moderator|student|witness|juror|panelist)[ _-]?\d{1,4}"
)
_WORDS = word_lists(Path(__file__).with_name("labels.txt"))
"""In lower case."""

_ROLES = frozenset(_WORDS["roles"])
_PARTICLES = frozenset(_WORDS["particles"])
_COUNTED = lazy(r"[^\W\d_]++(?=[\W_]*+\d)")
_CALL_SIGN = lazy(r"[^\W\d_]++[ #-]*+\d{1,4}[^\W\d_]?")
_NUMBER_SIGNS = "#-0123456789"
_EVERYDAY = frozenset(_WORDS["everyday"])
"""Words that begin sentences and headings."""

_HEADINGS = frozenset(_WORDS["headings"])
"""Headings too, but only alone: not in "Mission Control" and "Task Force 1"."""

_NUMBERED_THINGS = _HEADINGS.union(_WORDS["numbered"])
"""What a talk counts or dates: "Step 2: ...", "Psalm 23: ...", "10 AM: ..."."""


@dataclass(frozen=True, slots=True)
class Label:
    """What may be a label, and the rest of its line.

    `is_certain` where it is marked as one or names a role; else only the whole file can tell.
    """

    name: str
    rest: str
    is_certain: bool


def split_label(line: str) -> Label | None:
    """What a line begins with that may be a label; None where it is surely none.

    A name is up to `MAX_LABEL_WORDS` words in capitals, or each with a capital. With a number it is
    a call sign ("Engine 7", "ENG25", "911 Operator"), unless it numbers what a talk numbers.
    """
    found = _BRACKETED().match(line)
    if found is not None:
        if _CLOCK_ONLY().fullmatch(found[1]):
            return None
        return Label(" ".join(found[1].split()), line[found.end() :], is_certain=True)
    found = _PLAIN().match(line)
    if found is None or not may_be_name(found[2]):
        return None
    name = " ".join(found[2].split())
    is_certain = found[1] is not None or is_role(name)
    return Label(name, line[found.end() :], is_certain)


def is_role(name: str) -> bool:
    """Whether a label says that it is one: `SPEAKER_00`, `Speaker 1`, `Interviewer`."""
    return _NUMBERED().fullmatch(name) is not None or name.casefold() in _ROLES


def may_be_name(name: str) -> bool:
    """Whether a label is written as names are, and begins with no everyday word."""
    if is_role(name) or _is_initial(name):
        return True
    words = [word for word in name.split() if word.strip(_NUMBER_SIGNS)]
    if not 0 < len(words) <= MAX_LABEL_WORDS or _is_numbered_thing(name, words[0]):
        return False
    first = words[0].lstrip(_NUMBER_SIGNS)
    if not first[0].isalpha() or first.casefold() in _EVERYDAY or name.casefold() in _HEADINGS:
        return False
    if _CALL_SIGN().fullmatch(name):
        return True
    return not first[0].islower() and all(
        not word[0].islower() or word in _PARTICLES for word in words
    )


def _is_numbered_thing(name: str, first: str) -> bool:
    """Whether a number in a name counts something or is of a date or a time."""
    counted = [found.group() for found in _COUNTED().finditer(name)]
    counted += [first] if name[0].isdigit() else []
    return any(word.casefold() in _NUMBERED_THINGS for word in counted)


def _is_initial(name: str) -> bool:
    """Whether a label is one capital, as in "Q:" and "A:"."""
    return len(name) == 1 and name.isalpha() and name.isupper()


def accepted_names(labels: Sequence[Label | None]) -> frozenset[str]:
    """Which names are speakers in a file whose lines begin with `labels`, None where with none.

    Those that are certain or come again. A full name, one in capitals or a call sign that comes
    once is one where every line has a label, or most have and the first and another come again.
    """
    found = [label for label in labels if label is not None]
    counts = Counter(label.name for label in found)
    initials = {name for name in counts if _is_initial(name)}
    # Where several take turns they are speakers; alone, "I:" or a rare "A:" begins a sentence.
    is_alone = len(initials) == 1 and (2 * len(found) < len(labels) or initials == {"I"})
    doubtful = initials if is_alone else set()
    accepted = {label.name for label in found if label.is_certain or counts[label.name] > 1}
    accepted = (accepted | (initials if len(initials) > 1 else set())) - doubtful
    is_dialogue = len(counts) > 1 and len(found) == len(labels)
    is_labelled = bool(accepted) and labels[0] is not None and 2 * len(found) >= len(labels)
    if is_dialogue or is_labelled:
        accepted |= {name for name in counts if _is_telling(name)}
    return frozenset(accepted)


def _is_telling(name: str) -> bool:
    """Whether a name looks like more than the first word of a sentence."""
    if name[0].isdigit() or name[0].islower():
        return False
    return " " in name or name == name.upper() or _CALL_SIGN().fullmatch(name) is not None


_TIME = CLOCK_PATTERN
_RANGE = rf"({_TIME})(?:\s*+(?:-->|to|[-\u2013\u2014])\s*+({_TIME}))?"
_IN_BRACKETS = lazy(rf"\s*+[\[(]\s*+{_RANGE}\s*+[\])]\s*+(?:[-\u2013\u2014:]\s++)?")
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
            times = raw.clock.seconds(line.start), raw.clock.seconds(line.end)
            raw.segments.append(RawSegment(line.text, *times, line.speaker))
    return raw


def begins_with_time(line: str) -> bool:
    """Whether a line begins with a time in brackets, so that it is no JSON."""
    return _IN_BRACKETS().match(line) is not None


def _read_line(line: str, *, has_column: bool) -> list[_Line]:
    """A line, or its parts where more times stand in brackets in it."""
    bracketed = _IN_BRACKETS().match(line)
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

"""Cues of caption files become segments: what is shown again while captions roll is said once."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from veridical.sources.patterns import lazy
from veridical.sources.transcripts.labels import accepted_names, split_label
from veridical.sources.transcripts.place import one_line
from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock, clock_seconds

ARROW = "-->"

ROLLING_SHARE = 0.2
MIN_ROLLED = 2
"""From so many cues, and this share of all, that show lines of the cue before, captions roll."""

MAX_FLASH_SECONDS = 0.05
"""A cue this short cannot be read: it only keeps lines on the screen while others roll in."""

MAX_ROLL_GAP_SECONDS = 0.5
"""A whole cue that comes again later than this was said again."""

_CLOCK_LIKE = lazy(r"-?\d++(?:[:.,]\d++)++")


@dataclass(slots=True)
class CueLine:
    """A line of a cue as it is read; `words` are those whose start is written in it.

    `is_timed` where a time is written in the line itself: it is new, not shown again. `is_apart`
    where somebody else may be speaking than in the line before.
    """

    text: str
    speaker: str | None = None
    words: list[RawWord] = field(default_factory=list)
    is_timed: bool = False
    is_apart: bool = False


@dataclass(slots=True)
class Cue:
    """A cue with the times at which it is shown, in seconds, or None where they are unreadable."""

    start: float | None
    end: float | None
    lines: list[CueLine] = field(default_factory=list)


def is_timing(line: str) -> bool:
    """Whether a line has an arrow with a time on at least one side, and nothing else before it."""
    before, arrow, after = line.partition(ARROW)
    if not arrow:
        return False
    end = after.split(None, 1)[:1]
    has_end = bool(end) and _is_clock(end[0])
    return _is_clock(before.strip()) or (has_end and len(before.split()) <= 1)


def _is_clock(text: str) -> bool:
    return _CLOCK_LIKE().fullmatch(text) is not None


def cue_times(line: str, clock: Clock, raw: RawTranscript) -> tuple[float | None, float | None]:
    """The times on both sides of the arrow; what follows the second are settings."""
    before, _, after = line.partition(ARROW)
    times: list[float | None] = []
    for written in (before.strip(), next(iter(after.split()), "")):
        seconds = clock_seconds(written[:40])
        if seconds is None:
            raw.repairs.count(Repair.UNUSABLE_TIME)
        times.append(clock.seconds(seconds))
    return times[0], times[1]


def add_cues(raw: RawTranscript, cues: list[Cue]) -> None:
    """The segments of `cues`: one for each cue, or more where it has several speakers."""
    for cue in cues:
        cue.lines = [line for line in cue.lines if one_line(line.text)]
    shown = [cue for cue in cues if cue.lines]
    _label(shown, raw)
    shown = [cue for cue in shown if cue.lines]
    repeated = [_repeated(before, cue) for before, cue in pairwise(shown)]
    rolled = sum(_rolls(count, cue) for count, cue in zip(repeated, shown[1:], strict=True))
    is_rolling = rolled >= max(MIN_ROLLED, ROLLING_SHARE * len(repeated))
    before: Cue | None = None
    for cue, count in zip(shown, (0, *repeated), strict=bool(shown)):
        is_again = is_rolling and before is not None and not _is_said_again(before, cue, count)
        new = cue.lines[count:] if is_again else cue.lines
        if len(new) < len(cue.lines):
            raw.repairs.count(Repair.ROLLED_LINES, cue.start, len(cue.lines) - len(new))
            _time_first_word(cue, new)
        _add_segments(raw, cue, new)
        before = cue


def _add_segments(raw: RawTranscript, cue: Cue, lines: list[CueLine]) -> None:
    open_segment: RawSegment | None = None
    for line in lines:
        is_other = open_segment is not None and (
            line.is_apart or (line.speaker is not None and line.speaker != open_segment.speaker)
        )
        if open_segment is None or is_other:
            open_segment = RawSegment("", cue.start, cue.end, line.speaker)
            raw.segments.append(open_segment)
        open_segment.text = f"{open_segment.text} {line.text}"
        open_segment.words += line.words


def _time_first_word(cue: Cue, new: list[CueLine]) -> None:
    """Where words have times, a line that rolls in begins with the cue that brings it."""
    words = new[0].words if new else []
    if words and words[0].start is None:
        words[0].start = cue.start
        words[0].end = words[1].start if len(words) > 1 else cue.end


def _repeated(before: Cue, cue: Cue) -> int:
    """How many lines at the beginning of `cue` are the last ones of the cue before it."""
    old = [one_line(line.text) for line in before.lines]
    new = [one_line(line.text) for line in cue.lines[: len(old)]]
    first_timed = next((n for n, line in enumerate(cue.lines) if line.is_timed), len(new))
    most = min(len(new), first_timed)
    return next((n for n in range(most, 0, -1) if old[len(old) - n :] == new[:n]), 0)


def _rolls(count: int, cue: Cue) -> bool:
    """Whether a cue shows old lines as only captions that roll do: above a new one, or briefly."""
    if not count:
        return False
    if count < len(cue.lines):
        return one_line(cue.lines[count].text) != one_line(cue.lines[count - 1].text)
    return _is_brief(cue)


def _is_brief(cue: Cue) -> bool:
    if cue.start is None or cue.end is None:
        return False
    return cue.end - cue.start <= MAX_FLASH_SECONDS


def _is_said_again(before: Cue, cue: Cue, count: int) -> bool:
    """Whether a cue that only has old lines is speech: it stands for a while, after a pause."""
    if count < len(cue.lines) or _is_brief(cue):
        return False
    if before.end is None or cue.start is None:
        return True
    return cue.start - before.end > MAX_ROLL_GAP_SECONDS


def _label(cues: list[Cue], raw: RawTranscript) -> None:
    """Take the labels of speakers from the lines that begin with one."""
    lines = [line for cue in cues for line in cue.lines]
    labels = [
        split_label(line.text) if line.speaker is None and not line.words else None
        for line in lines
    ]
    names = accepted_names(labels)
    for line, label in zip(lines, labels, strict=True):
        if label is None:
            continue
        if label.name in names:
            line.text, line.speaker = label.rest, label.name
        else:
            line.is_apart = True
            raw.repairs.count(Repair.UNSURE_LABELS)
    for cue in cues:
        cue.lines = [line for line in cue.lines if one_line(line.text)]

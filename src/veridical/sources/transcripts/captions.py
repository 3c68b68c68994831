"""Cues of caption files become segments: what is shown again while captions roll is said once."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from veridical.sources.transcripts.labels import is_shouted, split_label
from veridical.sources.transcripts.place import one_line
from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair

ROLLING_SHARE = 0.2
"""From this share of cues that begin with the last line of the cue before, captions roll."""

MAX_ROLL_GAP_SECONDS = 0.5


@dataclass(slots=True)
class CueLine:
    """A line of a cue as it is read; `words` are those whose start is written in it."""

    text: str
    speaker: str | None = None
    words: list[RawWord] = field(default_factory=list)


@dataclass(slots=True)
class Cue:
    """A cue with the times at which it is shown, in seconds, or None where they are unreadable."""

    start: float | None
    end: float | None
    lines: list[CueLine] = field(default_factory=list)


def add_cues(raw: RawTranscript, cues: list[Cue]) -> None:
    """The segments of `cues`: one for each cue, or more where it has several speakers."""
    for cue in cues:
        cue.lines = [_labelled(line) for line in cue.lines if one_line(line.text)]
    shown = [cue for cue in cues if cue.lines]
    repeated = [_repeated(before, cue) for before, cue in pairwise(shown)]
    rolled = sum(0 < count < len(cue.lines) for count, cue in zip(repeated, shown[1:], strict=True))
    is_rolling = rolled > 0 and rolled >= ROLLING_SHARE * len(repeated)
    for cue, count in zip(shown, (0, *repeated), strict=bool(shown)):
        new = cue.lines[count:] if is_rolling else cue.lines
        if len(new) < len(cue.lines):
            raw.repairs.count(Repair.ROLLED_LINES, cue.start, len(cue.lines) - len(new))
            _time_first_word(cue, new)
        _add_segments(raw, cue, new)


def _add_segments(raw: RawTranscript, cue: Cue, lines: list[CueLine]) -> None:
    open_segment: RawSegment | None = None
    for line in lines:
        if open_segment is None or (line.speaker and line.speaker != open_segment.speaker):
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
    end, start = before.end, cue.start
    if end is not None and start is not None and start - end > MAX_ROLL_GAP_SECONDS:
        return 0
    old = [one_line(line.text) for line in before.lines]
    new = [one_line(line.text) for line in cue.lines[: len(old)]]
    return next((n for n in range(len(new), 0, -1) if old[len(old) - n :] == new[:n]), 0)


def _labelled(line: CueLine) -> CueLine:
    """The line without a label in capitals or brackets, which is then its speaker."""
    found = split_label(line.text) if line.speaker is None and not line.words else None
    if found is None:
        return line
    label, rest = found
    if line.text.lstrip(" >-").startswith("[") or is_shouted(label):
        return CueLine(rest, label)
    return line

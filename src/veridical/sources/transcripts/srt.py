"""SubRip captions (.srt): a number, a line of times, lines of text."""

from __future__ import annotations

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.captions import Cue, CueLine, add_cues
from veridical.sources.transcripts.raw import RawTranscript
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock, clock_seconds

ARROW = "-->"

_TAG = lazy(r"</?(?:[bius]|font|c|v)\b[^<>]*+>|\{\\[^{}]*+\}", 0)


def read_srt(text: str) -> RawTranscript:
    """The cues of a text; line ends and blank lines may be of any kind and number."""
    raw = RawTranscript(TranscriptFormat.SRT, unit=TimeUnit.CLOCK)
    clock = Clock(raw.repairs)
    cues: list[Cue] = []
    lines = text.splitlines()
    for index, line in enumerate(lines):
        if ARROW in line:
            _drop_number(cues, lines, index)
            cues.append(Cue(*cue_times(line, clock, raw)))
        elif cues and not line.isspace():
            cues[-1].lines.append(CueLine(_TAG().sub("", line)))
    add_cues(raw, cues)
    return raw


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


def _drop_number(cues: list[Cue], lines: list[str], index: int) -> None:
    """Take the number of the next cue, which stands right before its times, from the last one."""
    if cues and cues[-1].lines and lines[index - 1].strip().isdecimal():
        cues[-1].lines.pop()

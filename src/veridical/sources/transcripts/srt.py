"""SubRip captions (.srt): a number, a line of times, lines of text."""

from __future__ import annotations

from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.captions import Cue, CueLine, add_cues, cue_times, is_timing
from veridical.sources.transcripts.raw import RawTranscript
from veridical.sources.transcripts.seconds import Clock

_TAG = lazy(r"(?i)</?(?:[bius]|c|v)>|<v\s[^<>]*+>|<font\s[^<>]*+>|</font>|\{\\[^{}]*+\}")
_ENTITY = lazy(r"&(?:amp|lt|gt|nbsp|quot|apos|#39);")
_SIGNS = {
    "&amp;": "&",
    "&lt;": "<",
    "&gt;": ">",
    "&nbsp;": " ",
    "&quot;": '"',
    "&apos;": "'",
    "&#39;": "'",
}


def read_srt(text: str) -> RawTranscript:
    """The cues of a text; line ends and blank lines may be of any kind and number."""
    raw = RawTranscript(TranscriptFormat.SRT, unit=TimeUnit.CLOCK)
    clock = Clock(raw.repairs)
    cues: list[Cue] = []
    lines = text.splitlines()
    timings = [is_timing(line) for line in lines]
    at = [index for index, is_one in enumerate(timings) if is_one]
    numbered = sum(index > 0 and _number(lines[index - 1]) is not None for index in at)
    is_numbered = 2 * numbered > len(at)
    last = 0
    for index, line in enumerate(lines):
        if timings[index]:
            cues.append(Cue(*cue_times(line, clock, raw)))
            continue
        number = _number(line) if is_numbered and any(timings[index + 1 : index + 2]) else None
        if number is not None and (number == last + 1 or _begins_block(lines, index)):
            last = number
        elif cues and not line.isspace():
            cues[-1].lines.append(CueLine(_plain(line)))
    add_cues(raw, cues)
    return raw


def _number(line: str) -> int | None:
    line = line.strip()
    return int(line) if len(line) < 10 and line.isdecimal() else None


def _begins_block(lines: list[str], index: int) -> bool:
    """Whether a line is the first of the file, or after a blank one."""
    return index == 0 or not lines[index - 1].strip()


def _plain(line: str) -> str:
    """The text of a line without markup; what only looks like a tag stays."""
    line = _TAG().sub("", line)
    return _ENTITY().sub(lambda found: _SIGNS[found.group()], line) if "&" in line else line

"""Cues of caption files become segments: what is shown again while captions roll is said once."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from itertools import pairwise

from veridical.sources.elements import unescape
from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.lines import accepted_names, split_label
from veridical.sources.transcripts.place import one_line
from veridical.sources.transcripts.raw import (
    RawSegment,
    RawTranscript,
    RawWord,
    Repair,
    clock_seconds,
    label_of,
    language_of,
)

# SubRip captions (.srt): a number, a line of times, lines of text.


_TAG = lazy(r"(?i)</?(?:[bius]|c|v)>|<v\s[^<>]*+>|<font\s[^<>]*+>|</font>|\{\\[^{}]*+\}")
_ENTITY = lazy(r"&(?:amp|lt|gt|nbsp|quot|apos|#39);")


def read_srt(text: str) -> RawTranscript:
    """The cues of a text; line ends and blank lines may be of any kind and number."""
    raw = RawTranscript(TranscriptFormat.SRT, unit=TimeUnit.CLOCK)
    cues: list[Cue] = []
    lines = text.splitlines()
    timings = [is_timing(line) for line in lines]
    at = [index for index, is_one in enumerate(timings) if is_one]
    numbered = sum(index > 0 and _number(lines[index - 1]) is not None for index in at)
    is_numbered = 2 * numbered > len(at)
    last = 0
    for index, line in enumerate(lines):
        if timings[index]:
            cues.append(Cue(*cue_times(line, raw)))
            continue
        number = _number(line) if is_numbered and any(timings[index + 1 : index + 2]) else None
        if number is not None and (
            number == last + 1 or index == 0 or not lines[index - 1].strip()  # or begins a block
        ):
            last = number
        elif cues and not line.isspace():
            cues[-1].lines.append(CueLine(_plain(line)))
    add_cues(raw, cues)
    return raw


def _number(line: str) -> int | None:
    line = line.strip()
    return int(line) if len(line) < 10 and line.isdecimal() else None


def _plain(line: str) -> str:
    """The text of a line without markup; what only looks like a tag stays."""
    line = _TAG().sub("", line)
    return _ENTITY().sub(lambda found: html.unescape(found[0]).replace("\xa0", " "), line)


# WebVTT captions (.vtt): https://www.w3.org/TR/webvtt1/, read as leniently as browsers do.


_COMMENT = lazy(r"(?:NOTE|STYLE|REGION)(?:\s.*+)?")
_CUE_TAG = lazy(
    r"<(/?(?:c|i|b|u|v|lang|ruby|rt)(?:\.[^\s<>.]++)*+(?:(?<=v)\s[^<>]*+|(?<=lang)\s[^<>]*+)?|"
    r"v(?:\.[^\s<>.]++)*+\s[^<>]*+|\d[\d:.,]*+)>"
)
_HEADER = lazy(r"[\w-]{1,40}+\s*+[:=].*+")
_VOICE = lazy(r"v(?:\.[^\s.]++)*+\s++(.*)")
_LANGUAGE = lazy(r"(?i)language\s*+:\s*+([\w-]{1,35}+)\s*+")


def read_webvtt(text: str) -> RawTranscript:
    """The cues of a text that begins with `WEBVTT`."""
    raw = RawTranscript(TranscriptFormat.WEBVTT, unit=TimeUnit.CLOCK)
    cues: list[Cue] = []
    blocks = _blocks(text)
    for number, block in enumerate(blocks):
        at = next((i for i, line in enumerate(block) if is_timing(line)), len(block))
        if number == 0:
            named = filter(None, map(_LANGUAGE().fullmatch, block[:at]))
            raw.language = next((language_of(found[1]) for found in named), None)
            head = block[1 : at - 1] if at < len(block) else block[1:]
            loose = [line for line in head if not _HEADER().fullmatch(line)]
        elif _COMMENT().fullmatch(block[0]) and (at > 1 or at == len(block)):
            continue
        else:
            loose = block[: max(0, at - 1)] if at < len(block) else block
        following = blocks[number + 1] if number + 1 < len(blocks) else [""]
        if loose == block and len(block) == 1 and block[0].isdecimal() and is_timing(following[0]):
            continue  # the number of the next cue, with an empty line after it
        _add_loose(cues, loose, raw)
        if at < len(block):
            cue = Cue(*cue_times(block[at], raw))
            cue.lines = _payload(cue, block[at + 1 :])
            cues.append(cue)
    add_cues(raw, cues)
    return raw


def _add_loose(cues: list[Cue], lines: list[str], raw: RawTranscript) -> None:
    """Text after an empty line belongs to the cue before; before the first one it has no time."""
    if not any(line.strip() for line in lines):
        return
    raw.repairs.count(Repair.LOOSE_LINES, cues[-1].start if cues else None, len(lines))
    if not cues:
        cues.append(Cue(None, None))
    cues[-1].lines += _payload(Cue(None, None), lines)


def _blocks(text: str) -> list[list[str]]:
    """Runs of lines without an empty one; a second line of times also begins a block."""
    blocks: list[list[str]] = [[]]
    timed = False
    for line in text.splitlines():
        if not line:
            timed = False
            blocks.append([])
            continue
        if is_timing(line):
            if timed:
                blocks.append([])
            timed = True
        blocks[-1].append(line)
    return [block for block in blocks if block]


def _payload(cue: Cue, lines: list[str]) -> list[CueLine]:
    """The text of a cue, cut where another voice speaks: voices and times hold until the next."""
    found: list[CueLine] = []
    voice: str | None = None
    time = cue.start  # that of the next word: of the words after it only the order is known
    for line in lines:
        found.append(CueLine("", voice))
        at = 0
        for tag in (*_CUE_TAG().finditer(line), None):
            text = unescape(line[at : tag.start() if tag else len(line)])
            found[-1].text += text
            for word in text.split():
                found[-1].words.append(RawWord(word, time, speaker=voice))
                time = None
            if tag is None:
                break
            at = tag.end()
            spoken = _VOICE().fullmatch(tag[1].strip())
            if spoken or tag[1] == "/v":
                voice = label_of(unescape(spoken[1])) if spoken else None
                found.append(CueLine("", voice))
            elif (seconds := clock_seconds(tag[1][:40])) is not None:
                time, found[-1].is_timed = seconds, True
    if any(part.is_timed for part in found):
        _set_ends([word for part in found for word in part.words], cue.end)
    else:
        for part in found:
            part.words = []
    return found


def _set_ends(words: list[RawWord], end: float | None) -> None:
    """A word that is alone between two times lasts from one to the other."""
    is_alone = True
    for word in reversed(words):
        if word.start is None:
            is_alone = False
            continue
        word.end = end if is_alone and end is not None else word.start
        end, is_alone = word.start, True


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


def cue_times(line: str, raw: RawTranscript) -> tuple[float | None, float | None]:
    """The times on both sides of the arrow; what follows the second are settings."""
    before, _, after = line.partition(ARROW)
    times: list[float | None] = []
    for written in (before.strip(), next(iter(after.split()), "")):
        seconds = clock_seconds(written[:40])
        if seconds is None:
            raw.repairs.count(Repair.UNUSABLE_TIME)
        times.append(raw.clock.seconds(seconds))
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
    if 0 < count < len(cue.lines):
        return one_line(cue.lines[count].text) != one_line(cue.lines[count - 1].text)
    return count > 0 and _is_brief(cue)


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

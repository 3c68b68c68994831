"""WebVTT captions (.vtt): https://www.w3.org/TR/webvtt1/, read as leniently as browsers do."""

from __future__ import annotations

from veridical.sources.entities import unescape
from veridical.sources.patterns import lazy
from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.captions import (
    Cue,
    CueLine,
    add_cues,
    cue_times,
    is_timing,
)
from veridical.sources.transcripts.entries import label_of, language_of
from veridical.sources.transcripts.raw import RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock, clock_seconds

_COMMENT = lazy(r"(?:NOTE|STYLE|REGION)(?:\s.*+)?")
_TAG = lazy(
    r"<(/?(?:c|i|b|u|v|lang|ruby|rt)(?:\.[^\s<>.]++)*+(?:(?<=v)\s[^<>]*+|(?<=lang)\s[^<>]*+)?|"
    r"v(?:\.[^\s<>.]++)*+\s[^<>]*+|\d[\d:.,]*+)>"
)
_HEADER = lazy(r"[\w-]{1,40}+\s*+[:=].*+")
_VOICE = lazy(r"v(?:\.[^\s.]++)*+\s++(.*)")
_LANGUAGE = lazy(r"(?i)language\s*+:\s*+([\w-]{1,35}+)\s*+")


def read_webvtt(text: str) -> RawTranscript:
    """The cues of a text that begins with `WEBVTT`."""
    raw = RawTranscript(TranscriptFormat.WEBVTT, unit=TimeUnit.CLOCK)
    clock = Clock(raw.repairs)
    cues: list[Cue] = []
    blocks = _blocks(text)
    for number, block in enumerate(blocks):
        at = next((i for i, line in enumerate(block) if is_timing(line)), len(block))
        if number == 0:
            raw.language = _language(block[:at])
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
            cue = Cue(*cue_times(block[at], clock, raw))
            cue.lines = _Payload(cue).read(block[at + 1 :])
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
    cues[-1].lines += _Payload(Cue(None, None)).read(lines)


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


def _language(header: list[str]) -> str | None:
    found = (_LANGUAGE().fullmatch(line) for line in header)
    return next((language_of(match[1]) for match in found if match), None)


class _Payload:
    """Reads the text of one cue: voices and times in it hold on until the next."""

    def __init__(self, cue: Cue) -> None:
        self._cue = cue
        self._voice: str | None = None
        self._time = cue.start
        self._words: list[RawWord] = []
        self._is_timed = False

    def read(self, lines: list[str]) -> list[CueLine]:
        found: list[CueLine] = []
        for line in lines:
            found += self._line(line)
        if not self._is_timed:
            for part in found:
                part.words = []
        else:
            self._set_ends()
        return found

    def _line(self, line: str) -> list[CueLine]:
        """A line, cut where another voice speaks."""
        parts: list[CueLine] = [CueLine("", self._voice)]
        at = 0
        for tag in _TAG().finditer(line):
            self._text(parts[-1], line[at : tag.start()])
            at = tag.end()
            voice = _VOICE().fullmatch(tag[1].strip())
            if voice or tag[1] == "/v":
                self._voice = label_of(unescape(voice[1])) if voice else None
                parts.append(CueLine("", self._voice))
            elif (seconds := clock_seconds(tag[1][:40])) is not None:
                self._time, self._is_timed = seconds, True
                parts[-1].is_timed = True
        self._text(parts[-1], line[at:])
        return parts

    def _text(self, part: CueLine, markup: str) -> None:
        text = unescape(markup)
        part.text += text
        for index, word in enumerate(text.split()):
            # A time is that of the first word after it: of the others only the order is known.
            entry = RawWord(word, self._time if index == 0 else None, speaker=self._voice)
            part.words.append(entry)
            self._words.append(entry)
        if text.strip():
            self._time = None

    def _set_ends(self) -> None:
        """A word that is alone between two times lasts from one to the other."""
        following = self._cue.end
        is_alone = True
        for word in reversed(self._words):
            if word.start is None:
                is_alone = False
                continue
            word.end = following if is_alone and following is not None else word.start
            following, is_alone = word.start, True

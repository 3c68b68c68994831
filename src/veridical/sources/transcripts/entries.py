"""The entries of a transcript in JSON: whatever their producer calls its fields."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock

START_FIELDS = ("start", "start_time", "startTime")
END_FIELDS = ("end", "end_time", "endTime")
TEXT_FIELDS = ("text", "transcript")
WORD_FIELDS = ("punctuated_word", "word", "text")
SPEAKER_FIELDS = ("speaker", "speaker_id")
CONFIDENCE_FIELDS = ("probability", "score", "confidence", "p")
MAX_LABEL_CHARS = 200

MAX_COMPRESSION = 2.4
MAX_SILENCE = 0.6
MIN_SURENESS = -1.0
"""The limits of Whisper's own decoder: `compression_ratio`, `no_speech_prob`, `avg_logprob`."""


def first_field(entry: dict[str, Any], fields: Iterable[str]) -> Any:
    """The first of `fields` that the entry has, and that is not null."""
    for name in fields:
        value = entry.get(name)
        if value is not None:
            return value
    return None


def listed(value: object) -> list[Any]:
    """A list as it is; anything else is an empty one."""
    return value if isinstance(value, list) else []


def first_text(entry: dict[str, Any], fields: Iterable[str]) -> str | None:
    """The first of `fields` that holds text; an empty one only where no other is filled."""
    texts = [value for name in fields if isinstance(value := entry.get(name), str)]
    return next((text for text in texts if text and not text.isspace()), next(iter(texts), None))


def label_of(value: object) -> str | None:
    """A speaker's label as written; numbers become their digits, nothing becomes None."""
    if type(value) is int and abs(value) < 10**9:
        return str(value)
    if not isinstance(value, str):
        return None
    return " ".join(value[:MAX_LABEL_CHARS].split()) or None


def language_of(value: object) -> str | None:
    """The language as the file names it ("en", "english"), or None."""
    return label_of(value) if isinstance(value, str) else None


def read_words(entries: object, raw: RawTranscript, clock: Clock) -> list[RawWord]:
    """The words of a list; what is not one is left out and counted."""
    if not isinstance(entries, list):
        if entries is not None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
        return []
    words: list[RawWord] = []
    for entry in entries:
        text = first_text(entry, WORD_FIELDS) if isinstance(entry, dict) else None
        if text is None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
        elif text and not text.isspace():
            start, end = read_times(entry, clock)
            confidence = confidence_of(first_field(entry, CONFIDENCE_FIELDS))
            speaker = label_of(first_field(entry, SPEAKER_FIELDS))
            words.append(RawWord(text, start, end, confidence, speaker))
    return words


def read_segments(entries: list[Any], raw: RawTranscript, clock: Clock) -> list[RawSegment]:
    """The segments of a list, with their words; what is not one is left out and counted."""
    segments: list[RawSegment] = []
    for entry in entries:
        text = first_text(entry, TEXT_FIELDS) if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or (text is None and not entry.get("words")):
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        start, end = read_times(entry, clock)
        speaker = label_of(first_field(entry, SPEAKER_FIELDS))
        words = read_words(entry.get("words"), raw, clock)
        doubtful = _is_doubtful(entry)
        segments.append(RawSegment(text or "", start, end, speaker, words, doubtful))
    return segments


def _is_doubtful(entry: dict[str, Any]) -> bool:
    """Whether Whisper's own limits say that it went round in circles, or heard no speech."""
    compression, silence, sureness = (
        value if type(value) is float or type(value) is int else 0
        for value in map(entry.get, ("compression_ratio", "no_speech_prob", "avg_logprob"))
    )
    return compression > MAX_COMPRESSION or (silence > MAX_SILENCE and sureness < MIN_SURENESS)


def read_times(entry: dict[str, Any], clock: Clock) -> tuple[float | None, float | None]:
    """Start and end of an entry: two fields, a pair (`timestamp`), or a start and a `duration`."""
    start, end = entry.get("start"), entry.get("end")
    if start is None or end is None:
        start, end = first_field(entry, START_FIELDS), first_field(entry, END_FIELDS)
        pair = entry.get("timestamp")
        if start is None and isinstance(pair, list) and len(pair) == 2:
            start, end = pair
    first, last = clock.seconds(start), clock.seconds(end)
    if first is not None:
        if end is None:
            duration = clock.seconds(entry.get("duration"))
            last = None if duration is None else first + duration
        clock.near = first
    return first, last


def confidence_of(value: object) -> float | None:
    """A probability from 0 to 1; None for anything else."""
    if type(value) is not float and type(value) is not int:
        return None
    return float(value) if 0 <= value <= 1 else None

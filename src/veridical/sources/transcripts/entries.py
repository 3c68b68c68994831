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


def first_field(entry: dict[str, Any], fields: Iterable[str]) -> Any:
    """The first of `fields` that the entry has, and that is not null."""
    for name in fields:
        value = entry.get(name)
        if value is not None:
            return value
    return None


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
        text = first_field(entry, WORD_FIELDS) if isinstance(entry, dict) else None
        if not isinstance(text, str):
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
        text = first_field(entry, TEXT_FIELDS) if isinstance(entry, dict) else None
        if not isinstance(entry, dict) or not (isinstance(text, str) or entry.get("words")):
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        start, end = read_times(entry, clock)
        speaker = label_of(first_field(entry, SPEAKER_FIELDS))
        words = read_words(entry.get("words"), raw, clock)
        segments.append(
            RawSegment(text if isinstance(text, str) else "", start, end, speaker, words)
        )
    return segments


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

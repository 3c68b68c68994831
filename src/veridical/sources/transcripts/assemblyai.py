"""Transcripts of AssemblyAI: whole milliseconds, `utterances` with speakers, `words`."""

from __future__ import annotations

from typing import Any

from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.entries import (
    language_of,
    listed,
    read_segments,
    read_words,
)
from veridical.sources.transcripts.raw import RawTranscript
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock

_PARTS = ("utterances", "sentences", "paragraphs")
_MARKS = (
    "audio_duration",
    "audio_url",
    "acoustic_model",
    "language_code",
    "language_model",
    "speech_model",
    "status",
)
_SAMPLE = 20


def is_assemblyai(data: dict[str, Any]) -> bool:
    """Whether words and utterances are as this service writes them, in whole milliseconds."""
    entries = [
        entry
        for name in ("words", *_PARTS)
        if isinstance(data.get(name), list)
        for entry in data[name][:_SAMPLE]
        if isinstance(entry, dict)
    ]
    if "segments" in data or not all(is_millisecond_entry(entry) for entry in entries):
        return False
    marked = any(name in data for name in _MARKS)
    return marked if not entries else marked or all("confidence" in entry for entry in entries)


def is_millisecond_entry(entry: dict[str, Any]) -> bool:
    """Whether a word or utterance may be of this service: `text`, and times that are integers."""
    times = (entry.get("start"), entry.get("end"))
    return isinstance(entry.get("text"), str) and all(type(time) is int for time in times)


def read_assemblyai(data: dict[str, Any]) -> RawTranscript:
    """The utterances, sentences or paragraphs, whichever is there first, else the words."""
    raw = RawTranscript(TranscriptFormat.ASSEMBLYAI, unit=TimeUnit.MILLISECONDS)
    clock = Clock(raw.repairs, TimeUnit.MILLISECONDS)
    parts = (data.get(name) for name in _PARTS)
    entries = next((part for part in parts if isinstance(part, list) and part), None)
    if entries is not None:
        raw.segments = read_segments(entries, raw, clock)
    if not any(segment.words for segment in raw.segments):
        raw.words = read_words(data.get("words"), raw, clock)
    elif len(listed(data.get("words"))) > sum(len(segment.words) for segment in raw.segments):
        # The parts lack something: the words of the whole have it, and their speakers too.
        words = read_words(data["words"], raw, clock)
        more = len(words) - sum(len(segment.words) for segment in raw.segments)
        raw.repairs.count(Repair.FULLER_WORDS, None, more)
        raw.segments, raw.words = [], words
    raw.language = language_of(data.get("language_code"))
    text = data.get("text")
    raw.text = text if isinstance(text, str) else ""
    return raw

"""Transcripts of Whisper in its many homes: `segments` with text, words in them or beside them."""

from __future__ import annotations

from typing import Any

from veridical.sources.transcript import TimeUnit, TranscriptFormat
from veridical.sources.transcripts.entries import (
    confidence_of,
    label_of,
    language_of,
    listed,
    read_segments,
    read_words,
)
from veridical.sources.transcripts.raw import RawSegment, RawTranscript, RawWord
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock

_DECODER_FIELDS = ("seek", "tokens", "avg_logprob", "no_speech_prob")
_SAMPLE = 100


def read_whisper(data: dict[str, Any]) -> RawTranscript:
    """An object with `segments`, `words`, `word_segments` or `text` at its top."""
    segments = data.get("segments")
    entries = segments if isinstance(segments, list) else []
    raw = RawTranscript(whisper_kind(data, entries))
    clock = Clock(raw.repairs)
    raw.segments = read_segments(entries, raw, clock)
    if not any(segment.words for segment in raw.segments):
        beside = data.get("words")
        raw.words = read_words(data.get("word_segments") if beside is None else beside, raw, clock)
    info = data.get("info")
    named = data.get("language") or (info.get("language") if isinstance(info, dict) else None)
    raw.language = language_of(named)
    text = data.get("text")
    raw.text = text if isinstance(text, str) else ""
    return raw


def whisper_kind(data: dict[str, Any], entries: list[Any]) -> TranscriptFormat:
    """Which program wrote it, by the fields that only that one writes."""
    sample = [entry for entry in entries[:_SAMPLE] if isinstance(entry, dict)]
    words = [word for entry in sample for word in listed(entry.get("words"))]
    fields = {name for word in words[:_SAMPLE] if isinstance(word, dict) for name in word}
    segment_fields = {name for entry in sample for name in entry}
    if "word_segments" in data or "score" in fields:
        return TranscriptFormat.WHISPERX
    if "confidence" in fields and "text" in fields:
        return TranscriptFormat.WHISPER_TIMESTAMPED
    if "info" in data:
        return TranscriptFormat.FASTER_WHISPER
    if (
        "words" in data
        or not {"task", "duration", "usage"}.isdisjoint(data)
        or (not entries and "text" in data)
    ):
        return TranscriptFormat.OPENAI
    if "probability" in fields or not segment_fields.isdisjoint(_DECODER_FIELDS):
        return TranscriptFormat.WHISPER
    return TranscriptFormat.UTTERANCES


def read_segment_list(entries: list[Any]) -> RawTranscript:
    """A list of segments alone, as programs write that collect what faster-whisper yields."""
    raw = RawTranscript(TranscriptFormat.FASTER_WHISPER)
    raw.segments = read_segments(entries, raw, Clock(raw.repairs))
    return raw


def is_decoded(entry: dict[str, Any]) -> bool:
    """Whether a segment has what only a Whisper decoder knows of it."""
    words = [word for word in listed(entry.get("words")) if isinstance(word, dict)]
    return any(name in entry for name in _DECODER_FIELDS) or (
        bool(words) and "probability" in words[0]
    )


def read_whisper_cpp(data: dict[str, Any]) -> RawTranscript:
    """An object with `transcription`, as whisper.cpp writes it; tokens are there with `-ojf`."""
    raw = RawTranscript(TranscriptFormat.WHISPER_CPP, unit=TimeUnit.MILLISECONDS)
    clock = Clock(raw.repairs, TimeUnit.MILLISECONDS)
    for place in ("result", "params"):
        part = data.get(place)
        if raw.language is None and isinstance(part, dict):
            raw.language = language_of(part.get("language"))
    for entry in data["transcription"]:
        text = entry.get("text") if isinstance(entry, dict) else None
        if not isinstance(text, str):
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        start, end = _offsets(entry, clock)
        speaker = label_of(entry.get("speaker"))
        words = _whole_words(listed(entry.get("tokens")), clock)
        raw.segments.append(RawSegment(text, start, end, speaker, words))
    return raw


def _offsets(entry: dict[str, Any], clock: Clock) -> tuple[float | None, float | None]:
    """`offsets` in milliseconds, or else `timestamps` as a clock shows them."""
    for field in ("offsets", "timestamps"):
        times = entry.get(field)
        if isinstance(times, dict):
            return clock.seconds(times.get("from")), clock.seconds(times.get("to"))
    return None, None


def _whole_words(tokens: list[Any], clock: Clock) -> list[RawWord]:
    """Words from the pieces that whisper.cpp writes: a piece without a space belongs to the last.

    A word is as sure as its least sure piece.
    """
    words: list[RawWord] = []
    for token in tokens:
        text = token.get("text") if isinstance(token, dict) else None
        if not isinstance(text, str) or not text or text.startswith("[_"):
            continue
        start, end = _offsets(token, clock)
        confidence = confidence_of(token.get("p"))
        if words and text.isascii() and not text[0].isspace():
            last = words[-1]
            last.text += text
            last.end = end if end is not None else last.end
            if confidence is not None and last.confidence is not None:
                last.confidence = min(confidence, last.confidence)
        else:
            words.append(RawWord(text, start, end, confidence))
    return words

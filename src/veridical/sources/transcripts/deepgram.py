"""Transcripts of Deepgram: `results` with `channels`, and `utterances` if they were asked for."""

from __future__ import annotations

from typing import Any

from veridical.sources.transcript import TranscriptFormat
from veridical.sources.transcripts.entries import language_of, read_segments, read_words
from veridical.sources.transcripts.group import group_words
from veridical.sources.transcripts.raw import RawSegment, RawTranscript
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock


def read_deepgram(data: dict[str, Any]) -> RawTranscript:
    """The utterances where there are any, else the words of each channel's best alternative.

    Several channels are several speakers: "channel 0", "channel 1".
    """
    results = data["results"]
    raw = RawTranscript(TranscriptFormat.DEEPGRAM)
    clock = Clock(raw.repairs)
    utterances = _listed(results.get("utterances"))
    numbers = {_channel(entry) for entry in utterances} - {None}
    for entry in utterances:
        spoken = read_segments([entry], raw, clock)
        if len(numbers) > 1:
            _label_channel(spoken, _channel(entry))
        raw.segments += spoken
    entries = _listed(results.get("channels"))
    found: list[RawSegment] = []
    for number, channel in enumerate(entries):
        best = _best(channel)
        if best is None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        named = channel.get("detected_language") or next(iter(_listed(best.get("languages"))), None)
        raw.language = raw.language or language_of(named)
        if not raw.segments:
            label = f"channel {number}" if len(entries) > 1 else None
            found += _channel_segments(best, label, raw, clock)
    raw.segments = raw.segments or found
    return raw


def _best(channel: object) -> dict[str, Any] | None:
    alternatives = channel.get("alternatives") if isinstance(channel, dict) else None
    best = alternatives[0] if isinstance(alternatives, list) and alternatives else None
    return best if isinstance(best, dict) else None


def _channel_segments(
    best: dict[str, Any], label: str | None, raw: RawTranscript, clock: Clock
) -> list[RawSegment]:
    words = read_words(best.get("words"), raw, clock)
    text = best.get("transcript")
    if not words:
        return [RawSegment(text, speaker=label)] if isinstance(text, str) and text else []
    if label is not None:
        for word in words:
            word.speaker = _combined(label, word.speaker)
    return group_words(words, raw.repairs)


def _channel(entry: object) -> int | None:
    number = entry.get("channel") if isinstance(entry, dict) else None
    return number if type(number) is int else None


def _label_channel(segments: list[RawSegment], number: int | None) -> None:
    for segment in segments:
        segment.speaker = _combined(f"channel {number}", segment.speaker)
        for word in segment.words:
            word.speaker = _combined(f"channel {number}", word.speaker)


def _combined(label: str, speaker: str | None) -> str:
    return label if speaker is None else f"{label}, speaker {speaker}"


def _listed(value: object) -> list[Any]:
    return value if isinstance(value, list) else []

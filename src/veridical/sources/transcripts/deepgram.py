"""Transcripts of Deepgram: `results` with `channels`, and `utterances` if they were asked for."""

from __future__ import annotations

from typing import Any

from veridical.sources.transcript import TranscriptFormat
from veridical.sources.transcripts.entries import language_of, listed, read_segments, read_words
from veridical.sources.transcripts.fuller import segments_of_text
from veridical.sources.transcripts.group import group_words
from veridical.sources.transcripts.keys import keys_of, keys_of_word
from veridical.sources.transcripts.raw import RawSegment, RawTranscript
from veridical.sources.transcripts.repairs import Repair
from veridical.sources.transcripts.seconds import Clock


def read_deepgram(data: dict[str, Any]) -> RawTranscript:
    """The utterances where they have all that was said, else each channel's best alternative.

    Several channels are several speakers: "channel 0", "channel 1".
    """
    results = data["results"]
    raw = RawTranscript(TranscriptFormat.DEEPGRAM)
    clock = Clock(raw.repairs)
    utterances = listed(results.get("utterances"))
    numbers = {_channel(entry) for entry in utterances} - {None}
    for entry in utterances:
        spoken = read_segments([entry], raw, clock)
        if len(numbers) > 1:
            _label_channel(spoken, _channel(entry))
        raw.segments += spoken
    found = _channels(listed(results.get("channels")), raw)
    missing = _tokens(found) - _tokens(raw.segments)
    if missing > 0:
        if raw.segments:
            raw.repairs.count(Repair.FULLER_WORDS, None, missing)
        raw.segments = found
    return raw


def _channels(entries: list[Any], raw: RawTranscript) -> list[RawSegment]:
    """What the channels say, in order of time."""
    clock = Clock(raw.repairs)
    found: list[list[RawSegment]] = []
    for number, channel in enumerate(entries):
        best = _best(channel)
        if best is None:
            raw.repairs.count(Repair.NOT_AN_ENTRY)
            continue
        named = channel.get("detected_language") or next(iter(listed(best.get("languages"))), None)
        raw.language = raw.language or language_of(named)
        label = f"channel {number}" if len(entries) > 1 else None
        found.append(_channel_segments(best, label, raw, clock))
    if len(found) < 2:
        return found[0] if found else []
    return _merged(found)


def _merged(channels: list[list[RawSegment]]) -> list[RawSegment]:
    """The segments of channels that were recorded side by side; each of them keeps its order."""
    keyed = []
    for number, segments in enumerate(channels):
        latest = 0.0
        for segment in segments:
            starts = [w.start for w in segment.words if w.start is not None]
            latest = max([latest, *starts[:1]])
            keyed.append((latest, number, segment))
    keyed.sort(key=lambda item: item[:2])
    return [segment for _, _, segment in keyed]


def _tokens(segments: list[RawSegment]) -> int:
    return sum(
        max(
            len(keys_of(segment.text).keys),
            sum(len(keys_of_word(word.text).keys) for word in segment.words),
        )
        for segment in segments
    )


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
    if isinstance(text, str) and text.strip():
        segments = segments_of_text(text, words, raw.repairs)
        if segments is not None:
            return segments
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

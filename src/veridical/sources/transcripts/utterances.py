"""Utterances in JSON or JSON Lines: `start`, `end`, `speaker`, `text`; times are seconds."""

from __future__ import annotations

from typing import Any

from veridical.sources.transcript import TranscriptFormat
from veridical.sources.transcripts.entries import (
    START_FIELDS,
    TEXT_FIELDS,
    first_field,
    language_of,
    read_segments,
    read_words,
)
from veridical.sources.transcripts.raw import RawTranscript
from veridical.sources.transcripts.seconds import Clock

LISTS = ("utterances", "segments", "chunks")
"""Under which names an object holds its utterances."""


def read_utterances(entries: list[Any], language: object = None) -> RawTranscript:
    """A list of utterances, or of single words (`word`, `start`, `end`)."""
    raw = RawTranscript(TranscriptFormat.UTTERANCES, language=language_of(language))
    clock = Clock(raw.repairs)
    if entries and isinstance(entries[0], dict) and "word" in entries[0]:
        raw.words = read_words(entries, raw, clock)
    else:
        raw.segments = read_segments(entries, raw, clock)
    return raw


def is_utterance(entry: object) -> bool:
    """Whether an entry says what was said and when: `text` (or `word`), and a start."""
    if not isinstance(entry, dict):
        return False
    text = first_field(entry, (*TEXT_FIELDS, "word"))
    start = first_field(entry, (*START_FIELDS, "timestamp"))
    return isinstance(text, str) and isinstance(start, int | float | list)

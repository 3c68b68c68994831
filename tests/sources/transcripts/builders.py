"""Small transcripts in the shapes of their producers, and what must hold of every one."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from typing import Any

from veridical.sources.transcript import Transcript
from veridical.sources.transcripts.loader import transcript_from_text


def read(source: object) -> Transcript:
    """The transcript in a text, or in the JSON of anything else."""
    text = source if isinstance(source, str) else json.dumps(source)
    transcript = transcript_from_text(text)
    check(transcript)
    return transcript


def said(transcript: Transcript) -> list[tuple[str, float | None, float | None]]:
    """The words with their times."""
    return [
        (transcript.text[word.span.start : word.span.end], word.start, word.end)
        for word in transcript.words
    ]


def spoken(transcript: Transcript) -> list[tuple[str, float | None, float | None, str | None]]:
    """The segments with their times and speakers."""
    return [
        (transcript.text[part.span.start : part.span.end], part.start, part.end, part.speaker)
        for part in transcript.segments
    ]


def check(transcript: Transcript) -> None:
    """What every reader promises of places and times."""
    text, segments = transcript.text, transcript.segments
    for parts in (transcript.words, segments):
        for part in parts:
            assert 0 <= part.span.start < part.span.end <= len(text)
            piece = text[part.span.start : part.span.end]
            assert piece == piece.strip()
            assert (part.start is None) == (part.end is None)
            if part.start is not None and part.end is not None:
                assert math.isfinite(part.start)
                assert math.isfinite(part.end)
                assert 0 <= part.start <= part.end
        for before, after in pairwise(parts):
            assert before.span.end <= after.span.start
    index = 0
    for word in transcript.words:
        while segments[index].span.end < word.span.end:
            index += 1
        assert segments[index].span.start <= word.span.start
        assert word.confidence is None or 0 <= word.confidence <= 1
    for segment in segments:
        timed = [word.start for word in transcript.words_in(segment.span) if word.start is not None]
        assert timed == sorted(timed)
    gaps = [text[a.span.end : b.span.start] for a, b in pairwise(segments)]
    for gap, before, after in zip(gaps, segments, segments[1:], strict=False):
        assert gap == (" " if before.speaker == after.speaker else "\n\n")
    starts = [segment.start for segment in segments if segment.start is not None]
    assert starts == sorted(starts)
    assert transcript.warnings == tuple(dict.fromkeys(transcript.warnings))
    assert all(len(warning) < 200 for warning in transcript.warnings)


def timed(
    text: str, *, field: str = "word", step: float = 0.5, **more: Any
) -> list[dict[str, Any]]:
    """One entry for each word of `text`, half a second apart."""
    return [
        {field: word, "start": round(i * step, 3), "end": round(i * step + step * 0.8, 3), **more}
        for i, word in enumerate(text.split())
    ]

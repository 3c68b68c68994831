"""Who speaks where: a transcript cut into turns, each the words of one speaker in a row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from veridical.sources.document import Span
from veridical.sources.transcript import Segment, Transcript, Word
from veridical.text.spoken import SpokenTokens, spoken_tokens


@dataclass(frozen=True, slots=True)
class Part:
    """A segment, or what one speaker says of it. Times are seconds, None where not known."""

    span: Span
    start: float | None
    end: float | None
    speaker: str | None


@dataclass(frozen=True, slots=True)
class Turn:
    """Parts of one speaker that follow each other. `span` runs from the first to the last."""

    span: Span
    parts: tuple[Part, ...]


def turns(transcript: Transcript, label: str | None = None) -> tuple[Turn, ...]:
    """The turns in order of the text; with `label`, only those of the speaker labelled so."""
    found = []
    for speaker, group in groupby(_parts(transcript), key=lambda part: part.speaker):
        parts = tuple(group)
        if label is None or speaker == label:
            found.append(Turn(Span(parts[0].span.start, parts[-1].span.end), parts))
    return tuple(found)


def tokens_of_turns(
    transcript: Transcript, spoken: tuple[Turn, ...]
) -> tuple[SpokenTokens, tuple[range, ...]]:
    """The tokens of the whole text, and of each turn the indices of those that lie inside it."""
    tokens = spoken_tokens(transcript.text)
    ranges, at = [], 0
    for turn in spoken:
        while at < len(tokens) and tokens.starts[at] < turn.span.start:
            at += 1
        first = at
        while at < len(tokens) and tokens.ends[at] <= turn.span.end:
            at += 1
        ranges.append(range(first, at))
    return tokens, tuple(ranges)


def _parts(transcript: Transcript) -> Iterator[Part]:
    if transcript.segments:
        for segment in transcript.segments:
            yield from _of_segment(segment, transcript.words_in(segment.span))
    elif transcript.words:
        for label, group in groupby(transcript.words, key=lambda word: word.speaker):
            yield _of_words(tuple(group), label)
    elif transcript.text:
        yield Part(Span(0, len(transcript.text)), None, None, None)


def _of_segment(segment: Segment, words: tuple[Word, ...]) -> Iterator[Part]:
    """The segment as it is, or cut where its words are said by different speakers."""
    said_by = {word.speaker or segment.speaker for word in words}
    if len(said_by) <= 1:
        speaker = next(iter(said_by), segment.speaker)
        yield Part(segment.span, segment.start, segment.end, speaker)
        return
    for label, group in groupby(words, key=lambda word: word.speaker or segment.speaker):
        yield _of_words(tuple(group), label)


def _of_words(words: tuple[Word, ...], speaker: str | None) -> Part:
    span = Span(words[0].span.start, words[-1].span.end)
    start = next((word.start for word in words if word.start is not None), None)
    end = next((word.end for word in reversed(words) if word.end is not None), None)
    return Part(span, start, end, speaker)

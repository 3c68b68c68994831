"""Transcripts for tests, built by hand: words with times, segments only, or no times at all."""

from __future__ import annotations

from collections.abc import Sequence

from veridical.sources.document import Format, Span
from veridical.sources.transcript import Segment, Transcript, Word

SENTENCES = [
    "When I was nine my mother gave me a broken radio.",
    "I took it apart on the kitchen table that same night.",
    "What would you have done with a box of loose parts?",
    "I learned that most things want to be mended, not replaced.",
    "So this week, take one broken thing and open it up.",
    "You will find that nothing inside it is magic.",
]
"""A short talk, sentence by sentence."""

Timed = tuple[str, float | None, float | None]
Sentence = tuple[float | None, float | None, str, str | None]


def transcript(
    words: Sequence[Timed], *, language: str | None = "en", speaker: str | None = None
) -> Transcript:
    """One segment of these words: `(word, start, end)` each, joined by single spaces."""
    placed: list[Word] = []
    at = 0
    for text, start, end in words:
        placed.append(Word(Span(at, at + len(text)), start, end, speaker=speaker))
        at += len(text) + 1
    text = " ".join(word for word, _, _ in words)
    starts = [start for _, start, _ in words if start is not None]
    ends = [end for _, _, end in words if end is not None]
    segment = Segment(
        Span(0, len(text)), min(starts, default=None), max(ends, default=None), speaker
    )
    return Transcript(
        name="talk",
        text=text,
        format=Format.TRANSCRIPT,
        words=tuple(placed),
        segments=(segment,) if text else (),
        language=language,
    )


def from_sentences(
    sentences: Sequence[Sentence],
    *,
    words: bool | Sequence[bool] = True,
    language: str | None = "en",
) -> Transcript:
    """A segment of each `(start, end, text, speaker)`, a blank line where the speaker changes.

    With `words` the words of a segment have times, spread evenly over it; a list says so for each
    segment. Both times None: a segment without times.
    """
    text = ""
    segments: list[Segment] = []
    placed: list[Word] = []
    timed = [words] * len(sentences) if isinstance(words, bool) else list(words)
    for (start, end, said, speaker), with_words in zip(sentences, timed, strict=True):
        if segments:
            text += " " if segments[-1].speaker == speaker else "\n\n"
        span = Span(len(text), len(text) + len(said))
        text += said
        segments.append(Segment(span, start, end, speaker))
        if with_words and start is not None and end is not None:
            placed.extend(_spread(said, span.start, start, end, speaker))
    return Transcript(
        name="talk",
        text=text,
        format=Format.TRANSCRIPT,
        words=tuple(placed),
        segments=tuple(segments),
        language=language,
    )


def plain(text: str, *, language: str | None = "en") -> Transcript:
    """A text without any time."""
    return from_sentences([(None, None, text, None)], language=language)


def _spread(said: str, at: int, start: float, end: float, speaker: str | None) -> list[Word]:
    pieces = said.split(" ")
    step = (end - start) / len(pieces)
    placed = []
    for index, piece in enumerate(pieces):
        span = Span(at, at + len(piece))
        placed.append(Word(span, start + index * step, start + (index + 1) * step, None, speaker))
        at += len(piece) + 1
    return placed

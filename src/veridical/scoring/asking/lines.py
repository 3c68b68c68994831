"""A transcript in lines, as a model is shown it: the second, who speaks, and what is said."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from veridical.sources.transcript import Transcript
from veridical.text.turns import Part, turns

LINE_CHARS = 400
"""About where longer parts are cut, so that no quote is far from the second of its line."""

_MOST_LINE_CHARS = 500

_LABEL_CHARS = 100
_MARKS = re.compile("<{3,}|>{3,}")


@dataclass(frozen=True, slots=True)
class Line:
    """What one speaker says without a break. `start` and `end` are seconds, None where unknown."""

    said: str
    speaker: str | None
    start: float | None
    end: float | None

    @property
    def shown(self) -> str:
        """The line with its second and its speaker."""
        mark = "" if self.start is None else f"[{self.start:.1f}] "
        label = "" if self.speaker is None else f"{self.speaker}: "
        return f"{mark}{label}{self.said}"


def as_data(text: str) -> str:
    """The text without the marks that a stretch of data begins and ends with."""
    return _MARKS.sub(" ", text)


def lines_of(transcript: Transcript) -> tuple[Line, ...]:
    """The transcript, whole and in order.

    A line is a part of a turn. A long part is cut where words have times, and then at spaces: what
    follows has the second of what it was cut from, as the transcript says no more.
    """
    return tuple(
        line
        for turn in turns(transcript)
        for part in turn.parts
        for line in _of_part(transcript, part)
    )


def _of_part(transcript: Transcript, part: Part) -> Iterator[Line]:
    label = None if part.speaker is None else _one_line(part.speaker)[:_LABEL_CHARS]
    for text, start, end in _timed_pieces(transcript, part):
        for piece in _short_pieces(_one_line(text)):
            yield Line(piece, label or None, start, end)


def _timed_pieces(
    transcript: Transcript, part: Part
) -> Iterator[tuple[str, float | None, float | None]]:
    """The part cut before words with times of their own: text, start and end of each piece."""
    at, start = part.span.start, part.start
    for word in transcript.words_in(part.span):
        if word.start is not None and word.span.start - at >= LINE_CHARS:
            yield transcript.text[at : word.span.start], start, word.start
            at, start = word.span.start, word.start
    yield transcript.text[at : part.span.end], start, part.end


def _short_pieces(said: str) -> Iterator[str]:
    """The text cut at spaces, or where there are none, into pieces of `_MOST_LINE_CHARS`."""
    at = 0
    while len(said) - at > _MOST_LINE_CHARS:
        space = said.find(" ", at + LINE_CHARS, at + _MOST_LINE_CHARS)
        end = space if space >= 0 else at + _MOST_LINE_CHARS
        yield said[at:end].strip()
        at = end
    if said[at:].strip():
        yield said[at:].strip()


def _one_line(text: str) -> str:
    return " ".join(as_data(text).split())

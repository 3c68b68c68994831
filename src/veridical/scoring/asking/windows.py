"""Which minutes of a transcript a model is shown, where it cannot be shown all of them."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby
from string import ascii_letters
from threading import Lock
from typing import TYPE_CHECKING

from veridical.scoring.rubric import Criterion, Section
from veridical.scoring.scorecard import TimeRange
from veridical.sources.transcript import Transcript, clock
from veridical.text.turns import Part, turns

if TYPE_CHECKING:
    from veridical.retrieval.corpus import SemanticIndex
    from veridical.retrieval.lexical import LexicalIndex

# A transcript in lines, as a model is shown it: the second, who speaks, and what is said.


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


LEAST_TRANSCRIPT_TOKENS = 2_000
"""Room for less of a transcript is no room: about five minutes of speech, as estimated here."""

_STRETCH_TOKENS = 300
"""About the size of a stretch that is shown or left out as a whole: most of a minute."""

_GAP_TOKENS = 24
"""What the line costs that says what is not shown."""

_PLAIN = (ascii_letters + " ").encode()
_PLAIN_PER_TOKEN = 3
_BYTES_PER_TOKEN = 2


def estimated_tokens(text: str) -> int:
    """About how many tokens a text has, and rather too many.

    A token for three letters or spaces, for each digit and sign, and for two bytes of any other
    character. For the sample transcripts that is five quarters of what a vocabulary of 32,000
    tokens needs, which spells numbers out digit by digit; larger ones need less.
    """
    encoded = text.encode("utf-8", "replace")
    signs = len(encoded.translate(None, _PLAIN))
    others = 0 if text.isascii() else sum(byte > 127 for byte in encoded)
    plain = len(encoded) - signs
    return (
        math.ceil(plain / _PLAIN_PER_TOKEN) + signs - others + math.ceil(others / _BYTES_PER_TOKEN)
    )


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The lines that are shown, with a line for each gap between them.

    `omitted` are the times of the gaps, in seconds, as far as the transcript has times;
    `lines_left_out` counts the lines in them, 0 where all are shown.
    """

    text: str
    omitted: tuple[TimeRange, ...] = ()
    lines_left_out: int = 0


class Windows:
    """The lines of one transcript, and the choice among them. Usable from several threads."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.lines = tuple(lines)
        self._lock = Lock()

    @cached_property
    def whole(self) -> str:
        """All lines."""
        return "\n".join(line.shown for line in self.lines)

    @cached_property
    def tokens(self) -> int:
        """About how many tokens all lines have."""
        return estimated_tokens(self.whole)

    def excerpt(self, section: Section, tokens: int) -> Excerpt:
        """What fits into that many tokens (`LEAST_TRANSCRIPT_TOKENS` or more) of what bears most
        on the criteria of a section, in order of time; the whole where that fits.

        Each criterion in turn has its next best stretch shown, with those before and after it.
        """
        if self.tokens <= tokens:
            return Excerpt(self.whole)
        with self._lock:
            rankings = [self._ranking(_query(section, c)) for c in section.criteria]
            return self._shown(self._chosen(rankings, tokens))

    def _ranking(self, query: str) -> list[int]:
        """All stretches, the best for a query first: by words and by subject, the ranks fused."""
        import numpy as np

        from veridical.retrieval.hybrid import RANK_OFFSET, SEMANTIC_WEIGHT
        from veridical.retrieval.terms import terms

        lexical = self._lexical.scores(terms(query))
        semantic = self._semantic.scores([query])[0]
        fused = np.zeros(len(self._stretches))
        for scores, weight in ((lexical, 1.0), (semantic, SEMANTIC_WEIGHT)):
            order = np.argsort(-scores, kind="stable")
            shares = weight / (RANK_OFFSET + np.arange(1, len(order) + 1))
            fused[order] += np.where(scores[order] > 0, shares, 0.0)
        ranked: list[int] = np.argsort(-fused, kind="stable").tolist()
        return ranked

    def _chosen(self, rankings: Sequence[Sequence[int]], tokens: int) -> set[int]:
        """Stretches for that many tokens, from each ranking in turn."""
        costs = [
            _GAP_TOKENS + sum(estimated_tokens(line.shown) + 1 for line in stretch)
            for stretch in self._stretches
        ]
        least, left = min(costs), tokens - _GAP_TOKENS
        chosen: set[int] = set()
        for best in chain.from_iterable(zip(*rankings, strict=True)):
            for index in (best, best - 1, best + 1):
                if index not in chosen and 0 <= index < len(costs) and costs[index] <= left:
                    chosen.add(index)
                    left -= costs[index]
                if best not in chosen:
                    break
            if left < least:
                break
        return chosen

    def _shown(self, chosen: set[int]) -> Excerpt:
        shown: list[str] = []
        omitted: list[TimeRange] = []
        left_out = 0
        numbered = enumerate(self._stretches)
        for is_shown, group in groupby(numbered, key=lambda entry: entry[0] in chosen):
            lines = list(chain.from_iterable(stretch for _, stretch in group))
            if is_shown:
                shown += [line.shown for line in lines]
                continue
            left_out += len(lines)
            times = [t for line in lines for t in (line.start, line.end) if t is not None]
            what = "a part of the recording"
            if times:
                gap = TimeRange(min(times), max(times))
                omitted.append(gap)
                what = f"{clock(gap.start)} to {clock(gap.end)}"
            shown.append(f"[... {what} is not shown ...]")
        return Excerpt("\n".join(shown), tuple(omitted), left_out)

    @cached_property
    def _stretches(self) -> tuple[tuple[Line, ...], ...]:
        return tuple(_stretches(self.lines))

    @cached_property
    def _texts(self) -> list[str]:
        return [
            " ".join(f"{line.speaker or ''} {line.said}" for line in stretch)
            for stretch in self._stretches
        ]

    @cached_property
    def _lexical(self) -> LexicalIndex:
        from veridical.retrieval.lexical import LexicalIndex

        return LexicalIndex(self._texts)

    @cached_property
    def _semantic(self) -> SemanticIndex:
        from veridical.matching.embeddings import default_embedder
        from veridical.retrieval.corpus import SemanticIndex

        return SemanticIndex(self._texts, default_embedder())


def _stretches(lines: Sequence[Line]) -> Iterator[tuple[Line, ...]]:
    """Lines that follow each other, a little more than `_STRETCH_TOKENS` of them at most."""
    stretch: list[Line] = []
    size = 0
    for line in lines:
        stretch.append(line)
        size += estimated_tokens(line.shown)
        if size >= _STRETCH_TOKENS:
            yield tuple(stretch)
            stretch, size = [], 0
    if stretch:
        yield tuple(stretch)


def _query(section: Section, criterion: Criterion) -> str:
    """Everything that the rubric says of what to look for."""
    return " ".join((section.title, *criterion.texts())).replace("_", " ")

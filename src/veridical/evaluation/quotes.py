"""The `Quote: "…" [n]` lines of an answer, and whether their words stand in source n.

White space is all that is normalised: every run of Unicode white space counts as one space, and
none at the ends. A changed digit, case, dash or quotation mark makes a quote another one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from veridical.retrieval.shown import collapse
from veridical.validation.schema_errors import shorten

# Bracket-style citations in a response: `[1]`, `[1, 2]`, `[1][2]`, `[1]-[3]`, `[1-3]`.


MAX_RANGE = 100
"""A longer range is read as its two ends: no response has that many citations."""

_DIGITS = 9
"""Digits that are read of a number. A longer one cites nothing either way."""

_DASH = "[-\u2010-\u2014\u2212]"
_PART = rf"[0-9]+(?:\s?{_DASH}\s?[0-9]+)?"
_GROUP = rf"\[\s*(?:{_PART})(?:\s*[,;]\s*(?:{_PART}))*\s*\]"
_MARKERS = re.compile(rf"(?P<first>{_GROUP})(?:{_DASH}\[\s*(?P<last>[0-9]+)\s*\])?")
_NUMBERS = re.compile(rf"(?P<low>[0-9]+)(?:\s?{_DASH}\s?(?P<high>[0-9]+))?")


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker as it stands in a text, and the numbers that it names, as they are written.

    `start` and `end` are code points of that text, half-open. Numbers count from 1; those that no
    citation has are kept.
    """

    start: int
    end: int
    numbers: tuple[int, ...]


def find_markers(text: str) -> Iterator[Marker]:
    """The markers of a text, in order. Any bracket with nothing but numbers in it is one."""
    for found in _MARKERS.finditer(text):
        numbers = [n for part in _NUMBERS.finditer(found["first"]) for n in _numbers(part)]
        if found["last"]:
            numbers[-1:] = _range(numbers[-1], _number(found["last"]))
        yield Marker(found.start(), found.end(), tuple(dict.fromkeys(numbers)))


def without_markers(text: str) -> str:
    """The text with each marker, and the spaces before it, taken out."""
    parts, at = [], 0
    for marker in find_markers(text):
        parts.append(text[at : marker.start].rstrip(" \t\xa0"))
        at = marker.end
    return "".join(parts) + text[at:]


def _numbers(part: re.Match[str]) -> list[int]:
    low = _number(part["low"])
    return [low] if part["high"] is None else _range(low, _number(part["high"]))


def _range(low: int, high: int) -> list[int]:
    return list(range(low, high + 1)) if 0 <= high - low < MAX_RANGE else [low, high]


def _number(digits: str) -> int:
    return int(digits) if len(digits.lstrip("0")) <= _DIGITS else 10**_DIGITS


MIN_QUOTE_CHARS = 2
"""A shorter quote proves nothing, whatever it stands in."""

_LABEL = re.compile(r"\s*(?:(?:[-*+\u2022\u2013]|[0-9]{1,3}[.)])\s+)?Quote:\s*")
_QUOTATION_MARKS = ('"', "\u201c", "\u201d")
_SOURCE = re.compile(r"\s*\[\s*(?P<number>[0-9]{1,9})\s*\]\s*")


@dataclass(frozen=True, slots=True)
class QuoteLine:
    """One quote line: its words, white space collapsed, and the number of the source it names."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line of an answer; `quote` is set where it is a quote line."""

    text: str
    quote: QuoteLine | None = None

    @property
    def markers(self) -> tuple[Marker, ...]:
        """All markers of the line, those inside quoted words too."""
        return tuple(find_markers(self.text))

    @property
    def marker_behind(self) -> Marker | None:
        """The marker behind the quote of a quote line: where the quote stands in its source, the
        only one, as brackets inside the quoted words belong to the source.
        """
        if self.quote is None:
            return None
        return Marker(self.text.rindex("["), self.text.rindex("]") + 1, (self.quote.number,))

    @property
    def is_malformed_quote(self) -> bool:
        """Whether it starts as a quote line and does not go on as one."""
        return self.quote is None and _LABEL.match(self.text) is not None


def read_lines(answer: str) -> tuple[AnswerLine, ...]:
    """The lines of an answer that are not blank.

    A quote line may have a bullet before it and typographic quotation marks. Its words end at the
    last quotation mark that only `[n]` follows to the line's end, so that they may hold others.
    """
    return tuple(AnswerLine(line, _quote_of(line)) for line in answer.split("\n") if line.strip())


def _quote_of(line: str) -> QuoteLine | None:
    label = _LABEL.match(line)
    if label is None or not line.startswith(_QUOTATION_MARKS, label.end()):
        return None
    start, last = label.end() + 1, max(map(line.rfind, _QUOTATION_MARKS))
    behind = _SOURCE.fullmatch(line, last + 1) if last >= start else None
    if behind is None:
        return None
    return QuoteLine(collapse(line[start:last]), int(behind["number"]))


def quote_problem(quote: QuoteLine, sources: Sequence[str]) -> str:
    """Why a quote does not count, in a clause; empty if it stands in the source it names.

    `sources` are the texts of the citations, collapsed.
    """
    shown = f"the quote {shorten(quote.text)}"
    if len(quote.text) < MIN_QUOTE_CHARS:
        return f"{shown} is too short to prove anything"
    if not 1 <= quote.number <= len(sources):
        return f"{shown} names source {quote.number}, which was not returned"
    if quote.text in sources[quote.number - 1]:
        return ""
    elsewhere = [str(n) for n, source in enumerate(sources, 1) if quote.text in source]
    where = f"; it stands in source {', '.join(elsewhere)}" if elsewhere else ""
    return f"{shown} does not stand in source {quote.number}{where}"

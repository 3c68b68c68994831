"""An answer in pieces that a template can show: words, and which of them are quoted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from veridical.answering.answer import Citation, InjectedQuote, PolicyAnswer


@dataclass(frozen=True, slots=True)
class Part:
    """Words of a source; `quoted` where the answer rests on them."""

    text: str
    quoted: bool


def quotes_of(answer: PolicyAnswer, citation: Citation) -> list[InjectedQuote]:
    """The quotes that were taken from a source."""
    return [quote for quote in answer.quotes if quote.citation == citation.number]


def source_parts(answer: PolicyAnswer, citation: Citation) -> list[Part]:
    """The text of a source, in order and whole, cut where quotes begin and end."""
    text = unwrapped(citation.text)
    return _cut(text, _places(text, quotes_of(answer, citation)))


def unwrapped(text: str) -> str:
    """A passage in paragraphs: lines that its file was broken at are joined, and items, rows and
    paragraphs kept apart.
    """
    return _BLANK.sub("\n\n", _WRAPPED.sub(" ", text)).strip()


_BLANK = re.compile(r"\n[ \t]*\n\s*")

_WRAPPED = re.compile(r"(?<!\n)\n(?![ \t]*(?:\n|[-*+•|]|\d{1,3}[.)]|\w\)))")
"""A line that a file was broken at: neither a paragraph nor an item or a row begins after it."""


def _places(text: str, quotes: Sequence[InjectedQuote]) -> list[tuple[int, int]]:
    """Where quotes stand in a text that they match but for white space; none overlaps another."""
    found: list[tuple[int, int]] = []
    for quote in quotes:
        words = map(re.escape, quote.text.split())
        place = re.search(r"\s+".join(words), text)
        if place and all(place.end() <= start or end <= place.start() for start, end in found):
            found.append(place.span())
    return sorted(found)


def _cut(text: str, places: Sequence[tuple[int, int]]) -> list[Part]:
    parts: list[Part] = []
    at = 0
    for start, end in places:
        parts += [Part(text[at:start], quoted=False), Part(text[start:end], quoted=True)]
        at = end
    parts.append(Part(text[at:], quoted=False))
    return [part for part in parts if part.text]

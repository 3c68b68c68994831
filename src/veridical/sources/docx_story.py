"""The paragraphs of a Word story (its body, a note, a header) put together as plain text."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from veridical.sources.superscript import mark_before_raised_number

_WORD = re.compile(r"\w*")
_STARTS_WITH_NUMBER = re.compile(r"[+\-\u2212\u2013]?\d")


class HeadingPlace(NamedTuple):
    """A heading, `text[start:end]` of its story."""

    level: int
    start: int
    end: int


@dataclass(slots=True)
class Paragraph:
    """A paragraph while it is read. `separator` goes before it."""

    separator: str
    style: str = ""
    level: int | None = None
    joins_next: bool = False
    parts: list[str] = field(default_factory=list)
    boxed: list[Paragraph] = field(default_factory=list)
    ends_raised: bool = False
    ends_term: bool = False

    def add(self, text: str, *, raised: bool = False) -> None:
        """Add text, marking off a raised number: ten squared must not read 102."""
        if not text:
            return
        if raised != self.ends_raised and self.parts:
            if raised and _STARTS_WITH_NUMBER.match(text):
                text = mark_before_raised_number(self.parts[-1]) + text
            elif not raised and self.parts[-1][-1].isdigit() and text[0].isalnum():
                text = " " + text
        elif self.ends_term and self.parts[-1][-1].isalnum() and text[0].isalnum():
            text = " " + text
        self.parts.append(text)
        self.ends_raised, self.ends_term = raised, False

    def close_term(self, start: int) -> None:
        """Make one term of the parts from `start` on: in brackets, unless it is a single word.

        What follows stands apart from it: half x is "1/2 x", not "1/2x".
        """
        term = "".join(self.parts[start:])
        if not _WORD.fullmatch(term):
            self.parts[start:] = ["(", term, ")"]
        self.ends_term = bool(term)


class Story:
    """The text of one story, growing paragraph by paragraph."""

    def __init__(self) -> None:
        self.headings: list[HeadingPlace] = []
        self.length = 0
        self._parts: list[str] = []

    @property
    def text(self) -> str:
        """All paragraphs so far, each with its separator before it."""
        return "".join(self._parts)

    def add(self, paragraph: Paragraph, level: int) -> None:
        """Add a finished paragraph; `level` is its heading level, 0 for body text."""
        if self._parts:
            self._append(paragraph.separator)
        text = "".join(paragraph.parts).replace("\r\n", "\n").replace("\r", "\n")
        printed = text.strip()
        if level and printed:
            start = self.length + text.index(printed)
            self.headings.append(HeadingPlace(level, start, start + len(printed)))
        self._append(text)

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)

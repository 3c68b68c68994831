"""A source document: its text as written, its sections and pages, and what a reader sees of it."""

from __future__ import annotations

import hashlib
import re
from array import array
from bisect import bisect_right
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

from veridical.sources.content import TextContent
from veridical.sources.masks import NO_MASKS, Masks
from veridical.sources.span import Span
from veridical.sources.struck import struck_spans
from veridical.sources.titles import title_of

WORDS_PER_MINUTE = 200
"""Silent reading speed behind `Document.reading_minutes`."""

_SLICE = 64 * 1024


class Format(StrEnum):
    """What kind of document the text came from."""

    MARKDOWN = "markdown"
    HTML = "html"
    PLAIN_TEXT = "plain_text"
    PDF = "pdf"
    DOCX = "docx"
    TRANSCRIPT = "transcript"


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the text up to the next heading, of whatever level.

    `title` is as the reader sees it and `heading` its place in the text; `number` is the printed
    number ("3.2") or empty. `path` holds the titles of the enclosing sections, outermost first,
    and the section's own title last. `line` counts from 1.
    """

    title: str
    level: int
    line: int
    heading: Span
    end: int
    path: tuple[str, ...]
    number: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a paginated document; `number` counts from 1."""

    number: int
    span: Span


@dataclass(frozen=True)
class Document:
    """One source text and what is known about it.

    `text` is the text that every offset refers to: the decoded file itself for plain text,
    Markdown and HTML, the extracted text for PDF and DOCX. `name` is how the user knows it.
    `size_bytes` is the size of the source as it was given. `warnings` says what was lost or
    repaired in reading it.
    """

    name: str
    text: str
    format: Format = Format.PLAIN_TEXT
    sections: tuple[Section, ...] = ()
    pages: tuple[Page, ...] = ()
    masks: Masks = NO_MASKS
    size_bytes: int = 0
    warnings: tuple[str, ...] = ()

    @cached_property
    def sha256(self) -> str:
        """Hash of the text in UTF-8, in hex: the document's identity."""
        return hashlib.sha256(self.text.encode("utf-8", "surrogatepass")).hexdigest()

    @cached_property
    def title(self) -> str:
        """What a reader would call it, on one line.

        The title of its front matter, else the heading above the whole of it, else the file name
        in words. Empty only where `name` is.
        """
        return title_of(self)

    @cached_property
    def content(self) -> TextContent:
        """The text content that W3C selectors of an HTML document count in."""
        return TextContent(self.text, self.masks)

    @cached_property
    def struck(self) -> tuple[Span, ...]:
        """What is shown struck through, in order."""
        return struck_spans(self.text, self.masks, is_markdown=self.format is Format.MARKDOWN)

    @cached_property
    def _line_starts(self) -> array[int]:
        return array("q", (found.end() for found in re.finditer("\n", self.text)))

    @cached_property
    def _section_starts(self) -> list[int]:
        return [section.heading.start for section in self.sections]

    @cached_property
    def _page_starts(self) -> list[int]:
        return [page.span.start for page in self.pages]

    @property
    def line_count(self) -> int:
        """Lines as a text editor counts them; an empty text has none."""
        if not self.text:
            return 0
        return len(self._line_starts) + (not self.text.endswith("\n"))

    @property
    def reading_minutes(self) -> float:
        """Time to read it, at `WORDS_PER_MINUTE`, to a tenth of a minute."""
        return round(self._word_count / WORDS_PER_MINUTE, 1)

    @cached_property
    def _word_count(self) -> int:
        """Runs of what is not white space, counted in slices: a list of all would be large."""
        words, text = 0, self.text
        for start in range(0, len(text), _SLICE):
            words += len(text[start : start + _SLICE].split())
            cut = start and not text[start - 1].isspace() and not text[start].isspace()
            words -= bool(cut)
        return words

    def line_number(self, offset: int) -> int:
        """The line, from 1, on which `offset` stands."""
        return bisect_right(self._line_starts, offset) + 1

    def position(self, offset: int) -> tuple[int, int]:
        """The line and the column of `offset`, from 1, found without a look through the line."""
        line = bisect_right(self._line_starts, offset)
        start = self._line_starts[line - 1] if line else 0
        return line + 1, offset - start + 1

    def section_at(self, offset: int) -> Section | None:
        """The innermost section that `offset` stands in; None before the first heading."""
        index = bisect_right(self._section_starts, offset) - 1
        return self.sections[index] if index >= 0 else None

    def page_at(self, offset: int) -> int | None:
        """The page, from 1, that `offset` stands on; None where there are no pages."""
        index = bisect_right(self._page_starts, offset) - 1
        return self.pages[index].number if index >= 0 else None

    def shown(self, span: Span) -> str:
        """What a reader sees of `text[span.start:span.end]`.

        A mask that reaches over an edge of the span is shown only if it starts inside.
        """
        if not len(self.masks):
            return self.text[span.start : span.end]
        parts: list[str] = []
        at = span.start
        for mask in self.masks.between(span.start, span.end):
            parts.append(self.text[at : max(at, mask.start)])
            if mask.start >= span.start:
                parts.append(mask.shown)
            at = min(mask.end, span.end)
        parts.append(self.text[at : span.end])
        return "".join(parts)

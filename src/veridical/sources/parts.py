"""Texts put together from parts: what a reader sees of each, and what citations call it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, Place, SourceLimits, Span
from veridical.sources.headings import Heading, build_sections
from veridical.sources.masks import NO_MASKS

MOST_PLACES = 1_000_000
"""Places that a document can have; each is kept by itself."""


def _sound(text: str) -> str:
    """A text without zeros and halves of surrogate pairs, which JSON and mail can hold."""
    return text.replace("\x00", "\ufffd").encode("utf-8", "replace").decode()


class TextBuilder:
    """Collects the text of a document with its headings and places. None may be too large."""

    def __init__(self, name: str, format: Format, limits: SourceLimits) -> None:
        self._name, self._format, self._limits = name, format, limits
        self._parts: list[str] = []
        self._headings: list[Heading] = []
        self._places: list[Place] = []
        self._warnings: dict[str, None] = {}
        self._length = 0

    def refuse(self, problem: str) -> DocumentParsingError:
        """The error of a file that cannot be read; `problem` says what to do, too."""
        return DocumentParsingError(f"{self._name}: {problem}", self._format.value)

    def warn(self, warning: str) -> None:
        """Tell of what was left out, once."""
        self._warnings[warning] = None

    def add(self, text: str) -> None:
        """Add text, without what no text may hold."""
        text = _sound(text)
        self._parts.append(text)
        self._length += len(text)
        if self._length > self._limits.max_text_chars or len(self._places) > MOST_PLACES:
            raise self.refuse(
                f"its text is over the limit of {self._limits.max_text_chars:,} characters or "
                f"{MOST_PLACES:,} values. Split the file or raise the limit."
            )

    def heading(self, title: str, level: int) -> None:
        """Add a line that is a heading."""
        title = " ".join(_sound(title).split())
        self._headings.append(Heading(level, Span(self._length, self._length + len(title)), title))
        self.add(f"{title}\n")

    def place(self, name: str, rows: Iterable[int] = (), columns: Iterable[str] = ()) -> None:
        """What is added from now on stands there."""
        self._places.append(Place(self._length, _sound(name), tuple(rows), tuple(columns)))

    def document(self, part: Document, place: str) -> None:
        """Add another document as a part that citations call `place`; of pages they tell, too."""
        seen, offset = as_seen(part), self._length
        self.place(place)
        pages = [Place(page.span.start, f"page {page.number}") for page in seen.pages]
        for inner in seen.places or pages:
            name = ", ".join(filter(None, (place, inner.name)))
            self._places.append(replace(inner, start=inner.start + offset, name=name))
        for section in seen.sections:
            span = Span(section.heading.start + offset, section.heading.end + offset)
            self._headings.append(Heading(section.level, span, section.title))
        self._warnings.update(dict.fromkeys(part.warnings))
        self.add(seen.text.rstrip("\n") + "\n\n")

    def build(self, data: bytes) -> Document:
        """The document; `data` is its file."""
        text = "".join(self._parts)
        if not text.strip():
            raise self.refuse("it contains no text. If its words are in pictures, run OCR first.")
        return Document(
            self._name,
            text,
            self._format,
            sections=build_sections(text, self._headings),
            size_bytes=len(data),
            warnings=tuple(self._warnings),
            places=tuple(place for place in self._places if place.start < len(text)),
        )


_SPACE = re.compile(r"\s+")
_LINE_ENDS = re.compile(r"[ \t]*\n[ \t\n]*")
_CELL = re.compile(r"<t[dh]\b", re.IGNORECASE)


def as_seen(document: Document) -> Document:
    """A document whose text is what a reader sees of it, without what is struck through."""
    if document.format.is_extracted:
        return document
    headings: list[Heading] = []
    cuts = [(one.heading.start, one.heading.end, one.level) for one in document.sections]
    cuts += [(span.start, span.end, 0) for span in document.struck]
    parts: list[str] = []
    length = at = 0
    for start, end, level in [*sorted(cuts), (len(document.text), len(document.text), 0)]:
        if start < at:
            continue
        before = _seen(document, at, start)
        if level:
            title = _seen(document, start, end).strip()
            before = f"{before.rstrip(' ')}\n" if before.strip() else before
            span = Span(length + len(before), length + len(before) + len(title))
            headings.append(Heading(level, span, title))
            before += f"{title}\n"
        parts.append(before)
        length += len(before)
        at = end
    text = "".join(parts)
    sections = build_sections(text, headings)
    return replace(document, text=text, masks=NO_MASKS, sections=sections)


def _seen(document: Document, start: int, end: int) -> str:
    """What a reader sees of a stretch; of HTML a paragraph on one line, a tab before a cell."""
    if document.format is not Format.HTML:
        return document.shown(Span(start, end))
    text, parts, at = document.text, [], start
    for mask in document.masks.between(start, end):
        parts.append(_SPACE.sub(" ", text[at : max(at, mask.start)]))
        if mask.start >= start:
            parts.append("\t" if _CELL.match(text, mask.start, mask.end) else mask.shown)
        at = min(mask.end, end)
    parts.append(_SPACE.sub(" ", text[at:end]))
    return _LINE_ENDS.sub("\n", "".join(parts))

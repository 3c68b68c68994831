"""Texts put together from parts: what a reader sees of each, and what citations call it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, Place, SourceLimits, Span
from veridical.sources.headings import Heading, build_sections

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
        """Add another document, as a reader sees it, as a part that citations call `place`; of
        pages they tell, too.
        """
        self.place(place)
        self._warnings.update(dict.fromkeys(part.warnings))
        if not part.format.is_extracted:
            self._add_seen(part)
            return
        pages = (Place(page.span.start, f"page {page.number}") for page in part.pages)
        for inner in part.places or pages:
            name = ", ".join(filter(None, (place, inner.name)))
            self._places.append(replace(inner, start=inner.start + self._length, name=name))
        for section in part.sections:
            start = section.heading.start + self._length
            span = Span(start, start + len(section.heading))
            self._headings.append(Heading(section.level, span, section.title))
        self.add(f"{part.text}\n\n")

    def _add_seen(self, part: Document) -> None:
        """Add what a reader sees of a document, without what is struck through."""
        at, end = 0, len(part.text)
        cuts = [(one.heading.start, one.heading.end, one.level) for one in part.sections]
        cuts += [(span.start, span.end, 0) for span in part.struck]
        for start, stop, level in [*sorted(cuts), (end, end, 0)]:
            if start >= at:
                before = _seen(part, at, start)
                self.add(before + "\n" * (level > 0 and bool(before.strip())))
                if level:
                    self.heading(_seen(part, start, stop), level)
                at = stop
        self.add("\n\n")

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

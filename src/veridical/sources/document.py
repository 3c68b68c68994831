"""A source document: its text as written, its sections and pages, and what a reader sees of it.

Documents are untrusted: each of their limits stops one way to do harm.
"""

from __future__ import annotations

import hashlib
import html
import re
from array import array
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from operator import attrgetter
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from veridical.sources.elements import VOID, ElementStack, read_attributes, read_style
from veridical.sources.masks import NO_MASKS, Mask, Masks
from veridical.sources.patterns import lazy

if TYPE_CHECKING:
    from veridical.sources.transcript import Moment


_LINE = re.compile(r"([^\r\n]*+)(?:\r\n?|\n|\Z)")
_SETTING = re.compile(r"[\w\"'.][^:=]*+[:=]|[ \t]|#|-(?:[ \t]|$)|[\[\]{}]|$")
_TITLE = re.compile(r"(?:\A|[\r\n])(?i:title|\"title\"|'title')[ \t]*+[:=][ \t]*+([^\r\n]++)")
_QUOTED = re.compile(r"\"((?:[^\"\\]|\\.)*+)\"|'((?:[^']|'')*+)'")
_COMMENT = re.compile(r"[ \t]#.*+")
_NO_TEXT = frozenset("|>[{&*!")
"""How a value starts that is more than one line of text."""


def front_matter_end(text: str) -> int:
    """Where the front matter of a text ends, an offset into `text`; 0 where there is none."""
    fence = ""
    for index, line in enumerate(_LINE.finditer(text)):
        content = line[1].rstrip()
        if index == 0:
            fence = content
            if fence not in {"---", "+++"}:
                return 0
        elif content == fence or (content == "..." and fence == "---"):
            return line.end() if index > 1 else 0
        elif not _SETTING.match(content):
            return 0
    return 0


def front_matter_title(text: str) -> str:
    """The title that the front matter of a text gives it, on one line; empty where it gives none.

    Only a title written on its own line is understood, with or without quotes.
    """
    found = _TITLE.search(text, 0, front_matter_end(text))
    if found is None:
        return ""
    value = found[1].strip()
    quoted = _QUOTED.match(value)
    if quoted:
        value = _unescaped(quoted)
    elif value[:1] in _NO_TEXT:
        return ""
    else:
        value = _COMMENT.sub("", value)
    return " ".join(value.split())


def _unescaped(quoted: re.Match[str]) -> str:
    if quoted[1] is None:
        return quoted[2].replace("''", "'")
    return re.sub(r"\\(.)", r"\1", quoted[1])


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """`text[start:end]`: half-open, counted in Unicode code points of a document's own text."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start <= self.end:
            raise ValueError(f"a span needs 0 <= start <= end, got {self.start} and {self.end}")

    def __len__(self) -> int:
        return self.end - self.start

    def overlap(self, other: Span) -> int:
        """How many code points the two share."""
        return max(0, min(self.end, other.end) - max(self.start, other.start))

    def overlap_ratio(self, other: Span) -> float:
        """Shared code points over the code points from the first start to the last end, 0 to 1."""
        extent = max(self.end, other.end) - min(self.start, other.start)
        return self.overlap(other) / extent if extent else 1.0


REPEATED = "repeated page headers, footers and page numbers were left out between pages."
"""The warning on what is no loss, behind a number."""

MEBIBYTE = 1024 * 1024
_OCR_MEMORY_BYTES = 4096 * MEBIBYTE


@dataclass(frozen=True, slots=True)
class SourceLimits:
    """Limits of one document. A document beyond one is refused with an error that names it."""

    max_bytes: int = 50 * MEBIBYTE
    max_text_chars: int = 50 * MEBIBYTE
    max_pages: int = 5_000
    max_nesting: int = 1_000
    max_unpacked_bytes: int = 256 * MEBIBYTE
    max_parse_seconds: float = 60.0
    max_worker_memory_bytes: int = 1024 * MEBIBYTE
    max_ocr_pages: int = 200
    max_ocr_pixels: int = 100_000_000
    max_ocr_seconds: float = 60.0

    def for_ocr(self, pages: int) -> SourceLimits:
        """The limits of a worker that recognises so many pages."""
        seconds = self.max_ocr_seconds * (pages + 1)
        return replace(self, max_parse_seconds=seconds, max_worker_memory_bytes=_OCR_MEMORY_BYTES)


class UnreadPages(Exception):
    """Told by a reader that could go on if these pages (`args`, from 1) were recognised."""


DEFAULT_LIMITS = SourceLimits()

PAGE_LIMITS = SourceLimits(max_parse_seconds=10.0)
"""Limits of looking at one page, for which a reader waits."""


# The text content of a page, as a browser's DOM has it: what W3C selectors count in.


_RAW_ELEMENT = re.compile(r"(?is)<(script|style)\b[^>]*>(.*?)(?:</\1\s*>|\Z)")
_TAG_OR_COMMENT = re.compile(r"(?s)<!--.*?(?:-->|\Z)|<[!/?a-zA-Z][^>]*(?:>|\Z)")


class TextContent:
    """Maps offsets of an HTML source to offsets of its text content, both in code points."""

    def __init__(self, text: str, masks: Masks) -> None:
        self._text = text
        self._masks = masks
        self._saved: list[int] = []
        saved = 0
        for mask in masks:
            saved += mask.end - mask.start - len(self._instead(mask))
            self._saved.append(saved)

    def position(self, offset: int) -> int:
        """The offset in the text content of an offset in the source."""
        before = bisect_left(self._masks.ends, offset + 1)
        position = offset - (self._saved[before - 1] if before else 0)
        if before < len(self._masks) and self._masks.starts[before] < offset:
            position -= offset - self._masks.starts[before]
        return position

    def slice(self, start: int, end: int) -> str:
        """The text content of `source[start:end]`; of markup cut at an edge, nothing."""

        def instead(mask: Mask) -> str:
            return self._instead(mask) if mask.end <= end else ""

        return _with_masks(self._text, self._masks, Span(start, end), instead)

    def _instead(self, mask: Mask) -> str:
        written = self._text[mask.start : mask.end]
        if written.startswith("&"):
            return mask.shown
        if not mask.unseen:
            return ""
        raw = _RAW_ELEMENT.fullmatch(written)
        return raw.group(2) if raw else html.unescape(_TAG_OR_COMMENT.sub("", written))


def _with_masks(text: str, masks: Masks, span: Span, instead: Callable[[Mask], str]) -> str:
    """`text[span.start:span.end]` with something else for each mask that starts inside."""
    parts: list[str] = []
    at = span.start
    for mask in masks.between(span.start, span.end):
        parts.append(text[at : max(at, mask.start)])
        if mask.start >= span.start:
            parts.append(instead(mask))
        at = min(mask.end, span.end)
    parts.append(text[at : span.end])
    return "".join(parts)


# What a document is called.


LONGEST_TITLE = 300
"""Characters of a title; a longer one is an accident and is cut here."""

_JOINTS = re.compile(r"[-_\s]+")
_SUFFIX = re.compile(r"\.[a-zA-Z][a-zA-Z0-9]{0,9}$")


def _heading(document: Document) -> str:
    """The heading that stands above the whole document; empty where there is none.

    That is the only one of the outermost level, or the one that opens the text; a printed number
    makes a heading the first of its like ("1. Purpose").
    """
    if not document.sections:
        return ""
    top = min(section.level for section in document.sections)
    outermost = [section for section in document.sections if section.level == top]
    first = outermost[0]
    before = document.shown(Span(0, first.heading.start))
    opens = not first.number and not any(map(str.isalnum, before))
    return first.title if opens or len(outermost) == 1 else ""


def _from_name(name: str) -> str:
    """The file name without suffix, in words: "pto-policy.md" is "Pto policy"."""
    stem = PurePosixPath(name.replace("\\", "/")).name
    words = _JOINTS.sub(" ", _SUFFIX.sub("", stem)).strip()
    return words[:1].upper() + words[1:] if words else name


# Which parts of a document are shown struck through: the author has taken them back.


_TILDES = frozenset({"~", "~~"})
_MAY_STRIKE = lazy(
    r"<(?:del|s|strike)(?=[\s/>])|line-through|style\s*=\s*[\"'][^\"'<>]*&", re.IGNORECASE
)
_TAG = re.compile(r"<(/?)([a-zA-Z][^ \t\n\r\f/>]*)")
_BLANK_LINE = lazy(r"\n(?=[ \t\r]*\n)")
_STRIKING = frozenset({"del", "s", "strike"})
_REOPENED = ("s", "strike")
_CELLS = frozenset({"td", "th", "caption"})


def struck_spans(text: str, masks: Masks, *, is_markdown: bool = False) -> tuple[Span, ...]:
    """The spans between the marks of a strike-through, in order and apart from each other."""
    found = _between_tildes(text, masks) if is_markdown and "~" in text else []
    if "<" in text and _MAY_STRIKE().search(text):
        elements = _StruckElements(text, is_markdown=is_markdown)
        for mask in masks:
            tag = _TAG.match(text, mask.start, mask.end)
            if tag:
                elements.tag(tag, mask.end)
        found += elements.finish()
    return _joined(found)


def _between_tildes(text: str, masks: Masks) -> list[Span]:
    """What stands between masked runs of one tilde or two: only those with a partner are masked."""
    found: list[Span] = []
    opened: dict[str, list[int]] = defaultdict(list)
    for mask in masks:
        if mask.end - mask.start > 2 or (mark := text[mask.start : mask.end]) not in _TILDES:
            continue
        starts = opened[mark]
        if starts and not text[mask.start - 1].isspace():
            found.append(Span(starts.pop(), mask.start))
        else:
            starts.append(mask.end)
    return found


@dataclass(frozen=True, slots=True)
class _Open:
    """An element that strikes its words: its height among the open elements, where they start, and
    the height of the table cell that it stands in, -1 if in none.
    """

    name: str
    height: int
    start: int
    cell: int


class _StruckElements:
    """The elements of a text that strike their words, told from its tags in order."""

    def __init__(self, text: str, *, is_markdown: bool) -> None:
        self._text = text
        self._is_markdown = is_markdown
        self._stack = ElementStack()
        self._cells: list[int] = []
        self._open: list[_Open] = []
        self._reopened: dict[str, list[_Open]] = {name: [] for name in _REOPENED}
        self._found: list[Span] = []

    def tag(self, tag: re.Match[str], end: int) -> None:
        """Read the tag that starts with `tag`; a hidden element is masked from its tag to `end`."""
        name, stack = tag[2].lower(), self._stack
        if tag[1]:
            stack.close(name)
            self._drop(tag.start(), closed=name)
            if self._reopened.get(name):
                self._end(self._reopened[name].pop(), tag.start(), closed=True)
            return
        stack.make_room(name)
        self._drop(tag.start())
        if name in VOID:
            return
        behind, _, style, _ = read_attributes(self._text, tag.end(), end)
        self._push(name, behind + 1, style)

    def _push(self, name: str, start: int, style: str) -> None:
        height = len(self._stack.names)
        self._stack.push(name, hidden=False)
        if name in _CELLS:
            self._cells.append(height)
        opened = _Open(name, height, start, self._cells[-1] if self._cells else -1)
        if name in self._reopened:
            self._reopened[name].append(opened)
        elif name in _STRIKING or read_style(style).strikes:
            self._open.append(opened)

    @cached_property
    def _blank_lines(self) -> list[int]:
        return [blank.start() for blank in _BLANK_LINE().finditer(self._text)]

    def finish(self) -> list[Span]:
        """The spans found, once all tags are read."""
        end = len(self._text)
        self._stack.cut(0)
        self._drop(end)
        for opened in (*self._reopened["s"], *self._reopened["strike"]):
            self._end(opened, end, closed=False)
        return self._found

    def _drop(self, at: int, closed: str = "") -> None:
        """End what is no longer open at `at`, where an end tag of `closed` stands, if any."""
        height = len(self._stack.names)
        while self._open and self._open[-1].height >= height:
            opened = self._open.pop()
            self._end(opened, at, closed=opened.name == closed)
        if not self._cells or self._cells[-1] < height:
            return
        while self._cells and self._cells[-1] >= height:
            self._cells.pop()
        for starts in self._reopened.values():
            while starts and starts[-1].cell >= height:
                self._end(starts.pop(), at, closed=False)

    def _end(self, opened: _Open, at: int, *, closed: bool) -> None:
        if self._is_markdown and not closed:
            after = bisect_left(self._blank_lines, opened.start)
            at = min([at, *self._blank_lines[after : after + 1]])
        if opened.start < at:
            self._found.append(Span(opened.start, at))


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    joined: list[Span] = []
    for span in sorted(spans):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return tuple(joined)


WORDS_PER_MINUTE = 200
"""Silent reading speed behind `Document.reading_minutes`."""


class Format(StrEnum):
    """What kind of document the text came from."""

    MARKDOWN = "markdown"
    HTML = "html"
    PLAIN_TEXT = "plain_text"
    PDF = "pdf"
    DOCX = "docx"
    IMAGE = "image"
    TRANSCRIPT = "transcript"
    XLSX = "xlsx"
    CSV = "csv"
    PPTX = "pptx"
    EPUB = "epub"
    EMAIL = "email"
    JSON = "json"

    @property
    def is_extracted(self) -> bool:
        """Whether the text of a document is what was read of its file, not the file itself."""
        return self not in _WRITTEN


_WRITTEN = frozenset({Format.MARKDOWN, Format.HTML, Format.PLAIN_TEXT, Format.TRANSCRIPT})

SHEETS = frozenset({Format.XLSX, Format.CSV})
"""Each line is the row of a table, with a tab between its cells."""


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


@dataclass(frozen=True, slots=True)
class Place:
    """What citations call the text from `start` to the next place: `slide 4`, `$.rules[3].text`.

    In a sheet, `rows` has the number of each line's row, 0 where it is none, and `columns` the
    letters of its cells.
    """

    start: int
    name: str
    rows: tuple[int, ...] = ()
    columns: tuple[str, ...] = ()


_PLACE = re.compile(
    r"(?:sheet|part|attachment) '|slide \d+(?:,|\Z)|cells? [A-Z]+\d|line \d+, \$"
    r"|message(?: header)?\Z|\$(?:[.\[]|\Z)"
)


def is_place(title: str) -> bool:
    """Whether what stands for the title of a section is the name of a `Place`, told as it is."""
    return _PLACE.match(title) is not None


@dataclass(frozen=True, slots=True)
class Scan:
    """A page, from 1, that was read by text recognition, and its words that may be wrong."""

    page: int
    unsure: tuple[Span, ...] = ()


@dataclass(frozen=True)
class Document:
    """One source text and what is known about it.

    `text` is the text that every offset refers to: the decoded file itself for plain text,
    Markdown and HTML, the extracted text for all others. `name` is how the user knows it.
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
    places: tuple[Place, ...] = ()
    scans: tuple[Scan, ...] = ()

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
        title = front_matter_title(self.text) or _heading(self) or _from_name(self.name)
        return title[:LONGEST_TITLE].strip()

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

    @property
    def line_count(self) -> int:
        """Lines as a text editor counts them; an empty text has none."""
        if not self.text:
            return 0
        return len(self._line_starts) + (not self.text.endswith("\n"))

    @cached_property
    def reading_minutes(self) -> float:
        """Time to read it, at `WORDS_PER_MINUTE`, to a tenth of a minute."""
        words = sum(1 for _ in re.finditer(r"\S+", self.text))  # a list of all would be large
        return round(words / WORDS_PER_MINUTE, 1)

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
        index = bisect_right(self.sections, offset, key=lambda part: part.heading.start) - 1
        return self.sections[index] if index >= 0 else None

    def page_at(self, offset: int) -> int | None:
        """The page, from 1, that `offset` stands on; None where there are no pages."""
        index = bisect_right(self.pages, offset, key=lambda page: page.span.start) - 1
        return self.pages[index].number if index >= 0 else None

    def place_of(self, span: Span) -> str:
        """What a citation calls the place of a span: `sheet 'Costs', cell C7`, `slide 4`. Empty
        where the document has pages, sections and lines only.
        """
        index = bisect_right(self.places, span.start, key=attrgetter("start")) - 1
        if index < 0:
            return ""
        place = self.places[index]
        first = self._cell(place, span.start)
        last = self._cell(place, max(span.start, span.end - 1)) or first
        cells = f"cell {first}" if first == last else f"cells {first}:{last}"
        return ", ".join(filter(None, (place.name, cells if first else "")))

    def _cell(self, place: Place, offset: int) -> str:
        line, column = self.position(offset)
        row = line - self.line_number(place.start)
        at = self.text.count("\t", offset - column + 1, offset)
        if row >= len(place.rows) or not place.rows[row] or at >= len(place.columns):
            return ""
        return f"{place.columns[at]}{place.rows[row]}"

    def path_of(self, span: Span) -> tuple[str, ...]:
        """The place of a span, or else the titles of the sections around it, outermost first."""
        place, section = self.place_of(span), self.section_at(span.start)
        return (place,) if place else section.path if section else ()

    def page_name(self, page: int) -> str:
        """`page 3`, or `page 3, recognised` of one that was read by text recognition."""
        return f"page {page}{', recognised' * any(scan.page == page for scan in self.scans)}"

    def unsure_words(self, span: Span) -> tuple[str, ...]:
        """The words in a span that text recognition was not sure of."""
        words = (word for scan in self.scans for word in scan.unsure if word.overlap(span))
        return tuple(self.text[word.start : word.end] for word in words)

    def shown(self, span: Span) -> str:
        """What a reader sees of `text[span.start:span.end]`.

        A mask that reaches over an edge of the span is shown only if it starts inside.
        """
        if not len(self.masks):
            return self.text[span.start : span.end]
        return _with_masks(self.text, self.masks, span, attrgetter("shown"))

    def moment(self, span: Span) -> Moment | None:
        """When the words were said, and by whom; None, for only a transcript knows."""

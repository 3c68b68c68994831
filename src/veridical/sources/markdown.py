"""Markdown as a Document: the file's own text, with the markup that a reader does not see masked.

pulldown-cmark (CommonMark, and GitHub's tables, strikethrough and footnotes) tells where text
stands; what stands between its texts is markup. Raw HTML is read as in an HTML page.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from veridical.sources.document import (
    DEFAULT_LIMITS,
    Document,
    Format,
    SourceLimits,
    Span,
    front_matter_end,
)
from veridical.sources.elements import FOREIGN_NAMES, STANDARD_NAMES
from veridical.sources.headings import with_sections
from veridical.sources.html import HtmlScanner
from veridical.sources.masks import Masks
from veridical.sources.patterns import lazy

_ROOTS = ("svg", "math")


class _MarkdownTags(HtmlScanner):
    """Reads the tags of a Markdown text; words in angle brackets that name no element stay.

    A browser hides `<not>` as well, but whoever writes "may <not> work" means to be read.
    """

    def tag(self, start: int, name_end: int, name: str, *, closing: bool, limit: int) -> int:
        """See `HtmlScanner.tag`. What is no tag is read on behind its first word."""
        if not self._is_tag(name.lower()):
            return name_end
        return super().tag(start, name_end, name, closing=closing, limit=limit)

    def _is_tag(self, name: str) -> bool:
        """Whether a name is that of an element here. Those with a hyphen are anybody's own."""
        if name in STANDARD_NAMES or name in _ROOTS or "-" in name:
            return True
        return name in FOREIGN_NAMES and any(map(self.stack.is_open, _ROOTS))


_TICKS = re.compile("`+")
_CELL_EDGE = re.compile(r"\|")
_EMPHASIS = frozenset({"Emphasis", "Strong", "Strikethrough"})
INLINE = _EMPHASIS | {"Link", "Image"}
_ITEM_MARKER = re.compile(r"[ \t]*+(?:[-+*]|\d{1,9}[.)])")
_FIRST_ITEM = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$)")
"""An item at the beginning of a text; "**Leave**", "-5" and "1.5" are none."""

_HEADING_MARKS = re.compile(r"#{1,6}[ \t]*+|")
_BETWEEN_BLOCKS = re.compile(r">|\[(?s:.*\S)|[^\s>](?:[^\r\n]*\S)?")
"""Marks of quotes, link definitions, or what else stands on a line."""

_PRODUCT = re.compile(r"(?<=\d)[*~]++(?=[^\W_])|(?<=[^\W_])[*~]++(?=\d)")
"""`2*3*4` is a product, whatever CommonMark makes of it."""

_INDENT = lazy(r"\n([ \t]*+)[^ \t\r\n]")
_HEADING_INDENT = re.compile(r"(?:\n|\A)([ \t]*+)#{1,6}[ \t]")
_FLUSH_LEFT = re.compile(r"\n[^ \t\r\n]")
_CODE_INDENT = 4
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def read_markdown(
    text: str, name: str, *, size_bytes: int, limits: SourceLimits = DEFAULT_LIMITS
) -> Document:
    """Read Markdown. Offsets are code points of `text`, which is kept as it is.

    Emphasis marks, link targets, comments, front matter and the like are masked; list markers stay,
    and so does all markup that has no partner. Raw HTML is read as in an HTML page.
    Raises DocumentParsingError where HTML elements nest deeper than `limits.max_nesting`.
    """
    reader = _MarkdownReader(text, name, limits)
    masks = reader.read(front_matter_end(text))
    document = Document(
        name=name, text=text, format=Format.MARKDOWN, masks=masks, size_bytes=size_bytes
    )
    return with_sections(document, reader.headings)


def events(text: str, start: int) -> Iterator[tuple[str, str, Any, int, int]]:
    """What the parser tells of a text from `start` on: `Start` or `End` with the name of a tag, or
    nothing with that of a leaf; what it holds; and its place.
    """
    from pyromark import Options, events_with_range

    options = Options.ENABLE_TABLES | Options.ENABLE_STRIKETHROUGH | Options.ENABLE_FOOTNOTES
    parsed, places = _parsed(text, start)
    for event, place in events_with_range(parsed, options=options):
        edge, value = _parts(event)
        name, held = _parts(value) if edge in ("Start", "End") else (edge, value)
        at = places[place["start"]], places[place["end"]]
        yield "" if name is edge else edge, name, held, *at


def _parsed(text: str, start: int) -> tuple[str, Sequence[int]]:
    """The text from `start` on as the parser gets it, and where in `text` each of its bytes stands.

    Indentation of the text as a whole is taken away: it would make all of it code.
    """
    plain = text[start:]
    indent = _common_indent(plain)
    if not indent and plain.isascii():
        return plain, range(start, len(text) + 1)
    plain = _LONE_SURROGATE.sub("\ufffd", plain)
    places = np.arange(start, len(text), dtype=np.int32)
    if indent:
        indented = re.compile(rf"(?m)^[ \t]{{1,{indent}}}")
        kept = np.ones(len(plain), np.bool_)
        for found in indented.finditer(plain):
            kept[found.start() : found.end()] = False
        plain, places = indented.sub("", plain), places[kept]
    data = np.frombuffer(plain.encode(), np.uint8)
    starts = (data & 0xC0) != 0x80  # all bytes of a character but the first are 10xxxxxx
    of_bytes = places[np.cumsum(starts, dtype=np.int32) - 1]
    return plain, array("i", np.append(of_bytes, np.int32(len(text))).tobytes())


def _common_indent(text: str) -> int:
    """How far a text is indented as a whole.

    One from a triple-quoted string is, but for its first line (below an item it is a part of that);
    of one that was put together from such strings all headings may be indented as code is, but not
    all lines.
    """
    base = 0
    is_item = _FIRST_ITEM.match(text)
    if not (is_item or _FLUSH_LEFT.search(text)):
        base = min((len(found[1]) for found in _INDENT().finditer(text)), default=0)
    widths = (len(found[1]) for found in _HEADING_INDENT.finditer(text))
    if any(width < base + _CODE_INDENT for width in widths):
        return base
    return min((len(found[1]) for found in _HEADING_INDENT.finditer(text)), default=base)


class _MarkdownReader:
    """Masks what stands between the texts that the parser tells; collects headings."""

    def __init__(self, text: str, name: str, limits: SourceLimits) -> None:
        self._text = text
        self._html = _MarkdownTags(text, name, limits)
        self._masks = self._html.masks
        self._headings: list[tuple[int, Span]] = []
        self._at = 0  # where what was read so far ends
        self._outer_tags = -1  # how many HTML elements the open paragraph stands in; -1 for none
        self._products: list[bool] = []  # for each open emphasis, whether its marks are text
        self._images = 0
        self._heading_start = 0

    @property
    def headings(self) -> list[tuple[int, Span]]:
        """The headings as (level, span)."""
        return self._headings + self._html.headings

    def read(self, start: int) -> Masks:
        """Read the text from `start` on."""
        end = len(self._text)
        self._masks.add(0, start, unseen=True)
        self._at = start
        for edge, name, value, first, last in events(self._text, start):
            if edge == "Start":
                self._start(name, first, last)
            elif edge == "End":
                self._end(name, value, last)
            elif not self._images and name != "Html":
                self._leaf(name, value, first, last)
        self._end_paragraph()
        self._pass_markup(end)
        self._html.finish(end)
        return self._masks.build()

    def _start(self, tag: str, start: int, end: int) -> None:
        if tag == "Image":
            self._images += 1
        if self._images > (tag == "Image"):  # in the words of a picture, which are not shown
            return
        if tag not in INLINE:
            self._end_paragraph()
        if tag == "TableCell":
            self._pass_cell_edges(start)
        else:
            self._pass_markup(start)
        if tag in INLINE and self._outer_tags < 0:
            self._begin_paragraph()
        if tag in _EMPHASIS:
            self._products.append(self._is_product(start, end))
            if self._products[-1]:
                self._at = start + 1 + (self._text[start] == self._text[start + 1])
        elif tag == "Item" and (marker := _ITEM_MARKER.match(self._text, start)):
            self._at = marker.end()
        elif tag == "Heading" and (marks := _HEADING_MARKS.match(self._text, start)):
            self._heading_start = marks.end()
            self._mask(start, marks.end())
            self._at = marks.end()

    def _end(self, tag: str, value: Any, end: int) -> None:
        if tag == "Image":
            self._images -= 1
        if self._images:
            return
        if tag not in INLINE:
            self._end_paragraph()
        if tag == "Image":
            self._mask(self._at, end, " ")
        elif tag == "HtmlBlock":
            self._html.scan(self._at, self._at + len(self._text[self._at : end].rstrip("\r\n")))
        elif tag in ("TableHead", "TableRow"):
            self._pass_cell_edges(end)
        elif tag not in _EMPHASIS or not self._products.pop():
            if tag == "Heading":
                start = self._heading_start
                title = self._text[start : self._at].rstrip()
                self._headings.append((int(value[1:]), Span(start, start + len(title))))
            self._pass_markup(end)
        self._at = max(self._at, end)

    def _leaf(self, kind: str, value: Any, start: int, end: int) -> None:
        """Read a stretch that has no parts of its own."""
        text = self._text
        if kind == "Rule":
            self._pass_markup(end)
            return
        if self._at < start:
            self._pass_markup(start)
        if self._outer_tags < 0:
            self._begin_paragraph()
        if kind == "Text":
            if text[start] == "&" and text[end - 1] == ";" and value != text[start:end]:
                self._mask(start, end, value)  # a character reference
        elif kind == "Code":
            ticks = _TICKS.match(text, start, end)
            length = ticks.end() - start if ticks else 0
            self._mask(start, start + length)
            self._mask(end - length, end)
        elif kind == "InlineHtml":
            self._html.scan(start, end)
        elif kind == "FootnoteReference":
            self._mask(start, end, " ")
        elif kind == "HardBreak" and text[start] == "\\":
            self._mask(start, start + 1)
        self._at = end

    def _begin_paragraph(self) -> None:
        """Note that text stands here: in a paragraph, a heading, a cell or at once in an item."""
        self._outer_tags = len(self._html.stack.names)

    def _end_paragraph(self) -> None:
        """Close the HTML elements that were opened in the paragraph, if one is open."""
        if 0 <= self._outer_tags < len(self._html.stack.names):
            self._html.leave(self._outer_tags, self._at)
        self._outer_tags = -1

    def _is_product(self, start: int, end: int) -> bool:
        """Whether the marks of an emphasis, on either side, stand between digits."""
        text = self._text
        if _PRODUCT.match(text, start):
            return True
        if not text[end : end + 1].isalnum():
            return False
        close = end - 1
        while text[close - 1] == text[close]:
            close -= 1
        return _PRODUCT.match(text, close) is not None

    def _pass_markup(self, to: int) -> None:
        """Mask what stands before the next text: marks, targets of links, definitions."""
        text, at = self._text, self._at
        if at >= to:
            return
        if self._outer_tags >= 0:
            markup = text[at:to]
            begin = at + len(markup) - len(markup.lstrip())
            self._mask(begin, max(begin, at + len(markup.rstrip())))
        else:
            for found in _BETWEEN_BLOCKS.finditer(text, at, to):
                unseen = found[0][0] == "[" and found[0][1:2] != "^"
                self._mask(found.start(), found.end(), unseen=unseen)
        self._at = to

    def _pass_cell_edges(self, to: int) -> None:
        """Mask the edges between the cells of a table; cells that no column has stay."""
        for found in _CELL_EDGE.finditer(self._text, self._at, to):
            self._mask(found.start(), found.end(), " ")
        self._at = max(self._at, to)

    def _mask(self, start: int, end: int, shown: str = "", *, unseen: bool = False) -> None:
        if self._html.unseen_from < 0:  # else it is part of what an element hides
            self._masks.add(start, end, shown, unseen)


def _parts(event: Any) -> tuple[str, Any]:
    """The name of an event or a tag, and what it holds."""
    if type(event) is str:
        return event, None
    [(name, value)] = event.items()
    return name, value

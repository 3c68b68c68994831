"""Markdown as a Document: the file's own text, with the markup that a reader does not see masked.

A light, linear reader of CommonMark 0.31 with the usual additions (front matter, tables,
strikethrough, footnotes). It decides only what is shown and where sections start; no tree is built.
"""

from __future__ import annotations

import re
from operator import itemgetter

from veridical.sources.document import Document, Format
from veridical.sources.front_matter import front_matter_end
from veridical.sources.headings import with_sections
from veridical.sources.limits import DEFAULT_LIMITS, SourceLimits
from veridical.sources.markdown_inline import INLINE_TAG, InlineReader, MarkdownTags, label_key
from veridical.sources.markdown_syntax import (
    BLOCK_MARKS,
    CLOSING_HASHES,
    DEFINITION,
    DELIMITER_ROW,
    FENCE,
    FOOTNOTE,
    HEADING,
    HTML_STARTS,
    LABEL,
    LINE,
    LIST_MARKER,
    THEMATIC_BREAK,
    UNDERLINE,
    Fence,
    RawHtml,
    cell_count,
    cell_edges,
    column_at,
    end_of_blanks,
)
from veridical.sources.masks import MaskBuilder, Masks
from veridical.sources.patterns import lazy
from veridical.sources.span import Span

# Collects the masks of a Markdown text, which come nested and out of order within a block.


class NestedMasks:
    """Masks found in any order within a block, handed on in the order of the text."""

    def __init__(self) -> None:
        self._found: list[tuple[int, int, str, bool]] = []
        self._builder = MaskBuilder()
        self._masked_to = 0

    def add(self, start: int, end: int, shown: str = "", unseen: bool = False) -> None:
        """Note a mask of the block that is being read. It may stand inside another one."""
        self._found.append((start, end, shown, unseen))

    def settle(self, hidden_from: int = -1) -> None:
        """End a block: keep the outermost of nested masks, and none from `hidden_from` on.

        `hidden_from` is where a hidden element starts that is still open, or -1: its one mask comes
        when it ends.
        """
        if not self._found:
            return
        self._found.sort(key=itemgetter(1), reverse=True)
        self._found.sort(key=itemgetter(0))  # stable: at one place, the longest stays first
        for found, end, shown, unseen in self._found:
            start = max(found, self._masked_to)
            if start < end and (hidden_from < 0 or start < hidden_from):
                self._builder.add(start, end, shown, unseen=unseen)
                self._masked_to = end
        self._found.clear()

    def build(self) -> Masks:
        """The settled masks."""
        return self._builder.build()


# The blocks of a Markdown text: headings, paragraphs, code, tables, raw HTML, quotes and lists.


_CODE_INDENT = 4
_MAX_ITEMS_IN_LINE = 16
_MAX_LISTS = 100
"""List items that may start on one line ("- - - text"), and lists in lists; beyond it is text."""


class BlockReader:
    """Reads a text line by line, and each paragraph as it ends; collects masks and headings.

    `base_indent` is the column at which the text as a whole is indented; `has_indented_code` says
    whether four more columns make a line code.
    """

    def __init__(
        self,
        text: str,
        name: str,
        limits: SourceLimits,
        *,
        references: frozenset[str],
        base_indent: int,
        has_indented_code: bool,
    ) -> None:
        self._masks = NestedMasks()
        self._headings: list[tuple[int, Span]] = []
        self._text = text
        self._html = MarkdownTags(text, name, limits, self._masks.add)
        self._inline = InlineReader(text, references, self._html, self._masks.add)
        self._base_indent = base_indent
        self._has_indented_code = has_indented_code
        self._list_columns: list[int] = []
        self._paragraph = self._paragraph_end = -1
        self._paragraph_column = self._paragraph_depth = 0
        self._last_line = 0
        self._fence: Fence | None = None
        self._raw: RawHtml | None = None
        self._in_table = False
        self._skip_to = 0

    def read(self, start: int) -> tuple[Masks, list[tuple[int, Span]]]:
        """Read the text from `start` on: its masks, and its headings as (level, span)."""
        text, markers, end = self._text, BLOCK_MARKS, len(self._text)
        self._skip_to = start
        if start:
            self._masks.add(0, start, unseen=True)
        for line in LINE.finditer(text, start):
            body, stop = line.end(1), line.end(2)
            if body == stop or text[body] in markers or self._fence or self._raw or self._in_table:
                if line.start() < end and line.start() >= self._skip_to:
                    self._line(line.start(), body, stop)
            elif line.start() < self._skip_to:
                continue
            elif self._paragraph >= 0:
                self._last_line, self._paragraph_end = body, stop
            else:
                self._open_text(line.start(), body, stop)
        self._end_block()
        if self._raw:
            self._end_raw(end)
        self._html.finish(end)
        self._settle()
        return self._masks.build(), self._headings + self._html.headings

    # One line.

    def _line(self, start: int, body: int, stop: int) -> None:
        body, depth, quote_column = self._quote_markers(start, body, stop)
        if self._fence and self._fence_line(self._fence, start, body, stop, depth):
            return
        if self._raw and self._raw_line(self._raw, start, body, stop, depth):
            return
        if body == stop:
            self._end_block()
        elif self._in_table and self._text.find("|", body, stop) >= 0:
            self._row(body, stop)
        else:
            self._in_table = False
            if depth > self._paragraph_depth:
                self._end_block()
            self._block(body, stop, depth, quote_column, column_at(self._text, 0, start, body))

    def _block(self, body: int, stop: int, depth: int, quote_column: int, column: int) -> None:
        """Read a line that is no part of a verbatim block, from its first mark on."""
        if self._paragraph < 0:
            if self._is_code(column, quote_column):
                return
        elif self._is_deep(column, quote_column):
            self._text_line(body, stop, depth)
            return
        for _ in range(_MAX_ITEMS_IN_LINE):
            if self._paragraph >= 0 and self._ends_paragraph(body, stop, depth, column):
                return
            if self._leaf(body, stop, depth, column):
                return
            item = self._list_item(body, stop, column)
            if item is None:
                break
            body, column = item
            if body == stop:
                return
        self._text_line(body, stop, depth)

    def _list_item(self, body: int, stop: int, column: int) -> tuple[int, int] | None:
        """Enter the list item that starts at `body`: where its content starts, at which column.

        What is indented as code starts nowhere: it is shown as it is written.
        """
        marker = LIST_MARKER.match(self._text, body, stop)
        if not marker:
            return None
        self._end_block()
        while self._list_columns and self._list_columns[-1] > column:
            self._list_columns.pop()
        after = end_of_blanks(self._text, marker.end(), stop)
        marker_end = column + marker.end() - body
        column = column_at(self._text, marker_end, marker.end(), after)
        is_code = column - marker_end > _CODE_INDENT
        if len(self._list_columns) < _MAX_LISTS:
            self._list_columns.append(marker_end + 1 if is_code or after == stop else column)
        return (stop if is_code else after), column

    def _text_line(self, body: int, stop: int, depth: int) -> None:
        if self._paragraph < 0:
            self._paragraph = body
            self._paragraph_depth = depth
            self._paragraph_column = self._list_columns[-1] if self._list_columns else 0
        self._last_line, self._paragraph_end = body, stop

    def _open_text(self, start: int, body: int, stop: int) -> None:
        """The short way to a new paragraph, for a line that starts with a plain character."""
        if not self._is_code(column_at(self._text, 0, start, body), 0):
            self._text_line(body, stop, 0)

    def _is_code(self, column: int, quote_column: int) -> bool:
        """Whether a line at `column` is indented code; leaves the lists that it does not reach."""
        lists = self._list_columns
        while lists and column < lists[-1]:
            lists.pop()
        return self._is_deep(column, quote_column)

    def _is_deep(self, column: int, quote_column: int) -> bool:
        """Whether `column` is too deep in its list item or quote for a line that starts a block."""
        container = next((c for c in reversed(self._list_columns) if c <= column), 0)
        container = max(container, self._base_indent, quote_column)
        return self._has_indented_code and column >= container + _CODE_INDENT

    def _quote_markers(self, start: int, body: int, stop: int) -> tuple[int, int, int]:
        """Mask the `>` of a block quote: where the line goes on, its depth, and its column."""
        text, depth = self._text, 0
        verbatim = self._fence or self._raw
        limit = verbatim.depth if verbatim else stop
        if body == stop or text[body] != ">" or not limit:
            return body, 0, 0
        column = column_at(self._text, 0, start, body)
        if not verbatim and self._paragraph < 0 and self._is_code(column, 0):
            return body, 0, 0
        at = body
        while body < stop and text[body] == ">" and depth < limit:
            self._masks.add(body, body + 1)
            depth, at = depth + 1, body + 1
            body = end_of_blanks(text, at, stop)
        return body, depth, column_at(self._text, 0, start, at) + 1

    # Blocks of one line, and blocks that take lines as they are.

    def _leaf(self, body: int, stop: int, depth: int, column: int) -> bool:
        """Read the heading, fence, break, raw HTML or definition that starts at `body`, if any."""
        text, first = self._text, self._text[body]
        if first == "#":
            return self._heading(body, stop)
        if first in "`~":
            return self._open_fence(body, stop, depth, column)
        if first in "*-_" and THEMATIC_BREAK().match(text, body, stop):
            self._end_block()
            self._masks.add(body, stop)
            return True
        if first == "<":
            return self._open_raw(body, stop, depth)
        if first == "[":
            return self._definition(body, stop, depth)
        return False

    def _heading(self, body: int, stop: int) -> bool:
        marks = HEADING().match(self._text, body, stop)
        if not marks:
            return False
        self._end_block()
        start = marks.end()
        end = start + len(self._text[start:stop].rstrip())
        hashes = CLOSING_HASHES().search(self._text[start:end])
        if hashes:
            end = start + len(self._text[start : start + hashes.start()].rstrip())
        self._masks.add(body, start)
        self._inline.read(start, end)
        if hashes:
            self._masks.add(end, stop)
        self._headings.append((len(marks[1]), Span(start, end)))
        self._settle()
        return True

    def _ends_paragraph(self, body: int, stop: int, depth: int, column: int) -> bool:
        """Whether the line turns the open paragraph into a heading or the head of a table."""
        text = self._text
        if text[body] not in "=-|:" or depth != self._paragraph_depth:
            return False
        if column >= self._paragraph_column and UNDERLINE().match(text, body, stop):
            self._headings.append(
                (1 if text[body] == "=" else 2, Span(self._paragraph, self._paragraph_end))
            )
            self._end_block()
            self._masks.add(body, stop)
            return True
        header, header_end = self._last_line, self._paragraph_end
        if text.find("|", header, header_end) < 0 or not DELIMITER_ROW().match(text, body, stop):
            return False
        if cell_count(text, header, header_end) != cell_count(text, body, stop):
            return False
        self._paragraph_end = header
        self._end_block()
        self._row(header, header_end)
        self._masks.add(body, stop)
        self._in_table = True
        return True

    def _open_fence(self, body: int, stop: int, depth: int, column: int) -> bool:
        mark = FENCE().match(self._text, body, stop)
        if not mark:
            return False
        self._end_block()
        container = self._list_columns[-1] if self._list_columns else 0
        self._fence = Fence(mark[0], column, min(container, column), depth)
        self._masks.add(body, stop)
        return True

    def _fence_line(self, fence: Fence, start: int, body: int, stop: int, depth: int) -> bool:
        """Read a line inside a fence; False if the fence ended before it."""
        column = column_at(self._text, 0, start, body)
        if depth < fence.depth or (body < stop and column < fence.container):
            self._fence = None
            return False
        content = self._text[body:stop].rstrip()
        is_mark = content.startswith(fence.mark) and not content.strip(fence.mark[0])
        if is_mark and column < fence.column + _CODE_INDENT:
            self._masks.add(body, stop)
            self._fence = None
        return True

    def _open_raw(self, body: int, stop: int, depth: int) -> bool:
        text = self._text
        for starts, ends in HTML_STARTS:
            if starts().match(text, body, stop):
                return self._start_raw(body, stop, depth, ends and ends())
        tag = INLINE_TAG().match(text, body, stop) if self._paragraph < 0 else None
        if not tag or text[tag.end() : stop].strip() or not self._html.is_tag(tag[2] or tag[3]):
            return False
        return self._start_raw(body, stop, depth, None)

    def _start_raw(self, body: int, stop: int, depth: int, ends: re.Pattern[str] | None) -> bool:
        self._end_block()
        self._raw = RawHtml(body, ends, depth)
        if ends and ends.search(self._text, body + 2, stop):
            self._end_raw(stop)
        return True

    def _raw_line(self, raw: RawHtml, start: int, body: int, stop: int, depth: int) -> bool:
        """Read a line inside raw HTML; False if that ended before it."""
        if depth < raw.depth or (raw.ends_with is None and body == stop):
            self._end_raw(start)
            return False
        if raw.ends_with and raw.ends_with.search(self._text, body, stop):
            self._end_raw(stop)
        return True

    def _end_raw(self, end: int) -> None:
        if self._raw:
            self._html.scan(self._raw.start, end)
        self._raw = None
        self._settle()

    def _definition(self, body: int, stop: int, depth: int) -> bool:
        footnote = FOOTNOTE().match(self._text, body, stop)
        if footnote:
            self._end_block()
            self._masks.add(body, footnote.end())
            after = end_of_blanks(self._text, footnote.end(), stop)
            if after < stop:
                self._text_line(after, stop, depth)
            return True
        definition = DEFINITION().match(self._text, body) if self._paragraph < 0 else None
        if not definition:
            return False
        self._masks.add(body, definition.end(), unseen=True)
        self._skip_to = definition.end()
        return True

    # Paragraphs and tables.

    def _end_block(self) -> None:
        """End the open paragraph or table."""
        self._in_table = False
        if self._paragraph >= 0:
            self._inline.read(self._paragraph, self._paragraph_end)
            self._paragraph = -1
        self._paragraph_depth = 0
        self._settle()

    def _row(self, start: int, stop: int) -> None:
        """Read a row of a table cell by cell: emphasis does not reach over a `|`."""
        at = start
        for edge in cell_edges(self._text, start, stop):
            self._inline.read(at, edge)
            self._masks.add(edge, edge + 1, " ")
            at = edge + 1
        self._inline.read(at, stop)
        self._settle()

    def _settle(self) -> None:
        self._masks.settle(self._html.unseen_from)


_INDENT = lazy(r"\n([ \t]*+)[^ \t\r\n]")
_HEADING_INDENT = re.compile(r"(?:\n|\A)([ \t]*+)#{1,6}[ \t]")
_LABELS = lazy(rf"\n[ \t>]*+(?={LABEL})")
_FLUSH_LEFT = re.compile(r"\n[^ \t\r\n]")


def read_markdown(
    text: str, name: str, *, size_bytes: int, limits: SourceLimits = DEFAULT_LIMITS
) -> Document:
    """Read Markdown. Offsets are code points of `text`, which is kept as it is.

    Emphasis marks, link targets, comments, front matter and the like are masked; list markers stay,
    and so does all markup that has no partner. Raw HTML is read as in an HTML page.
    Raises DocumentParsingError where HTML elements nest deeper than `limits.max_nesting`.
    """
    base_indent, has_indented_code = _indentation(text)
    reader = BlockReader(
        text,
        name,
        limits,
        references=_references(text),
        base_indent=base_indent,
        has_indented_code=has_indented_code,
    )
    masks, headings = reader.read(front_matter_end(text))
    document = Document(
        name=name, text=text, format=Format.MARKDOWN, masks=masks, size_bytes=size_bytes
    )
    return with_sections(document, headings)


def _references(text: str) -> frozenset[str]:
    """The labels that links (`[text][label]`) and footnotes (`[^1]`) of the text may refer to."""
    if "]:" not in text:
        return frozenset()
    keys: set[str] = set()
    text = "\n" + text  # every line then starts in the same way
    for found in _LABELS().finditer(text):
        definition = DEFINITION().match(text, found.end())
        if definition or found[1].startswith("^"):
            keys.add(label_key(found[1]))
    return frozenset(keys)


def _indentation(text: str) -> tuple[int, bool]:
    """How far the whole text is indented, and whether still deeper lines are code.

    A text from a triple-quoted string is indented as a whole, but for its first line; one that was
    put together from such strings may have all of its headings, but not all of its lines, indented.
    """
    base = 0
    if not _FLUSH_LEFT.search(text):
        base = min((_width(found[1]) for found in _INDENT().finditer(text)), default=0)
    headings = [_width(found[1]) for found in _HEADING_INDENT.finditer(text)]
    return base, not headings or min(headings) < base + _CODE_INDENT


def _width(indent: str) -> int:
    return len(indent.expandtabs(4))

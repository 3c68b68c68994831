"""An answer as it is read: what a reader sees of it, its blocks, and what is verbatim in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto

from veridical.errors import DocumentParsingError
from veridical.ledger.extraction.reference_list import ReferenceList, find_reference_list
from veridical.ledger.extraction.words import is_loaded
from veridical.sources.document import Document, Span
from veridical.sources.elements import STANDARD_NAMES
from veridical.sources.headings import read_plain_text
from veridical.sources.markdown import read_markdown
from veridical.sources.masks import Mask, MaskBuilder
from veridical.sources.patterns import lazy

_QUIET_ATTRIBUTES = (
    "href|src|class|id|style|lang|dir|align|valign|width|height|colspan|rowspan|target|rel|start|"
    "type|open|reversed|color|size|border|cellpadding|cellspacing|bgcolor|loading|referrerpolicy"
)
_QUIET_TAG = re.compile(
    rf"</?([a-zA-Z][a-zA-Z0-9]*)(?:\s+(?:{_QUIET_ATTRIBUTES})"
    r"(?:\s*=\s*(?:\"[^\"]*\"|'[^']*'|[^\s\"'>]+))?)*\s*/?>",
    re.IGNORECASE,
)
_IMAGE = re.compile(r"!\[(?P<words>[^\]]*)")
_TITLED = re.compile(r"\]\([^()\"']*\s[\"'(](?P<words>.*)[\"')]\s*\)\Z", re.DOTALL)
_LABEL = re.compile(r"(?:\[\^|\]\[)(?P<words>[^\]]*)\]\Z")
_TARGET = re.compile(r"\]\((?P<words>[^\W\d_]*)\)\Z")
_BEFORE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?\Z")


def as_written(document: Document) -> Document:
    """A document, read as Markdown, without the masks over words that a raw text shows."""
    kept = MaskBuilder()
    dropped = False
    for mask in document.masks:
        if _speaks(document.text, mask) and not _stands_alone(document.text, mask):
            dropped = True
        else:
            kept.add(mask.start, mask.end, mask.shown, unseen=mask.unseen)
    return replace(document, masks=kept.build()) if dropped else document


def _speaks(text: str, mask: Mask) -> bool:
    """Whether there are words behind a mask that may say something about the claim around it."""
    if mask.end - mask.start < 3:
        return False
    hidden = text[mask.start : mask.end]
    if hidden[0] == "<":
        tag = _QUIET_TAG.fullmatch(hidden)
        if tag is not None and not mask.unseen:
            return tag[1].lower() not in STANDARD_NAMES
        return any(map(str.isalnum, hidden))
    if mask.unseen:
        return any(map(str.isalnum, hidden))
    if found := _IMAGE.match(hidden) or _TITLED.match(hidden):
        return any(map(str.isalnum, found["words"])) or is_loaded(hidden)
    found = _LABEL.match(hidden) or _TARGET.match(hidden)
    return found is not None and is_loaded(found["words"])


def _stands_alone(text: str, mask: Mask) -> bool:
    """Whether nothing stands beside it: a paragraph of its own, or a comment before or after one.

    A comment between two lines of a paragraph is read with them.
    """
    start = text.rfind("\n", 0, mask.start) + 1
    end = text.find("\n", mask.end)
    end = len(text) if end < 0 else end
    if text[mask.end : end].strip() or not _BEFORE.match(text[start : mask.start]):
        return False
    below = _line(text, end + 1)
    is_last = not below or (mask.unseen and _BLOCK.match(below) is not None)
    is_first = not start or not _line(text, text.rfind("\n", 0, start - 1) + 1)
    return (is_first or is_last) if mask.unseen else (is_first and is_last)


_BLOCK = re.compile(r"[-*+>#|<]|\d{1,9}[.)]")


def _line(text: str, start: int) -> str:
    """The line that begins at an offset, without the space around it."""
    end = text.find("\n", start)
    return text[start : len(text) if end < 0 else end].strip()


class BlockKind(Enum):
    """What a block is to a reader."""

    HEADING = auto()
    TEXT = auto()
    ITEM = auto()
    COLUMNS = auto()
    ROW = auto()
    TERM = auto()
    MEANING = auto()
    NOTE = auto()
    CODE = auto()
    MARK = auto()
    """A rule, a fence, the line under a table's head: nothing that can be read."""


@dataclass(frozen=True, slots=True)
class Block:
    """A block and its place: `start:end` is its content, `mark` the list mark before it.

    `level` is the heading's level, or how deep a list item lies, from 1; text inside a list item
    has that item's. `columns` is the row of titles above a table row.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    mark: Span | None = None
    columns: Span | None = None


def cells(text: str, row: Span) -> list[Span]:
    """The cells of a table row, without the `|` around it and white space trimmed."""
    start, end = row.start, row.start + len(text[row.start : row.end].rstrip())
    edges = [found.start() for found in _CELL_EDGE().finditer(text, start, end) if found[1]]
    if edges and edges[0] == start:
        start, edges = start + 1, edges[1:]
    if edges and edges[-1] == end - 1:
        end, edges = end - 1, edges[:-1]
    found: list[Span] = []
    for edge in (*edges, end):
        cell = text[start:edge]
        first = start + len(cell) - len(cell.lstrip())
        found.append(Span(first, max(first, start + len(cell.rstrip()))))
        start = edge + 1
    return found


_CELL_EDGE = lazy(r"\\.|(\|)")


# The blocks of an answer: paragraphs, list items, table rows, headings, code.


_LINE = re.compile(r"([ \t]*+)([^\r\n]*+)(?:\r\n?|\n|\Z)")
_BLANKS = re.compile(r"[ \t]*+")
_HEADING = lazy(r"(#{1,6})(?:[ \t]++|$)")
_CLOSING_HASHES = lazy(r"(?:^|[ \t])#++$")
_FENCE = lazy(r"`{3,}+(?=[^`]*+$)|~{3,}+")
_BREAK = lazy(r"(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
_UNDERLINE = lazy(r"(?:=++|-++)[ \t]*+$")
_DELIMITER_ROW = lazy(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*(?:\|[ \t]*+)?$")
_LIST_MARK = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)")
_FOOTNOTE = lazy(r"\[\^[^\[\]\s]{1,100}+\]:")

_CODE_INDENT = 4
_MOST_NESTED = 16
_MAX_LISTS = 100

_BULLET = re.compile(
    r"(?:[\u2022\u2023\u2043\u204c\u204d\u2219\u25a0-\u25cf\u25e6\u2013\u2014\u00b7\u27a4\u2192]"
    r"|[0-9]\ufe0f?\u20e3|\(?[0-9]{1,3}\)|\([a-z]\)|[a-z]\)|[0-9]{1,3}[\u3001\uff0e])(?=[ \t\w])"
)
"""List marks that Markdown does not know and answers are full of."""

_BOX = re.compile(r"\[[ xX]\](?=[ \t])")
_LONG_NUMBER = re.compile(r"\d{4,}")
_MEANING = re.compile(r":[ \t]+")
_CODE_SIGNS = re.compile(r"[{}=;<>$\\]|\w\(|^\s*(?:#|//|\w+:\s*$)")


@dataclass(frozen=True, slots=True)
class _Fence:
    """An open code fence; `column` is its own, `container` that of the list item around it."""

    mark: str
    column: int
    container: int
    depth: int


@dataclass(slots=True)
class _Open:
    """The paragraph that is being read: the block so far, and where its last line starts."""

    block: Block
    last_line: int
    depth: int


@dataclass(slots=True)
class _Reader:
    document: Document
    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    paragraph: _Open | None = None
    fence: _Fence | None = None
    table: Span | None = None
    lists: list[tuple[int, int]] = field(default_factory=list)
    """The list items around: the columns of their mark and of their content."""

    def read(self) -> list[Block]:
        """The blocks of an answer, in order. Words that are never shown are in none of them."""
        text = self.text = self.document.text
        for line in _LINE.finditer(text):
            start, body, stop = line.start(), line.end(1), line.end(2)
            hidden = next(self.document.masks.between(body, stop), None)
            if hidden and hidden.unseen and hidden.start <= body and hidden.end >= stop:
                self._close()
            elif start < len(text):
                self._line(start, body, stop)
        self._close()
        return sorted(self.blocks, key=lambda block: block.start)

    def _line(self, start: int, body: int, stop: int) -> None:
        body, depth = self._quoted(body, stop)
        column = _column(self.text, 0, start, body)
        if self.fence and self._in_fence(self.fence, column, body, stop, depth):
            return
        if body == stop:
            self._close()
            self.table = None
            return
        if self.table and self.text.find("|", body, stop) >= 0:
            self._add(Block(BlockKind.ROW, body, stop, columns=self.table))
            return
        self.table = None
        if self.paragraph and depth > self.paragraph.depth:
            self._close()
        if self.paragraph is None and self._is_code(column):
            self._indented(body, stop)
        elif self.paragraph and self._is_deep(column):
            self._text_line(body, stop, depth)
        else:
            self._block(body, stop, depth, column)

    def _quoted(self, body: int, stop: int) -> tuple[int, int]:
        text, depth = self.text, 0
        limit = self.fence.depth if self.fence else stop
        while body < stop and text[body] == ">" and depth < limit:
            depth += 1
            body = _after_blanks(text, body + 1, stop)
        return body, depth

    def _block(self, body: int, stop: int, depth: int, column: int) -> None:
        mark_start = body
        for _ in range(_MOST_NESTED):
            if self._ends_paragraph(body, stop, depth) or self._leaf(body, stop, depth, column):
                if body > mark_start:
                    self.blocks.append(Block(BlockKind.MARK, mark_start, body))
                return
            content = self._item(body, stop, column)
            if content is None:
                break
            column = _column(self.text, column, body, content)
            body = content
            if body == stop:
                self._add(Block(BlockKind.MARK, mark_start, stop))
                return
        if body > mark_start:
            box = _BOX.match(self.text, body, stop)
            body = _after_blanks(self.text, box.end(), stop) if box else body
            self._open(BlockKind.ITEM, body, stop, depth, mark_start)
        else:
            self._text_line(body, stop, depth)

    def _item(self, body: int, stop: int, column: int) -> int | None:
        """Enter the list item that starts at `body`; where its content starts."""
        text = self.text
        found = _LIST_MARK.match(text, body, stop) or _BULLET.match(text, body, stop)
        if not found or (self.paragraph and _LONG_NUMBER.match(found[0])):
            return None
        self._close()
        while self.lists and self.lists[-1][0] >= column:
            self.lists.pop()
        content = _after_blanks(text, found.end(), stop)
        if len(self.lists) < _MAX_LISTS:
            self.lists.append((column, _column(text, column, body, content)))
        return content

    def _text_line(self, body: int, stop: int, depth: int) -> None:
        if self.paragraph is None:
            self._open(BlockKind.TEXT, body, stop, depth)
        else:
            self.paragraph.block = replace(self.paragraph.block, end=stop)
            self.paragraph.last_line = body

    def _is_code(self, column: int) -> bool:
        while self.lists and column < self.lists[-1][1] and column <= self.lists[-1][0]:
            self.lists.pop()
        return self._is_deep(column)

    def _is_deep(self, column: int) -> bool:
        container = next((inner for _, inner in reversed(self.lists) if inner <= column), 0)
        return column >= container + _CODE_INDENT

    def _indented(self, body: int, stop: int) -> None:
        """An indented line. Prose that is merely indented is read as prose."""
        is_list = _LIST_MARK.match(self.text, body, stop)
        if _CODE_SIGNS.search(self.text[body:stop]) and not is_list:
            self._add(Block(BlockKind.CODE, body, stop))
        else:
            self._block(body, stop, 0, 0 if not self.lists else self.lists[-1][1])

    # Blocks of one line, and fences.

    def _leaf(self, body: int, stop: int, depth: int, column: int) -> bool:
        text, first = self.text, self.text[body]
        if first == "#" and (marks := _HEADING().match(text, body, stop)):
            closing = _CLOSING_HASHES().search(text[marks.end() : stop].rstrip())
            end = marks.end() + closing.start() if closing else stop
            self.lists.clear()
            self._add(Block(BlockKind.HEADING, marks.end(), end, level=len(marks[1])))
        elif first in "`~" and (fence := _FENCE().match(text, body, stop)):
            container = self.lists[-1][1] if self.lists else 0
            self.fence = _Fence(fence[0], column, min(container, column), depth)
            self._add(Block(BlockKind.MARK, body, stop))
        elif first in "*-_" and _BREAK().match(text, body, stop):
            self._add(Block(BlockKind.MARK, body, stop))
        elif first == "[" and (note := _FOOTNOTE().match(text, body, stop)):
            self._open(BlockKind.NOTE, _after_blanks(text, note.end(), stop), stop, depth, body)
        elif first == ":" and self.paragraph and (mark := _MEANING.match(text, body, stop)):
            if self.paragraph.block.kind is not BlockKind.MEANING:
                self.paragraph.block = replace(self.paragraph.block, kind=BlockKind.TERM)
            self._open(BlockKind.MEANING, mark.end(), stop, depth, body)
        else:
            return False
        return True

    def _ends_paragraph(self, body: int, stop: int, depth: int) -> bool:
        """Whether the line makes the open paragraph a heading, or its last line a table's head."""
        text, opened = self.text, self.paragraph
        if opened is None or text[body] not in "=-|:" or depth != opened.depth:
            return False
        block, head = opened.block, opened.last_line
        if _UNDERLINE().match(text, body, stop) and block.kind is BlockKind.TEXT:
            if head == block.start:  # a paragraph over a line is no heading to a reader
                level = 1 if text[body] == "=" else 2
                opened.block = replace(block, kind=BlockKind.HEADING, level=level)
        elif (
            text.find("|", head, block.end) >= 0
            and _DELIMITER_ROW().match(text, body, stop)
            and len(cells(text, Span(head, block.end))) == len(cells(text, Span(body, stop)))
        ):
            if head == block.start:
                self.paragraph = None
                if block.mark:
                    self.blocks.append(Block(BlockKind.MARK, block.mark.start, head))
            else:
                opened.block = replace(block, end=head)
            self._add(Block(BlockKind.COLUMNS, head, block.end))
            self.table = Span(head, block.end)
        else:
            return False
        self._add(Block(BlockKind.MARK, body, stop))
        return True

    def _in_fence(self, fence: _Fence, column: int, body: int, stop: int, depth: int) -> bool:
        if depth < fence.depth or (body < stop and column < fence.container):
            self.fence = None
            return False
        content = self.text[body:stop].rstrip()
        is_mark = content.startswith(fence.mark) and not content.strip(fence.mark[0])
        if is_mark and column < fence.column + _CODE_INDENT:
            self.fence = None
            self._add(Block(BlockKind.MARK, body, stop))
        elif body < stop:
            self._add(Block(BlockKind.CODE, body, stop))
        return True

    # What is found.

    def _open(
        self, kind: BlockKind, start: int, stop: int, depth: int, mark: int | None = None
    ) -> None:
        """Begin a paragraph; `mark` is where the mark before it begins."""
        self._close()
        level = len(self.lists) if kind in (BlockKind.TEXT, BlockKind.ITEM) else 0
        place = None if mark is None else Span(mark, start)
        self.paragraph = _Open(Block(kind, start, stop, level, place), start, depth)

    def _add(self, block: Block) -> None:
        self._close()
        end = block.start + len(self.text[block.start : block.end].rstrip())
        self.blocks.append(replace(block, end=end))

    def _close(self) -> None:
        if opened := self.paragraph:
            self.paragraph = None
            self._add(opened.block)


def _column(text: str, column: int, start: int, end: int) -> int:
    """The column of `end`, if that of `start` is `column`."""
    return column + len(text[start:end].expandtabs(4))


def _after_blanks(text: str, at: int, stop: int) -> int:
    """Where the spaces and tabs at `at` end."""
    found = _BLANKS.match(text, at, stop)
    return found.end() if found else at


_NAME = "answer"
_WRAPPED = re.compile(r"\s*(```+|~~~+)[ \t]*(?:markdown|md)[ \t]*\r?\n", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class AnswerPage:
    """An answer that has been read. All spans are places in `text`, which is the answer itself."""

    text: str
    document: Document
    blocks: tuple[Block, ...]
    sources: ReferenceList
    code: tuple[Span, ...]
    """Code blocks and the insides of code spans, in order."""
    warnings: tuple[str, ...] = ()

    def is_verbatim(self, offset: int) -> bool:
        """Whether what starts at `offset` is code, struck, of the source list or not to be seen."""
        if self.sources.span and self.sources.span.start <= offset < self.sources.span.end:
            return True
        for spans in (self.code, self.document.struck):
            index = bisect_right(spans, Span(offset, len(self.text))) - 1
            if index >= 0 and offset < spans[index].end:
                return True
        around = self.document.masks.between(offset, offset + 1)
        return any(mask.start < offset or mask.unseen for mask in around)


def read_page(answer: str) -> AnswerPage:
    """Read an answer, which is Markdown or plain text. Never fails; see `AnswerPage.warnings`."""
    text = _unwrapped(answer)
    warnings: tuple[str, ...] = ()
    try:
        document = read_markdown(text, _NAME, size_bytes=len(text))
    except DocumentParsingError:
        document = read_plain_text(text, _NAME, size_bytes=len(text))
        warnings = ("the answer's markup is nested too deeply; it was read as plain text",)
    document = as_written(document)
    blocks = tuple(_Reader(document).read())
    code = tuple(_code(document, blocks))
    return AnswerPage(answer, document, blocks, find_reference_list(text), code, warnings)


def _unwrapped(answer: str) -> str:
    """The answer with spaces for a code fence around all of it, which models like to add."""
    opening = _WRAPPED.match(answer)
    if not opening:
        return answer
    end = len(answer.rstrip())
    closing = end - len(opening[1])
    if answer[closing:end] != opening[1] or opening[1] in answer[opening.end() : closing]:
        return answer
    blank = " " * (opening.end() - 1) + "\n"
    return f"{blank}{answer[opening.end() : closing]}{' ' * (len(answer) - closing)}"


def _code(document: Document, blocks: tuple[Block, ...]) -> Iterator[Span]:
    for block in blocks:
        if block.kind is BlockKind.CODE:
            yield Span(block.start, block.end)
            continue
        masks = document.masks.between(block.start, block.end)
        ticks = [m for m in masks if not document.text[m.start : m.end].strip("`")]
        for opening, closing in zip(ticks[::2], ticks[1::2], strict=False):
            yield Span(opening.end, max(opening.end, closing.start))

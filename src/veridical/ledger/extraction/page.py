"""An answer as it is read: what a reader sees of it, its blocks, and what is verbatim in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from typing import Any

from veridical.errors import DocumentParsingError
from veridical.ledger.extraction.reference_list import ReferenceList, find_reference_list
from veridical.ledger.extraction.words import is_loaded
from veridical.sources.document import Document, Span, front_matter_end
from veridical.sources.elements import STANDARD_NAMES
from veridical.sources.headings import read_plain_text
from veridical.sources.markdown import INLINE, events, read_markdown
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


# The blocks of an answer, by what the Markdown reader tells; and where answers have what Markdown
# has not: other list marks, lists in the middle of a paragraph, definitions, indented prose.


_LINE = re.compile(r"[^\r\n]*+(?:\r\n?|\n|\Z)")
_BEFORE_TEXT = re.compile(r"[ \t>]*+")
_GAP = re.compile(r"\n[ \t>]*\r?\n")
_BLANKS = re.compile(r"[ \t]*+")
_LIST_MARK = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)")
_BULLET = re.compile(
    r"(?:[\u2022\u2023\u2043\u204c\u204d\u2219\u25a0-\u25cf\u25e6\u2013\u2014\u00b7\u27a4\u2192]"
    r"|[0-9]\ufe0f?\u20e3|\(?[0-9]{1,3}\)|\([a-z]\)|[a-z]\)|[0-9]{1,3}[\u3001\uff0e])(?=[ \t\w])"
)
"""List marks that Markdown does not know and answers are full of."""

_MOST_NESTED = 16
_WITHIN = INLINE | {"TableCell"}
_BOX = re.compile(r"\[[ xX]\][ \t]+")
_LONG_NUMBER = re.compile(r"\d{4,}")
_MEANING = re.compile(r":[ \t]+")
_CODE = re.compile(r"[{}=;<>$\\]|\w\(|^\s*(?:#|//|\w+:\s*$)")


@dataclass(slots=True)
class _Reader:
    document: Document
    text: str = ""
    blocks: list[Block] = field(default_factory=list)
    words: Span | None = None
    """The text, with its markup, of what is being read."""
    kind: BlockKind = BlockKind.TEXT
    """Of the next text; `mark` is where the list mark before it begins, -1 where there is none."""
    mark: int = -1
    lists: list[int] = field(default_factory=list)
    """The columns of the list marks around."""
    columns: Span | None = None

    def read(self) -> list[Block]:
        """The blocks of an answer, in order. Words that are never shown are in none of them."""
        self.text = self.document.text
        for edge, name, value, start, end in events(self.text, front_matter_end(self.text)):
            is_text = name == "TableRow" and "|" not in self.text[start:end]
            if is_text or name in _WITHIN or not (edge or name in ("Rule", "Html")):
                escaped = start > 0 and self.text[start - 1] == "\\"
                self.words = Span(self.words.start if self.words else start - escaped, end)
            elif edge == "End" and name in ("TableHead", "TableRow", "CodeBlock"):
                self.words = None  # read by their lines
            elif edge == "End" and name == "Heading":
                self._heading(int(value[1:]), end)
            elif name in ("Html", "HtmlBlock", "Paragraph"):
                self._part(edge, name, start, end)
            else:
                self._flush()
                self._edge(edge, name, value, start, end)
        self._flush()
        return sorted(self.blocks, key=lambda block: block.start)

    def _part(self, edge: str, name: str, start: int, end: int) -> None:
        """Read on in a paragraph: tags on lines of their own do not end it to who reads it raw."""
        if edge == "Start" and self.words and _GAP.search(self.text, self.words.end, start):
            self._flush()
        if name == "HtmlBlock":
            self.words = Span(self.words.start if self.words else start, end)

    def _edge(self, edge: str, name: str, value: Any, start: int, end: int) -> None:
        """Read where a block begins or ends."""
        match edge, name:
            case "Start", "Item" | "FootnoteDefinition" if self.kind is not BlockKind.NOTE:
                self.kind = BlockKind.ITEM if name == "Item" else BlockKind.NOTE
                self.mark = _after(_BLANKS, self.text, start) if self.mark < 0 else self.mark
            case "End", "Item" | "FootnoteDefinition" if self.mark >= 0:
                self._mark_alone(self.mark + len(self.text[self.mark : end].rstrip()))
            case "Start", "Heading" | "Table":
                self._mark_alone(start)
            case "Start", "CodeBlock":
                self._code(start, end, is_fenced=value != "Indented")
            case "Start", "TableHead":
                self.columns = Span(start, start + len(self.text[start:end].rstrip()))
                self._add(Block(BlockKind.COLUMNS, start, end))
                self._underline(start, len(self.text))
            case "Start", "TableRow":
                self._add(Block(BlockKind.ROW, start, end, columns=self.columns))
            case _, "Rule":
                self._add(Block(BlockKind.MARK, start, end))

    def _add(self, block: Block) -> None:
        end = block.start + len(self.text[block.start : block.end].rstrip())
        self.blocks.append(replace(block, end=end))

    def _mark_alone(self, end: int) -> None:
        """Note the mark before what is no text."""
        is_marked = 0 <= self.mark < end
        self._enter(self.mark if is_marked else end, is_item=is_marked)
        if is_marked:
            self._add(Block(BlockKind.MARK, self.mark, end))
        self.mark, self.kind = -1, BlockKind.TEXT

    def _heading(self, level: int, end: int) -> None:
        words, self.words = self.words or Span(end, end), None
        if "\n" in self.text[words.start : words.end]:
            self._lines(words.start, words.end)  # over several lines it is none to a reader
        else:
            self._add(Block(BlockKind.HEADING, words.start, words.end, level))
            self.lists.clear()
        self._underline(words.end, end)

    def _underline(self, at: int, end: int) -> None:
        """Note the line below the one at a place, which underlines it."""
        below = _after(_BEFORE_TEXT, self.text, _after(_LINE, self.text, at))
        if below < end:
            self._add(Block(BlockKind.MARK, below, _after(_LINE, self.text, below)))

    def _code(self, start: int, end: int, *, is_fenced: bool) -> None:
        """The lines of a code block. Prose that is merely indented is read as prose."""
        fence, prose = self.text[start : start + 3], Span(end, end)
        for line in _LINE.finditer(self.text, start, end):
            body = _after(_BEFORE_TEXT, self.text, line.start())
            words = self.text[body : line.end()].rstrip()
            is_edge = line.start() == start or line.end() == end
            if is_fenced and is_edge and words.startswith(fence):
                self._mark_alone(body)
                self._add(Block(BlockKind.MARK, body, line.end()))
            elif len(prose) and words:
                prose = Span(prose.start, line.end())
            elif not is_fenced and words and (_LIST_MARK.match(words) or not _CODE.search(words)):
                prose = Span(body, line.end())
            else:
                self._lines(prose.start, prose.end)
                prose = Span(end, end)
                if words:
                    self._mark_alone(body)
                    self._add(Block(BlockKind.CODE, body, line.end()))
        self._lines(prose.start, prose.end)

    def _flush(self) -> None:
        """Read the words that stand in a paragraph, or at once in an item."""
        if words := self.words:
            self.words = None
            is_item = self.kind is BlockKind.ITEM
            self._lines(self.mark if is_item else words.start, words.end)

    def _lines(self, start: int, end: int) -> None:
        """Read lines of text."""
        opened: Block | None = None
        for line in _LINE.finditer(self.text, start, end):
            body = start if line.start() == start else _after(_BEFORE_TEXT, self.text, line.start())
            stop = min(end, line.start() + len(line[0].rstrip()))
            if body >= stop or self._is_unseen(body, stop):
                self._close(opened)
                opened = None
                continue
            *marks, content = self._marks(body, stop, opened)
            if opened and not marks and (meaning := _MEANING.match(self.text, body, stop)):
                if opened.kind is not BlockKind.MEANING:
                    opened = replace(opened, kind=BlockKind.TERM)
                self._close(opened)
                opened = Block(BlockKind.MEANING, meaning.end(), stop, 0, Span(body, meaning.end()))
            elif opened and not marks:
                opened = replace(opened, end=stop)
            else:
                self._close(opened)
                opened = self._opened(marks, content, stop)
        self._close(opened)

    def _opened(self, marks: list[int], content: int, stop: int) -> Block:
        """The block that begins on a line."""
        kind = BlockKind.ITEM if marks else self.kind
        first = marks[0] if marks else self.mark if self.mark >= 0 else content
        self.kind, self.mark = BlockKind.TEXT, -1
        for mark in marks or [content]:
            self._enter(mark, is_item=bool(marks))
        if content == stop:
            return Block(BlockKind.MARK, first, stop)
        if marks and (box := _BOX.match(self.text, content, stop)):
            content = box.end()
        place = Span(first, content) if first < content else None
        return Block(kind, content, stop, 0 if kind is BlockKind.NOTE else len(self.lists), place)

    def _enter(self, at: int, *, is_item: bool) -> None:
        """Leave the lists that do not reach to a place, and enter that of the mark there."""
        column = len(self.text[self.text.rfind("\n", 0, at) + 1 : at].expandtabs(4))
        while self.lists and self.lists[-1] >= column:
            self.lists.pop()
        if is_item:
            self.lists.append(column)

    def _close(self, opened: Block | None) -> None:
        if opened:
            self._add(opened)

    def _marks(self, body: int, stop: int, opened: Block | None) -> list[int]:
        """Where each list mark that a line begins with stands, and at last where its text does."""
        found = [body]
        for _ in range(_MOST_NESTED):
            mark = _LIST_MARK.match(self.text, body, stop) or _BULLET.match(self.text, body, stop)
            if not mark or (opened and _LONG_NUMBER.match(mark[0])):
                break
            body = min(stop, _after(_BLANKS, self.text, mark.end()))
            found.append(body)
        return found

    def _is_unseen(self, start: int, end: int) -> bool:
        hidden = next(self.document.masks.between(start, end), None)
        return bool(hidden and hidden.unseen and hidden.start <= start and hidden.end >= end)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
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

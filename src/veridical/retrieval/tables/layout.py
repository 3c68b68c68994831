"""The tables of a chunk, and their rows in words: each cell behind the title of its column."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse, is_heading, plain_text
from veridical.sources.document import SHEETS, Document, Format, Span


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of a chunk, by the indexes of their sentences, with the titles of their columns.

    `head` is the sentence that names the columns, None where it stands in another chunk or there
    is none; `titles` are empty in the latter case. `cells` has those of each row, empty ones too.
    """

    head: int | None
    titles: tuple[str, ...]
    cells: dict[int, tuple[str, ...]]

    @property
    def rows(self) -> tuple[int, ...]:
        """The rows but for the head, in order."""
        return tuple(self.cells)

    def in_words(self, index: int) -> str | None:
        """A row as "Years: 5 to 9; Days a month: 1.67"; None where the columns have no titles, or
        not one for each cell. A cell without a title stands by itself; a row whose cells cannot be
        told apart, behind all titles.
        """
        cells = self.cells.get(index, ())
        titles = self.titles if len(cells) != 1 else (" ".join(self.titles),)
        if not self.titles or len(titles) != len(cells):
            return None
        named: list[str] = []
        for at, (title, cell) in enumerate(zip(titles, cells, strict=True)):
            if cell and at and title and title == titles[at - 1] and named:
                named[-1] += f", {cell}"  # a title over several columns
            elif cell:
                named.append(f"{title.rstrip(':')}: {cell}" if title else cell)
        return "; ".join(named)


# HTML tables in which a cell reaches over several rows or columns, laid out as a reader sees
# them.


_REACH = 50_000
"""Characters of a table before a chunk in which its beginning is looked for."""

_MOST_CELLS = 5_000
_MOST_COLUMNS = 60
_TAG = re.compile(r"<(/?)(table|tr|td|th|thead|tbody|tfoot|caption)(?=[\s/>])", re.IGNORECASE)
_TABLE = re.compile(r"<(/?)table(?=[\s/>])", re.IGNORECASE)
_SPANS = re.compile(r"\b(row|col)span\s*=\s*[\"']?\s*(\d{1,6})", re.IGNORECASE)
_PARTS = frozenset({"thead", "tbody", "tfoot", "caption"})


def spanning_rows(document: Document, low: int, high: int) -> dict[int, tuple[str, ...]] | None:
    """The cells of the rows of the tables in `text[low:high]`, by where their `<tr>` starts.

    None where no cell reaches over another's place, so that each row can be read by itself. A row
    that cannot be laid out is not among them; a line over the whole width has no cells.
    """
    text = document.text
    start = max(0, low - _REACH)
    opened = list(_TABLE.finditer(text, start, low))[-1:]
    if opened and not opened[0][1]:
        start = opened[0].start()
    elif opened:
        start = low
    if not any(int(found[2]) != 1 for found in _SPANS.finditer(text, start, high)):
        return None
    grids: list[_Grid] = []
    depth = 0
    for mask in document.masks.between(start, high):
        tag = None if mask.unseen else _TAG.match(text, mask.start, mask.end)
        if tag is None:
            continue
        name = tag[2].lower()
        if name == "table":
            depth = max(0, depth + (-1 if tag[1] else 1))
            if depth == 1 and not tag[1]:
                grids.append(_Grid(document))
        if grids:
            grids[-1].tag(name, mask.start, mask.end, closing=bool(tag[1]), is_nested=depth > 1)
    rows: dict[int, tuple[str, ...]] = {}
    for grid in grids:
        grid.end(high)
        rows |= grid.readable()
    return rows


@dataclass(slots=True)
class _Row:
    """A row: where its tag starts, its cells by column, and how many were written in it."""

    start: int
    cells: dict[int, str] = field(default_factory=dict)
    written: int = 0
    titles: int = 0


class _Grid:
    """One table, told from its tags in order."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._rows: list[_Row] = []
        self._cell: tuple[int, str, bool] | None = None
        self._hanging: dict[int, tuple[int, str]] = {}
        self._count = 0
        self._is_lost = False

    def tag(self, name: str, start: int, end: int, *, closing: bool, is_nested: bool) -> None:
        """Read a tag of the table."""
        self._is_lost |= is_nested
        if self._is_lost:
            return
        self.end(start)
        if name in _PARTS:
            self._hanging.clear()
        elif name == "tr" and not closing:
            self._begin(start)
        elif name in {"td", "th"} and not closing:
            self._cell = (end, self._document.text[start:end], name == "th")

    def end(self, at: int) -> None:
        """End the cell that is open at `at`, if any."""
        if self._cell is None:
            return
        (start, tag, is_title), self._cell = self._cell, None
        if not self._rows or self._is_lost:
            self._is_lost = True
            return
        spans = {found[1].lower(): int(found[2]) for found in _SPANS.finditer(tag)}
        self._place(
            collapse(self._document.shown(Span(start, max(start, at)))),
            spans.get("row", 1),
            max(1, spans.get("col", 1)),
            is_title=is_title,
        )

    def _begin(self, start: int) -> None:
        row = _Row(start)
        for column, (left, text) in list(self._hanging.items()):
            row.cells[column] = text
            if left == 1:
                del self._hanging[column]
            else:
                self._hanging[column] = (left - 1, text)
        self._rows.append(row)

    def _place(self, text: str, high: int, wide: int, *, is_title: bool) -> None:
        row = self._rows[-1]
        column = 0
        while column in row.cells:
            column += 1
        self._count += wide
        if column + wide > _MOST_COLUMNS or self._count > _MOST_CELLS:
            self._is_lost = True
            return
        for at in range(column, column + wide):
            self._is_lost |= at in row.cells
            row.cells[at] = text
            if high != 1:  # 0 is "to the end of its part of the table"
                self._hanging[at] = (high - 1 if high else -1, text)
        row.written += 1
        row.titles += is_title

    def readable(self) -> dict[int, tuple[str, ...]]:
        """The rows of which each cell has a column of its own, by where they start."""
        found: dict[int, tuple[str, ...]] = {}
        width = max((len(row.cells) for row in self._rows), default=0)
        is_headed = False
        for row in () if self._is_lost else self._rows:
            if row.written == 1 and len(set(row.cells.values())) == 1:
                found[row.start] = ()
                if is_headed:
                    break
                continue
            titles_only = row.titles == row.written
            if len(row.cells) != width or sorted(row.cells) != list(range(width)):
                break
            if titles_only and is_headed:
                return {}
            is_headed = True
            found[row.start] = tuple(row.cells[column] for column in range(width))
        return found


# The cells of table rows as documents write them: pipes, tags, tabs.


_LONGEST_ROW = 2_000
"""Characters beside a sentence in which its row begins and ends."""

_GAPS = re.compile(r"\t+|[ ]*\|[ ]*|[ ]{3,}")
_CELL = re.compile(r"<t[dh]\b", re.IGNORECASE)
_ROW = re.compile(r"<tr\b", re.IGNORECASE)
_TITLE_CELL = re.compile(r"<th\b", re.IGNORECASE)
_VALUE_CELL = re.compile(r"(?!(?:19|20)\d\d\Z)[-+(]?[$€£]?[-+]?\d|(?:TRUE|FALSE)\Z")
"""How the value of a cell begins, as no title does; a year may be one."""

_BETWEEN_TABLES = re.compile(r"\n[ \t\r]*\n|</table\b", re.IGNORECASE)


def cells_of(chunk: Chunk) -> list[tuple[str, ...] | None]:
    """The cells of each sentence of a chunk, empty ones too; what is no row has one or none.

    None for a row of HTML whose cells cannot be told to be those of their columns.
    """
    if not _may_have_rows(chunk):
        return [()] * len(chunk.sentences)
    document = chunk.document
    laid_out = _laid_out(chunk)
    if laid_out is None:
        return [_cells(document, sentence) for sentence in chunk.sentences]
    found: list[tuple[str, ...] | None] = []
    for sentence in chunk.sentences:
        start = _row_start(document, sentence)
        found.append(laid_out.pop(start, None) if start < sentence.start else ())
    return found


def _laid_out(chunk: Chunk) -> dict[int, tuple[str, ...]] | None:
    """The rows of a chunk with cells that reach over others' places; None if there are no such."""
    if chunk.document.format is not Format.HTML:
        return None
    return spanning_rows(chunk.document, chunk.span.start, chunk.span.end)


def _may_have_rows(chunk: Chunk) -> bool:
    """Whether anything in a chunk, or beside it, parts cells: most chunks are read no further."""
    document = chunk.document
    low = max(0, chunk.span.start - _LONGEST_ROW)
    if document.format is Format.HTML:
        return _CELL.search(document.text, low, chunk.span.end) is not None
    if document.format is Format.MARKDOWN:
        return document.text.find("|", low, chunk.span.end + _LONGEST_ROW) >= 0
    return _GAPS.search(document.text, chunk.span.start, chunk.span.end) is not None


def titles_in(chunk: Chunk, row: Span) -> tuple[str, ...]:
    """The cells of a row that names columns; none where it is a row like the others."""
    document = chunk.document
    laid_out = _laid_out(chunk)
    if laid_out is None:
        cells = _cells(document, row)
    else:
        cells = laid_out.get(_row_start(document, row), ())
    if document.format is Format.MARKDOWN:
        return cells
    if document.format in SHEETS:
        return () if any(map(_VALUE_CELL.match, cells)) else cells
    if document.format is Format.HTML:
        region = document.text[_row_start(document, row) : row.end]
        return cells if _TITLE_CELL.search(region) else ()
    return () if any(map(str.isdigit, "".join(cells))) else cells


def _cells(document: Document, row: Span) -> tuple[str, ...]:
    if document.format in SHEETS:
        line = _line(document, row)
        return tuple(document.text[line.start : line.end].split("\t"))
    if document.format is Format.MARKDOWN:
        return _piped(document, _line(document, row))
    if document.format is Format.HTML:
        return _tagged(document, row)
    return tuple(collapse(part) for part in _GAPS.split(document.shown(row)))


def _line(document: Document, row: Span) -> Span:
    """The line that a row of Markdown stands on, with the pipes at its edges."""
    text = document.text
    low = max(0, row.start - _LONGEST_ROW)
    before = text.rfind("\n", low, row.start)
    # The first line of a document has no line before it.
    start = before + 1 if before >= 0 or low == 0 else row.start
    high = min(len(text), row.end + _LONGEST_ROW)
    after = text.find("\n", row.end, high)
    # Nor need the last one end in a line break.
    end = after if after >= 0 else high if high == len(text) else row.end
    return Span(start, end)


def _piped(document: Document, line: Span) -> tuple[str, ...]:
    """What is shown between the masks of a line that hide a pipe behind a space."""
    if "|" not in document.text[line.start : line.end]:
        return ()
    parts: list[str] = []
    at = line.start
    for mask in document.masks.between(line.start, line.end):
        if mask.shown == " " and document.text[mask.start : mask.end] == "|":
            parts.append(collapse(document.shown(Span(at, max(at, mask.start)))))
            at = mask.end
    parts.append(collapse(document.shown(Span(at, max(at, line.end)))))
    outer = len(parts) > 2 and not parts[0] and not parts[-1]
    return tuple(parts[1:-1] if outer else parts)


def _tagged(document: Document, row: Span) -> tuple[str, ...]:
    """What is shown behind each tag of a cell in a row of HTML."""
    start = _row_start(document, row)
    tags = [
        mask
        for mask in document.masks.between(start, row.end)
        if not mask.unseen and _CELL.match(document.text, mask.start)
    ]
    ends = [*(tag.start for tag in tags[1:]), row.end]
    return tuple(
        collapse(document.shown(Span(tag.end, max(tag.end, end))))
        for tag, end in zip(tags, ends, strict=False)
    )


def _row_start(document: Document, row: Span) -> int:
    """Where the row of a sentence in an HTML table begins; its own start where it is in none."""
    low = max(0, row.start - _LONGEST_ROW)
    before = document.text[low : row.start]
    found = [match.start() for match in _ROW.finditer(before)]
    if not found or "</tr" in before[found[-1] :].lower():
        return row.start
    return low + found[-1]


# Tables of which only the words are left: in the text of a PDF nothing parts the cells of a row.


_LONGEST_LINE = 120
_LEAST_ROWS = 2
_ENDS = tuple(".!?:;,")
_TITLE = re.compile(r"(?:^|(?<= ))(?=[A-Z])")
_VALUE = re.compile(r"(?<=\S) (?=[$€£]?\d)")
_FIGURE = re.compile(r"[$€£]?\d")
_DIGITS = re.compile(r"\d")
_SHAPES = (
    re.compile(r"[$€£]\d[\d.,]*\w?"),
    re.compile(r"\d[\d.,]* ?%"),
    re.compile(r"\d[\d.,]* (?!(?:to|and|or|up|but|from|than)\b)[a-z]+(?: [a-z]+)?"),
    re.compile(r"\d[\d.,]*"),
)
"""How the value of a cell is put, a number without anything behind it last."""


def loose_tables(chunk: Chunk) -> Iterator[Table]:
    """The tables of a chunk of a PDF."""
    lines = [_sentence_line(chunk, index) for index in range(len(chunk.sentences))]
    head = 0
    while head < len(lines):
        last = head
        if _may_be_head(lines, head):
            while last + 1 < len(lines) and lines[last + 1] and not _may_be_head(lines, last + 1):
                last += 1
            if last - head >= _LEAST_ROWS:
                yield _read(lines, head, last)
        head = last + 1


def _sentence_line(chunk: Chunk, index: int) -> str:
    """A sentence that may be a line of a table; empty if it may not."""
    text = plain_text(chunk, index)
    is_line = len(text) <= _LONGEST_LINE and not text.endswith(_ENDS)
    return text if is_line and not is_heading(chunk, index) else ""


def _may_be_head(lines: Sequence[str], at: int) -> bool:
    """Whether a line has no figure, and is not what a line of figures belongs to."""
    return bool(lines[at]) and not _DIGITS.search(lines[at]) and not _is_label(lines, at)


def _is_label(lines: Sequence[str], at: int) -> bool:
    """Whether the next line begins with a figure: the name of the row did not fit beside them."""
    if at + 1 >= len(lines) or not lines[at] or _DIGITS.search(lines[at]):
        return False
    return _FIGURE.match(lines[at + 1]) is not None


def _read(lines: Sequence[str], head: int, last: int) -> Table:
    titles = tuple(part.strip() for part in _TITLE.split(lines[head]) if part.strip())
    texts: dict[int, str] = {}
    for at in range(head + 1, last + 1):
        if not _is_label(lines, at):
            texts[at] = " ".join(lines[at - _is_label(lines, at - 1) : at + 1])
    rows = {at: tuple(_VALUE.split(text)) for at, text in texts.items()}
    fitting = [row for row in rows.values() if len(row) == len(titles)]
    if len(titles) < 2 or len(fitting) < _LEAST_ROWS or not _are_columns(fitting):
        titles = (lines[head],)
    cells = {at: row if len(row) == len(titles) else (texts[at],) for at, row in rows.items()}
    return Table(head, titles, cells)


def _are_columns(rows: Sequence[tuple[str, ...]]) -> bool:
    """Whether the cells of rows cannot well be others: names apart from each other, without a
    figure of their own ("Level 2"), and values of one shape in each column, no bare number among
    sums, which may belong to the name.
    """
    names = [row[0] for row in rows]
    if len(set(names)) < len(names) or any(map(_DIGITS.search, names)):
        return False
    shapes = {tuple(map(_shape, row[1:])) for row in rows}
    found = set(shapes.pop())
    return not shapes and None not in found and (len(found) == 1 or len(_SHAPES) - 1 not in found)


def _shape(cell: str) -> int | None:
    """Which of the shapes of a value a cell has; None if it has another."""
    return next((at for at, shape in enumerate(_SHAPES) if shape.fullmatch(cell)), None)


class Layout:
    """A chunk with its tables, read once."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        is_pdf = chunk.document.format in (Format.PDF, Format.IMAGE)
        cells = [] if is_pdf else cells_of(chunk)
        self.tables = tuple(loose_tables(chunk) if is_pdf else _tables(chunk, cells))
        self._unread = frozenset(index for index, row in enumerate(cells) if row is None)
        self._tables = {
            index: table
            for table in self.tables
            for index in (*table.cells, *(() if table.head is None else (table.head,)))
        }

    def is_row(self, index: int) -> bool:
        """Whether sentence `index` is a row of a table, its head among them."""
        return index in self._tables

    def is_head(self, index: int) -> bool:
        """Whether sentence `index` names the columns of a table."""
        return index in self._tables and self._tables[index].head == index

    def table_at(self, index: int) -> Table | None:
        """The table that sentence `index` is a row of, or introduces without a figure of its own;
        None if there is none.
        """
        if index not in self._tables and not any(map(str.isdigit, self.plain(index))):
            index += 1
        return self._tables.get(index)

    def is_unread(self, index: int) -> bool:
        """Whether sentence `index` is a row whose cells cannot be told to be their columns'."""
        return index in self._unread

    def row_in_words(self, index: int) -> str | None:
        """A table row in words; None for all else, and where it cannot be put so."""
        table = self._tables.get(index)
        return table.in_words(index) if table is not None else None

    def plain(self, index: int) -> str:
        """Sentence `index` as it is read, on one line."""
        return plain_text(self.chunk, index)


def _tables(chunk: Chunk, read: Sequence[tuple[str, ...] | None]) -> list[Table]:
    cells = [row or () for row in read]
    found: list[Table] = []
    group: list[int] = []
    for index, row in enumerate((*cells, ())):
        is_row = len(row) > 1
        if group and (not is_row or _parted(chunk, index)):
            found.append(_table(chunk, group, cells))
            group = []
        if is_row:
            group.append(index)
    return found


def _parted(chunk: Chunk, index: int) -> bool:
    """Whether a table ends between sentence `index` and the one before it."""
    before, sentence = chunk.sentences[index - 1 : index + 1]
    return _BETWEEN_TABLES.search(chunk.document.text[before.end : sentence.start]) is not None


def _table(chunk: Chunk, group: list[int], cells: list[tuple[str, ...]]) -> Table:
    first = group[0]
    head: Span | None = chunk.table_head if first == 0 else None
    if head is not None:
        return Table(None, titles_in(chunk, head), {row: cells[row] for row in group})
    titles = titles_in(chunk, chunk.sentences[first]) if len(group) > 1 else ()
    rows = group[1:] if titles else group
    return Table(first if titles else None, titles, {row: cells[row] for row in rows})

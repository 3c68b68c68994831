"""The tables of a chunk, and their rows in words: each cell behind the title of its column."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import plain_text
from veridical.retrieval.tables.cells import cells_of, parts_tables, titles_in
from veridical.retrieval.tables.loose import loose_tables
from veridical.sources.document import Format
from veridical.sources.span import Span


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
                named.append(_named(title, cell))
        return "; ".join(named)


def _named(title: str, cell: str) -> str:
    return f"{title.rstrip(':')}: {cell}" if title else cell


class Layout:
    """A chunk with its tables, read once."""

    def __init__(self, chunk: Chunk) -> None:
        self.chunk = chunk
        is_pdf = chunk.document.format is Format.PDF
        cells = [] if is_pdf else cells_of(chunk)
        self.tables = tuple(_loose(chunk) if is_pdf else _tables(chunk, cells))
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


def _loose(chunk: Chunk) -> list[Table]:
    return [Table(found.head, found.titles, found.cells) for found in loose_tables(chunk)]


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
    return parts_tables(chunk.document.text[before.end : sentence.start])


def _table(chunk: Chunk, group: list[int], cells: list[tuple[str, ...]]) -> Table:
    first = group[0]
    head: Span | None = chunk.table_head if first == 0 else None
    if head is not None:
        return Table(None, titles_in(chunk, head), {row: cells[row] for row in group})
    titles = titles_in(chunk, chunk.sentences[first]) if len(group) > 1 else ()
    rows = group[1:] if titles else group
    return Table(first if titles else None, titles, {row: cells[row] for row in rows})

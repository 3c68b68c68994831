"""What the blocks of an answer are: paragraphs, list items, table rows, headings, code."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from veridical.sources.markdown_syntax import cell_edges
from veridical.sources.span import Span


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
    start, end = row.start, row.end
    edges = cell_edges(text, start, end)
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

"""What the blocks of a Markdown text look like (CommonMark 0.31, 4 and 5; GitHub's tables)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.sources.patterns import lazy

LINE = re.compile(r"([ \t]*+)([^\r\n]*+)(?:\r\n?|\n|\Z)")
_BLANKS = re.compile(r"[ \t]*+")
HEADING = lazy(r"(#{1,6})(?:[ \t]++|$)")
CLOSING_HASHES = lazy(r"(?:^|[ \t])#++$")
FENCE = lazy(r"`{3,}+(?=[^`]*+$)|~{3,}+")
THEMATIC_BREAK = lazy(r"(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
UNDERLINE = lazy(r"(?:=++|-++)[ \t]*+$")
DELIMITER_ROW = lazy(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*(?:\|[ \t]*+)?$")
_CELL_EDGE = lazy(r"\\.|(\|)")
LIST_MARKER = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)")
FOOTNOTE = lazy(r"\[\^[^\[\]\s]{1,100}+\]:")


@dataclass(frozen=True, slots=True)
class Fence:
    """An open code fence; `column` is its own, `container` that of the list item around it."""

    mark: str
    column: int
    container: int
    depth: int


def column_at(text: str, column: int, start: int, end: int) -> int:
    """The column of `end`, if that of `start` is `column`."""
    part = text[start:end]
    return column + (len(part.expandtabs(4)) if "\t" in part else len(part))


def end_of_blanks(text: str, at: int, stop: int) -> int:
    """Where the spaces and tabs at `at` end."""
    found = _BLANKS.match(text, at, stop)
    return found.end() if found else at


def cell_edges(text: str, start: int, stop: int) -> list[int]:
    """Where the `|` between the cells of a table row stand."""
    return [found.start() for found in _CELL_EDGE().finditer(text, start, stop) if found[1]]


def cell_count(text: str, start: int, stop: int) -> int:
    """How many cells a table row has."""
    row = text[start:stop].strip()
    edges = cell_edges(row, 0, len(row))
    return len(edges) + 1 - (edges[:1] == [0]) - (edges[-1:] == [len(row) - 1] and len(row) > 1)

"""What the blocks of a Markdown text look like (CommonMark 0.31, 4 and 5; GitHub's tables)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from veridical.sources.patterns import lazy

LINE = re.compile(r"([ \t]*+)([^\r\n]*+)(?:\r\n?|\n|\Z)")
_BLANKS = re.compile(r"[ \t]*+")
BLOCK_MARKS = frozenset("#>-+*`~<[|=:_0123456789")
"""What a line may start with that is more than the text of a paragraph."""

HEADING = lazy(r"(#{1,6})(?:[ \t]++|$)")
CLOSING_HASHES = lazy(r"(?:^|[ \t])#++$")
FENCE = lazy(r"`{3,}+(?=[^`]*+$)|~{3,}+")
THEMATIC_BREAK = lazy(r"(?:(?:\*[ \t]*+){3,}|(?:-[ \t]*+){3,}|(?:_[ \t]*+){3,})$")
UNDERLINE = lazy(r"(?:=++|-++)[ \t]*+$")
DELIMITER_ROW = lazy(r"\|?[ \t]*+:?-++:?[ \t]*+(?:\|[ \t]*+:?-++:?[ \t]*+)*(?:\|[ \t]*+)?$")
_CELL_EDGE = lazy(r"\\.|(\|)")
LIST_MARKER = re.compile(r"(?:[-+*]|\d{1,9}[.)])(?=[ \t]|$)")
FOOTNOTE = lazy(r"\[\^[^\[\]\s]{1,100}+\]:")

LABEL = r"\[((?:[^\[\]\\\r\n]|\\.){1,999})\]:"
DEFINITION = lazy(
    rf"""{LABEL}[ \t]*+(?:\r?\n[ \t]*+)?(?:<[^<>\r\n]*+>|[^\s<]\S*+)
    (?:(?:[ \t]++|[ \t]*+\r?\n[ \t]*+)
       (?:"(?:[^"\\\r\n]++|\\.)*"|'(?:[^'\\\r\n]++|\\.)*'|\((?:[^()\\\r\n]++|\\.)*\)))?
    [ \t]*+(?=\r|\n|\Z)""",
    re.VERBOSE,
)
"""A link reference definition (CommonMark 4.7); group 1 is its label."""

_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|"
    "dialog|dir|div|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h[1-6]|head|header|"
    "hr|html|iframe|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|"
    "search|section|summary|table|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
HTML_STARTS = (
    # What starts raw HTML, and what ends it: a pattern in the line, or (None) the next blank line.
    (
        lazy(r"<(?:script|pre|style|textarea)(?=[\s>]|$)", re.IGNORECASE | re.ASCII),
        lazy(r"</(?:script|pre|style|textarea)>", re.IGNORECASE | re.ASCII),
    ),
    (lazy("<!--"), lazy("-->")),
    (lazy(r"<\?"), lazy(r"\?>")),
    (lazy("<![a-zA-Z]"), lazy(">")),
    (lazy(r"<!\[CDATA\["), lazy("]]>")),
    (lazy(rf"</?(?:{_BLOCK_TAGS})(?=[\s>]|/>|$)", re.IGNORECASE | re.ASCII), None),
)


@dataclass(frozen=True, slots=True)
class Fence:
    """An open code fence; `column` is its own, `container` that of the list item around it."""

    mark: str
    column: int
    container: int
    depth: int


@dataclass(frozen=True, slots=True)
class RawHtml:
    """Raw HTML from `start` on, inside `depth` block quotes; a blank line or a pattern ends it."""

    start: int
    ends_with: re.Pattern[str] | None
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

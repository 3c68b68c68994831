"""The cells of table rows as documents write them: pipes, tags, tabs."""

from __future__ import annotations

import re

from veridical.retrieval.chunks import Chunk
from veridical.retrieval.shown import collapse
from veridical.retrieval.tables.grid import spanning_rows
from veridical.sources.document import Document, Format
from veridical.sources.span import Span

_LONGEST_ROW = 2_000
"""Characters beside a sentence in which its row begins and ends."""

_GAPS = re.compile(r"\t+|[ ]*\|[ ]*|[ ]{3,}")
_CELL = re.compile(r"<t[dh]\b", re.IGNORECASE)
_ROW = re.compile(r"<tr\b", re.IGNORECASE)
_TITLE_CELL = re.compile(r"<th\b", re.IGNORECASE)
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
    if document.format is Format.HTML:
        region = document.text[_row_start(document, row) : row.end]
        return cells if _TITLE_CELL.search(region) else ()
    return () if any(map(str.isdigit, "".join(cells))) else cells


def parts_tables(gap: str) -> bool:
    """Whether what is written between two rows ends a table."""
    return _BETWEEN_TABLES.search(gap) is not None


def _cells(document: Document, row: Span) -> tuple[str, ...]:
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

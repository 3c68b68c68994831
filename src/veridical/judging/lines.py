"""The sentences of cases as lines that the reader is shown, table rows in words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from veridical.judging.judge import Case
from veridical.reader.windows import Line, relinked
from veridical.retrieval.chunks import Chunk
from veridical.retrieval.tables.layout import Layout
from veridical.text.normalize import LINE_END_HYPHEN

_MOST_ITEMS = 14
"""How many lines below it a lead-in still introduces."""

MAX_SENTENCES = 400
"""Sentences of a case that are read."""

MAX_LINE_CHARS = 4_000
"""Characters of a line: many more than a window has room for."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Lines of several cases, and for each which case and sentence it is."""

    lines: tuple[Line, ...]
    places: tuple[tuple[int, int], ...]

    def only(self, kept: Sequence[int]) -> Lines:
        """Some of the lines, by their indexes in order."""
        return Lines(tuple(relinked(self.lines, kept)), tuple(self.places[i] for i in kept))


def sentences_of(chunk: Chunk) -> tuple[str, ...]:
    """The sentences of a chunk as they are judged: words broken at a line's end are joined."""
    return tuple(LINE_END_HYPHEN.sub("", chunk.document.shown(span)) for span in chunk.sentences)


def heading_of(chunk: Chunk) -> str:
    """The titles above a chunk, and the column titles of the table that it is cut from."""
    titles = list(chunk.heading_path)
    if chunk.table_head is not None:
        titles.append(chunk.document.shown(chunk.table_head))
    return " > ".join(titles)


def case_of(claim: str, chunk: Chunk) -> Case:
    """A claim or question beside a chunk."""
    heading = heading_of(chunk)
    return Case(claim, sentences_of(chunk), heading=heading, tables=Layout(chunk).tables)


def lines_of(cases: Sequence[Case]) -> Lines:
    """The lines of cases that share a claim, in their order."""
    lines: list[Line] = []
    places: list[tuple[int, int]] = []
    for number, case in enumerate(cases):
        rows = _rows(case)
        heads = {table.head for table in case.tables if rows.keys() >= set(table.rows)}
        lead_in, since = -1, 0
        for at, sentence in enumerate(case.sentences[:MAX_SENTENCES]):
            if at in heads:
                continue
            text = rows.get(at) or " ".join(LINE_END_HYPHEN.sub("", sentence).split())
            text = text[:MAX_LINE_CHARS]
            if not text:
                continue
            since += 1
            introduced = lead_in if since <= _MOST_ITEMS and at not in rows else -1
            lines.append(Line(text, number, case.heading, introduced))
            places.append((number, at))
            if text.endswith(":"):
                lead_in, since = len(lines) - 1, 0
    return Lines(tuple(lines), tuple(places))


def _rows(case: Case) -> dict[int, str]:
    """The rows of the case's tables in words."""
    told = ((row, table.in_words(row)) for table in case.tables for row in table.rows)
    return {row: text for row, text in told if text}

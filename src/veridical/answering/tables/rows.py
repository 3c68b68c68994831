"""Which rows of a table answer a question: those whose band or name the question gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from veridical.answering.question.asked import AskedQuestion
from veridical.answering.tables.bands import Band, band_of, bands_in, stems_of
from veridical.retrieval.tables.layout import Table
from veridical.retrieval.terms import terms

_MOST_ROWS = 6
"""Rows of a table that is shown whole because the question tells none from the others."""


@dataclass(frozen=True, slots=True)
class Rows:
    """Rows of one table, in order; `in_band` says that a number of the question lies in theirs."""

    indexes: tuple[int, ...]
    in_band: bool


def rows_for(asked: AskedQuestion, table: Table) -> Rows | None:
    """The rows of a table that a question is about.

    Those whose band of numbers holds the question's ("2 to 4" for three years of service), else
    those with its number under the same unit; of these or else of all rows those with most of the
    question's words that not all have; all of a small table where the question tells none from the
    others. None for a large one, and where the table is for other numbers.
    """
    if not table.titles or not table.cells:
        return None
    words = frozenset(term for term in asked.terms if not term.isdigit())
    in_band = _in_band(asked, table)
    if in_band is not None and not in_band:
        return None
    rows = in_band or _with_number(asked, table)
    if rows:
        return Rows(_named(words, table, rows) or rows, in_band=bool(in_band))
    named = _named(words, table, table.rows)
    if named:
        return Rows(named, in_band=False)
    return Rows(table.rows, in_band=False) if len(table.rows) <= _MOST_ROWS else None


def is_for_others(asked: AskedQuestion, table: Table) -> bool:
    """Whether a table is for bands of what the question counts, and for none that its number is in:
    "0 to 1", "2 to 4" for twenty years of service.
    """
    return bool(table.titles and table.cells) and _in_band(asked, table) == ()


def _with_number(asked: AskedQuestion, table: Table) -> tuple[int, ...]:
    """The rows with a number of the question in a cell that counts the same: the room of "Who sits
    in room 204?", not the leave of those with 20 years of service.
    """
    found: set[int] = set()
    if len(table.titles) == 1:
        return ()
    for number in bands_in(asked.text):
        for column, title in enumerate(table.titles):
            for row, cells in table.cells.items():
                held = bands_in(cells[column]) if len(cells) == len(table.titles) else ()
                told = stems_of(title).union(*(band.near for band in held))
                equal = any((band.low, band.high) == (number.low, number.high) for band in held)
                if equal and number.is_number and number.near & told:
                    found.add(row)
    return tuple(row for row in table.rows if row in found)


def _named(wanted: frozenset[str], table: Table, rows: Sequence[int]) -> tuple[int, ...]:
    """The rows with most of some words that tell them apart; none if no row has any."""
    held = [wanted & set(terms(" ".join(table.cells[row]))) for row in rows]
    common = frozenset.intersection(*held) if len(held) > 1 else frozenset()
    counts = [len(words - common) for words in held]
    best = max(counts)
    return tuple(row for row, count in zip(rows, counts, strict=True) if count == best > 0)


def _in_band(asked: AskedQuestion, table: Table) -> tuple[int, ...] | None:
    """The rows that the question's numbers fall to; none if the table's bands hold none of them,
    and None if it has no bands that count what they count.
    """
    columns = [(title, _bands(table, at, title)) for at, title in enumerate(table.titles)]
    fits: list[frozenset[int]] = []
    for number in bands_in(asked.text):
        for title, bands in columns:
            counted = _counting(number, title, bands)
            if counted:
                fits.append(frozenset(_fitting(counted, bands)))
    fitting = [rows for rows in fits if rows]
    if not fitting:
        return () if fits else None
    both = frozenset.intersection(*fitting) or frozenset.union(*fitting)
    return tuple(row for row in table.rows if row in both)


def _bands(table: Table, column: int, title: str) -> dict[int, Band]:
    """The bands of a column by the rows they stand in."""
    found = {
        row: band_of(title, cells[column], is_key=column == 0)
        if len(cells) > 1
        else _opening(cells[column])
        for row, cells in table.cells.items()
        if len(cells) == len(table.titles)
    }
    return {row: band for row, band in found.items() if band is not None}


def _opening(row: str) -> Band | None:
    """The band that a row of which no cells are told opens with; a number there may be any cell."""
    first = bands_in(row)[:1]
    return first[0] if first and not first[0].is_number else None


def _counting(number: Band, title: str, bands: dict[int, Band]) -> dict[int, Band]:
    """The number as each row counts it, without the rows that count something else: what a bare
    "2 to 4" counts is said above it or in the rows beside it.
    """
    above = stems_of(title)
    beside = above.union(*(band.near for band in bands.values()))
    counted = {
        row: number.counting(above | band.near if band.near else beside)
        for row, band in bands.items()
    }
    return {row: told for row, told in counted.items() if told is not None}


def _fitting(numbers: dict[int, Band], bands: dict[int, Band]) -> Iterable[int]:
    """The rows whose band holds a number or band, the closest of these; else those it runs into."""
    for rounding in (False, True):
        holding = {
            row: bands[row]
            for row, number in numbers.items()
            if bands[row].holds(number.rounded_down() if rounding else number)
        }
        if holding:
            return _closest(holding)
    return [row for row, number in numbers.items() if bands[row].meets(number)]


def _closest(bands: dict[int, Band]) -> Iterable[int]:
    """Of bands that are open at the same end ("from 5", "from 10"), the narrowest."""
    highs = [band.high for band in bands.values() if band.low is None and band.high is not None]
    lows = [band.low for band in bands.values() if band.high is None and band.low is not None]
    if len(highs) == len(bands):
        return [row for row, band in bands.items() if band.high == min(highs)]
    if len(lows) == len(bands):
        return [row for row, band in bands.items() if band.low == max(lows)]
    return bands

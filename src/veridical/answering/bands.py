"""Rows for bands of numbers, "2 to 4" years of service: to which of them a number falls.

A network tells no row for 5 years from one for 4; this is exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from veridical.judging.words import FUNCTION_WORDS, UNCOUNTED, read_words, stem
from veridical.retrieval.tables.layout import Table

# Bands of numbers, as questions and tables name them: "2 to 4", "more than five", "10 or more".


_MOST_BANDS = 8
"""Bands of one text that are read: a question names one or two."""

_NUMBER = r"(?<![\d.:])(\d+(?:\.\d+)?)(?![:\d]|\.\d| (?:st|nd|rd|th)\b)"
_UNIT = r"(?: [a-z]+){0,2}?"
_ABOVE = r"(?:more than|over|above|longer than|older than|greater than|exceeding|beyond)"
_BELOW = r"(?:fewer than|less than|under|below|younger than|shorter than)"
_LEAST = r"(?:at least|(?:no|not) (?:less|fewer) than|minimum(?: of)?|from)"
_MOST = r"(?:up to|at most|(?:no|not) (?:more|longer) than|maximum(?: of)?)"
_JOINED = r"(?:(?:and|but|to|up to|to but) )?"
_FORMS = tuple(
    (re.compile(rf"\b{pattern}"), ends)
    for pattern, ends in (
        (rf"{_ABOVE} {_NUMBER}{_UNIT} {_JOINED}{_MOST} {_NUMBER}", "(]"),
        (rf"{_ABOVE} {_NUMBER}{_UNIT} {_JOINED}{_BELOW} {_NUMBER}", "()"),
        (rf"{_LEAST} {_NUMBER}{_UNIT} {_JOINED}{_MOST} {_NUMBER}", "[]"),
        (rf"(?:{_LEAST} |between )?{_NUMBER}{_UNIT} {_JOINED}{_BELOW} {_NUMBER}", "[)"),
        (rf"between {_NUMBER}{_UNIT} and {_NUMBER}", "[]"),
        (rf"(?:from )?{_NUMBER}{_UNIT} (?:up )?to {_NUMBER}", "[]"),
        (rf"{_LEAST} {_NUMBER}", "[ "),
        (rf"{_MOST} {_NUMBER}", " ]"),
        (rf"{_BELOW} {_NUMBER}", " )"),
        (rf"{_ABOVE} {_NUMBER}", "( "),
        (rf"{_NUMBER}{_UNIT} (?:or|and) (?:more|longer|above|over|older|up|upwards)\b", "[ "),
        (rf"{_NUMBER}{_UNIT} (?:or|and) (?:less|fewer|shorter|below|under|younger)\b", " ]"),
        (_NUMBER, "[]"),
    )
)
"""How bands are put, what says more before what says less, and whether their ends belong to them:
a bracket if so, a parenthesis if not, a blank where there is none.
"""

_OPEN_TITLE = re.compile(rf"(?:{_ABOVE}|{_BELOW}|{_LEAST}|{_MOST})$")
_DASH = re.compile(r"(?<=\d)\s?[-\u2013\u2014]\s?(?=\d)")
_PLUS = re.compile(r"(?<=\d)\s?\+")
_SIGNS = re.compile(r"(>=|\u2265|>|<=|\u2264|<)(?=\s?[$\u20ac\u00a3]?\d)")
_SIGN_WORDS = {
    ">=": "at least", "\u2265": "at least", ">": "more than",
    "<=": "up to", "\u2264": "up to", "<": "less than",
}  # fmt: skip
_DECIMAL_COMMA = re.compile(r"(?<![\d.,])(\d+),(?=\d{1,2}(?![\d,]|\.\d))")
"""A comma before one digit or two: no thousands stand behind it."""

_REACH_AFTER, _REACH_BEFORE = 3, 2
"""Words behind a band, and before it, of which one says what it counts."""

_IN_YEARS = frozenset(map(stem, "year years service tenure seniority age".split()))
_YEAR, _MONTH = stem("year"), stem("month")
_MONTHS = 12


@dataclass(frozen=True, slots=True)
class Band:
    """Numbers from `low` to `high`, None where it is open; its ends belong to it as told.

    `near` are the stems of the words beside it, of which one says what is counted.
    """

    low: Fraction | None
    high: Fraction | None
    with_low: bool = True
    with_high: bool = True
    near: frozenset[str] = frozenset()

    @property
    def is_number(self) -> bool:
        """Whether it is a single number."""
        return self.low is not None and self.low == self.high

    def holds(self, other: Band) -> bool:
        """Whether all numbers of another band lie in this one."""
        if (self.low is not None and other.low is None) or (
            self.high is not None and other.high is None
        ):
            return False
        low, high = self.low, self.high
        ends_above = low is None or (low, not self.with_low) <= (other.low, not other.with_low)
        ends_below = high is None or (high, self.with_high) >= (other.high, other.with_high)
        return ends_above and ends_below

    def meets(self, other: Band) -> bool:
        """Whether both share more than an end."""
        lows = [low for low in (self.low, other.low) if low is not None]
        highs = [high for high in (self.high, other.high) if high is not None]
        return not lows or not highs or max(lows) < min(highs)

    def counting(self, told: frozenset[str]) -> Band | None:
        """This band as it counts what `told` names, months as years; None if that is another thing.

        A band without a word beside it may count anything.
        """
        in_months = _MONTH in self.near and _YEAR not in self.near and _MONTH not in told
        if in_months and told & _IN_YEARS:
            low, high = (None if end is None else end / _MONTHS for end in (self.low, self.high))
            return replace(self, low=low, high=high)
        if not self.near or self.near & told or (_YEAR in self.near and told & _IN_YEARS):
            return self
        return None

    def rounded_down(self) -> Band:
        """A single number without its fraction: years count when they are complete."""
        whole = None if self.low is None else Fraction(int(self.low))
        return replace(self, low=whole, high=whole) if self.is_number else self


@lru_cache(maxsize=4096)
def bands_in(text: str) -> tuple[Band, ...]:
    """The bands that a text names, in order, single numbers among them."""
    plain = _plain(text)
    found: list[Band] = []
    at = 0
    while len(found) < _MOST_BANDS:
        matches = [(form.search(plain, at), ends) for form, ends in _FORMS]
        best = min(((match, ends) for match, ends in matches if match), default=None, key=_where)
        if best is None:
            break
        found.append(_band(plain, *best))
        at = best[0].end()
    return tuple(found)


@lru_cache(maxsize=4096)
def band_of(title: str, cell: str, *, is_key: bool) -> Band | None:
    """The numbers that a cell is for: "2 to 4", or "$500" below "Claims up to"; None if for none.

    Where the cell is no key of its row, a single number is a value and no band. A cell with a
    second band has none: which of them it is for cannot be told.
    """
    opening = _OPEN_TITLE.search(_plain(title))
    bands = bands_in(f"{opening[0]} {cell}" if opening else cell)
    if len(bands) != 1 or (bands[0].is_number and not is_key):
        return None
    starts_so = any(form.match(_plain(cell)) for form, _ in _FORMS)
    return bands[0] if is_key or opening or starts_so else None


def stems_of(text: str) -> frozenset[str]:
    """The stems of a text's words, and of the units of its numbers."""
    return frozenset(stem(word) for word in _plain(text).split())


def _where(found: tuple[re.Match[str], str]) -> int:
    return found[0].start()


def _band(plain: str, match: re.Match[str], ends: str) -> Band:
    numbers = [Fraction(number) for number in match.groups()]
    low = numbers[0] if ends[0] != " " else None
    high = numbers[-1] if ends[1] != " " else None
    inside = [word for word in match[0].split() if word not in _BOUNDING]
    after = plain[match.end() :].split(maxsplit=_REACH_AFTER)[:_REACH_AFTER]
    before = plain[: match.start()].split()[-_REACH_BEFORE:]
    beside = (*before, *inside, *after)
    near = {stem(word) for word in beside if word.isalpha() and word not in FUNCTION_WORDS}
    return Band(low, high, ends[0] != "(", ends[1] != ")", frozenset(near))


_BOUNDING = frozenset(
    "more than over above longer older greater exceeding beyond fewer less under below younger "
    "shorter at least no not minimum maximum of from up to most between and or but upwards".split()
)


@lru_cache(maxsize=4096)
def _plain(text: str) -> str:
    """A text in lower-case words and numerals, with the names of currencies behind their sums."""
    told = _DECIMAL_COMMA.sub(r"\1.", _DASH.sub(" to ", text))
    told = _SIGNS.sub(lambda sign: f" {_SIGN_WORDS[sign[0]]} ", _PLUS.sub(" or more ", told))
    words: list[str] = []
    for word in read_words(told):
        if word.number is None or word.unit in UNCOUNTED:
            words.append(word.key)
            continue
        number = word.number
        words.append(str(number) if number.denominator == 1 else f"{float(number):g}")
        if word.unit is not None and not word.unit.startswith(_PERIODS):
            words.append(word.unit)
    return " ".join(words)


_PERIODS = ("hour", "day", "week", "month", "year")


def rows_in_band(question: str, table: Table) -> tuple[int, ...] | None:
    """The rows that the question's numbers fall to; none if the table's bands hold none of them,
    and None if it has no bands that count what they count.
    """
    if not table.titles or not table.cells:
        return None
    columns = [(title, _bands(table, at, title)) for at, title in enumerate(table.titles)]
    fits: list[frozenset[int]] = []
    for number in bands_in(question):
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

"""Bands of numbers, as questions and tables name them: "2 to 4", "more than five", "10 or more"."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from veridical.judging.words import FUNCTION_WORDS, UNCOUNTED, read_words, stem

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
        above = self.low is None or (
            other.low is not None
            and (
                other.low > self.low
                or (other.low == self.low and (self.with_low or not other.with_low))
            )
        )
        below = self.high is None or (
            other.high is not None
            and (
                other.high < self.high
                or (other.high == self.high and (self.with_high or not other.with_high))
            )
        )
        return above and below

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

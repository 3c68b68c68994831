"""Figures that follow: a claim's value that stands nowhere, worked out from values that do.

A rise of 25 % from 120 and 150, three degrees from 18 and 21, a total, a span of time, the sum or
mean of a column. All is computed exactly, with values of one unit; a claim is met to the digit that
it gives. Which words of a claim call for which operation stands in lists of the lexicon.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

from veridical.judging.judge import Case
from veridical.judging.lines import Lines
from veridical.judging.veto import is_year, shown, unbound_places
from veridical.judging.words import TIMES, UNCOUNTED, Word, in_smallest, read_words, same_quantity
from veridical.text.lexicon import english, listed

_ABOUT = english("about")
_LINKS = frozenset({"and", "but", "while", "whereas"})
_COMPARED = english("rises", "falls") - english("positions")
_TOTAL_PHRASES = {("in", "all"), ("comes", "to"), ("come", "to"), ("came", "to"), ("amounts", "to")}
_MONTHS = tuple(month[:3] for month in listed("months"))
_DAYS = {"day": 1, "night": 1, "week": 7, "fortnight": 14}
_DATE, _YEARLESS, _CLOCK = "date", "date of any year", "o'clock"
_NO_LEAP_YEAR = 2023

_NEAR_CUE, _BESIDE = 4, 3
"""Words around a value of which one may make a difference of it; behind it, surely does."""

_MOST_OPERANDS, _MOST_SUMMED = 24, 4
"""Values in what was read, of more than which none is surely meant, and those of one sum."""

_OTHER_WAY = -2
"""How surely the claim tells more of the smaller operand: with two of its words at the least."""

_SHARE_OF_LINE = 0.5
"""What a word of the claim counts that stands in the line of an operand, but not beside it."""


class Operand(NamedTuple):
    """A value in a line that was read.

    `near` counts the claim's words around it, `beside` are the stems between the commas around it,
    `counted` is the plural behind it, if any.
    """

    line: int
    word: Word
    near: float
    beside: frozenset[str]
    counted: str = ""

    @property
    def number(self) -> Fraction:
        """The value."""
        return self.word.number or Fraction(0)

    def kin(self, other: Operand) -> bool:
        """Whether two values count the same, as far as their units and what they count tell.

        A bare number in figures has the unit of one in its line: 14.2 minutes, against 9.6.
        """
        one, two = self.word.unit, other.word.unit
        if one is not None and two is not None:
            return one == two
        if self.line != other.line and (one != two or not self.beside & other.beside):
            return False
        if one == two:
            return self.counted == other.counted or not (self.counted and other.counted)
        bare = self if one is None else other
        return not bare.counted and bare.word.text[:1].isdecimal()


@dataclass(frozen=True, slots=True)
class Derivation:
    """A value worked out of operands, and the computation as a reader sees it.

    `rounded` tells that a claim may give fewer digits, `column` that the operands are all of one.
    """

    value: Word
    operands: tuple[Operand, ...]
    told: str
    rounded: bool = False
    column: bool = False

    @property
    def near(self) -> float:
        """How much the claim speaks of what stands around its operands, on the average."""
        return sum(one.near for one in self.operands) / len(self.operands)

    def stands_in(self, lines: Collection[int]) -> bool:
        """Whether its operands stand in some lines; of a column, one of them."""
        own = {one.line for one in self.operands}
        return not own.isdisjoint(lines) if self.column else own <= {*lines}


class Figure(NamedTuple):
    """A value of a claim that stands nowhere in its sources, by its place among the claim's words.

    `asked` names what the words of the claim ask to be worked out, `masked` is the claim with
    "some" in place of the value: what is left of it for a reader to judge.
    """

    claim: tuple[Word, ...]
    at: int
    asked: frozenset[str]
    masked: str

    @property
    def word(self) -> Word:
        """The value itself."""
        return self.claim[self.at]

    def is_met(self, found: Derivation) -> bool:
        """Whether a computed value is what the claim says: exactly, or to the last digit that it
        gives where that must be rounded or the claim says "about".
        """
        said, value = self.word.number or Fraction(0), found.value.number or Fraction(0)
        about = any(word.key in _ABOUT for word in self.claim[max(0, self.at - 2) : self.at])
        if not (about or found.rounded):
            return same_quantity(found.value, self.word)
        place = Fraction(1)
        while (said / place).denominator != 1:
            place /= 10
        while about and said and place >= 1 and (said / (10 * place)).denominator == 1:
            place *= 10  # about 1,200: its zeros are no digits that are given
        return 2 * abs(value - said) <= place


def figure_of(claim: str, said: Sequence[Word]) -> Figure | None:
    """The one value of a claim that does not stand in what is said, as an amount; of several, the
    one in digits. None where there is not one.
    """
    words = read_words(claim)
    new = [
        at
        for at, word in enumerate(words)
        if word.number is not None
        and word.unit not in UNCOUNTED
        and (_counts(_day_at(words, at)) or _counted(words, at))
        and not any(same_quantity(word, other) for other in said)
    ]
    new = [at for at in new if words[at].text[0].isdecimal()] if len(new) > 1 else new
    if len(new) != 1:
        return None
    value = re.escape(words[new[0]].text)
    pattern = rf"[$\u20ac\u00a3\u00a5]?(?<![\w.,]){value}(?!\w|[.,]\d)(\s?%)?"
    masked, count = re.subn(pattern, lambda m: "some per cent" if m[1] else "some", claim)
    return Figure(words, new[0], _asked(words, new[0]), masked) if count == 1 else None


def amounts(text: str) -> list[Word]:
    """The numbers of a text that count something: no days of a month."""
    words = read_words(text)
    return [w for at, w in enumerate(words) if w.number is not None and _day_at(words, at) is w]


def _asked(claim: Sequence[Word], at: int) -> frozenset[str]:
    keys, free = [word.key for word in claim], {*unbound_places(claim)}
    near = {keys[i] for i in free if 0 < abs(i - at) <= _NEAR_CUE}
    total = english("totals") & {*keys}
    beside = {keys[i] for i in range(at + 1, min(at + 1 + _BESIDE, len(keys))) if i in free}
    compared = {*keys} & _COMPARED if keys[at - 1 : at] == ["by"] else beside & _COMPARED
    asked = {
        "rise": near & english("rises"),
        "fall": near & english("falls"),
        "difference": near & english("rises", "falls", "gaps"),
        "part": keys[at + 1 : at + 2] == ["of"] or keys[0] == "of",
        "total": total or _TOTAL_PHRASES & {*pairwise(keys)},
        "mean": english("averages") & {*keys},
        "surely": total or compared,
    }
    return frozenset(name for name, words in asked.items() if words)


def derivations(
    figure: Figure, cases: Sequence[Case], lines: Lines, kept: Sequence[int]
) -> list[Derivation]:
    """All that the claim's words let be worked out of the values of some lines."""
    asked, unit = figure.asked, figure.word.unit
    words = {word.stem for i, word in enumerate(figure.claim) if word.content and i != figure.at}
    operands = [one for i in kept for one in _operands(i, read_words(lines.lines[i].text), words)]
    found = [*_spans(operands, unit), *_columns(cases, lines, kept, words, asked)]
    plain = [o for o in operands if _counts(o.word) or (o.counted and o.word.unit is None)]
    if len(plain) > _MOST_OPERANDS:
        return found
    most = _MOST_SUMMED if len(plain) <= _MOST_OPERANDS // 2 else 2
    for some in (some for count in range(2, most + 1) for some in combinations(plain, count)):
        units = {_UNITS.get(one.word.unit, one.word.unit) for one in some} - {None}
        if not all(a.kin(b) for a, b in pairwise(some)):
            continue
        if len(some) == 2 and unit == "percent" and not units & {"percent", "percentage point"}:
            found += _shares(some, asked)
        points = unit == "percentage point" and units == {"percent"}
        bare = not units and unit in ("percent", "percentage point")
        if bare or (unit is not None and not units <= {unit} and not points):
            continue
        if "total" in asked:
            found.append(_made("+", some, sum((one.number for one in some), Fraction(0))))
        if len(some) == 2 and asked & {"difference", "part"} and some[0].number != some[1].number:
            low, high = sorted(some, key=lambda one: one.number)
            made = _made("\u2212", (high, low), high.number - low.number)
            found.append(replace(made, value=replace(made.value, unit=unit)) if points else made)
    return found


_UNITS: dict[str | None, str] = {"celsius": "degree", "fahrenheit": "degree"}


def _operands(line: int, words: Sequence[Word], asked: set[str]) -> Iterator[Operand]:
    """The values of a line but those that are known to be no amount: ranks and codes."""
    stems = {word.stem for word in words}
    for at, word in enumerate(words):
        if word.number is None or word.unit in ("ordinal", "code"):
            continue
        low, high = at, at + 1
        while low and not _begins_clause(words[low]):
            low -= 1
        while high < len(words) and not _begins_clause(words[high]):
            high += 1
        beside = {other.stem for other in words[low:high] if other.content and other is not word}
        near = len(beside & asked) + _SHARE_OF_LINE * len((stems - beside) & asked)
        yield Operand(line, _day_at(words, at), near, frozenset(beside), _counted(words, at))


def _begins_clause(word: Word) -> bool:
    return word.border in (";", ",") or word.key in _LINKS


def _counted(words: Sequence[Word], at: int) -> str:
    after = next((w for w in words[at + 1 : at + 2] if w.content and not w.border), None)
    return after.stem if after is not None and after.text.endswith("s") else ""


def _day_at(words: Sequence[Word], at: int) -> Word:
    """A number, or the day of a month that it is, as a number of days."""
    word, number = words[at], words[at].number or Fraction(0)
    around = (*words[max(0, at - 1) : at], *words[at + 1 : at + 2])
    month = next((w for w in around if w.key[:3] in _MONTHS and w.named), None)
    if month is None or word.unit is not None or number.denominator != 1:
        return word
    years = (w.number for w in words[at + 1 : at + 3] if w.number is not None and is_year(w))
    year = next(years, None)
    try:
        day = date(int(year or _NO_LEAP_YEAR), _MONTHS.index(month.key[:3]) + 1, int(number))
    except ValueError:
        return word
    text = f"{word.text} {month.text}" + (f" {year}" if year else "")
    unit = _DATE if year else _YEARLESS
    return replace(word, text=text, number=Fraction(day.toordinal()), unit=unit)


def _counts(word: Word) -> bool:
    return word.unit not in (_DATE, _YEARLESS, _CLOCK) and not is_year(word)


def _value(value: Fraction, unit: str | None) -> Word:
    text = f"{float(value):,.2f}".rstrip("0").rstrip(".")
    return Word(text, text, text, value, unit)


def _equals(value: Word) -> str:
    exact = Fraction(value.text.replace(",", "")) == value.number
    return f"{chr(0x3D if exact else 0x2248)} {shown(value)}"


def _made(sign: str, operands: Sequence[Operand], value: Fraction) -> Derivation:
    units = (one.word.unit for one in operands if one.word.unit is not None)
    made = _value(value, next(units, None))
    terms = f" {sign} ".join(shown(one.word) for one in operands)
    return Derivation(made, tuple(operands), f"{terms} {_equals(made)}")


def _shares(pair: Sequence[Operand], asked: Collection[str]) -> Iterator[Derivation]:
    """How many per cent one value is more, or less, than another, or of another."""
    low, high = sorted(pair, key=lambda one: one.number)
    if not 0 < low.number < high.number:
        return
    less, more, gap = shown(low.word), shown(high.word), high.number - low.number
    rises, falls = "rise" in asked, "fall" in asked
    ways = []
    if "difference" in asked and (rises or not falls):
        ways.append((gap / low.number, f"({more} \u2212 {less}) \u00f7 {less}"))
    if "difference" in asked and (falls or not rises):
        ways.append((gap / high.number, f"({more} \u2212 {less}) \u00f7 {more}"))
    if "part" in asked and not ways:
        ways.append((low.number / high.number, f"{less} \u00f7 {more}"))
    for share, told in ways:
        made = _value(100 * share, "percent")
        yield Derivation(made, (high, low), f"{told} {_equals(made)}", rounded=True)


def _spans(operands: Sequence[Operand], unit: str | None) -> Iterator[Derivation]:
    """The time between two years, days or times of day."""
    march = date(_NO_LEAP_YEAR, 3, 1).toordinal()
    for pair in combinations(operands, 2):
        low, high = sorted(pair, key=lambda one: one.number)
        gap, of = high.number - low.number, low.word.unit
        may_leap = of == _YEARLESS and low.number < march <= high.number
        value = None
        if not gap or of != high.word.unit or may_leap:
            continue
        if unit == "year" and is_year(low.word) and is_year(high.word):
            value = gap
        elif unit in _DAYS and of in (_DATE, _YEARLESS):
            value = gap / _DAYS[unit]
        elif unit in ("minute", "hour") and of == _CLOCK:
            value = gap / (60 if unit == "hour" else 1)
        if value is not None:
            made = _value(value, unit)
            told = f"{low.word.text} to {high.word.text} {_equals(made)}"
            yield Derivation(made, (low, high), told)


def _columns(
    cases: Sequence[Case],
    lines: Lines,
    kept: Sequence[int],
    words: set[str],
    asked: Collection[str],
) -> Iterator[Derivation]:
    """The sums and means of the columns of each whole table of which a row was read."""
    at = {place: i for i, place in enumerate(lines.places)}
    for number, case in enumerate(cases):
        for table in case.tables if {"total", "mean"} & {*asked} else ():
            rows = [at[number, row] for row in table.rows if (number, row) in at]
            if table.head is None or len(rows) < max(2, len(table.rows)) or not {*rows} & {*kept}:
                continue
            for title, *cells in zip(table.titles, *table.cells.values(), strict=False):
                stems = frozenset(word.stem for word in read_words(title) if word.content)
                values = [[w for w in read_words(c) if w.number is not None] for c in cells]
                if any(len(found) != 1 or not _counts(found[0]) for found in values):
                    continue
                column = [Operand(i, v[0], len(stems & words), stems)
                          for i, v in zip(rows, values, strict=True)]  # fmt: skip
                if all(one.word.unit == column[0].word.unit for one in column):
                    yield from _of_column(title, column, asked)


def _of_column(
    title: str, column: Sequence[Operand], asked: Collection[str]
) -> Iterator[Derivation]:
    total = sum((one.number for one in column), Fraction(0))
    made = replace(_made("+", column, total), column=True)
    if "total" in asked:
        yield made
    if "mean" in asked:
        mean = _value(total / len(column), made.value.unit)
        told = f'the mean of {len(column)} values of "{title}" {_equals(mean)}'
        yield replace(made, value=mean, told=told, rounded=True)


class Worked(NamedTuple):
    """What computing says of a claim's value: whether it is met, and by which computation; where it
    is not, the one that it should be, or None.
    """

    met: bool
    by: Derivation | None


def settled(
    figure: Figure,
    found: Sequence[Derivation],
    marked: Collection[int],
    said: Sequence[Word],
    *,
    reads: bool,
    leans: bool,
) -> Worked | None:
    """What is computed of a claim's value; None where that is not sure.

    `marked` are the lines that a reader takes to decide on the claim without its value, and `reads`
    whether it takes the rest for said. A value is met by operands in those lines that stand amid
    most words of the claim, the greater of them on the side that the claim has it on; where that
    cannot be told, nothing is sure of what is compared ("than"), and of the rest only if the reader
    also leaned to the claim as it is. It is not met where the
    claim surely names an operation and nothing that is
    `said` could make it; then it should be what all computations give, if they do.
    """
    inside = [one for one in found if one.stands_in(marked)]
    nearest = max((one.near for one in inside), default=0.0)
    best = [one for one in inside if one.near >= nearest]
    met = next((one for one in best if figure.is_met(one)), None)
    if met is not None:
        way = _way(figure, met)
        if way <= _OTHER_WAY:
            return Worked(False, None)
        compares = any(word.key == "than" for word in figure.claim)
        return Worked(True, met) if reads and (way > 0 or (leans and not compares)) else None
    if not found or "surely" not in figure.asked or _could_be(figure, found, said):
        return None
    alone = len({one.value.number for one in best}) == 1
    # A total may take a value twice: two children at the same price.
    plain = (
        alone
        and "+" not in best[0].told
        and all(o.word.unit or o.counted for o in best[0].operands)
    )
    return Worked(False, best[0] if plain and reads else None)


def _way(figure: Figure, found: Derivation) -> int:
    """Whether the greater of two operands is the one that the claim tells more of: above 0, or
    below it where it is the other; 0 where that cannot be told, 1 where nothing is compared.

    What is more, or less, stands before "than", and what rose has the later year. What a line says
    of both operands is of the change between them: nothing fell from 120 that rose from 120 to 150.
    """
    if len(found.operands) != 2 or ("rise" in figure.asked) == ("fall" in figure.asked):
        return 1
    sign = 1 if "rise" in figure.asked else -1
    low, high = sorted(found.operands, key=lambda one: one.number)
    keys = [word.key for word in figure.claim]
    both, stay = low.beside & high.beside, english("positions")
    rose, fell = (bool(both & _stems(english(way) - stay)) for way in ("rises", "falls"))
    if "than" not in keys and sign * (rose - fell) < 0:
        return _OTHER_WAY
    split = keys.index("than") if "than" in keys else figure.at
    before, after = ({word.stem for word in part} for part in
                     (figure.claim[:split], figure.claim[split:]))  # fmt: skip
    more, less = high.beside - low.beside, low.beside - high.beside
    told = len(before & more) + len(after & less) - len(before & less) - len(after & more)
    if not told and "than" not in keys:
        years = [max((w for w in side if w.isdecimal() and len(w) == 4), default="") for side in
                 (more, less)]  # fmt: skip
        told = (years[0] > years[1]) - (years[0] < years[1]) if all(years) else 0
    return sign * told


def _stems(words: Collection[str]) -> set[str]:
    return {word.stem for word in read_words(" ".join(words))}


def _could_be(figure: Figure, found: Sequence[Derivation], said: Sequence[Word]) -> bool:
    """Whether two values that are said, or one and a number of the claim, might make its value."""
    if any(figure.is_met(one) for one in found) or any(
        same_quantity(figure.word, word) for word in said
    ):
        return True
    wanted, unit = figure.word.number, figure.word.unit
    if unit in TIMES and any(not _counts(word) for word in said if word.number):
        return True
    mine = {word.number for i, word in enumerate(figure.claim) if word.number and i != figure.at}
    same = {value for word in said if (value := _in_unit(word, unit))}
    alike = same | {word.number for word in said if word.number and word.unit is None}
    times = any(wanted in (a * b, a / b) for a in alike for b in mine)
    return times or any(wanted in (a + b, a - b, b - a) for a in same for b in alike)


def _in_unit(word: Word, unit: str | None) -> Fraction | None:
    """A number in a unit, if it has that one or one that is worth so many of it."""
    if word.unit == unit or (unit == "percentage point" and word.unit == "percent"):
        return word.number
    value, smallest = in_smallest(word)
    of, other = in_smallest(replace(word, number=Fraction(1), unit=unit))
    return value / of if smallest == other and word.unit and unit else None

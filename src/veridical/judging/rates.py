"""How often: each month, twice a year, weekly. What comes each quarter does not come each month."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from veridical.judging.alignment_words import IN_SMALLER, Word, same_quantity, stem
from veridical.judging.features_conflicts import Conflict, is_date
from veridical.validation.differences import AlterationKind

_ADVERBS = {
    "hourly": "hour", "daily": "day", "nightly": "day", "weekly": "week", "biweekly": "fortnight",
    "fortnightly": "fortnight", "monthly": "month", "quarterly": "quarter", "yearly": "year",
    "annual": "year", "annually": "year",
}  # fmt: skip
_PERIODS = frozenset("hour day night week fortnight month quarter year decade".split())
_EVERY = frozenset("every each per".split())
_ARTICLES = frozenset("a an".split())
_BEFORE_PERIOD = _EVERY | _ARTICLES
_QUALIFIES = frozenset("calendar business working fiscal financial other".split())
_NO_RATE_AFTER = frozenset(
    "within for after of about than before over under during until by since half least most".split()
)
"""Words before "a month" by which it is a length of time."""

_NO_RATE_BEFORE = frozenset("before after ago earlier later from ahead old long notice".split())
"""Words after "a month" by which it is one."""

_TIMES = {"once": 1, "twice": 2, "thrice": 3}
_ONE_OFF = frozenset("once single off".split())
"""Words by which something comes once for all: a one-off payment."""


@dataclass(frozen=True, slots=True)
class _Rate:
    """One period after another: its length in the smallest unit it is counted in, and its words.

    `number` is the word that counts its units, if any does: every two months.
    """

    length: tuple[Fraction, str]
    text: str
    number: Word | None = None


def rate_conflicts(
    claim: Sequence[Word], said: Sequence[Word], heading: Sequence[Word] = ()
) -> Iterator[Conflict]:
    """Where a claim says how often, and the text with its heading another rate or none.

    What is said of a year may go without saying so: a text that names no other rate has it.
    """
    ours, theirs = list(_rates(claim)), [*_rates(said), *_rates(heading)]
    lengths = {rate.length for rate in theirs}
    for rate in ours:
        if rate.length in lengths or (rate.number is not None and not _stands(rate.number, said)):
            continue  # a number that is missing tells by itself
        if rate.length == _YEAR and not theirs and not _ONE_OFF & {word.key for word in said}:
            continue
        yield Conflict(AlterationKind.UNIT, rate.text, theirs[0].text if theirs else "")
    yield from _times(claim, said)


def has_rate(words: Sequence[Word]) -> bool:
    """Whether a text says how often anything is."""
    return next(_rates(words), None) is not None


def is_rate(words: Sequence[Word], at: int) -> bool:
    """Whether a word says how often: the "every" of "every year", but not that of "every clerk"."""
    return words[at].key in _EVERY and _after(words, at) is not None


def _stands(number: Word, said: Sequence[Word]) -> bool:
    return any(same_quantity(number, word) for word in said)


def _rates(words: Sequence[Word]) -> Iterator[_Rate]:
    for at, word in enumerate(words):
        if word.key in _ADVERBS:
            yield _Rate(_length(_ADVERBS[word.key]), word.text)
        elif word.key in _BEFORE_PERIOD:
            rate = _after(words, at)
            if rate is not None:
                yield rate
        elif word.key in _ON_DAYS:
            yield _Rate(_length("week"), word.text)


def _after(words: Sequence[Word], at: int) -> _Rate | None:
    """The rate that begins with "every", "per" or an article."""
    word, end = words[at], at + 1
    if end < len(words) and words[end].key in _QUALIFIES:
        end += 1
    if end >= len(words) or words[end].border:
        return None
    named, number = words[end], None
    if word.key in _EVERY and named.number is not None and named.unit in _PERIODS:
        number, text = named, f"{word.text} {named.text} {named.unit}s"
        return _Rate(_length(str(named.unit), named.number), text, number)
    text = " ".join(one.text for one in words[at : end + 1])
    if word.key in _EVERY and is_date(named):
        return _Rate(_length("week" if named.key in _DAYS else "year"), text)
    if named.key not in _PERIODS or (word.key in _ARTICLES and not _is_no_length(words, at, end)):
        return None
    return _Rate(_length(named.key, Fraction(2 if words[end - 1].key == "other" else 1)), text)


def _is_no_length(words: Sequence[Word], at: int, end: int) -> bool:
    """Whether "a month" says how often and not how long."""
    before = words[at - 1].key if at and not words[at].border else ""
    after = words[end + 1].key if end + 1 < len(words) and not words[end + 1].border else ""
    if before == "in":
        return words[end].key == "year"
    return bool(before) and before not in _NO_RATE_AFTER and after not in _NO_RATE_BEFORE


_DAYS = frozenset("monday tuesday wednesday thursday friday saturday sunday".split())
_ON_DAYS = frozenset(f"{day}s" for day in _DAYS)


def _length(unit: str, number: Fraction = Fraction(1)) -> tuple[Fraction, str]:
    unit = "day" if unit == "night" else unit
    factor, smaller = IN_SMALLER.get(unit, (1, unit))
    return number * factor, smaller


_YEAR = _length("year")


def _times(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    """Where a claim says twice what is done another number of times, or not counted."""
    ours, theirs = _counts(claim), _counts(said)
    for count, text in ours.items():
        if count not in theirs and (theirs or count > 1):
            yield Conflict(AlterationKind.NUMBER, text, next(iter(theirs.values()), ""))


def _counts(words: Sequence[Word]) -> dict[Fraction, str]:
    found: dict[Fraction, str] = {}
    for at, word in enumerate(words):
        after = words[at + 1].key if at + 1 < len(words) else ""
        # "Once they are invited" does not count.
        if word.key in _TIMES and (word.key != "once" or after in _BEFORE_PERIOD):
            found.setdefault(Fraction(_TIMES[word.key]), word.text)
        elif word.number is not None and after in ("times", "time"):
            found.setdefault(word.number, f"{word.text} {after}")
    return found


_MEASURES = frozenset(
    stem(word)
    for word in "kilogram gram milligram liter litre milliliter deciliter meter kilometer second "
    "minute".split()
)
_SPEEDS = frozenset({"km", "mile", "m"})
_AFTER_NUMBER = 3
"""Words within which "per" follows a number: 5 square meters per person."""


def per_conflicts(claim: Sequence[Word], said: Sequence[Word]) -> Iterator[Conflict]:
    """Where only one side has a quantity per something: 5 milligrams per kilogram.

    What comes per month is in `rate_conflicts`, and a text about months may go without it.
    """
    stems = {word.stem for word in said}
    theirs = list(_per(said))
    for word, by in _per(claim):
        others = [other for number, other in theirs if same_quantity(word, number)]
        ours, known = stem(by), set(map(stem, others))
        if not others or ours in known:
            continue
        if by and (ours in _MEASURES or (ours not in stems and ours not in _PERIOD_STEMS)):
            yield Conflict(AlterationKind.UNIT, f"{word.text} per {by}", word.text)
        elif not by and all(other in _MEASURES or word.unit in _SPEEDS for other in known):
            yield Conflict(AlterationKind.UNIT, word.text, f"{word.text} per {others[0]}")


_PERIOD_STEMS = frozenset(map(stem, _PERIODS))


def _per(words: Sequence[Word]) -> Iterator[tuple[Word, str]]:
    """The numbers with a unit, each with what it is per, if anything."""
    for at, word in enumerate(words):
        if word.number is None or word.unit is None:
            continue
        by = ""
        for one, other in pairwise(words[at + 1 : at + 2 + _AFTER_NUMBER]):
            if one.border or one.number is not None:
                break
            if one.key == "per" and other.key != "cent":
                by = other.key
                break
        yield word, by

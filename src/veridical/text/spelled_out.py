"""Signs and short units in words: "≥20 mg/day" is "at least 20 milligrams per day".

What follows reads words. So a sign cannot be passed over, and "5 g" and "5 grams" are the same.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache

from veridical.text.lexicon import any_of, listed, named

SYMBOLS = named("symbols")
"""Units by their symbols, which are read behind a number only."""

SPEEDS = named("speeds")

CASELESS = {"kgs": "kilograms", "kms": "kilometers", "hrs": "hours", "mcg": "micrograms"}
"""Symbols that are read in any case."""

JOINED = frozenset({"in"})
"""Symbols that are words as well: units where nothing parts them from their number, or where a
word behind them says so.
"""

ALONE = frozenset("t m s h d l b y A B C K L N V W J".split())
"""Letters that name a part or a type after a hyphen: 5-A."""

MAGNITUDES = {
    "k": "thousand", "K": "thousand", "tsd": "thousand",
    "m": "million", "M": "million", "mn": "million", "mio": "million", "MM": "million",
    "b": "billion", "B": "billion", "bn": "billion", "Bn": "billion", "BN": "billion",
    "t": "trillion", "T": "trillion", "tn": "trillion",
}  # fmt: skip
"""What stands behind a number, and most of it only behind a price."""

PER = named("rates") | {word: word for word in listed("rated")}
"""What may stand behind the stroke of a rate: $500/day, 5 mg/kg."""

REFERENCES = any_of("references")
"""Words after which a letter behind a number names a part: section 3 A."""

UNIT_NAMES = named("unit-names")
"""Units that are the same by another name."""

_SPECIAL = re.compile(r"[<>~+%\u00ac-\u00be\u2030]|[^\x00-\u024f]|\d")
"""What a sentence has that is spelled out at all, or nearly."""

_MONEY = "$\u20ac\u00a3\u00a5"
_NUMBER = r"\d+(?:[.,]\d+)*"
_AHEAD = rf"\s?(?=[{_MONEY}]?\s?[-\u2212]?\.?\d)"
_BOUNDS = tuple(
    (re.compile(r"\s?" + sign + _AHEAD), f" {words} ")
    for sign, words in (
        (r"(?:(?<![-=<>])>\s?=|(?<=\w\s)=>|[\u2265\u2267\u2a7e\u2273])", "at least"),
        (r"(?:(?<![-=<>])<\s?=|[\u2264\u2266\u2a7d\u2272])", "at most"),
        (r"(?:(?<![-=<>])>|[\uff1e\u226b\ufe65])(?!=)", "more than"),
        (r"(?:(?<![-=<>])<|[\uff1c\u226a\ufe64])(?!=)", "less than"),
        (r"(?:~|[\u2248\u223c\u2243\u2245\u301c\uff5e\u2a85])", "about"),
        (r"(?:\u00b1|\+\s?/?\s?[-\u2212])", "plus or minus"),
        (r"(?:\u2260|!=)", "not"),
    )
)
_COMPARES = re.compile(r"[<>~+!\u00b1]|[^\x00-\u2200]")
_OR_MORE = re.compile(
    rf"(?<![\w.,])((?:[{_MONEY}]\s?)?(?<![\w.,]){_NUMBER}(?:\s?(?:[{_MONEY}%]|[^\W\d_]{{1,10}}))?)\s?\+(?![\w+]|\s?[{_MONEY}\d])"
)
_HALVES = re.compile(r"(\d?)([\u00bc-\u00be\u215b-\u215e])\s?")
_WORD_OF = {"\u00bc": "quarter ", "\u00bd": "half ", "\u00be": "three quarters "}
_MINUS = re.compile(r"(?<![\w)])\u2212(?=\d)")
_THOUSANDS = re.compile(
    rf"(?P<money>[{_MONEY}]\s?)?(?<![\w.,:/]){_NUMBER}(?P<gap>[ \u00a0\u202f\u2009]?)"
    rf"(?P<sign>{'|'.join(sorted(MAGNITUDES, key=len, reverse=True))})(?![\w'\u2019])"
)
_NAMES_OF_LAWS = re.compile(r"\b40[13]k\b", re.IGNORECASE)
_QUANTITY = re.compile(
    rf"(?<![\w.,/:])(?P<number>{_NUMBER})(?P<gap>[ \u00a0\u202f\u2009]|-|)"
    rf"(?P<unit>{'|'.join(sorted(map(re.escape, SYMBOLS | SPEEDS), key=len, reverse=True))}"
    rf"|(?i:{'|'.join(sorted(CASELESS, key=len, reverse=True))}))"
    r"(?![^\W_]|['\u2019][a-z]|[\u00b2\u00b3^])"
)
_BEFORE = re.compile(
    rf"(?:(?P<part>\b(?:{REFERENCES})s?\.?|\u00a7)|(?P<money>[{_MONEY}])|\bthe)\s?\Z",
    re.IGNORECASE,
)
_MOST_BEFORE = 14
_DEGREES = re.compile(
    r"(?<=\d)\s?(?:[\u00b0\u00ba]\s?|-?\s?degrees?\s+)(C(?:elsius)?|F(?:ahrenheit)?)\b"
)
_PERMILLE = re.compile(r"\s?\u2030\s?")
_ONE_SIGN = re.compile("[\u2103\u2109]")
_FULL = {"C": " celsius", "F": " fahrenheit"}
_SLASH = re.compile(
    rf"(?P<what>[{_MONEY}]\s?{_NUMBER}(?:\s?[^\W\d_]+)?|{_NUMBER}\s?-?(?:[{_MONEY}%]|[^\W\d_]+))"
    rf"(?:\s?/\s?|\s+per\s+(?!a\b))(?P<per>{'|'.join(sorted(PER, key=len, reverse=True))})(?![\w])"
)
_A_YEAR = re.compile(r"\bp\.\s?a\.(?!\w)")


@lru_cache(maxsize=1 << 14)
def spelled_out(text: str) -> str:
    """A sentence with what stands beside its numbers in words."""
    if not _SPECIAL.search(text):
        return text
    if not text.isascii():
        text = _folded(text)
    if not any(map(str.isdecimal, text)):
        return text
    if _COMPARES.search(text):
        for pattern, words in _BOUNDS:
            text = pattern.sub(words, text)
        text = _OR_MORE.sub(r"at least \1", text)
    text = _A_YEAR.sub("per year", text)
    text = _SLASH.sub(lambda found: f"{found['what']} per {PER[found['per']]}", text)
    text = _DEGREES.sub(lambda found: _FULL[found[1][0]], text)
    text = _THOUSANDS.sub(_magnitude, text)
    return _QUANTITY.sub(_unit, text)


def _folded(text: str) -> str:
    """Digits in circles and the like as digits, halves as decimals, per mille as a word."""
    text = _ONE_SIGN.sub(lambda found: "\u00b0C" if found[0] == "\u2103" else "\u00b0F", text)
    text = _HALVES.sub(_half, _MINUS.sub("-", text))
    text = _PERMILLE.sub(" permille ", text)
    return "".join(map(_digit, text))


@cache
def _digit(character: str) -> str:
    """A digit in another dress as it is plainly written; raised and lowered ones stay."""
    if character.isascii() or unicodedata.category(character) != "No":
        return character
    if unicodedata.decomposition(character).startswith(("<super>", "<sub>", "<fraction>")):
        return character
    value = unicodedata.numeric(character, -1.0)
    return str(int(value)) if value >= 0 and value == int(value) else character


def _half(found: re.Match[str]) -> str:
    value = unicodedata.numeric(found[2])
    if found[1]:
        return f"{found[1]}{str(value)[1:]} "
    return _WORD_OF.get(found[2], f"{value} ")


def _magnitude(found: re.Match[str]) -> str:
    """$5k is 5 thousand dollars, but 5 m are meters, and 20 M alone is anything."""
    sign, shown = found["sign"], found[0]
    of_money = bool(found["money"])
    if _NAMES_OF_LAWS.search(shown):
        return shown
    if not of_money and (len(sign) == 1 and sign not in ("k", "K", "M")):
        return shown
    if not of_money and found["gap"] and sign in ("K", "M"):
        return shown
    return f"{shown.removesuffix(sign).rstrip()} {MAGNITUDES[sign]}"


def _unit(found: re.Match[str]) -> str:
    """A unit in full behind its number, unless the letter names a section, a price or a decade."""
    unit, gap, number = found["unit"], found["gap"], found["number"]
    start = found.start()
    before = _BEFORE.search(found.string, max(0, start - _MOST_BEFORE), start)
    if before and (before["money"] or (before["part"] and len(unit) == 1)):
        return found[0]
    if unit == "s" and not gap and (before or len(number) == 4):  # the 80s, 1990s
        return found[0]
    if unit in JOINED and gap and not _MEASURED.match(found.string, found.end()):
        return found[0]
    if unit in ALONE and gap == "-":
        return found[0]
    name = SYMBOLS.get(unit) or SPEEDS.get(unit) or CASELESS[unit.lower()]
    return f"{number}{'-' if gap == '-' else ' '}{name}"


_MEASURED = re.compile(
    r"\s(?:long|wide|tall|high|deep|thick|in\s(?:length|width|height|diameter))\b"
)
"""What tells "12 in" from "12 in all"."""

"""Sentences as words that can be laid beside each other: stems, quantities, names, language."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from veridical.text.lexicon import english, listed
from veridical.text.spelled_out import UNIT_NAMES, spelled_out
from veridical.text.tokens import Token, TokenKind, prepare, tokenize
from veridical.validation import lexicon
from veridical.validation.alterations import is_name, unit_of

MAX_WORDS = 400
"""Words of a sentence that are read: the rest of a longer one proves nothing."""

FUNCTION_WORDS = english("articles", "be", "being", "have", "do", "modals", "determiners") | (
    english("subjects", "objects", "questions", "prepositions", "conjunctions") - {"me", "why"}
    | frozenset("about also any as each having here if into per so such than then there".split())
)
"""English words that carry grammar."""

_ENDINGS = (
    ("ees", "ee"),
    ("ies", "y"), ("ied", "y"), ("ational", "ate"), ("ization", "ize"), ("isation", "ize"),
    ("ations", ""), ("ation", ""), ("ments", ""), ("ment", ""), ("ings", ""), ("edly", ""),
    ("ing", ""), ("ers", ""), ("ed", ""), ("er", ""), ("ly", ""), ("es", ""), ("s", ""),
)  # fmt: skip
_LEAST_STEM = 3
ORDINALS = {word: value for value, word in enumerate(listed("ordinals"), start=1)}
_ORDINAL, _CLOCK, _CODE = "ordinal", "o'clock", "code"
"""Units of numbers that count nothing: the third day, 8:30, 12/31/2024."""

UNCOUNTED = frozenset({_ORDINAL, _CLOCK, _CODE})

_TIME = re.compile(r"(\d{1,2}):(\d{2})")
_MAGNITUDES = {
    "hundred": 100, "thousand": 1_000, "million": 10**6, "billion": 10**9, "trillion": 10**12,
}  # fmt: skip
_CURRENCY = frozenset({"$", "€", "£", "¥"})
_QUALIFIES = frozenset({"business", "calendar", "working", "fiscal", "per", "basis", "point"})
"""Units of the lexicon that say which days or cents, not how much."""

_MOST_DIGITS = 18


@dataclass(frozen=True, slots=True)
class Word:
    """A word or number. `key` is its form for comparison and `stem` that of its relations.

    `number` is the value of a number, `unit` what it counts where that is a known unit. `named`
    tells a capital inside a sentence; `content` that it is no function word. `border` is the mark
    that parts it from the word before: a comma, a semicolon, a colon, or nothing.
    """

    key: str
    stem: str
    text: str
    number: Fraction | None = None
    unit: str | None = None
    named: bool = False
    content: bool = True
    border: str = ""


@lru_cache(maxsize=1 << 17)
def stem(key: str) -> str:
    """A word without its ending; English. Words that are related mostly share it."""
    if len(key) <= _LEAST_STEM or not key.isascii():
        return key
    for ending, instead in _ENDINGS:
        if key.endswith(ending) and len(key) - len(ending) >= _LEAST_STEM:
            key = key.removesuffix(ending) + instead
            break
    if len(key) > _LEAST_STEM + 1 and key[-1] == key[-2] and key[-1] not in "sle":
        key = key[:-1]
    return key[:-1] if key.endswith("e") and len(key) > _LEAST_STEM + 1 else key


@lru_cache(maxsize=1 << 14)
def read_words(sentence: str) -> tuple[Word, ...]:
    """The words of a sentence, in order; a number of several words is one."""
    prepared = _HYPHENATED.sub("", prepare(spelled_out(sentence)))
    tokens = tokenize(prepared)[:MAX_WORDS]
    words: list[Word] = []
    end = 0
    for word, start, after in _words(tokens, prepared):
        border = _border(prepared[end:start]) if words else ""
        words.append(replace(word, border=border) if border else word)
        end = after
    return tuple(words)


_HYPHENATED = re.compile(r"(?<=[a-z])-\n(?=[a-z])")
"""Where a word runs over the end of a line."""

_CELLS = re.compile(r"[()|\t]|  |\n[ \t]*\n| - ")


def _border(gap: str) -> str:
    for mark in ";:,":
        if mark in gap:
            return mark
    return "," if _CELLS.search(gap) else ""


def _words(tokens: Sequence[Token], text: str) -> Iterator[tuple[Word, int, int]]:
    """The words, each with where its text begins and ends."""
    at = 0
    while at < len(tokens):
        begin = at
        word, at = _word(tokens, at, text)
        if word is not None:
            yield word, tokens[begin].start, tokens[at - 1].end


def _word(tokens: Sequence[Token], at: int, text: str) -> tuple[Word | None, int]:
    """The word that begins at a token, if any does, and the token after it."""
    token = tokens[at]
    if token.kind is TokenKind.SIGN:
        return (_plain("percent", token.text, named=False) if token.key == "%" else None), at + 1
    if token.kind is not TokenKind.WORD or token.key in lexicon.NUMBERS:
        value, end = _number(tokens, at, text)
        return _counted(tokens, at, end, text, value), max(at + 1, end)
    ordinal = ORDINALS.get(token.key)
    if ordinal is not None and at > 0 and _value(tokens[at - 1]) is None:
        word = Word(f"{ordinal}.", f"{ordinal}.", token.text, Fraction(ordinal), _ORDINAL)
        return word, at + 1
    named = token.text[0].isupper() and is_name(token, at, text)
    return _plain(token.key, token.text, named), at + 1


@lru_cache(maxsize=1 << 16)
def _plain(key: str, text: str, named: bool) -> Word:
    return Word(key, stem(key), text, named=named, content=key not in FUNCTION_WORDS)


def _counted(tokens: Sequence[Token], at: int, end: int, text: str, value: Fraction | None) -> Word:
    """A number with its unit; as a plain word what looks like a number and is none."""
    token = tokens[at]
    if value is None:
        return _uncounted(token)
    shown = text[token.start : tokens[end - 1].end]
    unit = _unit(tokens, at, end)
    if unit is None and shown.casefold() == "one":  # a pronoun, more often than not
        return _plain("one", shown, named=False)
    return Word(str(value), str(value), shown, value, unit)


def _uncounted(token: Token) -> Word:
    """A time of day, a date in figures, or a number that is part of a name."""
    time = _TIME.fullmatch(token.text)
    digits = "".join(filter(str.isdecimal, token.key))
    if time is not None:
        minutes = Fraction(60 * int(time[1]) + int(time[2]))
        return Word(token.key, token.key, token.text, minutes, _CLOCK)
    if token.kind is TokenKind.NUMBER and digits != token.key and len(digits) <= _MOST_DIGITS:
        return Word(token.key, token.key, token.text, Fraction(int(digits)), _CODE)
    return _plain(token.key, token.text, named=False)


def _number(tokens: Sequence[Token], at: int, text: str) -> tuple[Fraction | None, int]:
    """The number that begins at a token and where it ends; None where none does."""
    value = _value(tokens[at])
    # What is joined to a word by a hyphen belongs to a name: COVID-19.
    joined = at > 0 and tokens[at - 1].kind is TokenKind.WORD and _touching(tokens, at - 1, text)
    if value is None or (joined and tokens[at].kind is TokenKind.NUMBER):
        return None, at
    end = at + 1
    if (part := _part(tokens, at)) is not None:
        return value / part, end + 1
    while end < len(tokens):
        key, more = tokens[end].key, _value(tokens[end])
        if key in _MAGNITUDES:
            value *= _MAGNITUDES[key]
        elif (
            more is not None
            and tokens[end].kind is TokenKind.WORD
            and more < 10 <= value < 100
            and value % 10 == 0
            and tokens[end - 1].kind is TokenKind.WORD
        ):
            value += more
        else:
            break
        end += 1
    return value, end


def _part(tokens: Sequence[Token], at: int) -> int | None:
    """What a number in words is divided by: one third of, two quarters of."""
    after = [token.key for token in tokens[at + 1 : at + 3]]
    if tokens[at].kind is not TokenKind.WORD or len(after) < 2 or after[1] != "of":
        return None
    name = after[0].removesuffix("s")
    parts = {"half": 2, "halve": 2, "quarter": 4} | {k: v for k, v in ORDINALS.items() if v > 2}
    return parts.get(name)


def _touching(tokens: Sequence[Token], at: int, text: str) -> bool:
    return text[tokens[at].end : tokens[at + 1].start] == "-"


def _value(token: Token) -> Fraction | None:
    if token.kind is TokenKind.WORD:
        return Fraction(lexicon.NUMBERS[token.key]) if token.key in lexicon.NUMBERS else None
    if token.kind is not TokenKind.NUMBER or len(token.key) > _MOST_DIGITS:
        return None
    try:
        return Fraction(token.key)
    except (ValueError, ZeroDivisionError):
        return None


def _unit(tokens: Sequence[Token], start: int, end: int) -> str | None:
    if start and tokens[start - 1].text in _CURRENCY:
        return UNIT_NAMES[tokens[start - 1].text]
    for place, token in enumerate(tokens[end : end + 3], end):
        unit = unit_of(token)
        if unit is not None and unit not in _QUALIFIES and (len(unit) > 1 or unit in UNIT_NAMES):
            per_cent = unit == "cent" and tokens[place - 1].key == "per"
            return _more_exactly("percent" if per_cent else unit_name(unit), tokens, place)
        if unit not in _QUALIFIES and token.key not in _BETWEEN:
            return None
    return None


def _more_exactly(unit: str, tokens: Sequence[Token], at: int) -> str:
    """A unit with the word beside it that makes another of it: square meters, percentage points."""
    after = tokens[at + 1].key if at + 1 < len(tokens) else ""
    if unit == "percent" and after in ("point", "points"):
        return "percentage point"
    return f"{tokens[at - 1].key} {unit}" if tokens[at - 1].key in _POWERS else unit


_POWERS = frozenset({"square", "cubic"})


def unit_name(unit: str) -> str:
    """A unit under the one name by which units are compared."""
    return UNIT_NAMES.get(unit, unit)


_BETWEEN = frozenset("full paid consecutive additional extra more whole of".split()) | _POWERS

IN_SMALLER = {
    "week": (7, "day"), "fortnight": (14, "day"), "year": (12, "month"), "quarter": (3, "month"),
    "decade": (120, "month"), "hour": (3600, "second"), "minute": (60, "second"),
    "km": (1_000_000, "mm"), "m": (1000, "mm"), "cm": (10, "mm"),
    "kg": (1_000_000, "mg"), "g": (1000, "mg"), "l": (1000, "ml"),
}  # fmt: skip
"""Units that are a whole number of others."""


def same_quantity(one: Word, other: Word) -> bool:
    """Whether two numbers say the same: 2 weeks are 14 days. A missing unit may be any."""
    if one.number is None or other.number is None:
        return False
    if one.unit is None or other.unit is None or one.unit == other.unit:
        return one.number == other.number
    if one.unit == "cent" and other.unit in _OF_CENTS:
        return one.number == 100 * other.number
    if other.unit == "cent" and one.unit in _OF_CENTS:
        return 100 * one.number == other.number
    if frozenset((one.unit, other.unit)) in _DEGREES:
        return one.number == other.number
    return in_smallest(one) == in_smallest(other)


_OF_CENTS = frozenset({"dollar", "euro"})
_DEGREES = frozenset(frozenset(("degree", scale)) for scale in ("celsius", "fahrenheit"))


def comparable(one: Word, other: Word) -> bool:
    """Whether two numbers count the same thing as far as their units tell."""
    return one.unit is not None and other.unit is not None and _kind(one) == _kind(other)


def _kind(word: Word) -> str:
    return "time" if word.unit in TIMES else str(in_smallest(word)[1])


TIMES = english("periods") | {"decade"}
"""Units of time."""


def in_smallest(word: Word) -> tuple[Fraction, str]:
    """A number in the smallest unit of its kind, and that unit."""
    factor, unit = IN_SMALLER.get(word.unit or "", (1, word.unit or ""))
    return (word.number or Fraction(0)) * factor, unit


def is_english(
    words: Sequence[Word],
    encode: Callable[[Sequence[str]], Sequence[Sequence[int]]],
    known: Collection[str] = (),
) -> bool:
    """Whether a text reads as English: it has English grammar words, or most of its other words are
    such as the reader's tokenizer, whose pieces are those of English, need not cut up.

    `known` are keys of words that tell nothing, as names that stand in the source. Of 20 sentences
    in 14 other languages 19 are taken for foreign, of the 25,115 claims of `training/data/written`
    three, and of 2,049 on medicine (HealthVer) 23.
    """
    plain = [word for word in words if word.number is None]
    foreign = sum(not word.key.isascii() and word.key not in known for word in plain)
    if foreign > _MOST_OTHER_LETTERS * len(plain):
        return False
    if sum(not word.content for word in plain) >= _ENOUGH_GRAMMAR * len(plain):
        return True
    asked = [word.text for word in plain if word.text.isalpha() and word.key not in known]
    small = [text for text in asked if text[0].islower()]  # capitals are names, or may be
    asked = (small if len(small) >= _FEW else asked)[:MAX_WORDS]
    cut = sum(len(pieces) > 1 for pieces in encode(asked))
    return len(asked) < _FEW or cut < _MOST_CUT * len(asked)


_MOST_OTHER_LETTERS, _ENOUGH_GRAMMAR, _MOST_CUT, _FEW = 0.3, 0.2, 0.38, 3

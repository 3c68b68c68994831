"""Words, numbers and signs of a text, as a reader would tell them apart.

Where folding forgets (see `normalize`), tokens remember: a sign, a decimal separator, a currency, a
per cent sign and an exponent are all kept. Punctuation that carries no value is not a token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple

from veridical.sources.patterns import UNSPACED

DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202a\u202b\u202c\u202d\u202e"

_TO_HYPHEN = str.maketrans(DASHES, "-" * len(DASHES), INVISIBLE)
_MARKS = "\u0300-\u036f\u0483-\u0489\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
_INDIC = (
    "\u0900-\u0903\u093a-\u094f\u0955-\u0957\u0962\u0963\u0980-\u0983\u09bc-\u09cd\u0a01-\u0a51"
)
_SOUTHERN = (
    "\u0a70-\u0a75\u0a81-\u0acd\u0b01-\u0b57\u0b82-\u0bcd\u0c00-\u0c56\u0c81-\u0cd6\u0d00-\u0d57"
)
_RAISED = "\u00b2\u00b3\u00b9\u00bc-\u00be\u2070-\u209c\u2150-\u215f"
_LETTER = rf"(?:(?![{_RAISED}])[^\W\d_]|[{_MARKS}{_INDIC}{_SOUTHERN}])"

_LETTERS = rf"(?:[A-Za-z]++|(?![{UNSPACED}]){_LETTER})+"
"""Not possessive as a whole: Python 3.11.2 then runs over what the lookahead forbids."""

_SYMBOLS = (
    "\u2190-\u23ff\u25b2-\u25b5\u25bc-\u25bf\u2600-\u27bf\u27f0-\u27ff\u2900-\u2bff"
    "\U0001f000-\U0001faff"
)
"""Arrows, operators, ticks, stars, pictures: they say something. Bullets and boxes do not."""

_TOKEN = (
    rf"(?P<single>[{UNSPACED}])"
    r"|(?P<number>(?:(?<![\w.,)\]])[-+])?\d+(?:[.,:/]\d+)*)"
    rf"|(?P<word>{_LETTERS}(?:['\u2019\u02bc]{_LETTERS})*\d*)"
    rf"|(?P<sign>[{_RAISED}$%&+=<>^\u00a2-\u00a5\u00b0\u00b1\u00d7\u00f7\u2030\u2031\u2044\u20a0-\u20cf"
    rf"\u00ac{_SYMBOLS}]"
    r"|(?<=\d)[-*\u00b7](?=\d)|(?<=\d )[-*/](?= \d)|~(?=\d)|!(?==)"
    r"|(?<=[^\W\d_])#(?!\w)|(?<=\b[A-Z])-(?![\w-]))"
)
"""Compiled when the first text that is not ASCII comes: it is a large pattern."""

_ASCII_TOKEN = re.compile(
    r"[^A-Za-z0-9$%&+=<>^*/~!#-]*+(?:(?P<word>[A-Za-z]++(?:'[A-Za-z]++)*\d*)"
    r"|(?P<number>(?:(?<![\w.,)\]])[-+])?\d+(?:[.,:/]\d+)*)"
    r"|(?P<sign>[$%&+=<>^]|(?<=\d)[-*](?=\d)|(?<=\d )[-*/](?= \d)|~(?=\d)|!(?==)"
    r"|(?<=[A-Za-z])#(?!\w)|(?<=\b[A-Z])-(?![\w-]))"
    r"|(?s:.)|\Z)",
    re.ASCII,
)
"""What `_TOKEN` comes to where all characters are ASCII, in a tenth of the time.

It runs over what begins no token too, rather than to try each alternative there: that is twice as
fast. A match without a group is no token.
"""

_SUPERSCRIPT = re.compile("[\u00b2\u00b3\u00b9\u2070-\u207f]+")
_SUBSCRIPT = re.compile("[\u2080-\u208e]+")
_QUOTE_MARKS = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+(?![\d=])")
"""The marks of quoted lines, as in e-mail."""

_IGNORED_RUN = re.compile(r"[=<>+~^]{3,}")
_GROUPED = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")


class TokenKind(StrEnum):
    """What a token is to a reader."""

    WORD = "word"
    NUMBER = "number"
    SIGN = "sign"


class Token(NamedTuple):
    """A token: its text as written, where it stands, and the form in which it is compared.

    `start` and `end` are offsets into the text as prepared by `prepare`. A named tuple, because it
    is made in a third of a frozen dataclass's time.
    """

    kind: TokenKind
    text: str
    key: str
    start: int
    end: int

    @property
    def capitalised(self) -> bool:
        """Whether it begins with a capital."""
        return self.text[:1].isupper()


def prepare(text: str) -> str:
    """The text with dashes as hyphens, invisible characters gone, composed characters, and raised
    and lowered numbers written out: `10\u00b2` is `10^2`, but `CO\u2082` is `CO2`.
    """
    plain = text.isascii()
    if not plain:
        text = unicodedata.normalize("NFC", text.translate(_TO_HYPHEN))
    if ">" in text:
        text = _QUOTE_MARKS.sub(" ", text)
    if not plain and not text.isascii():
        text = _SUPERSCRIPT.sub(lambda run: "^" + _plain(run.group()), text)
        text = _SUBSCRIPT.sub(_lowered, text)
    return _IGNORED_RUN.sub(lambda run: " " * len(run.group()), text)


def _plain(run: str) -> str:
    return unicodedata.normalize("NFKC", run).translate(_TO_HYPHEN)


def _lowered(run: re.Match[str]) -> str:
    before, after = run.string[: run.start()][-1:], run.string[run.end() : run.end() + 1]
    number = _plain(run.group())
    return ("_" if before.isdigit() else "") + number + (" " if after.isdigit() else "")


def tokenize(prepared: str) -> list[Token]:
    """The tokens of a text that `prepare` has been over."""
    tokens: list[Token] = []
    pattern = _ASCII_TOKEN if prepared.isascii() else _any_token()
    word, new = TokenKind.WORD, tuple.__new__  # `Token(...)` takes twice as long
    for found in pattern.finditer(prepared):
        group = found.lastgroup
        if group is None:
            continue
        text, end = found[group], found.end()
        if group == "word" or group == "single":
            token = new(Token, (word, text, word_key(text), end - len(text), end))
        elif group == "number":
            token = Token(TokenKind.NUMBER, text, number_key(text), end - len(text), end)
        elif text == "&":
            token = Token(word, text, "and", end - len(text), end)
        else:
            token = Token(TokenKind.SIGN, text, sign_key(text), end - len(text), end)
        tokens.append(token)
    return tokens


def written(tokens: Sequence[Token], text: str) -> str:
    """The text from the first of some tokens to the last; empty where there are none."""
    return text[tokens[0].start : tokens[-1].end] if tokens else ""


@cache
def _any_token() -> re.Pattern[str]:
    return re.compile(_TOKEN)


def number_key(text: str) -> str:
    """A number in the form in which it is compared: `1,200` is `1200`, but `1.50` is not `1.5`."""
    if text.isdigit() and text.isascii():
        return text
    text = unicodedata.normalize("NFKC", text).casefold()
    if _GROUPED.fullmatch(text):
        text = text.replace(",", "")
    return "".join(
        str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text.removeprefix("+")
    )


def sign_key(text: str) -> str:
    """A sign in the form in which it is compared: `\u00b2` is `^2`, `\u00bd` is `1/2`."""
    decomposition = unicodedata.decomposition(text)
    plain = unicodedata.normalize("NFKC", text).replace("\u2044", "/").replace("\u03bc", "\u00b5")
    return f"^{plain}" if decomposition.startswith(("<super>", "<sub>")) else plain


@lru_cache(maxsize=4096)
def word_key(text: str) -> str:
    """A word in the form in which it is compared: caseless, no apostrophes, ligatures undone.

    Points and vowel signs that readers leave out (Hebrew, Arabic) are forgotten; accents are kept:
    "konnte" is not "k\u00f6nnte". So is the apostrophe without which it is another word ("we'll").
    """
    if text.isascii():
        return _without_apostrophe(text.casefold())
    text = unicodedata.normalize("NFKD", text).casefold()
    kept: list[str] = []
    base = ""
    for character in text.replace("\u2019", "'").replace("\u02bc", "'"):
        if unicodedata.combining(character) or unicodedata.category(character)[0] == "M":
            if "\u0590" <= base < "\u0700":  # Hebrew and Arabic
                continue
        else:
            base = character
        kept.append(character)
    return _without_apostrophe(unicodedata.normalize("NFC", "".join(kept)))


_APART = frozenset({"well", "were", "ill", "shed", "hell", "shell", "wed", "whore", "id"})


def _without_apostrophe(word: str) -> str:
    if "'" not in word:
        return word
    plain = word.replace("'", "")
    return word if plain in _APART else plain


def is_word_character(character: str) -> bool:
    """Whether it can be inside a word of a script that is written with spaces."""
    if character.isascii():
        return character.isalnum()
    return (
        character.isalnum() or unicodedata.category(character)[0] == "M"
    ) and not _UNSPACED_CHARACTER.match(character)


_UNSPACED_CHARACTER = re.compile(f"[{UNSPACED}]")

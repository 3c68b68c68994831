"""A text as the words that may be names, and how names are compared."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from veridical.sources.patterns import UNSPACED
from veridical.speech.lexicon import listed
from veridical.text.normalize import fold
from veridical.text.tokens import INVISIBLE

_MARKS = (
    "\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
    "\u0900-\u0963\u0970-\u0dff"
)
"""Signs that are part of a letter, in scripts that are written with spaces."""

_APOSTROPHES = "'\u2019\u02bc\u00b4\u2018"
_LETTER = rf"(?:[^\W\d_]|[{_MARKS}{INVISIBLE}])"
_WORD = re.compile(rf"[^\W\d_]{_LETTER}*(?:[{_APOSTROPHES}]{_LETTER}+)*")
_ENDING = re.compile(rf"[{_APOSTROPHES}](?:s|ll|d|ve)$", re.IGNORECASE)
_ELISION = re.compile(rf"(?:[dljmtsnc]|qu)[{_APOSTROPHES}](?=[^\W\d_])")
_BARE_OWNER = re.compile(rf"[{_APOSTROPHES}](?= [^\W\d_])")

_SENTENCE_END = re.compile(
    r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019)\]]*\s|\n\s*\n|[:,]\s+[\"\u201c]"
)
_SHORTENED = listed("courtesy") | {"st", "jr", "sr", "rev"}
_JOINED = re.compile(r"[ \t]*\n?[ \t]*|[-\u2010\u2011]")

_PLAIN_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)

_LATIN = re.compile("[A-Za-z]")
_LOOK_ALIKES = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043a\u043c\u0442\u0432\u043d"
    "\u0410\u0412\u0415\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405"
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7"
    "\u03b1\u03b5\u03b9\u03ba\u03bd\u03bf\u03c1\u03c4\u03c5\u03c7",
    "aeopcyxijskmtbhABEKMHOPCTYXIJSABEZHIKMNOPTYXaeikvoptux",
)
"""Cyrillic and Greek letters that look like Latin ones, for words that mix the alphabets."""

_MOSTLY = 0.7
_FEWEST_SHOUTED = 4
"""A text of so many words, mostly in capitals, says nothing by its capitals."""

UNSEPARATED = re.compile(f"[{UNSPACED}\uac00-\ud7a3]")
"""Characters of scripts in which a name is not set off by spaces."""


@dataclass(frozen=True, slots=True)
class NameWord:
    """A word at `text[start:end]`, without a possessive or contracted ending such as `'s`.

    `key` is compared. `capital` says that it is written with a capital and that this means
    something, `acronym` that it is all in capitals; `uncased` that no word of the text but "I" has
    such a capital. `opens`: it begins a sentence. `owner`: a
    possessive ending follows. `before` and `after` are what stands between it and its neighbours,
    shortened.
    """

    start: int
    end: int
    key: str
    capital: bool
    acronym: bool
    uncased: bool
    opens: bool
    owner: bool
    before: str
    after: str

    @property
    def joined(self) -> bool:
        """Whether only a space or a hyphen separates it from the word before."""
        return _JOINED.fullmatch(self.before) is not None

    @property
    def after_dot(self) -> bool:
        """Whether a full stop and a space separate it, as after an initial or a title."""
        return self.before.startswith(".") and self.before[1:].strip(" ") == ""


@lru_cache(maxsize=64 * 1024)
def name_key(word: str) -> str:
    """The form in which names are compared: without case, accents, apostrophes and hyphens."""
    if not word.isascii() and _LATIN.search(word):
        word = word.translate(_LOOK_ALIKES)
    return fold(word).translate(_PLAIN_LETTERS).replace(" ", "")


def name_keys(name: str) -> tuple[str, ...]:
    """The keys of a name's words: `("anne", "marie", "obrien")` for "Anne-Marie O'Brien"."""
    return tuple(word.key for word in name_words(name))


def name_words(text: str) -> list[NameWord]:
    """The words of a text in order. Digits and underscores separate words as spaces do."""
    places = [_place(found, text) for found in _WORD.finditer(text)]
    shouted = _shouted(text, [(start, end) for start, end, _ in places])
    uncased = shouted or all(
        text[start:end] == "I" or not text[start].isupper() for start, end, _ in places
    )
    words: list[NameWord] = []
    at = 0
    for index, (start, end, ending) in enumerate(places):
        until = places[index + 1][0] if index + 1 < len(places) else len(text)
        before = text[max(at, start - 12) : start]
        key = name_key(text[start:end])
        words.append(
            NameWord(
                start,
                end,
                key,
                capital=text[start].isupper() and not shouted,
                uncased=uncased,
                acronym=end - start > 1 and text[start:end].isupper() and not shouted,
                opens=not words or _opens(before, words[-1].key),
                owner=text[end:ending].lower().endswith("s") or ending - end == 1,
                before=before,
                after=text[ending : min(until, ending + 12)],
            )
        )
        at = ending
    return words


def _place(found: re.Match[str], text: str) -> tuple[int, int, int]:
    """Where the word starts and ends, and where its ending does."""
    start, whole = found.start(), found.end()
    if elided := _ELISION.match(text, start, whole):
        start = elided.end()
    if ending := _ENDING.search(text, start, whole):
        return start, ending.start(), whole
    if text[whole - 1] in "sS" and (bare := _BARE_OWNER.match(text, whole)):
        return start, whole, bare.end()
    return start, whole, whole


def _opens(before: str, previous: str) -> bool:
    if before.startswith(".") and (len(previous) == 1 or previous in _SHORTENED):
        return False
    return _SENTENCE_END.search(before) is not None


def _shouted(text: str, places: list[tuple[int, int]]) -> bool:
    if len(places) < _FEWEST_SHOUTED:
        return False
    upper = sum(text[start:end].isupper() for start, end in places)
    return upper >= _MOSTLY * len(places)

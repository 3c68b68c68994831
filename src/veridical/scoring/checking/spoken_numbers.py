"""Numbers as they are said: "twenty five", "two five", "2-5" and "25" are all 25."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

_ONES = "zero one two three four five six seven eight nine".split()
_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
_NUMBER_WORDS = {
    **{word: number for number, word in enumerate([*_ONES, *_TEENS])},
    **{word: 10 * (number + 2) for number, word in enumerate(_TENS)},
    "oh": 0,
    "niner": 9,
}
_MOST_DIGITS = 4


_PIECE = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|_")


@dataclass(frozen=True, slots=True)
class Piece:
    """A word, a run of digits or a sign, and its place in the text it was cut from."""

    text: str
    start: int
    end: int

    @property
    def key(self) -> str:
        """It in lower case."""
        return self.text.lower()


def pieces_of(text: str) -> list[Piece]:
    """The words, runs of digits and signs of a text, in order."""
    return [Piece(found.group(), found.start(), found.end()) for found in _PIECE.finditer(text)]


def longest_number(pieces: Sequence[Piece], at: int) -> tuple[int | None, int]:
    """The number that begins there, read as far as it goes, and the piece after it."""
    if at >= len(pieces):
        return None, at
    if pieces[at].text.isdecimal():
        return _of_digits(pieces, at)
    end = at
    while end < len(pieces) and end - at < _MOST_DIGITS and pieces[end].key in _NUMBER_WORDS:
        end += 1
        if end < len(pieces) - 1 and pieces[end].text == "-" and pieces[end + 1].key in _ONES:
            end += 1  # "twenty-five"
    return (_value(pieces[at:end]), end) if end > at else (None, at)


def _of_digits(pieces: Sequence[Piece], at: int) -> tuple[int | None, int]:
    """A number in digits; "2-5" is said digit by digit, and is 25."""
    digits, end = pieces[at].text, at + 1
    while (
        len(digits) < _MOST_DIGITS
        and end + 1 < len(pieces)
        and pieces[end].text == "-"
        and pieces[end + 1].text.isdecimal()
        and len(pieces[end + 1].text) == 1
    ):
        digits, end = digits + pieces[end + 1].text, end + 2
    return (int(digits), end) if len(digits) <= _MOST_DIGITS else (None, at)


def readings_of(pieces: Sequence[Piece], at: int) -> tuple[set[int], int]:
    """Every number that may be meant there: "two five" is 25, and may be 2."""
    longest, end = longest_number(pieces, at)
    if longest is None:
        return set(), at
    shorter = (_value(pieces[at:stop]) for stop in range(at + 1, end))
    spaced, last = _of_spaced_digits(pieces, at)
    return {longest, *spaced, *(n for n in shorter if n is not None)}, max(end, last)


def _of_spaced_digits(pieces: Sequence[Piece], at: int) -> tuple[set[int], int]:
    """What single digits with spaces between them come to: "Engine 2 5"."""
    digits, found, end = "", set(), at
    while end < len(pieces) and len(digits) < _MOST_DIGITS:
        if not pieces[end].text.isdecimal() or len(pieces[end].text) > 1:
            break
        digits, end = digits + pieces[end].text, end + 1
        found.add(int(digits))
    return found, end


def _value(pieces: Sequence[Piece]) -> int | None:
    """What number words come to: "twenty five" 25, "two five" 25, "one twenty five" 125."""
    shown, open_tens = "", False
    for piece in pieces:
        if piece.text == "-":
            continue
        number = int(piece.text) if piece.text.isdecimal() else _NUMBER_WORDS[piece.key]
        if open_tens and 0 < number < 10:
            shown, open_tens = shown[:-1] + str(number), False
        else:
            shown, open_tens = shown + str(number), number >= 20 and number % 10 == 0
    return int(shown) if shown and len(shown) <= _MOST_DIGITS else None

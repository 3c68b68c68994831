"""What stands between a word and the number raised after it, in formats that set it by size alone.

Ten squared must not read 102, nor a word with the mark of a note like "word1".
"""

from __future__ import annotations

_LONGEST_UNIT = 2


def mark_before_raised_number(before: str) -> str:
    """What goes between `before` and a raised number: "^", a space or nothing.

    After a digit, or a word as short as a unit or a variable ("m", "km", "x"), the number is an
    exponent; after a longer word it is the mark of a note.
    """
    end = before[-1:]
    if not end.isalnum():
        return ""
    letters = 0
    while letters <= _LONGEST_UNIT and before[-1 - letters : len(before) - letters].isalpha():
        letters += 1
    return "^" if letters <= _LONGEST_UNIT else " "

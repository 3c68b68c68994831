"""What stands between a word and the number raised after it, in formats that set it by size alone.

Ten squared must not read 102, nor a word with the mark of a note like "word1".
"""

from __future__ import annotations

LONGEST_UNIT = 2


def letters_before(text: str, at: int) -> int:
    """How many letters end at `at`; three for more than a unit or a variable ("m", "km") has."""
    letters = 0
    while letters <= LONGEST_UNIT and text[at - 1 - letters : at - letters].isalpha():
        letters += 1
    return letters


def mark_before_raised_number(before: str) -> str:
    """What goes between `before` and a raised number: "^", a space or nothing.

    After a digit, or a word as short as a unit or a variable, the number is an exponent; after a
    longer word it is the mark of a note.
    """
    if not before[-1:].isalnum():
        return ""
    return "^" if letters_before(before, len(before)) <= LONGEST_UNIT else " "

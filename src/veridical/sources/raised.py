"""What stands between a word and its superscript or subscript.

"10<sup>2</sup>" must not read as 102 nor "word<sup>1</sup>" as word1, but "1<sup>st</sup>" reads as
1st and "H<sub>2</sub>O" as H2O.
"""

from __future__ import annotations

from veridical.sources.patterns import lazy

_TAGS = lazy(r"(?:<[^<>]{0,400}+>){1,4}")
_MAX_TAGS = 4
_MAX_TAG_CHARS = 200
_UNIT_CHARS = 2
_ORDINAL_LETTERS = "aeo"


def raised_mark(text: str, name: str, start: int, end: int, *, closing: bool) -> str:
    """What the `sup` or `sub` tag at `text[start:end]` shows: nothing, a space, "^" or "_"."""
    word_end = _past_tags_before(text, start)
    before, after = text[word_end - 1 : word_end], _after(text, end)
    if closing:
        joins = not (before.isalnum() and after.isalnum())
        return "" if joins or (name == "sub" and not after.isdigit()) else " "
    if not before.isalnum():
        return ""
    if name == "sub":
        return "_" if before.isdigit() and after.isdigit() else ""
    if after in "([":
        return " "
    if after.isdigit():
        return "^" if before.isdigit() or _is_unit(text, word_end) else " "
    # "M<sup>lle</sup>" is one word; the single letter of "x<sup>n</sup>" or of a note is not.
    is_single = after.isalpha() and not text[end + 1 : end + 2].isalpha()
    is_ordinal = before.isdigit() and after.lower() in _ORDINAL_LETTERS
    return "^" if is_single and not is_ordinal else ""


def _past_tags_before(text: str, at: int) -> int:
    """Where the text before `at` ends, past a few tags."""
    for _ in range(_MAX_TAGS):
        if at == 0 or text[at - 1] != ">":
            break
        opened = text.rfind("<", max(0, at - _MAX_TAG_CHARS), at)
        if opened < 0:
            break
        at = opened
    return at


def _after(text: str, at: int) -> str:
    """The character shown after `at`, past a few tags; a space at the end of the text."""
    tags = _TAGS().match(text, at)
    at = tags.end() if tags else at
    return text[at : at + 1] or " "


def _is_unit(text: str, at: int) -> bool:
    """Whether the word that ends at `at` is as short as a unit or a variable: "m", "km", "x"."""
    letters = 0
    while letters <= _UNIT_CHARS and letters < at and text[at - letters - 1].isalpha():
        letters += 1
    return 0 < letters <= _UNIT_CHARS

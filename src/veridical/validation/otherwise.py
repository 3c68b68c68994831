"""Words that surely are not those of the source, seen without comparing them one by one."""

from __future__ import annotations

import re

from veridical.validation.differences import Alteration, AlterationKind, Comparison

_STRANGE = re.compile(
    "[^\\x00-\\x7f\u00a0\u00a3\u00b0\u2010\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u20ac]"
)
"""Characters that may be letters, or that a comparison may write out as letters."""

_LETTERS = b"abcdefghijklmnopqrstuvwxyz"
_KEPT = _LETTERS + _LETTERS.upper() + b"&"
_LOWER = bytes.maketrans(_LETTERS.upper(), _LETTERS)
_DROPPED = bytes(sorted(set(range(128)).difference(_KEPT)))


def surely_altered(quoted: str, source: str) -> bool:
    """Whether `alterations.compare` is sure to find an alteration. False says nothing.

    Whatever it forgives (case, signs, words parted otherwise, the numbers of notes, `&` for `and`)
    leaves the letters as they are, in their order. Texts with letters beyond ASCII are not looked
    at: these can be written in several ways.
    """
    if _STRANGE.search(quoted) or _STRANGE.search(source):
        return False
    return _letters(quoted) != _letters(source)


def _letters(text: str) -> bytes:
    return text.encode("ascii", "ignore").translate(_LOWER, _DROPPED).replace(b"&", b"and")


def unexplained(quoted: str, source: str) -> Comparison:
    """The comparison of two texts that differ, without what it is that was changed."""
    return Comparison((), (Alteration(AlterationKind.WORDING, quoted, source),), ())

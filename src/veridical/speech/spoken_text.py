"""Text as it is read out: what a model wrote, without what only the eye can use."""

from __future__ import annotations

import re
import unicodedata

_LINK = re.compile(r"!?\[([^\[\]]{0,500})\]\([^()\s]{0,500}\)")
_URL = re.compile(r"<?\b(?:https?://|www\.)[^\s<>]+", re.IGNORECASE)
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")
_ASIDE = re.compile(r"\[[^\[\]]{0,200}\]")
_LINE_START = re.compile(
    r"(?m)^[ \t]*(?:#{1,6}[ \t]|>[ \t]?|[-*+\u2022][ \t]|\d{1,3}[.)][ \t])[ \t]*"
)
_RULE = re.compile(r"(?m)^[ \t]*(?:[-*_=~][ \t]*){3,}$")
_EMPHASIS = re.compile(r"[*`~#|\\^<>{}\[\]()=]|(?<!\w)_+|_+(?!\w)")
_DASHES = re.compile(r"\s*(?:[\u2013\u2014]|(?<=\s)--?(?=\s)|--)\s*")
_ENDS = re.compile(r"[.!?\u2026\u3002\uff01\uff1f][\"'\u201d\u2019\u00bb]*$")
_DOUBLE_QUOTES = re.compile("[\u201c\u201d\u201e\u00ab\u00bb]")
_SPACE_BEFORE = re.compile(r"\s+([,.;:!?])")
_AGAIN = re.compile(r"([,;:])(?:\s*[,;:])+|([,;:])\s*(?=[.!?])")

_SPOKEN_SIGNS = {"&": " and ", "@": " at ", "/": " ", "_": " "}
_SILENT = frozenset({"So", "Sk", "Cc", "Cf", "Cs", "Co", "Cn", "Me"})
_SILENT_SELECTORS = "\ufe0e\ufe0f\u20e3"


def plain_text(text: str, *, quoted: bool = False) -> str:
    """A text as one paragraph of plain words and punctuation.

    Links keep their words; addresses, tags, list marks, headings, emphasis and pictures go, and so
    does what stands in square brackets. Of a text that is `quoted` every word stays.
    """
    if not quoted:
        text = _without_layout(text)
    text = _DASHES.sub(", ", _DOUBLE_QUOTES.sub('"', _EMPHASIS.sub("", text)))
    text = "".join(map(_said, text))
    text = _AGAIN.sub(r"\1", _SPACE_BEFORE.sub(r"\1", " ".join(text.split())))
    return text.strip(" ,;:")


def _without_layout(text: str) -> str:
    text = _TAG.sub(" ", _URL.sub(" ", _LINK.sub(r"\1", text)))
    return _ASIDE.sub(" ", _LINE_START.sub("", _RULE.sub("", text)))


def sentence(text: str) -> str:
    """The text with a capital at its start and a full stop at its end; empty stays empty."""
    if not text:
        return ""
    text = text[0].upper() + text[1:]
    return text if _ENDS.search(text) else f"{text}."


def _said(character: str) -> str:
    if character in _SPOKEN_SIGNS:
        return _SPOKEN_SIGNS[character]
    if character.isspace():
        return " "
    if character in _SILENT_SELECTORS:
        return ""
    return "" if unicodedata.category(character) in _SILENT else character

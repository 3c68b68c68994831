"""Untrusted text on its way into an HTML page."""

from __future__ import annotations

import re
import unicodedata

from markupsafe import Markup

_CONTROLS = "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff"
_SPECIAL = re.compile(f"[&<>\"'{_CONTROLS}]|\r(?!\n)")
_WRITTEN = {
    "&": "&amp;",
    "<": "&lt;",
    ">": "&gt;",
    '"': "&quot;",
    "'": "&#x27;",
    "\x0b": "\n",
    "\x0c": "\n",
    "\r": "\n",
}
_BIDI = {
    "\u061c": "ALM",
    "\u200e": "LRM",
    "\u200f": "RLM",
    "\u202a": "LRE",
    "\u202b": "RLE",
    "\u202c": "PDF",
    "\u202d": "LRO",
    "\u202e": "RLO",
    "\u2066": "LRI",
    "\u2067": "RLI",
    "\u2068": "FSI",
    "\u2069": "PDI",
}
_INVISIBLE = {"\u200b": "ZWSP", "\u2060": "WJ", "\ufeff": "ZWNBSP"}
_MARKED = _BIDI | _INVISIBLE
_HIDDEN = re.compile("[" + "".join(_MARKED) + "\U000e0000-\U000e007f]")
_BIDI_ONLY = re.compile("[" + "".join(_BIDI) + "]")


def escape(text: str) -> Markup:
    """Text, or the value of a quoted attribute, as HTML.

    What HTML cannot carry is replaced: vertical tabs, form feeds and lone carriage returns become
    line breaks; NUL, other controls, lone surrogates and noncharacters become U+FFFD.
    """
    return _safe(Markup, _SPECIAL.sub(_write, text))


def label(text: str) -> Markup:
    """The value of an attribute that is shown on one line, without direction controls."""
    return escape(_BIDI_ONLY.sub("", " ".join(text.split())))


def isolated(text: str) -> Markup:
    """Text that cannot reorder what stands around it, its invisible controls made visible.

    The marker stands in place of the control: what is shown is the order in which it was written.
    """
    return _safe(Markup, f"<bdi>{visible(text)}</bdi>")


def visible(text: str) -> Markup:
    """A part of a text that is isolated as a whole: HTML without invisible controls."""
    return _safe(Markup, _HIDDEN.sub(_marker, _SPECIAL.sub(_write, text)))


_safe = str.__new__
"""Makes `Markup` of a string without asking it for its `__html__`: thousands are made."""


def _write(found: re.Match[str]) -> str:
    return _WRITTEN.get(found[0], "\ufffd")


def _marker(found: re.Match[str]) -> str:
    character = found[0]
    short = _MARKED.get(character, f"U+{ord(character):04X}")
    name = unicodedata.name(character, "control character").lower()
    return f'<span class="ctl" title="invisible character: {name}">[{short}]</span>'

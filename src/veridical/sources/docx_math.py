"""Formulas of a Word document written on one line, as Word's own linear format does.

Without it the fraction one half reads "12" and x squared "x2".
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from veridical.sources.docx_story import Paragraph

_PREFIXES = {"m:num": "", "m:den": "/", "m:sup": "^", "m:sub": "_"}
_OPERATORS = {"m:rad": "\u221a", "m:nary": "\u222b"}


@dataclass(slots=True)
class _Brackets:
    """A formula in brackets; `terms` counts the parts begun so far."""

    opening: str = "("
    closing: str = ")"
    terms: int = 0


class Formulas:
    """Adds what the layout of a formula says to the paragraph that it stands in."""

    def __init__(self) -> None:
        self._group_starts: list[int] = []
        self._brackets: list[_Brackets] = []
        self._operators: list[str] = []

    def start(
        self, tag: str, parent: str, attributes: Mapping[str, str], paragraph: Paragraph
    ) -> None:
        """Enter an element of a formula."""
        if tag in _OPERATORS:
            self._operators.append(_OPERATORS[tag])
        elif tag == "m:chr" and parent == "m:naryPr" and self._operators:
            self._operators[-1] = attributes.get("val", "")
        elif tag == "m:d":
            self._brackets.append(_Brackets())
        elif parent == "m:dPr" and self._brackets:
            if tag == "m:begChr":
                self._brackets[-1].opening = attributes.get("val", "")
            elif tag == "m:endChr":
                self._brackets[-1].closing = attributes.get("val", "")
        elif tag == "m:e" and parent == "m:d" and self._brackets:
            innermost = self._brackets[-1]
            paragraph.add("|" if innermost.terms else innermost.opening)
            innermost.terms += 1
        elif tag in _PREFIXES or (tag == "m:e" and parent == "m:rad"):
            paragraph.add(_PREFIXES.get(tag, ""))
            self._group_starts.append(len(paragraph.parts))

    def end(self, tag: str, parent: str, paragraph: Paragraph) -> None:
        """Leave an element of a formula."""
        if tag in ("m:radPr", "m:naryPr") and self._operators:
            paragraph.add(self._operators[-1])
        elif tag in _OPERATORS and self._operators:
            self._operators.pop()
        elif tag == "m:d" and self._brackets:
            paragraph.add(self._brackets.pop().closing)
        elif (tag in _PREFIXES or (tag == "m:e" and parent == "m:rad")) and self._group_starts:
            paragraph.close_term(self._group_starts.pop())

"""The text of one PDF page once more, with the place of each of its characters on the page.

What `pdf_text` makes of PDFium's characters is done again here step by step, and where each one
comes from is kept. Runs in the worker process only, as all that opens a PDF does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from enum import IntEnum
from itertools import chain
from typing import Any, NamedTuple

from veridical.sources.pdf_text import (
    LINE_END_HYPHEN,
    UNPRINTED,
    PageUnits,
    annotation_texts,
    clean,
    read_units,
)

MOST_PLACED = 200_000
"""Characters of one page that are placed: a page for readers has some thousands."""

_REWRITTEN = re.compile(f"(?P<hyphen>{LINE_END_HYPHEN.pattern})|\r\n?|{UNPRINTED.pattern}")
_TRAILING = re.compile(r"[ \t]+(?=\n|\Z)")
_BASIC_PLANE_END = 0x10000
_HYPHENS = (0x02, 0xFFFE)
"""How PDFium calls the hyphen at a line end: one way as a character, the other in a text."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Unplaced(IntEnum):
    """Why a character has no box."""

    NOTHING = 0
    """There is nothing to see: white space, or a mark that the reader put in."""
    FIELD = 1
    """It was typed into a form field or a note."""
    LOST = 2
    """It is printed, and PDFium does not know where."""


class TracedPage(NamedTuple):
    """A page as it is shown: cut to what is visible, and turned clockwise by `rotation` degrees.

    `places` has one for each character of `text`: its box in points from the top left corner of
    the shown page, or why it has none.
    """

    text: str
    width: float
    height: float
    rotation: int
    places: list[Box | Unplaced]


class Traced(NamedTuple):
    """A text, and for each character the index of the unit it comes from; -1 for none."""

    text: str
    origins: list[int]


def trace_page(page: Any) -> TracedPage:
    """The text of a `pypdfium2.PdfPage` as `read_page_text` gives it, each character placed."""
    shown = _Shown(page.get_bbox(), page.get_rotation())
    with closing(page.get_textpage()) as textpage:
        found = read_units(page, textpage)
        traced = trace_clean(*_kept(found))
        places = list(_places(found, shown, traced))
    fields = "\n".join(text for text in map(clean, annotation_texts(page)) if text)
    text = "\n".join(part for part in (traced.text, fields) if part)
    places += [Unplaced.NOTHING] * (len(text) - len(places) - len(fields))
    places += [Unplaced.NOTHING if char.isspace() else Unplaced.FIELD for char in fields]
    return TracedPage(text, shown.width, shown.height, shown.rotation, places)


def _kept(found: PageUnits) -> Traced:
    """The units that are seen, with the marks between them."""
    kept = [
        (char, origin)
        for index, unit in enumerate(found.units)
        if index not in found.hidden
        for char, origin in (*((mark, -1) for mark in found.marks.get(index, "")), (unit, index))
    ]
    return Traced("".join(char for char, _ in kept), [origin for _, origin in kept])


def trace_clean(units: str, origins: list[int]) -> Traced:
    """What `pdf_text.clean` makes of units, each character with where it comes from."""
    decoded = units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    firsts: list[int] = []
    at = 0
    for char in decoded:
        firsts.append(origins[at])
        at += 1 + (ord(char) >= _BASIC_PLANE_END)
    mended = _rewritten(Traced(decoded, firsts))
    trimmed = _without(mended, _TRAILING)
    start = len(trimmed.text) - len(trimmed.text.lstrip("\n"))
    end = max(start, len(trimmed.text.rstrip("\n")))
    return Traced(trimmed.text[start:end], trimmed.origins[start:end])


def _rewritten(traced: Traced) -> Traced:
    """Hyphens and line ends mended, what is not printed left out."""
    parts: list[str] = []
    origins: list[int] = []
    at = 0
    for match in _REWRITTEN.finditer(traced.text):
        parts.append(traced.text[at : match.start()])
        origins += traced.origins[at : match.start()]
        if match["hyphen"]:
            parts.append("-\n")
            origins += [traced.origins[match.start()], -1]
        elif match[0].startswith("\r"):
            parts.append("\n")
            origins.append(-1)
        at = match.end()
    parts.append(traced.text[at:])
    return Traced("".join(parts), origins + traced.origins[at:])


def _without(traced: Traced, pattern: re.Pattern[str]) -> Traced:
    kept = list(_between(pattern, traced.text))
    origins = chain.from_iterable(traced.origins[start:end] for start, end in kept)
    return Traced("".join(traced.text[start:end] for start, end in kept), list(origins))


def _between(pattern: re.Pattern[str], text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for match in pattern.finditer(text):
        yield at, match.start()
        at = match.end()
    yield at, len(text)


def _places(found: PageUnits, shown: _Shown, traced: Traced) -> Iterator[Box | Unplaced]:
    placeable = len(traced.text) <= MOST_PLACED
    for char, origin in zip(traced.text, traced.origins, strict=True):
        if origin < 0 or char.isspace():
            yield Unplaced.NOTHING
        else:
            yield _place(found, shown, char, origin) if placeable else Unplaced.LOST


def _place(found: PageUnits, shown: _Shown, char: str, origin: int) -> Box | Unplaced:
    unit = ord(found.units[origin])
    known = found.boxes.unicode(origin)
    # PDFium says a letter beyond the basic plane whole, or by either half.
    if known != unit and known != ord(char) and not (known in _HYPHENS and unit in _HYPHENS):
        return Unplaced.LOST
    for left, bottom, right, top in (found.boxes[origin], found.boxes.tight(origin)):
        if left < right and bottom < top:
            return shown.box(left, bottom, right, top)
    return Unplaced.LOST


class _Shown:
    """From the page's own coordinates, upwards, to those of the page as it is shown."""

    def __init__(self, visible: tuple[float, float, float, float], rotation: int) -> None:
        self._left, self._bottom, self._right, self._top = visible
        self.rotation = rotation
        width, height = self._right - self._left, self._top - self._bottom
        self.width, self.height = (height, width) if rotation % 180 else (width, height)

    def box(self, left: float, bottom: float, right: float, top: float) -> Box:
        """A box on the shown page, to a hundredth of a point."""
        (x0, y0), (x1, y1) = self._point(left, top), self._point(right, bottom)
        return (
            round(min(x0, x1), 2), round(min(y0, y1), 2),
            round(max(x0, x1), 2), round(max(y0, y1), 2),
        )  # fmt: skip

    def _point(self, x: float, y: float) -> tuple[float, float]:
        match self.rotation:
            case 90:
                return y - self._bottom, x - self._left
            case 180:
                return self._right - x, y - self._bottom
            case 270:
                return self._top - y, self._right - x
            case _:
                return x - self._left, self._top - y

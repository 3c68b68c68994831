"""Where the words of a PDF stand on its pages, so that they can be marked there.

A document's text is what was read at ingest: without running headers, with hyphens mended. The page
is read again, the text that is kept is looked for in it, and only where it fits letter for letter
is anything marked: a wrong highlight is worse than none.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import IntEnum
from itertools import accumulate
from typing import Any

from veridical.sources.pdf_text import (
    EDGE_LINES,
    LINE_END_HYPHENS,
    UNPRINTED,
    PageUnits,
    annotation_texts,
    clean,
    joined_surrogates,
    read_units,
)

MOST_PLACED = 200_000
"""Characters of one page that are placed: a page for readers has some thousands."""

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


@dataclass(frozen=True, slots=True)
class TracedPage:
    """A page as it is shown: cut to what is visible, and turned clockwise by `rotation` degrees.

    `places` has one for each character of `text`: its box in points from the top left corner of
    the shown page, or why it has none.
    """

    text: str
    width: float
    height: float
    rotation: int
    places: tuple[Any, ...]


def trace_page(page: Any) -> TracedPage:
    """The text of a `pypdfium2.PdfPage` as `read_page_text` gives it, each character placed.

    Runs in the worker process only, as all that opens a PDF does.
    """
    shown = ShownPage(page.get_bbox(), page.get_rotation())
    with closing(page.get_textpage()) as textpage:
        found = read_units(page, textpage)
        text, origins = trace_clean(*_kept(found))
        is_placeable = len(text) <= MOST_PLACED
        places: list[Box | Unplaced] = [
            Unplaced.NOTHING
            if origin < 0
            else _place(found, shown, char, origin)
            if is_placeable
            else Unplaced.LOST
            for char, origin in zip(text, origins, strict=True)
        ]
    fields = "\n".join(text for text in map(clean, annotation_texts(page)) if text)
    whole = "\n".join(part for part in (text, fields) if part)
    places += [Unplaced.NOTHING] * (len(whole) - len(places) - len(fields))
    places += [Unplaced.NOTHING if char.isspace() else Unplaced.FIELD for char in fields]
    return TracedPage(whole, shown.width, shown.height, shown.rotation, tuple(places))


def _kept(found: PageUnits) -> tuple[str, list[int]]:
    """The units that are seen, with the marks between them, and the index of each; -1 for marks."""
    kept = [
        (char, origin)
        for index, unit in enumerate(found.units)
        if index not in found.hidden
        for char, origin in (*((mark, -1) for mark in found.marks.get(index, "")), (unit, index))
    ]
    return "".join(char for char, _ in kept), [origin for _, origin in kept]


def trace_clean(units: str, origins: Sequence[int]) -> tuple[str, list[int]]:
    """What `pdf_text.clean` makes of units, and where each character comes from: -1 for white space
    and for what comes from no unit. All else stays, in order, but for what is not printed.
    """
    text = clean(units)
    firsts = accumulate(
        (1 + (ord(char) >= _BASIC_PLANE_END) for char in joined_surrogates(units)), initial=0
    )
    printed = (
        origins[at]
        for char, at in zip(joined_surrogates(units), firsts, strict=False)
        if char in LINE_END_HYPHENS or not (char.isspace() or UNPRINTED.match(char))
    )
    return text, [-1 if char.isspace() else next(printed) for char in text]


def _place(found: PageUnits, shown: ShownPage, char: str, origin: int) -> Box | Unplaced:
    unit = ord(found.units[origin])
    known = found.boxes.unicode(origin)
    # PDFium says a letter beyond the basic plane whole, or by either half.
    if known != unit and known != ord(char) and not (known in _HYPHENS and unit in _HYPHENS):
        return Unplaced.LOST
    for left, bottom, right, top in (found.boxes[origin], found.boxes.tight(origin)):
        if left < right and bottom < top:
            return shown.box(left, bottom, right, top)
    return Unplaced.LOST


class ShownPage:
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


_SAME_LINE = 0.5
"""Two boxes are on a line if they share this much of the lower one's height."""

_WIDEST_GAP = 1.5
"""In heights of the line: a space is narrower, the gap between columns or cells is wider."""


_PLACED = 255
"""Beside the values of `Unplaced`: it has a box."""

NO_TEXT = (
    "This page has no text of its own: it is a picture, or empty. What can be shown is in the text."
)
DOES_NOT_FIT = (
    "The words cannot be marked on this page: it does not read as it did when the document was "
    "taken in. They are marked in the text."
)
LOST = "Some of the words cannot be placed on this page. All of them are marked in the text."
IN_A_FIELD = (
    "Some of the words were typed into a form field or a note and are not part of the page. All of "
    "them are marked in the text."
)


@dataclass(frozen=True, slots=True)
class PageBoxes:
    """Where a span stands on a page. Sizes and boxes (left, top, right, bottom) are in points from
    the top left corner of the page as it is shown: cropped, and turned clockwise by `rotation`.

    `exact` says that the boxes hold the words of the span on this page, all of them and nothing
    else; `note` says what is missing where they do not, for a reader.
    """

    page: int
    width: float
    height: float
    rotation: int
    boxes: tuple[Box, ...] = ()
    exact: bool = False
    note: str = ""


class PageLayout:
    """The characters of one page of a PDF, each with its place. Some 20 bytes a character.

    Trusts nothing that is said of the page. Raises TypeError or ValueError for what makes no sense.
    """

    def __init__(self, page: int, traced: TracedPage) -> None:
        self.page = page
        self.text = traced.text
        self.width, self.height, self.rotation = traced.width, traced.height, traced.rotation
        self._unplaced = bytearray()
        self._boxes = array("f")
        for place in traced.places:
            if isinstance(place, int):
                self._unplaced.append(Unplaced(place))
                self._boxes.extend((0, 0, 0, 0))
            else:
                left, top, right, bottom = place
                self._unplaced.append(_PLACED)
                self._boxes.extend((left, top, right, bottom))
        if len(self._unplaced) != len(self.text) or self.rotation not in (0, 90, 180, 270):
            raise ValueError("places that do not go with their text")
        if not all(map(math.isfinite, (self.width, self.height, *self._boxes))):
            raise ValueError("a place that is no number")

    def find(self, kept: str, start: int, end: int) -> PageBoxes:
        """Where `kept[start:end]` stands; `kept` is what the document has as the page's text."""
        if start >= end:
            return self._found((), exact=True)
        if not kept.strip():
            return self._found((), note=NO_TEXT)
        offsets = list(_offsets(self.text, kept))
        if len(offsets) != 1:
            return self._found((), note=DOES_NOT_FIT)
        return self._mark(offsets[0] + start, offsets[0] + end)

    def _mark(self, start: int, end: int) -> PageBoxes:
        kinds = self._unplaced[start:end]
        placed = [(at, self._box(at)) for at, kind in enumerate(kinds, start) if kind == _PLACED]
        boxes = tuple(merged(self.text, placed))
        if Unplaced.LOST in kinds:
            return self._found(boxes, note=LOST)
        if Unplaced.FIELD in kinds:
            return self._found(boxes, note=IN_A_FIELD)
        return self._found(boxes, exact=True)

    def _box(self, at: int) -> Box:
        left, top, right, bottom = self._boxes[4 * at : 4 * at + 4]
        return left, top, right, bottom

    def _found(self, boxes: tuple[Box, ...], *, exact: bool = False, note: str = "") -> PageBoxes:
        return PageBoxes(
            self.page, self.width, self.height, self.rotation, boxes, exact=exact, note=note
        )


def _offsets(whole: str, kept: str) -> Iterator[int]:
    """Where the kept text may begin in the text of the whole page: running lines were dropped from
    its edges, at most `EDGE_LINES` printed ones from each.
    """
    at = 0
    for _ in range(EDGE_LINES + 1):
        at += len(whole[at:]) - len(whole[at:].lstrip("\n"))
        end = at + len(kept)
        if whole.startswith(kept, at) and whole[end : end + 1] in ("", "\n"):
            dropped = [line for line in whole[end:].split("\n") if line.strip()]
            if len(dropped) <= EDGE_LINES:
                yield at
        at = whole.find("\n", at) + 1
        if not at:
            return


def merged(text: str, placed: Sequence[tuple[int, Box]]) -> Iterator[Box]:
    """Boxes of characters, each with its offset in `text`, as boxes of what stands side by side."""
    line: Box | None = None
    before = 0
    for at, box in placed:
        between = text[before:at]
        if line is not None and "\n" not in between and _goes_on(line, box, touching=not between):
            line = _around(line, box)
        else:
            if line is not None:
                yield _rounded(line)
            line = box
        before = at + 1
    if line is not None:
        yield _rounded(line)


def _rounded(box: Box) -> Box:
    """Boxes are kept as single floats: 70.87 would read 70.87000274658203."""
    left, top, right, bottom = (round(edge, 2) for edge in box)
    return left, top, right, bottom


def _goes_on(line: Box, box: Box, *, touching: bool) -> bool:
    """Whether a box goes on with a line across the page, or a letter with a word along its side."""
    if _overlap(line[1], line[3], box[1], box[3]) >= _SAME_LINE:
        gap = max(box[0] - line[2], line[0] - box[2])
        return gap <= _WIDEST_GAP * max(line[3] - line[1], box[3] - box[1])
    if not touching or _overlap(line[0], line[2], box[0], box[2]) < _SAME_LINE:
        return False
    gap = max(box[1] - line[3], line[1] - box[3])
    return gap <= _WIDEST_GAP * max(line[2] - line[0], box[2] - box[0])


def _overlap(start: float, end: float, other_start: float, other_end: float) -> float:
    """How much two ranges share, as a share of the shorter one."""
    shorter = min(end - start, other_end - other_start)
    return (min(end, other_end) - max(start, other_start)) / shorter if shorter > 0 else 0.0


def _around(box: Box, other: Box) -> Box:
    return (
        min(box[0], other[0]), min(box[1], other[1]),
        max(box[2], other[2]), max(box[3], other[3]),
    )  # fmt: skip

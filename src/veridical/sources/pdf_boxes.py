"""Where the words of a PDF stand on its pages, so that they can be marked there.

A document's text is what was read at ingest: without running headers, with hyphens mended. The page
is read again, the text that is kept is looked for in it, and only where it fits letter for letter
is anything marked: a wrong highlight is worse than none.
"""

from __future__ import annotations

import math
import re
from array import array
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import IntEnum
from itertools import chain
from typing import Any, NamedTuple

from veridical.sources.pdf_text import (
    EDGE_LINES,
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
    """The text of a `pypdfium2.PdfPage` as `read_page_text` gives it, each character placed.

    Runs in the worker process only, as all that opens a PDF does.
    """
    shown = _Shown(page.get_bbox(), page.get_rotation())
    with closing(page.get_textpage()) as textpage:
        found = read_units(page, textpage)
        traced = trace_clean(*_kept(found))
        places = list(_traced_places(found, shown, traced))
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
    edges = [0, *chain.from_iterable(match.span() for match in _TRAILING.finditer(mended.text))]
    kept = [slice(*pair) for pair in zip(edges[::2], (*edges[1::2], len(mended.text)), strict=True)]
    origins = list(chain.from_iterable(mended.origins[part] for part in kept))
    trimmed = Traced("".join(mended.text[part] for part in kept), origins)
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


def _traced_places(found: PageUnits, shown: _Shown, traced: Traced) -> Iterator[Box | Unplaced]:
    placeable = len(traced.text) <= MOST_PLACED
    for char, origin in zip(traced.text, traced.origins, strict=True):
        if origin < 0 or char.isspace():
            yield Unplaced.NOTHING
        else:
            yield _traced_place(found, shown, char, origin) if placeable else Unplaced.LOST


def _traced_place(found: PageUnits, shown: _Shown, char: str, origin: int) -> Box | Unplaced:
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
    """The characters of one page of a PDF, each with its place. Some 20 bytes a character."""

    def __init__(self, page: int, traced: TracedPage) -> None:
        self.page = page
        self.text = traced.text
        self.width, self.height, self.rotation = traced.width, traced.height, traced.rotation
        self._unplaced = bytearray(len(traced.text))
        self._boxes = array("f", bytes(16 * len(traced.text)))
        for at, place in enumerate(traced.places):
            if isinstance(place, tuple):
                self._unplaced[at] = _PLACED
                self._boxes[4 * at : 4 * at + 4] = array("f", place)
            else:
                self._unplaced[at] = place

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


def layout_to_wire(page: int, traced: TracedPage) -> dict[str, Any]:
    """What the worker answers."""
    return {
        "page": page,
        "text": traced.text,
        "size": [traced.width, traced.height],
        "rotation": traced.rotation,
        "places": [place if isinstance(place, tuple) else int(place) for place in traced.places],
    }


def layout_from_wire(reply: Mapping[str, Any]) -> PageLayout:
    """What the worker answered, trusting nothing. Raises KeyError, TypeError or ValueError."""
    text = str(reply["text"])
    text.encode("utf-8")  # raises UnicodeEncodeError, a ValueError, at an unpaired surrogate
    width, height = (_number(size) for size in reply["size"])
    places = [_place(place) for place in reply["places"]]
    if len(places) != len(text) or int(reply["rotation"]) not in (0, 90, 180, 270):
        raise ValueError("places that do not go with their text")
    traced = TracedPage(text, width, height, int(reply["rotation"]), places)
    return PageLayout(int(reply["page"]), traced)


def _place(place: Any) -> Box | Unplaced:
    if isinstance(place, int):
        return Unplaced(place)
    left, top, right, bottom = map(_number, place)
    return left, top, right, bottom


def _number(given: Any) -> float:
    number = float(given)
    if not math.isfinite(number):
        raise ValueError("a place that is no number")
    return number

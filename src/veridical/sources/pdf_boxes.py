"""Where the words of a PDF stand on its pages, so that they can be marked there.

A document's text is what was read at ingest: without running headers, with hyphens mended. The page
is read again, the text that is kept is looked for in it, and only where it fits letter for letter
is anything marked: a wrong highlight is worse than none.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.sources.pdf_trace import Box, TracedPage, Unplaced
from veridical.sources.running_lines import EDGE_LINES

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

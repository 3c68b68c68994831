"""The text of PDF pages as a reader sees it, from PDFium's own list of characters.

PDFium counts UTF-16 code units, marks a hyphen at a line end as U+FFFE and ends lines with CRLF.
"Units" below are a page's text with one `str` element for each UTF-16 code unit.
"""

from __future__ import annotations

import ctypes
import math
import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import closing
from itertools import takewhile
from typing import Any, NamedTuple

from veridical.sources.pdf_headings import LetterLook, LineLook, font_look, line_looks
from veridical.sources.superscript import mark_before_raised_number

LINE_END_HYPHENS = "\ufffe\x02"
_LINE_END_HYPHEN = re.compile(f"[{LINE_END_HYPHENS}](?:\r?\n)?")
_LINE_BREAK = re.compile(f"[{LINE_END_HYPHENS}](?:\r?\n)?|\r\n?|\n")
UNPRINTED = re.compile("[\x00-\x08\x0b-\x1f\x7f]")
_DIGITS_AFTER_WORD = re.compile(r"[^\W_]\d+")

_RAISED_MAX_SIZE = 0.85
_RAISED_MIN_SHIFT = 0.15
"""A superscript is smaller than this share of its neighbour and raised by this share of it."""
_SAME_LINE = 0.05
_UPRIGHT_MAX_RADIANS = 0.1

_MAX_ANNOTATIONS = 10_000
_HIDDEN_ANNOTATION = 0x02 | 0x20  # the flags Hidden and NoView
_PASSWORD_FIELD = 1 << 13


class PageText(NamedTuple):
    """`text` of a page, line by line; whether some of it lay outside the visible page, or none of
    it could be read; and how its lines are set, as far as that is known. Of a `recognised` page the
    words that are `unsure` (line, start, end), or why it was not recognised after all.
    """

    text: str = ""
    cropped: bool = False
    failed: bool = False
    looks: tuple[LineLook | None, ...] = ()
    recognised: bool = False
    unsure: tuple[tuple[int, int, int], ...] = ()
    unrecognised: str = ""


def read_page_text(page: Any) -> PageText:
    """The visible text of a `pypdfium2.PdfPage`, in the order in which it is painted.

    A word broken at a line end keeps its hyphen and the line break. A raised number is marked off
    (see `superscript`). What the reader sees of filled form fields and free-text notes follows at
    the end, a line for each.
    """
    with closing(page.get_textpage()) as textpage:
        units, marks, hidden, boxes = read_units(page, textpage)
        looks = line_looks(boxes, units, list(_printed_lines(units, hidden)))
    kept = (marks.get(index, "") + unit for index, unit in enumerate(units) if index not in hidden)
    text = clean("".join(kept) if marks or hidden else units)
    added = map(clean, annotation_texts(page))
    whole = "\n".join(part for part in (text, *added) if part)
    return PageText(whole, bool(hidden), looks=tuple(looks) if text else ())


def _printed_lines(units: str, hidden: Collection[int]) -> Iterator[tuple[int, int]]:
    """Where the lines that `clean` makes of units start and end, without blank ones around them."""
    lines: list[tuple[int, int]] = []
    start = 0
    for found in _LINE_BREAK.finditer(units):
        lines.append((start, found.start()))
        start = found.end()
    lines.append((start, len(units)))
    full = [
        number
        for number, (start, end) in enumerate(lines)
        if any(not units[i].isspace() and i not in hidden for i in range(start, end))
    ]
    yield from lines[full[0] : full[-1] + 1] if full else ()


class PageUnits(NamedTuple):
    """A page's units as PDFium lists them: `marks` are to be put before units, those of `hidden`
    are not seen. `boxes` knows where each stands, while the text page is open.
    """

    units: str
    marks: dict[int, str]
    hidden: set[int]
    boxes: UnitBoxes


def read_units(page: Any, textpage: Any) -> PageUnits:
    """What PDFium knows of the text of a `pypdfium2.PdfPage`, and what is to be made of it."""
    units = _as_units(textpage.get_text_range(errors="surrogatepass"))
    boxes = UnitBoxes(textpage, units)
    marks = _superscript_marks(boxes, units)
    return PageUnits(units, marks, _outside(textpage, page.get_bbox(), boxes, units), boxes)


def _as_units(text: str) -> str:
    if text.isascii() or max(text) <= "\uffff":
        return text
    return "".join(map(chr, memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H")))


def joined_surrogates(units: str) -> str:
    """The characters of units; the replacement character for half a pair."""
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def clean(units: str) -> str:
    """The text of units: surrogate pairs joined, unpaired ones replaced, hyphens and line ends
    mended, lines trimmed. `pdf_boxes.trace_clean` tells where each character comes from.
    """
    text = (
        _LINE_END_HYPHEN.sub("-\n", joined_surrogates(units))
        .replace("\r\n", "\n")
        .replace("\r", "\n")
    )
    text = UNPRINTED.sub("", text)
    return "\n".join(line.rstrip(" \t") for line in text.split("\n")).strip("\n")


class UnitBoxes:
    """Where each unit of a page stands: (left, bottom, right, top) in points, from below.

    The height is that of the font, not of the letter: "a" and "A" have the same.
    """

    def __init__(self, textpage: Any, units: str) -> None:
        import pypdfium2.raw as pdfium

        self._pdfium = pdfium
        self._handle = textpage.raw
        self._rectangle = pdfium.FS_RECTF()
        self._matrix = pdfium.FS_MATRIX()
        self._name = ctypes.create_string_buffer(128)
        self._is_one_to_one = pdfium.FPDFText_CountChars(self._handle) == len(units)

    def char_index(self, index: int) -> int:
        """Where PDFium has a unit in its list of characters."""
        if self._is_one_to_one:
            return index
        found: int = self._pdfium.FPDFText_GetCharIndexFromTextIndex(self._handle, index)
        return found

    def __getitem__(self, index: int) -> tuple[float, float, float, float]:
        box = self._rectangle
        known = self._pdfium.FPDFText_GetLooseCharBox(self._handle, self.char_index(index), box)
        return (box.left, box.bottom, box.right, box.top) if known else (0.0, 0.0, 0.0, 0.0)

    def unicode(self, index: int) -> int:
        """The code unit or code point that PDFium itself has for a unit."""
        found: int = self._pdfium.FPDFText_GetUnicode(self._handle, self.char_index(index))
        return found

    def tight(self, index: int) -> tuple[float, float, float, float]:
        """The box of the letter itself, for fonts that do not know their height."""
        left, right, bottom, top = (ctypes.c_double() for _ in range(4))
        known = self._pdfium.FPDFText_GetCharBox(
            self._handle, self.char_index(index), left, right, bottom, top
        )
        found = (left.value, bottom.value, right.value, top.value)
        return found if known else (0.0, 0.0, 0.0, 0.0)

    def look(self, index: int) -> LetterLook:
        """How a unit is set; its size as it is printed, whatever the page is scaled by."""
        at, matrix, name = self.char_index(index), self._matrix, self._name
        self._pdfium.FPDFText_GetMatrix(self._handle, at, matrix)
        size = self._pdfium.FPDFText_GetFontSize(self._handle, at)
        name.value = b""
        self._pdfium.FPDFText_GetFontInfo(self._handle, at, name, len(name), None)
        return LetterLook(round(size * math.hypot(matrix.c, matrix.d), 1), *font_look(name.value))

    def is_upright(self, index: int) -> bool:
        """Whether a unit is not turned."""
        angle: float = self._pdfium.FPDFText_GetCharAngle(self._handle, self.char_index(index))
        return abs(angle) < _UPRIGHT_MAX_RADIANS


def _superscript_marks(boxes: UnitBoxes, units: str) -> dict[int, str]:
    """What is to be put before which unit to mark off raised numbers from what is around them.

    Only in upright text: on the edge of a page turned by 90 degrees, each letter is "raised".
    """
    marks: dict[int, str] = {}
    for match in _DIGITS_AFTER_WORD.finditer(units):
        start, end = match.span()
        before = boxes[start]
        if _is_level(before, boxes[end - 1]) or not boxes.is_upright(start):
            continue
        for index in range(start + 1, end):
            here = boxes[index]
            if _is_raised(here, before):
                marks[index] = mark_before_raised_number(units[max(0, index - 4) : index])
            elif _is_raised(before, here):
                marks[index] = " "
            before = here
    return marks


def _is_level(
    box: tuple[float, float, float, float], other: tuple[float, float, float, float]
) -> bool:
    slack = _SAME_LINE * (box[3] - box[1])
    return abs(box[1] - other[1]) < slack and abs(box[3] - other[3]) < slack


def _is_raised(
    box: tuple[float, float, float, float], neighbour: tuple[float, float, float, float]
) -> bool:
    height, neighbour_height = box[3] - box[1], neighbour[3] - neighbour[1]
    is_smaller = 0 < height < _RAISED_MAX_SIZE * neighbour_height
    return is_smaller and box[1] - neighbour[1] > _RAISED_MIN_SHIFT * neighbour_height


def _outside(
    textpage: Any, visible: tuple[float, float, float, float], boxes: UnitBoxes, units: str
) -> set[int]:
    """The units whose place is not on the visible page.

    PDFium itself tells whether there are any; only then is each character looked at.
    """
    shown = textpage.get_text_bounded(errors="surrogatepass")
    if _printed_count(_as_units(shown)) >= _printed_count(units):
        return set()
    page_left, page_bottom, page_right, page_top = visible
    outside: set[int] = set()
    for index, unit in enumerate(units):
        if unit.isspace():
            continue
        box = left, bottom, right, top = boxes[index]
        if not any(box):  # a unit whose place is not known
            continue
        x, y = (left + right) / 2, (bottom + top) / 2
        if not (page_left <= x <= page_right and page_bottom <= y <= page_top):
            outside.add(index)
    return outside


def _printed_count(units: str) -> int:
    return sum(map(len, units.split()))


def annotation_texts(page: Any) -> Iterator[str]:
    """What is typed into form fields and free-text notes. Nothing is executed or computed."""
    import pypdfium2.raw as pdfium

    for index in range(min(pdfium.FPDFPage_GetAnnotCount(page), _MAX_ANNOTATIONS)):
        annotation = pdfium.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        try:
            if pdfium.FPDFAnnot_GetFlags(annotation) & _HIDDEN_ANNOTATION:
                continue
            kind = pdfium.FPDFAnnot_GetSubtype(annotation)
            if kind == pdfium.FPDF_ANNOT_FREETEXT:
                yield _string(annotation, b"Contents")
            elif kind == pdfium.FPDF_ANNOT_WIDGET and _is_readable_field(annotation):
                yield _string(annotation, b"V")
        finally:
            pdfium.FPDFPage_CloseAnnot(annotation)


def _is_readable_field(annotation: Any) -> bool:
    import pypdfium2.raw as pdfium

    if _string(annotation, b"FT") not in ("Tx", "Ch"):
        return False
    flags = ctypes.c_float(0)
    pdfium.FPDFAnnot_GetNumberValue(annotation, b"Ff", flags)
    return not int(flags.value) & _PASSWORD_FIELD


def _string(annotation: Any, key: bytes) -> str:
    import pypdfium2.raw as pdfium

    size = pdfium.FPDFAnnot_GetStringValue(annotation, key, None, 0)
    if size <= 2:
        return ""
    buffer = (ctypes.c_ushort * (size // 2))()
    pdfium.FPDFAnnot_GetStringValue(annotation, key, buffer, size)
    return bytes(buffer).decode("utf-16-le", "surrogatepass").rstrip("\x00")


EDGE_LINES = 6
_MAX_GAP = 2
_MIN_PAGES = 3
_MIN_SHARE = 0.4
_SURE_PAGES = 5
"""A run is at least three pages: two fifths of the document, or five where that is fewer."""

_MAX_LINE_CHARS = 300
_NUMBER = re.compile(r"(?<!\d)\d{1,7}(?!\d)")


# Headers, footers and page numbers that stand between the text of one page and the next.
#
# A sentence that runs over a page break would otherwise be cut by "Annual report 2024   17". Such a
# line is known by its company: the same line, but for a number that counts along with the pages, at
# the same edge of pages that follow each other (or of every other one: left and right pages
# differ). Conservative on purpose: only the outermost lines are looked at, a page is never emptied,
# and of each wording one stays, so that it can still be found and quoted.


class Trimmed(NamedTuple):
    """The texts of the pages, how many lines were dropped from them, for each page the lines that
    are left, by their number before, and those of them that stand on other pages too.
    """

    texts: list[str]
    dropped: int
    kept: list[list[int]]
    repeated: list[set[int]]


class _Wording(NamedTuple):
    """How a line reads with its page number, if it has one, taken out."""

    at_top: bool
    before: str
    after: str
    number_minus_page: int | None

    @property
    def is_bare_number(self) -> bool:
        has_letters = any(map(str.isalpha, self.before + self.after))
        return self.number_minus_page is not None and not has_letters


class _Place(NamedTuple):
    page: int
    line: int


def drop_running_lines(texts: Sequence[str]) -> Trimmed:
    """Drop what repeats between pages from `texts`, one text for each page in order."""
    pages = [text.split("\n") for text in texts]
    running, stays = _find_running(pages)
    trimmed = Trimmed([], 0, [], [])
    dropped = 0
    for number, lines in enumerate(pages):
        doomed = _outermost(lines, running[number]) if number in running else set()
        kept = [at for at in range(len(lines)) if at not in doomed]
        while kept and not lines[kept[0]]:
            kept.pop(0)
        while kept and not lines[kept[-1]]:
            kept.pop()
        trimmed.texts.append("\n".join(lines[at] for at in kept))
        trimmed.kept.append(kept)
        again = running.get(number, set()) | stays.get(number, set())
        trimmed.repeated.append({index for index, at in enumerate(kept) if at in again})
        dropped += len(doomed)
    return trimmed._replace(dropped=dropped)


def _find_running(
    pages: Sequence[Sequence[str]],
) -> tuple[dict[int, set[int]], dict[int, set[int]]]:
    """For each page the lines that repeat at its edges and need not stay, and those that do."""
    places: defaultdict[_Wording, list[_Place]] = defaultdict(list)
    for number, lines in enumerate(pages):
        for at_top, at in _edges(lines):
            for wording in _wordings(lines[at], at_top, number):
                places[wording].append(_Place(number, at))
    min_pages = max(_MIN_PAGES, min(_SURE_PAGES, math.ceil(_MIN_SHARE * len(pages))))
    running: defaultdict[int, set[int]] = defaultdict(set)
    stays: defaultdict[int, set[int]] = defaultdict(set)
    for wording, all_places in places.items():
        for run in _runs(all_places, min_pages=min_pages):
            kept = None
            if not wording.is_bare_number:
                # A header stays where it first comes, a footer where it last comes: there the
                # fewest sentences run past it.
                kept = run[0] if wording.at_top else run[-1]
            for place in run:
                (stays if place == kept else running)[place.page].add(place.line)
    return dict(running), dict(stays)


def _edges(lines: Sequence[str]) -> Iterator[tuple[bool, int]]:
    """The outermost lines that are not blank: whether at the top, and their index."""
    printed = [at for at, line in enumerate(lines) if line and not line.isspace()]
    half = (len(printed) + 1) // 2
    for at in printed[: min(EDGE_LINES, half)]:
        yield True, at
    for at in printed[max(half, len(printed) - EDGE_LINES) :]:
        yield False, at


def _wordings(line: str, at_top: bool, page: int) -> Iterator[_Wording]:
    """The line as it is, and with each of its numbers read as the page number."""
    if len(line) > _MAX_LINE_CHARS:
        return
    folded = " ".join(line.split())
    yield _Wording(at_top, folded, "", None)
    for match in _NUMBER.finditer(folded):
        before, after = folded[: match.start()], folded[match.end() :]
        wording = _Wording(at_top, before, after, int(match.group()) - page)
        # Among words a page number stands free; "(5) In the" is an item of a list.
        if wording.is_bare_number or (_stands_free(before[-1:]) and _stands_free(after[:1])):
            yield wording


def _stands_free(neighbour: str) -> bool:
    return not neighbour or neighbour in " /|,"


def _runs(places: Sequence[_Place], *, min_pages: int) -> Iterator[list[_Place]]:
    """Stretches of places, in page order, that are long and close enough to be no coincidence."""
    run: list[_Place] = []
    for place in [*places, None]:
        if place is None or (run and place.page - run[-1].page > _MAX_GAP):
            if len({of_run.page for of_run in run}) >= min_pages:
                yield run
            run = []
        if place is not None:
            run.append(place)


def _outermost(lines: Sequence[str], running: Collection[int]) -> set[int]:
    """Those of `running` with nothing but other such lines between them and the page's edge."""
    printed = [at for at, line in enumerate(lines) if line and not line.isspace()]
    doomed: set[int] = set()
    for order in (printed, printed[::-1]):
        outermost = list(takewhile(running.__contains__, order))
        # As many as were looked at: a page that is repeated whole, not a header.
        if len(outermost) < min(EDGE_LINES, len(printed)):
            doomed.update(outermost)
    return doomed

"""Where words stand on a page: compared with what PDFium itself reads inside the boxes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
import typst
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.sources.builders import Pdf, simple_pdf

from veridical.errors import DocumentParsingError
from veridical.sources import pdf_text
from veridical.sources.document import Document
from veridical.sources.isolated import page_layout_isolated
from veridical.sources.pdf import read_pdf, trace_pdf_page
from veridical.sources.pdf_boxes import (
    DOES_NOT_FIT,
    IN_A_FIELD,
    NO_TEXT,
    PageBoxes,
    PageLayout,
    TracedPage,
    trace_clean,
)
from veridical.sources.worker import WIRE

EXAMPLE = Path(__file__).parents[2] / "examples" / "sources" / "expense-handbook.pdf"

PAPER = r"""
#set page(width: 420pt, height: 300pt, margin: 30pt, columns: 2, numbering: "1",
  header: [Handbook of the fine office])
#set par(justify: true)
#set text(hyphenate: true, lang: "en", size: 9pt)
#for part in range(1, 7) [
  = Section #part: offices, affiliates and efficient staff
  The first five officers find the affluent waffles in office #part, which is sufficient
  confirmation of the extraordinary misunderstanding that characterised internationalisation.
  An area of 12 m#super[2] is set aside#footnote[Unless the head of office #part objects.].
  / Term: what it means, ﬁnally, in the ﬂoor plan. Müller & Søn, naïve café, 東京 office.
  #lorem(60)
]
"""


@cache
def files() -> dict[str, bytes]:
    """Files that PDF writers make: two columns, hyphens, ligatures, notes, headers, numbers."""
    return {"typst": typst.compile(PAPER.encode()), "example": EXAMPLE.read_bytes()}


@cache
def read(name: str) -> Document:
    return read_pdf(files()[name], name)


@cache
def layout(name: str, page: int) -> PageLayout:
    return PageLayout(page, trace_pdf_page(files()[name], name, page))


def one_page(content: bytes, extra: bytes = b"") -> bytes:
    pdf = Pdf()
    pdf.add_page(content, extra)
    return pdf.build()


def found(data: bytes, words: str, page: int = 1) -> PageBoxes:
    """Where words of a document stand on a page."""
    document = read_pdf(data, "made.pdf")
    at = document.text.index(words)
    place = document.pages[page - 1].span
    kept = document.text[place.start : place.end]
    start = max(at, place.start) - place.start
    end = min(at + len(words), place.end) - place.start
    return PageLayout(page, trace_pdf_page(data, "made.pdf", page)).find(kept, start, end)


def read_inside(data: bytes, boxes: PageBoxes) -> str:
    """What PDFium reads in the middle of each box of a page that is neither turned nor cropped."""
    with (
        closing(pypdfium2.PdfDocument(data)) as pdf,
        closing(pdf[boxes.page - 1]) as page,
        closing(page.get_textpage()) as text,
    ):
        parts = []
        for left, top, right, bottom in boxes.boxes:
            inset = (bottom - top) * 0.3
            parts.append(
                text.get_text_bounded(
                    left + 0.05, boxes.height - bottom + inset,
                    right - 0.05, boxes.height - top - inset,
                )
            )  # fmt: skip
    return "".join(parts)


def letters(text: str) -> str:
    return "".join(char for char in text if char.isalnum())


# --- the words are in the boxes ------------------------------------------------------------------


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_what_stands_in_the_boxes_of_whole_words_are_these_words(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(files())))
    document = read(name)
    page = data.draw(st.sampled_from([page for page in document.pages if len(page.span)]))
    kept = document.text[page.span.start : page.span.end]
    words = list(words_of(kept))
    first = data.draw(st.integers(0, len(words) - 1))
    last = data.draw(st.integers(first, min(first + 30, len(words) - 1)))
    start, end = words[first][0], words[last][1]
    boxes = layout(name, page.number).find(kept, start, end)
    if "^" in kept[start:end] or "東京" in kept[start:end]:
        return  # what PDFium says of raised and of missing letters differs from what is there
    assert boxes.exact
    assert letters(read_inside(files()[name], boxes)) == letters(kept[start:end])


def words_of(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    for word in text.split():
        at = text.index(word, at)
        yield at, at + len(word)
        at += len(word)


@pytest.mark.parametrize("name", ["typst", "example"])
def test_the_text_is_traced_to_the_character(name: str) -> None:
    with closing(pypdfium2.PdfDocument(files()[name])) as pdf:
        for number, page in enumerate(pdf, 1):
            assert layout(name, number).text == pdf_text.read_page_text(page).text


UNITS = st.text(
    st.sampled_from("ab \t\r\n\x00\x02\x07￾-\ud83d\ude00é・") | st.characters(), max_size=40
)


@given(UNITS)
def test_cleaning_with_origins_is_cleaning(text: str) -> None:
    units = "".join(
        map(chr, memoryview(text.encode("utf-16-le", "surrogatepass")).cast("H").tolist())
    )
    cleaned, origins = trace_clean(units, range(len(units)))
    assert cleaned == pdf_text.clean(units)
    assert len(origins) == len(cleaned)
    known = [origin for origin in origins if origin >= 0]
    assert known == sorted(set(known))


def test_a_span_over_two_pages_has_its_part_on_each() -> None:
    data = simple_pdf(["first line", "begins here"], ["and ends there", "last"])
    words = "begins here\nand ends"
    assert letters(read_inside(data, found(data, words))) == "beginshere"
    assert letters(read_inside(data, found(data, words, page=2))) == "andends"


def test_running_headers_do_not_shift_the_words() -> None:
    pages = [
        ["Annual report", f"on {n} they begin", "and end", f"Page {n} of 6"] for n in range(1, 7)
    ]
    data = simple_pdf(*pages)
    boxes = found(data, "4 they begin", page=4)
    assert boxes.exact
    assert letters(read_inside(data, boxes)) == "4theybegin"


# --- pages that are turned, cropped or both ------------------------------------------------------


@pytest.mark.parametrize("turn", [0, 90, 180, 270])
def test_boxes_are_on_the_page_as_it_is_shown(turn: int) -> None:
    extra = b"/CropBox[40 40 540 780]/Rotate %d" % turn
    boxes = found(one_page(b"BT /F 12 Tf 100 700 Td (word) Tj ET", extra), "word")
    assert (boxes.width, boxes.height) == ((740, 500) if turn % 180 else (500, 740))
    assert boxes.rotation == turn
    ((left, top, right, bottom),) = boxes.boxes
    # The word begins 60 points from the left and 660 from below what is visible of the page.
    begins = {0: (60, 80), 90: (660, 60), 180: (440, 660), 270: (80, 440)}[turn]
    assert left - 1 <= begins[0] <= right + 1
    assert top - 1 <= begins[1] <= bottom + 1
    assert (right - left > bottom - top) is (turn % 180 == 0)


# --- what cannot be marked is said ---------------------------------------------------------------


def test_words_of_a_form_field_are_not_on_the_page() -> None:
    field = b"<</Type/Annot/Rect[9 9 99 99]/Subtype/Widget/FT/Tx/T(a)/V(Ada Lovelace)>>"
    data = one_page(b"BT /F 12 Tf 50 700 Td (Name) Tj ET", b"/Annots[%s]" % field)
    whole = found(data, "Name\nAda Lovelace")
    assert not whole.exact
    assert whole.note == IN_A_FIELD
    assert letters(read_inside(data, whole)) == "Name"
    assert found(data, "Name").exact


def test_a_page_without_text_says_so() -> None:
    data = simple_pdf(["words"], [])
    boxes = PageLayout(2, trace_pdf_page(data, "made.pdf", 2)).find("", 0, 0)
    assert (boxes.boxes, boxes.exact) == ((), True)
    assert PageLayout(2, trace_pdf_page(data, "made.pdf", 2)).find(" ", 0, 1).note == NO_TEXT


@pytest.mark.parametrize("kept", ["other words", "the words her", "the words here\nand more"])
def test_a_page_that_reads_otherwise_is_not_marked(kept: str) -> None:
    page = PageLayout(1, trace_pdf_page(simple_pdf(["the words here"]), "made.pdf", 1))
    boxes = page.find(kept, 0, 5)
    assert (boxes.boxes, boxes.exact, boxes.note) == ((), False, DOES_NOT_FIT)


def test_where_the_text_fits_twice_nothing_is_marked() -> None:
    page = PageLayout(1, trace_pdf_page(simple_pdf(["same", "same", "same"]), "made.pdf", 1))
    assert page.find("same\nsame", 0, 4).note == DOES_NOT_FIT
    assert page.find("same\nsame\nsame", 0, 4).exact


# --- hostile files and replies -------------------------------------------------------------------


def test_in_a_worker_the_same_is_found() -> None:
    data = simple_pdf(["the words here"], ["on two pages"])
    page = page_layout_isolated(data, "made.pdf", 2)
    assert page.find("on two pages", 3, 6) == found(data, "two", page=2)


@pytest.mark.parametrize("page", [0, 3, 10**9])
def test_a_page_that_is_not_there(page: int) -> None:
    with pytest.raises(DocumentParsingError, match="has no page"):
        trace_pdf_page(simple_pdf(["a"], ["b"]), "made.pdf", page)


def test_a_damaged_file_is_refused() -> None:
    with pytest.raises(DocumentParsingError, match="damaged"):
        page_layout_isolated(b"%PDF-1.7 nothing", "made.pdf", 1)


@pytest.mark.parametrize(
    "change",
    [
        {"text": "longer than its places"},
        {"places": [[1, 2, 3]] * 4},
        {"places": [[1, 2, 3, float("inf")]] * 4},
        {"places": [7] * 4},
        {"rotation": 45},
        {"width": float("nan")},
        {"height": "1"},
        {"text": "a\ud800bc"},
    ],
)
def test_a_reply_that_makes_no_sense_is_not_believed(change: dict[str, object]) -> None:
    reply = WIRE.write(trace_pdf_page(simple_pdf(["word"]), "made.pdf", 1))
    assert PageLayout(1, WIRE.read(TracedPage, reply)).find("word", 0, 4).exact
    with pytest.raises((TypeError, ValueError)):
        PageLayout(1, WIRE.read(TracedPage, {**reply, **change}))

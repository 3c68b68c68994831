"""Pages that are pictures: read by the real recogniser, or told of where there is none."""

from __future__ import annotations

import io
from functools import cache

import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.sources.builders import simple_pdf

from veridical.sources.document import Document
from veridical.sources.isolated import page_layout_isolated
from veridical.sources.loader import load_document_bytes
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.results import Status
from veridical.validation.validator import Validator

LINES = (
    "Claims are refunded within 30 days if the",
    "receipt names the journey. A claim with-",
    "out a receipt is refused in every case.",
)
QUOTE = "Claims are refunded within 30 days if the receipt names the journey."


def picture(*lines: str, size: int = 24, width: int = 720) -> Image.Image:
    """Black on white, one line below the other."""
    image = Image.new("RGB", (width, 80 + 2 * size * len(lines)), "white")
    font = ImageFont.load_default(size)
    for number, line in enumerate(lines):
        ImageDraw.Draw(image).text((40, 40 + 1.6 * size * number), line, "black", font)
    return image


def as_bytes(image: Image.Image, kind: str = "PNG", **options: object) -> bytes:
    with io.BytesIO() as file:
        image.save(file, kind, **options)
        return file.getvalue()


@cache
def read_scan() -> tuple[bytes, Document]:
    """A PDF of a page of text, a page that is a picture, and a blank one."""
    pdf = pypdfium2.PdfDocument(simple_pdf(["Travel is paid in advance."]))
    pdf.import_pages(pypdfium2.PdfDocument(as_bytes(picture(*LINES), "PDF", resolution=100)))
    pdf.new_page(200, 200)
    with io.BytesIO() as file:
        pdf.save(file)
        return file.getvalue(), load_document_bytes(file.getvalue(), "mixed.pdf")


def status(document: Document, quote: str) -> Status:
    claim = Claim(id="c", quote=quote)
    return Validator([document], ValidationConfig()).validate([claim]).results[0].status


def test_only_pages_without_text_are_recognised() -> None:
    _, document = read_scan()
    assert document.text.startswith("Travel is paid in advance.\n")
    assert [scan.page for scan in document.scans] == [2]
    assert [document.page_name(page) for page in (1, 2)] == ["page 1", "page 2, recognised"]
    assert document.warnings[0] == "No text on page 3."
    assert document.warnings[1].startswith(
        "Read by text recognition (OCR), which may misread: page 2"
    )
    assert status(document, QUOTE) is Status.VALIDATED
    assert (
        status(document, "A claim without a receipt is refused in every case.") is Status.VALIDATED
    )
    assert status(document, QUOTE.replace("30", "80")) is Status.FAILED


def test_words_are_marked_on_the_picture_of_the_page() -> None:
    data, document = read_scan()
    layout = page_layout_isolated(data, "mixed.pdf", 2)
    page = document.pages[1].span
    kept = document.text[page.start : page.end]
    start = kept.index("30 days")
    found = layout.find(kept, start, start + len("30 days"))
    assert found.exact
    ((left, top, right, bottom),) = found.boxes
    # The words stand on the first line of the picture, at 100 dpi.
    font = ImageFont.load_default(24)
    before = 40 + font.getlength("Claims are refunded within ")
    drawn = before, before + font.getlength("30 days")
    assert left == pytest.approx(0.72 * drawn[0], abs=7)
    assert right == pytest.approx(0.72 * drawn[1], abs=7)
    assert 0.72 * 36 < top < bottom < 0.72 * 76


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_page_that_was_put_in_turned_is_read(turn: int) -> None:
    data = as_bytes(picture(*LINES).rotate(turn, expand=True), "JPEG")
    assert QUOTE in load_document_bytes(data, "page.jpg").text.replace("\n", " ")

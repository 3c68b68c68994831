"""Pages that are pictures: read by the real recogniser, or told of where there is none."""

from __future__ import annotations

import importlib.util
import io
import logging
import os
import pty
import random
import subprocess
import sys
from contextlib import suppress
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import pypdfium2
import pytest
from PIL import Image, ImageDraw, ImageFont
from tests.sources.builders import simple_pdf

from veridical.errors import DocumentParsingError
from veridical.judging.judge import SupportLevel
from veridical.ledger.build import build_ledger
from veridical.ledger.export.annotated_pdf import annotate_pdf
from veridical.ledger.export.originals import OriginalFile
from veridical.service.jobs.work.reading import read_isolated
from veridical.sources import scans
from veridical.sources.document import (
    DEFAULT_LIMITS,
    Document,
    Format,
    Page,
    Scan,
    SourceLimits,
    Span,
)
from veridical.sources.isolated import page_layout_isolated
from veridical.sources.loader import load_document_bytes
from veridical.sources.pdf import read_pdf
from veridical.sources.scans import ScannedLine, rows_of
from veridical.store.rows import document_of, structure_of
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.results import Status
from veridical.validation.validator import Validator
from veridical.validation.wording import place, reason

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
    layout = page_layout_isolated(data, "mixed.pdf", 2, scan=True)
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


@pytest.mark.parametrize("turn", [90, 180])
def test_a_page_that_was_put_in_turned_is_read(turn: int) -> None:
    data = as_bytes(picture(*LINES).rotate(turn, expand=True), "JPEG")
    assert QUOTE in load_document_bytes(data, "page.jpg").text.replace("\n", " ")


def test_words_are_highlighted_in_a_copy_of_the_scan() -> None:
    data, document = read_scan()
    ledger = build_ledger("Claims are refunded within 30 days.", [document])
    copy = annotate_pdf(ledger, OriginalFile(document, data))
    assert (copy.highlights, copy.warnings) == (1, ())


def test_the_service_reads_and_keeps_what_was_recognised() -> None:
    data, document = read_scan()
    found = read_isolated(data, "mixed.pdf", DEFAULT_LIMITS).document
    assert found == document
    kept = structure_of(found)
    assert document_of(found.name, found.text, found.format, found.size_bytes, kept) == document
    assert "scans" not in structure_of(Document("plain", "No scan."))


def test_a_page_is_read_without_the_network() -> None:
    """Neither models nor fonts are fetched, and nothing is written beside them."""
    script = (
        "import socket, sys\n"
        "def refuse(*_, **__): raise OSError('no network here')\n"
        "socket.socket.connect = socket.getaddrinfo = refuse\n"
        "from veridical.sources.scans import recognise_pages\n"
        "print(recognise_pages(sys.stdin.buffer.read(), 'a.png', pages=[1])['1']['text'])\n"
    )
    package = importlib.util.find_spec("rapidocr")
    assert package is not None
    assert package.origin is not None
    models = Path(package.origin).parent / "models"
    before = sorted(models.iterdir())
    ran = subprocess.run(
        [sys.executable, "-c", script], input=as_bytes(picture("No network")), capture_output=True
    )
    assert ran.stdout.decode().strip() == "No network"
    assert sorted(models.iterdir()) == before


def test_recognition_that_takes_too_long_is_ended_and_told() -> None:
    data, whole = read_scan()
    limits = SourceLimits(max_ocr_seconds=0.1)
    document = load_document_bytes(data, "mixed.pdf", limits=limits)
    assert document.text.strip() == "Travel is paid in advance."
    assert "mixed.pdf: reading this PDF took longer than 0.2 seconds" in document.warnings[-1]
    assert len(whole.pages) == len(document.pages)


def test_pages_over_the_limit_are_told_and_left_out(caplog: pytest.LogCaptureFixture) -> None:
    pages = [picture("First"), picture("Second")]
    data = as_bytes(pages[0], "TIFF", save_all=True, append_images=pages[1:])
    with caplog.at_level(logging.INFO, logger="veridical"):
        document = load_document_bytes(data, "two.tif", limits=SourceLimits(max_ocr_pages=1))
    assert document.text == "First\n"
    told = "Pages without text from page 2 on were not read: text recognition stops after 1."
    assert document.warnings[-1] == told
    assert "two.tif: reading page 1 of 1 by OCR" in caplog.messages


@pytest.mark.parametrize(
    ("data", "name", "message"),
    [
        (as_bytes(picture(*LINES))[:900], "cut.png", "this image is damaged or cut short"),
        (as_bytes(picture(*LINES), "JPEG")[:200], "cut.jpg", "this image is damaged or cut short"),
        (as_bytes(Image.new("RGB", (300, 200), "white")), "white.png", "no words were recognised"),
        (as_bytes(Image.new("1", (20_000, 20_000))), "bomb.png", "20,000 x 20,000 pixels are over"),
        (b"", "empty.png", r"the file is empty \(0 bytes\)"),
        (b"words", "words.png", "its content is not an image"),
        (b"GIF89a", "old.gif", "a GIF image, which is not supported. Save it as PNG"),
    ],
)
def test_an_image_that_cannot_be_read_is_told_of(data: bytes, name: str, message: str) -> None:
    with pytest.raises(DocumentParsingError, match=message):
        load_document_bytes(data, name)


def test_without_a_recogniser_it_is_told_how_to_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scans, "find_spec", lambda _: None)
    scan = as_bytes(picture(*LINES), "PDF")
    with pytest.raises(DocumentParsingError, match=r"a scan, .* pip install 'veridical\[ocr\]'"):
        read_pdf(scan, "scan.pdf")
    with pytest.raises(DocumentParsingError, match=r"an image\. .* pip install 'veridical\[ocr\]'"):
        scans.read_image(as_bytes(picture(*LINES)), "page.png")


def test_attachments_that_are_images_or_scans_are_told_of_and_not_recognised() -> None:
    mail = EmailMessage()
    mail["Subject"] = "Scans"
    mail.set_content("See below.")
    page = picture(*LINES)
    for data, kind, name in (
        (as_bytes(page), "png", "a.png"),
        (as_bytes(page, "PDF"), "pdf", "b.pdf"),
    ):
        mail.add_attachment(data, maintype="image", subtype=kind, filename=name)
    told = "an image inside another file is not read. Give it by itself."
    warnings = load_document_bytes(mail.as_bytes(), "a.eml").warnings
    assert warnings == tuple(f"Not read: attachment {name}: {told}" for name in ("a.png", "b.pdf"))


def test_a_quote_on_unsure_words_is_doubted() -> None:
    text = "Costs are refunded within 30 days. Meals are paid."
    document = Document(
        "page.png",
        text,
        Format.IMAGE,
        pages=(Page(1, Span(0, len(text))),),
        scans=(Scan(1, (Span(text.index("30"), text.index(" days")),)),),
    )
    validator = Validator([document], ValidationConfig())
    claims = [Claim(id=str(n), quote=quote) for n, quote in enumerate(text.split(". "))]
    doubted, sure = validator.validate(claims).results
    assert (doubted.status, sure.status) == (Status.LOW_CONFIDENCE, Status.VALIDATED)
    assert "which is not sure of these words: 30." in reason(doubted)
    assert doubted.match is not None
    assert place(doubted.match) == "page.png, page 1, recognised, line 1"
    entry = build_ledger("Costs are refunded within 30 days.", [document]).entries[0]
    assert entry.evidence[0].support is SupportLevel.PARTIAL


def line(text: str, left: float, top: float, slant: float = 0.0) -> ScannedLine:
    """A line of letters that are 10 high and 6 wide."""
    points = ((left, top), (left + 6 * len(text), top))
    turned = [(x, y + slant * x) for x, y in points]
    corners = (*turned, *((x, y + 10) for x, y in reversed(turned)))
    return ScannedLine(text, [1.0] * len(text), [(0, 0, 1, 1)] * len(text), corners)


@pytest.mark.parametrize("slant", [0.0, 0.03])
def test_columns_are_read_one_after_the_other(slant: float) -> None:
    left = [line(f"left column line {n}", 20, 50 + 14 * n, slant) for n in range(4)]
    right = [line(f"right column line {n}", 160, 50 + 14 * n, slant) for n in range(4)]
    title = line("A title that stands over both of the columns", 20, 20, slant)
    given = [title, *left, *right]
    random.Random(3).shuffle(given)
    rows = rows_of(given)
    assert [row[0].text for row in rows if row] == [one.text for one in (title, *left, *right)]


def test_check_reads_several_scans_at_once_and_shows_how_far_it_is(tmp_path: Path) -> None:
    pages = [picture("Lockers take a coin."), picture("Towels cost two pounds each.")]
    two = as_bytes(pages[0], "PDF", save_all=True, append_images=pages[1:])
    (tmp_path / "two.pdf").write_bytes(two)
    (tmp_path / "one.png").write_bytes(as_bytes(picture("The hall closes at nine on weekdays.")))
    said = "Towels cost two pounds each. The hall closes at nine on weekdays."
    (tmp_path / "answer.md").write_text(said, "utf-8")
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "veridical", "check", "answer.md", "two.pdf", "one.png"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=theirs) as running:
        os.close(theirs)
        shown = b""
        with suppress(OSError):  # Linux tells so that the other end is closed
            while piece := os.read(ours, 65_536):
                shown += piece
        assert running.stdout is not None
        told = running.stdout.read().decode()
    os.close(ours)
    assert running.returncode == 0
    assert "2 of 2 claims supported by the sources: grounded" in told
    assert "two.pdf, page 2, recognised" in told
    assert "one.png, page 1, recognised" in told
    for name, count in ((b"two.pdf", b"2"), (b"one.png", b"1")):
        assert name + b": reading page 1 of " + count + b" by OCR" in shown
        assert name + b": Read by text recognition (OCR), which may misread" in shown

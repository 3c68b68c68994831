"""PDF documents, read with PDFium. Call it through `isolated.parse_isolated`, never directly on
files from strangers: a damaged file can crash the library and the process with it.

Left out: pictures (a scan needs OCR first), and what scripts in the file would do.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import Any, NamedTuple

from veridical.errors import DocumentParsingError
from veridical.sources.document import Document, Format, Page
from veridical.sources.headings import build_sections, find_headings
from veridical.sources.limits import DEFAULT_LIMITS, SourceLimits
from veridical.sources.pdf_outline import locate_headings, read_outline
from veridical.sources.pdf_text import read_page_text
from veridical.sources.pdf_trace import TracedPage, trace_page
from veridical.sources.running_lines import drop_running_lines
from veridical.sources.span import Span

_PAGES_NAMED = 12
_UNMAPPED_SHARE = 0.2


def read_pdf(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a PDF in reading order, with its pages and sections.

    Pages are joined by one line break. Headers, footers and page numbers that repeat are left out
    between pages (see `running_lines`), so that a quote can run over a page break. Sections come
    from the outline (the bookmarks) where the file has one, else from the look of the lines.

    Raises DocumentParsingError where the file is empty, broken, encrypted, has no pages or no
    text, or exceeds `limits`.
    """
    with closing(_open(data, name)) as pdf:
        if len(pdf) > limits.max_pages:
            raise _error(
                name,
                f"this PDF has {len(pdf):,} pages, over the limit of {limits.max_pages:,}. "
                "Split the file or raise the limit.",
            )
        readings = _read_pages(pdf, name, limits)
        outline = read_outline(pdf)
    texts, dropped = drop_running_lines([reading.text for reading in readings])
    text = "\n".join(texts)
    if not text.strip():
        raise _no_text(name, readings)
    pages = tuple(_lay_out(texts))
    headings = locate_headings(outline, text, pages) or find_headings(text)
    return Document(
        name=name,
        text=text,
        format=Format.PDF,
        sections=build_sections(text, headings),
        pages=pages,
        size_bytes=len(data),
        warnings=tuple(_warnings(readings, dropped)),
    )


def trace_pdf_page(
    data: bytes, name: str, page: int, *, limits: SourceLimits = DEFAULT_LIMITS
) -> TracedPage:
    """One page, from 1, with the place of each of its characters. The others are not read.

    Raises DocumentParsingError where there is no such page or it cannot be read.
    """
    import pypdfium2

    with closing(_open(data, name)) as pdf:
        if not 1 <= page <= min(len(pdf), limits.max_pages):
            raise _error(name, f"this PDF has no page {page:,}.")
        try:
            with closing(pdf[page - 1]) as found:
                return trace_page(found)
        except (pypdfium2.PdfiumError, AssertionError, ValueError):
            raise _error(name, f"page {page:,} of this PDF cannot be read.") from None


class _Reading(NamedTuple):
    """One page: its text, and what went wrong with it."""

    text: str
    cropped: bool = False
    failed: bool = False


def _open(data: bytes, name: str) -> Any:
    """The `pypdfium2.PdfDocument`. It reads from `data`, which must outlive it."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    if not data:
        raise _error(name, "the file is empty (0 bytes). Save or download it again.")
    handle = pdfium.FPDF_LoadMemDocument64(data, len(data), None)
    if handle:
        pdf = pypdfium2.PdfDocument(handle)
        if len(pdf) > 0:
            return pdf
        pdf.close()
        raise _error(name, "this PDF has no pages. Export it again from where it comes from.")
    code = pdfium.FPDF_GetLastError()
    if code == pdfium.FPDF_ERR_PASSWORD:
        reason = (
            "this PDF is encrypted and needs a password. Remove the password first, for example "
            "with: qpdf --password=SECRET --decrypt IN.pdf OUT.pdf"
        )
    elif code == pdfium.FPDF_ERR_SECURITY:
        reason = (
            "this PDF is protected in a way that is not supported. Print it to a new PDF from the "
            "viewer that can open it."
        )
    else:
        reason = (
            "this is not a PDF, or it is damaged or cut short. Open it in a viewer and save it "
            "again, or download it again."
        )
    raise _error(name, reason)


def _read_pages(pdf: Any, name: str, limits: SourceLimits) -> list[_Reading]:
    readings: list[_Reading] = []
    chars = 0
    for index in range(len(pdf)):
        reading = _read_page(pdf, index)
        chars += len(reading.text) + 1
        if chars > limits.max_text_chars:
            raise _error(
                name,
                f"this PDF has more than {limits.max_text_chars:,} characters of text by page "
                f"{index + 1:,}. Split the file or raise the limit.",
            )
        readings.append(reading)
    return readings


def _read_page(pdf: Any, index: int) -> _Reading:
    """One page. A page that PDFium cannot read is reported; the others are read all the same."""
    import pypdfium2

    try:
        with closing(pdf[index]) as page:
            found = read_page_text(page)
    except (pypdfium2.PdfiumError, AssertionError, ValueError):
        return _Reading("", failed=True)
    return _Reading(found.text, cropped=found.cropped)


def _lay_out(texts: Sequence[str]) -> Iterator[Page]:
    """Where the pages stand in the joined text."""
    start = 0
    for number, text in enumerate(texts, 1):
        yield Page(number, Span(start, start + len(text)))
        start += len(text) + 1


def _no_text(name: str, readings: Sequence[_Reading]) -> DocumentParsingError:
    if all(reading.failed for reading in readings):
        return _error(
            name,
            "no page of this PDF can be read: it is damaged. Open it in a viewer and save it "
            "again.",
        )
    return _error(
        name,
        f"this PDF has {_pages(len(readings))} but no text: it looks like a scan, a picture of "
        "each page. Add a text layer first, for example with: ocrmypdf IN.pdf OUT.pdf",
    )


def _warnings(readings: Sequence[_Reading], dropped: int) -> Iterator[str]:
    failed = [number for number, reading in enumerate(readings, 1) if reading.failed]
    if failed:
        yield f"Could not be read: {_name_pages(failed)}. The file is damaged there."
    empty = [
        number
        for number, reading in enumerate(readings, 1)
        if not reading.failed and not reading.text.strip()
    ]
    if empty:
        yield (f"No text on {_name_pages(empty)}. If there are words in a picture, run OCR first.")
    garbled = [number for number, reading in enumerate(readings, 1) if _is_unmapped(reading.text)]
    if garbled:
        yield (
            f"A font on {_name_pages(garbled)} does not say which letters it shows; text there "
            "may be garbled. Run OCR to get it right."
        )
    cropped = [number for number, reading in enumerate(readings, 1) if reading.cropped]
    if cropped:
        yield f"Text outside the visible area was left out on {_name_pages(cropped)}."
    if dropped:
        yield (
            f"{dropped:,} repeated page headers, footers and page numbers were left out between "
            "pages."
        )


def _is_unmapped(text: str) -> bool:
    """Whether much of a text consists of characters that only the font can interpret."""
    if text.isascii():
        return False
    unmapped = sum("\ue000" <= char <= "\uf8ff" or char == "\ufffd" for char in text)
    return unmapped > _UNMAPPED_SHARE * len(text)


def _name_pages(numbers: Sequence[int]) -> str:
    """`page 3`, `pages 3-5, 9` or the first of very many."""
    stretches: list[list[int]] = []
    for number in numbers:
        if stretches and number == stretches[-1][1] + 1:
            stretches[-1][1] = number
        else:
            stretches.append([number, number])
    named = [
        f"{first:,}" if first == last else f"{first:,}-{last:,}"
        for first, last in islice(stretches, _PAGES_NAMED)
    ]
    more = " and more" if len(stretches) > len(named) else ""
    return f"{'page' if len(numbers) == 1 else 'pages'} {', '.join(named)}{more}"


def _pages(count: int) -> str:
    return "1 page" if count == 1 else f"{count:,} pages"


def _error(name: str, reason: str) -> DocumentParsingError:
    return DocumentParsingError(f"{name}: {reason}", Format.PDF.value)

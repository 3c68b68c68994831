"""PDF documents, read with PDFium. Call it through `isolated.parse_isolated`, never directly on
files from strangers: a damaged file can crash the library and the process with it.

Left out: pictures on pages with text, and what scripts in the file would do. Pages without text are
read by text recognition where that is installed (see `scans`).
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import lru_cache
from itertools import islice
from typing import Any, NamedTuple

import pypdfium2
import pypdfium2.raw as pdfium

from veridical.errors import DocumentParsingError
from veridical.sources import scans
from veridical.sources.document import (
    DEFAULT_LIMITS,
    REPEATED,
    Document,
    Format,
    Page,
    Scan,
    SourceLimits,
    Span,
    UnreadPages,
)
from veridical.sources.headings import (
    MAX_TITLE_CHARS,
    Heading,
    build_sections,
    heading_at,
)
from veridical.sources.pdf_boxes import TracedPage, trace_page
from veridical.sources.pdf_headings import find_set_headings, set_lines
from veridical.sources.pdf_text import PageText, drop_running_lines, read_page_text

# The outline of a PDF (its bookmarks), tied to where the headings stand in the text.


_MAX_ENTRIES = 10_000
_MAX_DEPTH = 9
_MAX_PLACES = 500
_WORD = re.compile(r"[^\W_]+")
_NUMBER_BEFORE = re.compile(r"\s*(?:\d{1,3}|[A-Z]|[IVXLC]{1,7})(?:\.\d{1,3}){0,5}[.)]?\s*")


class OutlineEntry(NamedTuple):
    """One bookmark. `page` counts from 0."""

    title: str
    level: int
    page: int


def read_outline(pdf: Any) -> list[OutlineEntry]:
    """The bookmarks of a `pypdfium2.PdfDocument` that have a title and lead to one of its pages.

    At most 10,000, nine levels deep; circles in the outline end it.
    """
    entries: list[OutlineEntry] = []
    page_count = len(pdf)
    for bookmark in islice(pdf.get_toc(max_depth=_MAX_DEPTH), _MAX_ENTRIES):
        try:
            title = bookmark.get_title()
        except ValueError:  # no or broken UTF-16
            continue
        target = bookmark.get_dest()
        page = target.get_index() if target else None
        if page is not None and page < page_count and any(map(str.isalnum, title)):
            entries.append(OutlineEntry(title[:MAX_TITLE_CHARS], bookmark.level + 1, page))
    return entries


def locate_headings(
    entries: Sequence[OutlineEntry], text: str, pages: Sequence[Page]
) -> list[Heading]:
    """Where the bookmarks' titles stand in `text`. Those that stand nowhere are left out.

    A line that is the title, with or without its number, goes before a line that starts with it,
    and that before a mention. Bookmarks with one title on one page take its places in turn.
    """
    letters: dict[int, _Letters] = {}
    headings: list[Heading] = []
    for entry in entries:
        span = pages[entry.page].span
        if entry.page not in letters:
            letters[entry.page] = _Letters(text[span.start : span.end])
        found = letters[entry.page].take(entry.title)
        if found is not None:
            start, end = span.start + found.start, span.start + found.end
            headings.append(heading_at(text, entry.level, start, end))
    return headings


class _Letters:
    """The letters and digits of a page, folded, and where each stands in the page's text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._offsets = array("I")
        folded: list[str] = []
        for word in _WORD.finditer(text):
            if word[0].isascii():
                folded.append(word[0].lower())
                self._offsets.extend(range(word.start(), word.end()))
                continue
            for offset, char in enumerate(word[0], word.start()):
                letters = _fold(char)
                folded.append(letters)
                self._offsets.extend([offset] * len(letters))
        self._folded = "".join(folded)
        self._taken: set[int] = set()

    def take(self, title: str) -> Span | None:
        """The likeliest place of a heading, if it is not taken yet, with the number before it."""
        places = [span for span in self._places(title) if span.start not in self._taken]
        if not places:
            return None
        best = max(places, key=self._likeness)  # the first of equals
        self._taken.add(best.start)
        return best

    def _places(self, title: str) -> Iterator[Span]:
        wanted = "".join(_fold(char) for word in _WORD.findall(title) for char in word)
        at = self._folded.find(wanted)
        for _ in range(_MAX_PLACES):
            if at < 0:
                return
            start = self._offsets[at]
            end = self._offsets[at + len(wanted) - 1] + 1
            line_start = self._text.rfind("\n", 0, start) + 1
            before = self._text[line_start:start]
            if _NUMBER_BEFORE.fullmatch(before):
                start = line_start + len(before) - len(before.lstrip())
            yield Span(start, end)
            at = self._folded.find(wanted, at + len(wanted))

    def _likeness(self, place: Span) -> int:
        """How much a place looks like a heading: 3 for a line of its own, 0 for a mention."""
        line_start = self._text.rfind("\n", 0, place.start) + 1
        line_end = self._text.find("\n", place.end)
        before = self._text[line_start : place.start]
        after = self._text[place.end : line_end if line_end >= 0 else len(self._text)]
        return 2 * (not _WORD.search(before)) + (not _WORD.search(after))


@lru_cache(maxsize=4096)
def _fold(char: str) -> str:
    decomposed = unicodedata.normalize("NFKD", char.casefold())
    return "".join(letter for letter in decomposed if letter.isalnum())


_PAGES_NAMED = 12
_UNMAPPED_SHARE = 0.2


def read_pdf(
    data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS, recognised: scans.Pages = None
) -> Document:
    """The text of a PDF in reading order, with its pages and sections.

    Pages are joined by one line break. Headers, footers and page numbers that repeat are left out
    between pages (see `running_lines`), so that a quote can run over a page break. Sections come
    from the outline (the bookmarks) and from how lines are set (see `pdf_headings`).

    Raises DocumentParsingError where the file is empty, broken, encrypted, has no pages or no
    text, or exceeds `limits`; UnreadPages where some have none and could be recognised.
    """
    with closing(_open(data, name)) as pdf:
        if len(pdf) > limits.max_pages:
            raise _error(
                name,
                f"this PDF has {len(pdf):,} pages, over the limit of {limits.max_pages:,}. "
                "Split the file or raise the limit.",
            )
        readings = _read_pages(pdf, name, limits)
        if recognised is None and scans.can_recognise(limits):
            _ask_for_recognition(pdf, readings)
        outline = read_outline(pdf)
    for page, found in (recognised or {}).items():
        readings[int(page) - 1] = PageText(**found)
    return document_of_pages(readings, outline, name, Format.PDF, len(data))


def _ask_for_recognition(pdf: Any, readings: Sequence[PageText]) -> None:
    """Raises UnreadPages where there is something to see on pages without text."""
    seen = []
    for number, reading in enumerate(readings, 1):
        if not (reading.failed or reading.text.strip()):
            with closing(pdf[number - 1]) as page:
                seen += [number] * (pdfium.FPDFPage_CountObjects(page.raw) > 0)
    if seen:
        raise UnreadPages(*seen)


def document_of_pages(
    readings: list[PageText], outline: list[OutlineEntry], name: str, format: Format, size: int
) -> Document:
    """The document that pages make. Raises DocumentParsingError where they have no text."""
    texts, dropped, kept, repeated = drop_running_lines([reading.text for reading in readings])
    text = "\n".join(texts)
    if not text.strip():
        raise _no_text(name, readings, format)
    pages = tuple(_lay_out(texts))
    looks = [
        [reading.looks[at] if at < len(reading.looks) else None for at in lines]
        for reading, lines in zip(readings, kept, strict=True)
    ]
    headings = find_set_headings(
        text,
        list(set_lines(text, pages, looks, repeated)),
        locate_headings(outline, text, pages),
    )
    return Document(
        name=name,
        text=text,
        format=format,
        sections=build_sections(text, headings),
        pages=pages,
        size_bytes=size,
        warnings=tuple(_warnings(readings, dropped)),
        scans=tuple(
            _scan(one, page, lines)
            for one, page, lines in zip(readings, pages, kept, strict=True)
            if one.recognised and one.text
        ),
    )


def _scan(reading: PageText, page: Page, kept: Sequence[int]) -> Scan:
    """A page that was recognised, with the unsure words of the lines that are kept."""
    lines, at, starts = reading.text.split("\n"), page.span.start, {}
    for line in kept:
        starts[line] = at
        at += len(lines[line]) + 1
    unsure = (word for word in reading.unsure if word[0] in starts)
    words = (Span(starts[line] + start, starts[line] + end) for line, start, end in unsure)
    return Scan(page.number, tuple(words))


def trace_pdf_page(
    data: bytes, name: str, page: int, *, limits: SourceLimits = DEFAULT_LIMITS, scan: bool = False
) -> TracedPage:
    """One page, from 1, with the place of each of its characters. The others are not read.

    Raises DocumentParsingError where there is no such page or it cannot be read.
    """
    with closing(_open(data, name)) as pdf:
        if not 1 <= page <= min(len(pdf), limits.max_pages):
            raise _error(name, f"this PDF has no page {page:,}.")
        try:
            with closing(pdf[page - 1]) as found:
                return scans.trace_scanned(found)[0] if scan else trace_page(found)
        except (pypdfium2.PdfiumError, AssertionError, ValueError):
            raise _error(name, f"page {page:,} of this PDF cannot be read.") from None


def _open(data: bytes, name: str) -> Any:
    """The `pypdfium2.PdfDocument`. It reads from `data`, which must outlive it."""
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


def _read_pages(pdf: Any, name: str, limits: SourceLimits) -> list[PageText]:
    readings: list[PageText] = []
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


def _read_page(pdf: Any, index: int) -> PageText:
    """One page. A page that PDFium cannot read is reported; the others are read all the same."""
    try:
        with closing(pdf[index]) as page:
            return read_page_text(page)
    except (pypdfium2.PdfiumError, AssertionError, ValueError):
        return PageText("", failed=True)


def _lay_out(texts: Sequence[str]) -> Iterator[Page]:
    """Where the pages stand in the joined text."""
    start = 0
    for number, text in enumerate(texts, 1):
        yield Page(number, Span(start, start + len(text)))
        start += len(text) + 1


def _no_text(name: str, readings: Sequence[PageText], format: Format) -> DocumentParsingError:
    if any(reading.recognised or reading.unrecognised for reading in readings):
        told = f"{name}: no words were recognised in it. Scan it again at 200 dpi or more."
        failed = (reading.unrecognised for reading in readings if reading.unrecognised)
        return DocumentParsingError(next(failed, told), format.value)
    if all(reading.failed for reading in readings):
        return _error(
            name,
            "no page of this PDF can be read: it is damaged. Open it in a viewer and save it "
            "again.",
        )
    pages = "1 page" if len(readings) == 1 else f"{len(readings):,} pages"
    return _error(
        name,
        f"this PDF has {pages} but no text: it looks like a scan, a picture of each page. "
        f"{scans.INSTALL_OCR} Or add a text layer, for example with: ocrmypdf IN.pdf OUT.pdf",
    )


def _warnings(readings: Sequence[PageText], dropped: int) -> Iterator[str]:
    def pages(is_meant: Callable[[PageText], bool]) -> str:
        return _name_pages([n for n, reading in enumerate(readings, 1) if is_meant(reading)])

    if failed := pages(lambda reading: reading.failed):
        yield f"Could not be read: {failed}. The file is damaged there."
    if empty := pages(
        lambda reading: not (reading.failed or reading.unrecognised or reading.text.strip())
    ):
        hint = " If there are words in a picture, run OCR first: pip install 'veridical[ocr]'."
        yield f"No text on {empty}.{'' if scans.can_recognise() else hint}"
    if scanned := pages(lambda reading: reading.recognised and bool(reading.text)):
        unsure = sum(len(reading.unsure) for reading in readings)
        told = f"Read by text recognition (OCR), which may misread: {scanned}."
        yield f"{told} {unsure:,} words are unsure."
    yield from dict.fromkeys(reading.unrecognised for reading in readings if reading.unrecognised)
    if garbled := pages(lambda reading: _is_unmapped(reading.text)):
        yield (
            f"A font on {garbled} does not say which letters it shows; text there may be garbled. "
            "Run OCR to get it right."
        )
    if cropped := pages(lambda reading: reading.cropped):
        yield f"Text outside the visible area was left out on {cropped}."
    if dropped:
        yield f"{dropped:,} {REPEATED}"


def _is_unmapped(text: str) -> bool:
    """Whether much of a text consists of characters that only the font can interpret."""
    if text.isascii():
        return False
    unmapped = sum("\ue000" <= char <= "\uf8ff" or char == "\ufffd" for char in text)
    return unmapped > _UNMAPPED_SHARE * len(text)


def _name_pages(numbers: Sequence[int]) -> str:
    """`page 3`, `pages 3-5, 9` or the first of very many; empty for none."""
    if not numbers:
        return ""
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


def _error(name: str, reason: str) -> DocumentParsingError:
    return DocumentParsingError(f"{name}: {reason}", Format.PDF.value)

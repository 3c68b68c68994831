"""What the viewer and its API share: a version of a document, its file, and where words stand."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from weakref import WeakValueDictionary

from veridical.errors import ValidationError
from veridical.service.errors import NotFoundError, there
from veridical.sources.document import Document, Format, Span
from veridical.sources.pdf_boxes import PageBoxes, PageLayout
from veridical.store.documents import Status, StoredDocument
from veridical.store.library import Shown, Upload
from veridical.store.store import Shelf

K = TypeVar("K", bound=Hashable)
T = TypeVar("T")


class Bounded(Generic[K, T]):
    """Values by key, those used last, up to a sum of costs; one that alone costs more is not kept.
    Usable from several threads; of several who ask for the same at once one makes it, and the
    others wait.
    """

    def __init__(self, most: int, cost: Callable[[T], int]) -> None:
        self._most = most
        self._cost = cost
        self._lock = threading.Lock()
        self._held: OrderedDict[K, T] = OrderedDict()
        self._making: WeakValueDictionary[K, threading.Lock] = WeakValueDictionary()
        self._sum = 0

    def get(
        self, key: K, make: Callable[[], T], is_current: Callable[[T], bool] = lambda _: True
    ) -> T:
        """What is there of a key, if that is current; else it is made."""
        with self._lock:
            making = self._making.setdefault(key, threading.Lock())
        with making:
            with self._lock:
                found = self._held.get(key)
                if found is not None:
                    self._held.move_to_end(key)
            if found is None or not is_current(found):
                found = make()
                self._keep(key, found)
        return found

    def _keep(self, key: K, value: T) -> None:
        cost = self._cost(value)
        with self._lock:
            older = self._held.pop(key, None)
            self._sum -= 0 if older is None else self._cost(older)
            if cost <= self._most:
                self._held[key] = value
                self._sum += cost
            while self._sum > self._most:
                self._sum -= self._cost(self._held.popitem(last=False)[1])


MOST_CHARS_PLACED = 400_000
"""Characters of pages whose places are kept, of some 20 bytes each: a hundred pages."""

MOST_FILE_BYTES = 32 * 1024 * 1024
"""Of files that are kept while they are read in pieces."""

_WORKERS_AT_ONCE = 2


@dataclass(frozen=True, slots=True)
class OpenVersion:
    """A version of a document. `versions` are all that can be read, newest first. `file` is what
    the version was read from, where that is kept here.
    """

    document_id: str
    document: Document
    stored: StoredDocument
    versions: tuple[StoredDocument, ...]
    file: Upload | None

    @property
    def number(self) -> int:
        """The number of the version."""
        return self.stored.version

    @property
    def latest(self) -> int:
        """The number of the version that is searched, or else the newest one."""
        return (_ready(self.versions) or self.versions[0]).version

    @property
    def is_stale(self) -> bool:
        """Whether there is a newer version."""
        return self.number != self.latest

    @property
    def has_pages(self) -> bool:
        """Whether pages can be shown as they look: a PDF whose file is kept."""
        return self.document.format is Format.PDF and self.file is not None


NO_DOCUMENT = "There is no such document in this workspace."
NOT_READ = "No version of this document could be read yet; its upload tells why."
_NOT_KEPT = "There is no version {} of this document that can still be read."


def require_document(shelf: Shelf, document_id: str) -> Shown:
    """A document, whether it can be read yet or not. Raises NotFoundError."""
    return there(shelf.documents.get(document_id), NO_DOCUMENT)


def open_version(shelf: Shelf, document_id: str, version: int | None) -> OpenVersion:
    """A version of a document, the ready one without a number. Raises NotFoundError."""
    versions = shelf.documents.versions(document_id)
    stored = _wanted(shelf, document_id, versions, version)
    document = there(
        shelf.documents.read(document_id, stored.version), _NOT_KEPT.format(stored.version)
    )
    file = shelf.documents.file_of(document_id, stored.version)
    return OpenVersion(document_id, document, stored, versions, file)


def pdf_file(shelf: Shelf, document_id: str, version: int | None) -> Upload:
    """The file of a version that is a PDF, without reading the version. Raises NotFoundError."""
    versions = shelf.documents.versions(document_id)
    stored = _wanted(shelf, document_id, versions, version)
    file = shelf.documents.file_of(document_id, stored.version)
    if file is None or stored.format != Format.PDF.value:
        raise NotFoundError("There is no PDF of this version here.")
    return file


def _wanted(
    shelf: Shelf, document_id: str, versions: Sequence[StoredDocument], version: int | None
) -> StoredDocument:
    """The version with this number, the ready one without. Raises NotFoundError."""
    if not versions:
        require_document(shelf, document_id)
    if version is None:
        return there(_ready(versions), NOT_READ)
    found = (one for one in versions if one.version == version)
    return there(next(found, None), _NOT_KEPT.format(version))


def _ready(versions: Sequence[StoredDocument]) -> StoredDocument | None:
    return next((one for one in versions if one.status is Status.READY), None)


_LINES_AROUND, _MOST_AROUND = 2, 300


def lines_around(document: Document, span: Span) -> tuple[str, str]:
    """The two lines before some words of a document and the two behind them, as a reader sees them;
    of long ones what is next to the words.
    """
    text = document.text
    before = text[max(0, span.start - _MOST_AROUND) : span.start].split("\n")
    after = text[span.end : span.end + _MOST_AROUND].split("\n")
    low = span.start - len("\n".join(before[-1 - _LINES_AROUND :]))
    high = span.end + len("\n".join(after[: 1 + _LINES_AROUND]))
    return document.shown(Span(low, span.start)), document.shown(Span(span.end, high))


def checked_span(start: int | None, end: int | None, length: int) -> Span | None:
    """The span that an address names, within a text of `length` characters; None where it names
    none, or an empty one. Raises ValidationError where it ends before it starts.
    """
    if start is None or end is None:
        return None
    if end < start:
        raise ValidationError("The end of the span stands before its start.")
    span = Span(min(start, length), min(end, length))
    return span if len(span) else None


def span_problem(start: int | None, end: int | None, length: int) -> str:
    """What is wrong with a span that an address names, within a text of `length` characters, in a
    sentence for the reader; "" where it fits.
    """
    if start is None or end is None or end <= length:
        return ""
    if start >= length:
        return "The words that this address names do not exist in this version: it is shorter."
    return (
        "This version ends before the words that this address names do. "
        "Only what there is of them is marked."
    )


class Viewing:
    """What is kept of documents while they are looked at, of all workspaces. What is kept is known
    by its content, and only whoever holds that from a shelf can ask for it.
    """

    def __init__(self) -> None:
        self._layouts: Bounded[tuple[str, int], PageLayout] = Bounded(
            MOST_CHARS_PLACED, lambda layout: len(layout.text) + 1
        )
        self._files: Bounded[str, bytes] = Bounded(MOST_FILE_BYTES, len)
        self._workers = threading.BoundedSemaphore(_WORKERS_AT_ONCE)

    def content(self, shelf: Shelf, file: Upload) -> bytes:
        """The bytes of a file. Raises NotFoundError where they were deleted."""

        def read() -> bytes:
            content = shelf.documents.upload_content(file.id)
            return there(content, "The file of this version is no longer kept.")

        return self._files.get(file.sha256, read)

    def boxes(self, shelf: Shelf, opened: OpenVersion, page: int, span: Span) -> PageBoxes:
        """Where the words of a span stand on a page, from 1; none where it is on other pages.

        Raises NotFoundError where there is no such page, or no file to look at;
        DocumentParsingError where it cannot be read (any more).
        """
        file = opened.file
        if file is None or not opened.has_pages:
            raise NotFoundError("This version has no pages to show; its text can be read.")
        pages = (one for one in opened.document.pages if one.number == page)
        found = there(next(pages, None), f"This document has no page {page}.")

        def read() -> PageLayout:
            from veridical.sources.isolated import page_layout_isolated

            content = self.content(shelf, file)
            with self._workers:
                scan = any(one.page == page for one in opened.document.scans)
                return page_layout_isolated(content, "The file", page, scan=scan)

        layout = self._layouts.get((file.sha256, page), read)
        kept = opened.document.text[found.span.start : found.span.end]
        start = max(span.start, found.span.start) - found.span.start
        end = min(span.end, found.span.end) - found.span.start
        return layout.find(kept, start, end)

"""E-books (EPUB): their chapters in the order of reading, each as a browser would show it."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.html import read_html
from veridical.sources.package import Element, Kind, Package, Unusable, unpacked
from veridical.sources.parts import TextBuilder
from veridical.sources.sniff import declared_encoding, decode

BOOK = Kind("EPUB book", "EPUB", "an e-book editor", "META-INF/container.xml")
_PAGES = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document"})
_HEAD_TITLE = re.compile(r"<title(?:\s[^<>]*)?>([^<>]*)</title\s*>", re.IGNORECASE)
_BODY = re.compile(r"<body[\s>]", re.IGNORECASE)


def read_epub(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a book; citations call its parts by their headings, titles or file names.

    Raises DocumentParsingError where the file is empty, no book, broken, protected or without
    text, where it exceeds `limits`, or where its XML is not safe to read.
    """
    builder = TextBuilder(name, Format.EPUB, limits)
    with unpacked(data, name, limits, BOOK) as package:
        for part in _spine(package):
            _chapter(builder, package.read(part), part, limits)
    return builder.build(data)


def _chapter(builder: TextBuilder, data: bytes, part: str, limits: SourceLimits) -> None:
    text = decode(data, part, declared=declared_encoding(data))
    body = _BODY.search(text)
    title = _HEAD_TITLE.search(text, 0, body.start() if body else 0)
    if title:  # e-book readers do not show it
        text = text[: title.start()] + text[title.end() :]
    page = read_html(text, part, size_bytes=len(data), limits=limits)
    if page.warnings:  # nothing but pictures
        return
    named = page.sections[0].title if page.sections else title[1].strip() if title else ""
    builder.document(page, f"part '{named or posixpath.basename(part)}'")


def _spine(package: Package) -> list[str]:
    """The chapters in the order of reading; none is outside of the archive."""
    roots = _all(package.parse(BOOK.main), "ocf:rootfile") if package.has(BOOK.main) else []
    found = [path for one in roots if package.has(path := one.attributes.get("full-path", ""))]
    if not found:
        raise Unusable("this is no EPUB book: its list of contents is missing. Download it again.")
    folder, book = posixpath.dirname(found[0]), package.parse(found[0])
    files = {
        one.attributes.get("id", ""): posixpath.normpath(
            posixpath.join("/", folder, unquote(one.attributes.get("href", "")))
        ).lstrip("/")
        for one in _all(book, "opf:item")
        if one.attributes.get("media-type") in _PAGES
    }
    listing = "META-INF/encryption.xml"
    uses = _all(package.parse(listing), "enc:CipherReference") if package.has(listing) else []
    locked = {unquote(one.attributes.get("URI", "")).lstrip("/") for one in uses}
    named = (files.get(one.attributes.get("idref", ""), "") for one in _all(book, "opf:itemref"))
    parts = [part for part in dict.fromkeys(named) if package.has(part)]
    if locked.intersection(parts):
        raise Unusable("its chapters are encrypted (DRM). Give a copy that is not protected.")
    return parts


def _all(element: Element, tag: str) -> list[Element]:
    found = [element] if element.tag == tag else []
    for child in element.children:
        found += _all(child, tag)
    return found

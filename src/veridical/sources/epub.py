"""E-books (EPUB): their chapters in the order of reading, each as a browser would show it."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote

from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.html import read_html
from veridical.sources.package import Element, Handlers, Kind, Package, Unusable, unpacked
from veridical.sources.parts import TextBuilder
from veridical.sources.sniff import declared_encoding, decode

BOOK = Kind("EPUB book", "EPUB", "an e-book editor", "META-INF/container.xml")
_PAGES = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document"})
_HEAD_TITLE = re.compile(r"<title(?:\s[^<>]*)?>([^<>]*)</title\s*>", re.IGNORECASE)
_BODY = re.compile(r"<body[\s>]", re.IGNORECASE)


def read_epub(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a book; citations call its parts by their headings, titles or file names."""
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
    found = _attributes(package, BOOK.main, "ocf:rootfile", "full-path")
    if not found or not package.has(found[0]):
        raise Unusable("this is no EPUB book: its list of contents is missing. Download it again.")
    items: list[Element] = []
    order = _attributes(package, found[0], "opf:itemref", "idref", {"opf:item": items.append})
    folder = posixpath.join("/", posixpath.dirname(found[0]))
    files = {
        one.attributes.get("id", ""): posixpath.normpath(
            posixpath.join(folder, unquote(one.attributes.get("href", "")))
        ).lstrip("/")
        for one in items
        if one.attributes.get("media-type") in _PAGES
    }
    named = (files.get(one, "") for one in order)
    parts = [part for part in dict.fromkeys(named) if package.has(part)]
    locked = _attributes(package, "META-INF/encryption.xml", "enc:CipherReference", "URI")
    if {unquote(one).lstrip("/") for one in locked}.intersection(parts):
        raise Unusable("its chapters are encrypted (DRM). Give a copy that is not protected.")
    return parts


def _attributes(
    package: Package, part: str, tag: str, key: str, each: Handlers | None = None
) -> list[str]:
    """What an attribute of the elements with a tag says, in order; nothing of a missing part."""
    found: list[Element] = []
    if package.has(part):
        package.parse(part, {tag: found.append, **(each or {})})
    return [one.attributes.get(key, "") for one in found]

"""The XML inside a Word document, read as a stream and without any of XML's dangerous features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol
from xml.parsers import expat

_FAMILIES = {
    "http://schemas.openxmlformats.org/wordprocessingml/2006/main": "w",
    "http://purl.oclc.org/ooxml/wordprocessingml/main": "w",
    "http://schemas.openxmlformats.org/officeDocument/2006/math": "m",
    "http://purl.oclc.org/ooxml/officeDocument/math": "m",
    "http://schemas.openxmlformats.org/markup-compatibility/2006": "mc",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://purl.oclc.org/ooxml/officeDocument/relationships": "r",
    "http://schemas.openxmlformats.org/package/2006/relationships": "rel",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "http://purl.oclc.org/ooxml/drawingml/chart": "c",
    "http://schemas.openxmlformats.org/drawingml/2006/diagram": "dgm",
    "http://purl.oclc.org/ooxml/drawingml/diagram": "dgm",
}
_CHUNK_BYTES = 1 << 20


class XmlError(Exception):
    """The XML is broken or refused. The message says what and where, without naming the file."""


class ByteStream(Protocol):
    """What `parse_xml` reads from."""

    def read(self, size: int) -> bytes:
        """Up to `size` bytes; none at the end."""
        ...


class XmlHandler(Protocol):
    """What is told about each element. Tags are like `w:p`; attributes go by their local name."""

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        """An element begins."""
        ...

    def end(self, tag: str) -> None:
        """An element ends."""
        ...

    def text(self, data: str) -> None:
        """Characters stand in the element that began last and has not ended."""
        ...


class _Names(dict[str, str]):
    """Expat's "uri|local" to "prefix:local", whatever prefix the file itself uses."""

    def __missing__(self, name: str) -> str:
        uri, _, local = name.rpartition("|")
        self[name] = short = f"{_FAMILIES.get(uri, '?')}:{local}"
        return short


def parse_xml(stream: ByteStream, handler: XmlHandler, *, max_depth: int) -> None:
    """Tell `handler` all of `stream`, in time linear in its size.

    Raises XmlError where it is not well-formed, nested deeper than `max_depth`, or declares a
    document type: Word writes none, and entities are how a small file becomes a huge one.
    """
    names = _Names()
    depth = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth
        depth += 1
        if depth > max_depth:
            raise XmlError(f"its elements are nested more than {max_depth:,} deep")
        handler.start(
            names[name], {key.rpartition("|")[2]: value for key, value in attributes.items()}
        )

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1
        handler.end(names[name])

    def refuse(*_: object) -> None:
        raise XmlError("it declares a document type (DTD), which a Word document never does")

    parser = expat.ParserCreate(namespace_separator="|")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = handler.text
    parser.StartDoctypeDeclHandler = refuse
    try:
        while chunk := stream.read(_CHUNK_BYTES):
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or "not well-formed"
        raise XmlError(f"broken XML at line {error.lineno}: {reason}") from None

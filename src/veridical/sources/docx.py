"""Word documents (DOCX): a ZIP archive of XML, read without unpacking more than is allowed.

The text is the body in the order of reading, tables row by row (cells with a tab between), text
boxes after the paragraph that they hang on; then footnotes and endnotes in the order in which the
text refers to them, then headers and footers, each wording once. The numbers that Word computes
for lists and headings are not in the file and so not in the text.
"""

from __future__ import annotations

import posixpath
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from io import BytesIO
from typing import IO, NamedTuple
from xml.parsers import expat

from veridical.errors import DocumentParsingError
from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.docx_text import Element, Story, Styles, TextReader
from veridical.sources.headings import build_sections, heading_at

# The XML inside a Word document, read without any of XML's dangerous features.


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


class _Names(dict[str, str]):
    """Expat's "uri|local" to "prefix:local", whatever prefix the file itself uses."""

    def __missing__(self, name: str) -> str:
        uri, _, local = name.rpartition("|")
        self[name] = short = f"{_FAMILIES.get(uri, '?')}:{local}"
        return short


def parse_xml(chunks: Iterable[bytes], *, max_depth: int) -> Element:
    """The root of the XML in `chunks`, read in time linear in its size.

    Raises XmlError where it is not well-formed, nested deeper than `max_depth`, or declares a
    document type: Word writes none, and entities are how a small file becomes a huge one.
    """
    names = _Names()
    opened = [Element("", {})]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > max_depth:
            raise XmlError(f"its elements are nested more than {max_depth:,} deep")
        if attributes:
            attributes = {key.rpartition("|")[2]: said for key, said in attributes.items()}
        element = Element(names[name], attributes)
        opened[-1].children.append(element)
        opened.append(element)

    def end(_: str) -> None:
        opened.pop()

    def text(data: str) -> None:
        opened[-1].texts.append(data)

    def refuse(*_: object) -> None:
        raise XmlError("it declares a document type (DTD), which a Word document never does")

    parser = expat.ParserCreate(namespace_separator="|")
    parser.buffer_text = True
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = text
    parser.StartDoctypeDeclHandler = refuse
    try:
        for chunk in chunks:
            parser.Parse(chunk, False)
        parser.Parse(b"", True)
    except expat.ExpatError as error:
        reason = expat.ErrorString(error.code) or "not well-formed"
        raise XmlError(f"broken XML at line {error.lineno}: {reason}") from None
    return opened[0].children[0]


_MAX_ENTRIES = 10_000
_ENCRYPTED_ENTRY = 0x1
_COMPRESSIONS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_OLE_SIGNATURE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_USUAL_MAIN_PART = "word/document.xml"
_OTHER_KINDS = {
    "xl/workbook.xml": "an Excel workbook",
    "ppt/presentation.xml": "a PowerPoint presentation",
    "content.xml": "an OpenDocument file",
}
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,  # with NotImplementedError: a feature of ZIP that is not supported
    OSError,
    ValueError,
)


class UnusableDocx(Exception):
    """Why the file cannot be read, and what to do. The file's name is to be put before it."""


class Relation(NamedTuple):
    """A part that another part refers to: `kind` is `styles`, `footnotes`, `header` and so on."""

    id: str
    kind: str
    part: str


class Package:
    """The parts of a Word document. Close it after use.

    Raises UnusableDocx at once for what is no ZIP archive or a suspicious one, and later for a
    part that is broken or unpacks to more than it should.
    """

    def __init__(self, data: bytes, limits: SourceLimits) -> None:
        _refuse_other_formats(data)
        self._limits = limits
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except _ZIP_ERRORS:
            raise UnusableDocx(
                "this is not a DOCX file, or it is cut short: its ZIP directory cannot be read. "
                "Download it again, or open it in Word and save it again."
            ) from None
        self._check_directory()

    def _check_directory(self) -> None:
        entries = self._zip.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        if len(entries) > _MAX_ENTRIES:
            raise UnusableDocx(
                f"its archive has {len(entries):,} entries, over the limit of {_MAX_ENTRIES:,}. "
                "No Word document needs as many: check where the file comes from."
            )
        if unpacked > self._limits.max_unpacked_bytes:
            raise UnusableDocx(self._too_large(f"{unpacked:,} bytes"))
        if any(entry.flag_bits & _ENCRYPTED_ENTRY for entry in entries):
            raise UnusableDocx("its archive is encrypted. Save it again without a password.")
        if any(entry.compress_type not in _COMPRESSIONS for entry in entries):
            raise UnusableDocx(
                "its archive is compressed in a way that Word does not use. Open it in Word and "
                "save it again."
            )

    def _too_large(self, size: str) -> str:
        return (
            f"it would unpack to {size}, over the limit of "
            f"{self._limits.max_unpacked_bytes:,} bytes: perhaps a ZIP bomb. If you trust the "
            "file, take out its pictures or raise the limit."
        )

    def close(self) -> None:
        """Let go of the archive."""
        self._zip.close()

    def has(self, part: str) -> bool:
        """Whether the archive has this part."""
        return part in self._zip.NameToInfo

    def main_part(self) -> str:
        """The part that holds the body."""
        for relation in self.relations(""):
            if relation.kind == "officeDocument" and self.has(relation.part):
                main = relation.part
                break
        else:
            main = _USUAL_MAIN_PART
        for part, kind in _OTHER_KINDS.items():
            if main == part or (self.has(part) and not self.has(main)):
                raise UnusableDocx(f"this is {kind}, not a Word document. Save it as DOCX or PDF.")
        if not self.has(main):
            raise UnusableDocx(
                f"this is a ZIP archive without {_USUAL_MAIN_PART}, so it is no Word document. "
                "Unpack it and name the documents inside."
            )
        return main

    def relations(self, part: str) -> list[Relation]:
        """The parts inside the archive that `part` refers to; "" stands for the whole package."""
        folder, file = posixpath.split(part)
        source = posixpath.join(folder, "_rels", f"{file}.rels")
        if not self.has(source):
            return []
        found: list[Relation] = []
        for relation in self.parse(source).children:
            given = relation.attributes
            if relation.tag != "rel:Relationship" or given.get("TargetMode") == "External":
                continue
            target = posixpath.normpath(posixpath.join("/", folder, given.get("Target", "")))
            kind = given.get("Type", "").rpartition("/")[2]
            if self.has(target.lstrip("/")):
                found.append(Relation(given.get("Id", ""), kind, target.lstrip("/")))
        return found

    def parse(self, part: str) -> Element:
        """The root of the XML of a part; what is unpacked is counted."""
        try:
            with self._zip.open(part) as stream:
                return parse_xml(self._chunks(stream), max_depth=self._limits.max_nesting)
        except XmlError as error:
            raise UnusableDocx(
                f"its part {part} cannot be read: {error}. Open the file in Word and save it again."
            ) from None
        except _ZIP_ERRORS:
            raise UnusableDocx(
                f"its part {part} is damaged. Download the file again, or let Word repair it and "
                "save it again."
            ) from None

    def _chunks(self, stream: IO[bytes]) -> Iterator[bytes]:
        """What a part unpacks to; an error once that is more than the document may have."""
        left = self._limits.max_unpacked_bytes
        while chunk := stream.read(_CHUNK_BYTES):
            left -= len(chunk)
            if left < 0:
                raise UnusableDocx(self._too_large("more than it says"))
            yield chunk


def _refuse_other_formats(data: bytes) -> None:
    if not data:
        raise UnusableDocx("the file is empty (0 bytes). Save or download it again.")
    if not data.startswith(_OLE_SIGNATURE):
        return
    if "EncryptedPackage".encode("utf-16-le") in data:
        raise UnusableDocx(
            "this Word document is encrypted and needs a password. Open it in Word, remove the "
            "password (File, Info, Protect Document) and save it again."
        )
    raise UnusableDocx(
        "this is an Office file in the old binary format (such as DOC), not DOCX. Open it in Word "
        "and save it as DOCX."
    )


def read_docx(data: bytes, name: str, *, limits: SourceLimits = DEFAULT_LIMITS) -> Document:
    """The text of a Word document, with sections from its heading styles and outline levels.

    Raises DocumentParsingError where the file is empty, no Word document, broken, encrypted or
    without text, where it exceeds `limits`, or where its XML is not safe to read.
    """
    try:
        with closing(Package(data, limits)) as package:
            body, further, warnings = _read(package)
        text = "\n".join([body.text, *further])
        _check_text(text, limits)
    except UnusableDocx as error:
        raise DocumentParsingError(f"{name}: {error}", Format.DOCX.value) from None
    return Document(
        name=name,
        text=text,
        format=Format.DOCX,
        sections=build_sections(text, (heading_at(text, *place) for place in body.headings)),
        size_bytes=len(data),
        warnings=warnings,
    )


def _check_text(text: str, limits: SourceLimits) -> None:
    if not text.strip():
        raise UnusableDocx(
            "this Word document contains no text. If its words are in pictures, run OCR first."
        )
    if len(text) > limits.max_text_chars:
        raise UnusableDocx(
            f"its {len(text):,} characters of text are over the limit of "
            f"{limits.max_text_chars:,}. Split the file or raise the limit."
        )


def _read(package: Package) -> tuple[Story, list[str], tuple[str, ...]]:
    """The body, the texts that follow it, and what was left out of both."""
    main = package.main_part()
    relations = package.relations(main)
    styles = Styles()
    for part in _parts(relations, "styles"):
        styles = Styles(package.parse(part))
    body = _read_part(package, main, styles)
    readers = [body]
    further: list[str] = []
    for kind in ("footnotes", "endnotes"):
        for part in _parts(relations, kind):
            notes = _read_part(package, part, styles)
            readers.append(notes)
            wanted = dict.fromkeys(note for of_kind, note in body.note_ids if of_kind == kind)
            further += [notes.notes[note].text for note in wanted if note in notes.notes]
    parts = {relation.id: relation.part for relation in relations}
    for reference in dict.fromkeys(body.header_ids):
        if reference in parts:
            header = _read_part(package, parts[reference], styles)
            readers.append(header)
            further.append(header.story.text)
    printed = dict.fromkeys(text.strip("\n") for text in further if text.strip())
    return body.story, list(printed), tuple(_warnings(readers))


def _read_part(package: Package, part: str, styles: Styles) -> TextReader:
    """Read a part; where a field in it is never finished, once more without minding fields."""
    root = package.parse(part)
    reader = TextReader(root, styles)
    return TextReader(root, styles, ignore_fields=True) if reader.has_open_field else reader


def _parts(relations: Sequence[Relation], kind: str) -> list[str]:
    """The part of this kind; a document has at most one."""
    return [relation.part for relation in relations if relation.kind == kind][:1]


def _warnings(readers: Sequence[TextReader]) -> Iterator[str]:
    if any(reader.has_deletions for reader in readers):
        yield "Tracked changes: inserted text was read, deleted text was left out."
    if any(reader.has_hidden for reader in readers):
        yield "Hidden or struck-through text was left out."
    if any(reader.has_unread for reader in readers):
        yield "Text in charts, diagrams and embedded documents was not read."

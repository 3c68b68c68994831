"""Files of office programs: ZIP archives of XML, read without unpacking more than is allowed and
without any of XML's dangerous features.
"""

from __future__ import annotations

import posixpath
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from io import BytesIO
from typing import IO, NamedTuple
from xml.parsers import expat

from veridical.errors import DocumentParsingError
from veridical.sources.document import SourceLimits


class Element:
    """An element of XML: its tag is like `w:p`, its attributes go by their local names, and `texts`
    stand in it but not in its children.
    """

    __slots__ = ("attributes", "children", "tag", "texts")

    def __init__(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Element] = []
        self.texts: list[str] = []

    def all(self, tag: str) -> list[Element]:
        """The children with a tag."""
        return [child for child in self.children if child.tag == tag]

    def below(self, tag: str) -> list[Element]:
        """The children of the children with a tag."""
        return [child for group in self.all(tag) for child in group.children]

    @property
    def value(self) -> str:
        """What the attribute `val` says."""
        return self.attributes.get("val", "")

    @property
    def is_on(self) -> bool:
        """What a switch such as `w:vanish` says: on where it stands, unless it says otherwise."""
        return self.attributes.get("val", "true").lower() not in ("0", "false", "off", "none")


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
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://purl.oclc.org/ooxml/drawingml/main": "a",
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main": "x",
    "http://purl.oclc.org/ooxml/spreadsheetml/main": "x",
    "http://schemas.openxmlformats.org/presentationml/2006/main": "p",
    "http://purl.oclc.org/ooxml/presentationml/main": "p",
    "urn:oasis:names:tc:opendocument:xmlns:container": "ocf",
    "http://www.w3.org/2001/04/xmlenc#": "enc",
    "http://www.idpf.org/2007/opf": "opf",
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


Handlers = Mapping[str, Callable[[Element], None]]
"""What gets the elements of some tags as soon as they are whole; they are not kept."""


def parse_xml(chunks: Iterable[bytes], *, max_depth: int, each: Handlers | None = None) -> Element:
    """The root of the XML in `chunks`, read in time linear in its size.

    Raises XmlError where it is not well-formed, nested deeper than `max_depth`, or declares a
    document type: programs write none, and entities are how a small file becomes a huge one.
    """
    names, handlers = _Names(), each or {}
    opened = [Element("", {})]

    def start(name: str, attributes: dict[str, str]) -> None:
        if len(opened) > max_depth:
            raise XmlError(f"its elements are nested more than {max_depth:,} deep")
        if attributes:
            named = {key.rpartition("|")[2]: said for key, said in attributes.items()}
            if len(named) < len(attributes):  # `id` and `r:id`: the latter tells more
                named |= {k.rpartition("|")[2]: v for k, v in attributes.items() if "|" in k}
            attributes = named
        element = Element(names[name], attributes)
        opened[-1].children.append(element)
        opened.append(element)

    def end(_: str) -> None:
        element = opened.pop()
        if element.tag in handlers:
            opened[-1].children.pop()
            handlers[element.tag](element)

    def text(data: str) -> None:
        opened[-1].texts.append(data)

    def refuse(*_: object) -> None:
        raise XmlError("it declares a document type (DTD), which files of its kind never do")

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
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,  # with NotImplementedError: a feature of ZIP that is not supported
    OSError,
    ValueError,
)


class Unusable(Exception):
    """Why the file cannot be read, and what to do. The file's name is to be put before it."""


class Kind(NamedTuple):
    """A kind of file as messages call it, the program that writes it, and its usual main part."""

    name: str
    short: str
    program: str
    main: str


class Relation(NamedTuple):
    """A part that another part refers to: `kind` is `styles`, `footnotes`, `header` and so on."""

    id: str
    kind: str
    part: str


class Package:
    """The parts of a file. Close it after use.

    Raises Unusable at once for what is no ZIP archive or a suspicious one, and later for a
    part that is broken or unpacks to more than it should.
    """

    def __init__(self, data: bytes, limits: SourceLimits, kind: Kind) -> None:
        self._limits, self._kind = limits, kind
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except _ZIP_ERRORS:
            raise Unusable(
                f"this is no {kind.short} file, or it is cut short: its ZIP directory cannot be "
                f"read. Download it again, or open it in {kind.program} and save it again."
            ) from None
        self._check_directory()

    def _check_directory(self) -> None:
        entries = self._zip.infolist()
        unpacked = sum(entry.file_size for entry in entries)
        if len(entries) > _MAX_ENTRIES:
            raise Unusable(
                f"its archive has {len(entries):,} entries, over the limit of {_MAX_ENTRIES:,}. "
                f"No {self._kind.name} needs as many: check where the file comes from."
            )
        if unpacked > self._limits.max_unpacked_bytes:
            raise Unusable(self._too_large(f"{unpacked:,} bytes"))
        if any(entry.flag_bits & _ENCRYPTED_ENTRY for entry in entries):
            raise Unusable("its archive is encrypted. Save it again without a password.")
        if any(entry.compress_type not in _COMPRESSIONS for entry in entries):
            raise Unusable(
                f"its archive is compressed in a way that {self._kind.program} does not use. "
                f"Open it in {self._kind.program} and save it again."
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
            main = self._kind.main
        if not self.has(main):
            raise Unusable(
                f"this is a ZIP archive without {self._kind.main}, so it is no {self._kind.name}. "
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

    def read(self, part: str) -> bytes:
        """The bytes of a part; what is unpacked is counted."""
        try:
            with self._zip.open(part) as stream:
                return b"".join(self._chunks(stream))
        except _ZIP_ERRORS:
            raise self._damaged(part) from None

    def parse(self, part: str, each: Handlers | None = None) -> Element:
        """The root of the XML of a part, as `parse_xml` gives it; what is unpacked is counted."""
        depth = self._limits.max_nesting
        try:
            with self._zip.open(part) as stream:
                return parse_xml(self._chunks(stream), max_depth=depth, each=each)
        except XmlError as error:
            raise Unusable(
                f"its part {part} cannot be read: {error}. Open the file in {self._kind.program} "
                "and save it again."
            ) from None
        except _ZIP_ERRORS:
            raise self._damaged(part) from None

    def _damaged(self, part: str) -> Unusable:
        return Unusable(
            f"its part {part} is damaged. Download the file again, or let {self._kind.program} "
            "repair it and save it again."
        )

    def _chunks(self, stream: IO[bytes]) -> Iterator[bytes]:
        """What a part unpacks to; an error once that is more than the document may have."""
        left = self._limits.max_unpacked_bytes
        while chunk := stream.read(_CHUNK_BYTES):
            left -= len(chunk)
            if left < 0:
                raise Unusable(self._too_large("more than it says"))
            yield chunk


@contextmanager
def unpacked(data: bytes, name: str, limits: SourceLimits, kind: Kind) -> Iterator[Package]:
    """The parts of a file. What is unusable in it is a DocumentParsingError that names the file."""
    try:
        with closing(Package(data, limits, kind)) as package:
            yield package
    except Unusable as error:
        raise DocumentParsingError(f"{name}: {error}", kind.short.lower()) from None

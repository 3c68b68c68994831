"""The archive that a Word document is, opened within bounds."""

from __future__ import annotations

import posixpath
import struct
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from typing import IO, NamedTuple

from veridical.sources.docx_xml import XmlError, XmlHandler, parse_xml
from veridical.sources.limits import SourceLimits

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
        reader = _RelationReader(folder)
        self.parse(source, reader)
        return [relation for relation in reader.relations if self.has(relation.part)]

    def parse(self, part: str, handler: XmlHandler) -> None:
        """Tell `handler` the XML of a part, counting what is unpacked."""
        try:
            with self._zip.open(part) as stream:
                counted = _Counted(stream, self._limits.max_unpacked_bytes)
                parse_xml(counted, handler, max_depth=self._limits.max_nesting)
        except _TooMuch:
            raise UnusableDocx(self._too_large("more than it says")) from None
        except XmlError as error:
            raise UnusableDocx(
                f"its part {part} cannot be read: {error}. Open the file in Word and save it again."
            ) from None
        except _ZIP_ERRORS:
            raise UnusableDocx(
                f"its part {part} is damaged. Download the file again, or let Word repair it and "
                "save it again."
            ) from None


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


class _TooMuch(Exception):
    """More bytes came out of a part than the document may have."""


class _Counted:
    """A stream that ends in an error once it has given `most` bytes."""

    def __init__(self, stream: IO[bytes], most: int) -> None:
        self._stream = stream
        self._left = most

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise _TooMuch
        return data


class _RelationReader:
    """Reads a `.rels` part; targets outside the archive are passed over."""

    def __init__(self, folder: str) -> None:
        self.relations: list[Relation] = []
        self._folder = folder

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        if tag != "rel:Relationship" or attributes.get("TargetMode") == "External":
            return
        target = attributes.get("Target", "")
        part = posixpath.normpath(posixpath.join("/", self._folder, target)).lstrip("/")
        kind = attributes.get("Type", "").rpartition("/")[2]
        self.relations.append(Relation(attributes.get("Id", ""), kind, part))

    def end(self, tag: str) -> None:
        pass

    def text(self, data: str) -> None:
        pass

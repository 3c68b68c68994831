"""Small PDF and DOCX files, written by hand so that a test sees every byte that matters."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
M = "http://schemas.openxmlformats.org/officeDocument/2006/math"
MC = "http://schemas.openxmlformats.org/markup-compatibility/2006"
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"

CATALOG, PAGES, FONT = 1, 2, 3
_FIRST_FREE = 4


def stream(content: bytes) -> bytes:
    """A PDF stream object, not compressed."""
    return b"<</Length %d>>\nstream\n%s\nendstream" % (len(content), content)


def show(line: str) -> bytes:
    """A PDF string that shows `line` in Windows' Western encoding."""
    escaped = line.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    return b"(" + escaped.encode("cp1252") + b")"


def lines_content(lines: Sequence[str]) -> bytes:
    """The content of a page with `lines` one under the other."""
    shown = b" T* ".join(show(line) + b" Tj" for line in lines)
    return b"BT /F 12 Tf 14 TL 50 780 Td " + shown + b" ET"


class Pdf:
    """A PDF under construction: pages first, then whatever else, then `build`."""

    def __init__(self) -> None:
        self.objects: dict[int, bytes] = {}
        self.catalog_extra = b""
        self.trailer_extra = b""
        self.font_extra = b""
        self.page_numbers: list[int] = []
        self._next = _FIRST_FREE

    def add(self, content: bytes) -> int:
        """Add an object, return its number."""
        number = self._next
        self._next += 1
        self.objects[number] = content
        return number

    def add_page(self, content: Sequence[str] | bytes, extra: bytes = b"") -> int:
        """Add a page of lines or of raw content; `extra` goes into its dictionary."""
        raw = content if isinstance(content, bytes) else lines_content(content)
        body = self.add(stream(raw))
        page = self.add(
            b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 850]/Contents %d 0 R"
            b"/Resources<</Font<</F 3 0 R>>>>%s>>" % (body, extra)
        )
        self.page_numbers.append(page)
        return page

    def add_outline(self, entries: Sequence[tuple[str, int, int]]) -> None:
        """Bookmarks (title, level from 1, page from 0), each below the last of a lower level."""
        root = self.add(b"")
        numbers = [self.add(b"") for _ in entries]
        parents = [
            next((at for at in reversed(range(index)) if entries[at][1] < entry[1]), None)
            for index, entry in enumerate(entries)
        ]
        children: dict[int | None, list[int]] = {}
        for index, parent in enumerate(parents):
            children.setdefault(parent, []).append(index)
        self.objects[root] = self._family(children.get(None, []), numbers)
        for index, (title, _, page) in enumerate(entries):
            siblings = children[parents[index]]
            at = siblings.index(index)
            after = b"/Next %d 0 R" % numbers[siblings[at + 1]] if siblings[at + 1 :] else b""
            above = numbers[parents[index]] if parents[index] is not None else root
            self.objects[numbers[index]] = b"<</Title<%s>/Dest[%d 0 R/Fit]/Parent %d 0 R%s%s" % (
                ("\ufeff" + title).encode("utf-16-be").hex().encode(),
                self.page_numbers[page],
                above,
                after,
                self._family(children.get(index, []), numbers).removeprefix(b"<<"),
            )
        self.catalog_extra += b"/Outlines %d 0 R" % root

    @staticmethod
    def _family(children: Sequence[int], numbers: Sequence[int]) -> bytes:
        if not children:
            return b"<<>>"
        return b"<</First %d 0 R/Last %d 0 R>>" % (numbers[children[0]], numbers[children[-1]])

    def build(self) -> bytes:
        """The file."""
        kids = b" ".join(b"%d 0 R" % number for number in self.page_numbers)
        objects = {
            CATALOG: b"<</Type/Catalog/Pages 2 0 R%s>>" % self.catalog_extra,
            PAGES: b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, len(self.page_numbers)),
            FONT: b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding%s>>"
            % self.font_extra,
            **self.objects,
        }
        out = bytearray(b"%PDF-1.7\n")
        offsets = []
        for number in sorted(objects):
            offsets.append(len(out))
            out += b"%d 0 obj\n%s\nendobj\n" % (number, objects[number])
        start = len(out)
        out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        out += b"trailer\n<</Size %d/Root 1 0 R%s>>\n" % (len(offsets) + 1, self.trailer_extra)
        return bytes(out + b"startxref\n%d\n%%%%EOF\n" % start)


def simple_pdf(*pages: Sequence[str], outline: Sequence[tuple[str, int, int]] = ()) -> bytes:
    """A PDF with a page of lines for each of `pages`."""
    pdf = Pdf()
    for lines in pages:
        pdf.add_page(lines)
    if outline:
        pdf.add_outline(outline)
    return pdf.build()


def encrypted_pdf(handler: bytes = b"Standard") -> bytes:
    """A PDF that says it is encrypted, with a password that nobody knows."""
    pdf = Pdf()
    pdf.add_page(["secret"])
    owner, user = b"4f" * 32, b"55" * 32
    pdf.trailer_extra = b"/Encrypt<</Filter/%s/V 1/R 2/O<%s>/U<%s>/P -4>>/ID[<00><00>]" % (
        handler,
        owner,
        user,
    )
    return pdf.build()


def xml_part(root: str, content: str) -> str:
    """A part of a Word document with every prefix declared that the tests use."""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><w:{root} xmlns:w="{W}" xmlns:m="{M}" '
        f'xmlns:mc="{MC}" xmlns:r="{R}">{content}</w:{root}>'
    )


def zip_of(parts: Mapping[str, str | bytes]) -> bytes:
    """A ZIP archive of these parts, the same bytes each time."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def docx(
    body: str,
    *,
    styles: str = "",
    footnotes: str = "",
    endnotes: str = "",
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """A Word document from the XML inside `w:body`, `w:styles` and so on.

    `headers` are the contents of header parts by the id that the body refers to them with.
    """
    parts = {"word/document.xml": xml_part("document", f"<w:body>{body}</w:body>")}
    relations = []
    for kind, content in (("styles", styles), ("footnotes", footnotes), ("endnotes", endnotes)):
        if content:
            parts[f"word/{kind}.xml"] = xml_part(kind, content)
            relations.append((kind, kind, f"{kind}.xml"))
    for key, content in (headers or {}).items():
        parts[f"word/header_{key}.xml"] = xml_part("hdr", content)
        relations.append((key, "header", f"header_{key}.xml"))
    parts["word/_rels/document.xml.rels"] = _relations(relations)
    parts["_rels/.rels"] = _relations([("main", "officeDocument", "word/document.xml")])
    return zip_of(parts)


def _relations(relations: Sequence[tuple[str, str, str]]) -> str:
    listed = "".join(
        f'<Relationship Id="{key}" Type="{R}/{kind}" Target="{target}"/>'
        for key, kind, target in relations
    )
    return f'<Relationships xmlns="{RELATIONS}">{listed}</Relationships>'


def paragraph(*runs: str, style: str = "") -> str:
    """A paragraph of runs, each plain text or ready XML."""
    properties = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{properties}{''.join(map(run, runs))}</w:p>"


def run(content: str, properties: str = "") -> str:
    """A run with text; what is XML already is left alone."""
    if content.startswith("<"):
        return content
    look = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{look}<w:t xml:space="preserve">{content}</w:t></w:r>'

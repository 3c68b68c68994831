"""What makes PDFs in the worker process of `veridical.sources.isolated`: a ledger is typeset, and
highlights are drawn into a source.

Boxes come as `pdf_boxes` has them, on the page as it is shown; annotations count in the page's own
coordinates, upwards from where its visible part begins, before it is turned.
"""

from __future__ import annotations

import base64
import binascii
import ctypes
import io
import json
import os
import re
import tempfile
import unicodedata
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any, Final, Literal

from veridical.errors import DocumentParsingError
from veridical.reports.words import count, some
from veridical.sources.document import Format, SourceLimits
from veridical.sources.pdf_boxes import Box, PageBoxes, PageLayout, trace_page
from veridical.sources.scans import can_recognise, trace_scanned


def pdf_of(reply: Mapping[str, Any]) -> bytes:
    """The PDF in the reply of a worker, which may be anything. Raises LookupError or ValueError."""
    try:
        data = base64.b64decode(str(reply["pdf"]), validate=True)
    except binascii.Error as error:
        raise ValueError("no base64") from error
    if not data.startswith(b"%PDF-"):
        raise ValueError("no PDF")
    return data


def _reply(pdf: bytes, **told: Any) -> dict[str, Any]:
    return {"pdf": base64.b64encode(pdf).decode("ascii"), **told}


# A ledger is typeset, and characters for which there is no font are told.


_MOST_SHOWN = 8
# Typst's standards for archives forbid text that no font can draw, and its errors name it.
_ARCHIVAL: Final = "a-2u"
_UNDRAWN = re.compile(r'the text `"((?:[^"\\]|\\.)*)"` could not be displayed')
_ESCAPED = re.compile(r"\\u\{([0-9a-fA-F]{1,6})\}|\\(.)", re.DOTALL)
_PROBE = b"#for each in json(bytes(sys.inputs.probe)) [ #text(each) ]"


def typeset(data: bytes, name: str, limits: SourceLimits) -> dict[str, Any]:  # noqa: ARG001
    """The PDF of a ledger in base64 (`pdf`), and what it warns of (`warnings`).

    `data` is JSON: `template` and `data` for it, `fonts` and `mono` (families in the order of
    preference), `timestamp` (seconds since 1970) and `home`, where a user's own fonts are.
    """
    import typst

    asked = json.loads(data)
    os.environ["HOME"] = asked["home"]
    fonts = typst.Fonts()
    families = set(fonts.families())
    told: dict[str, Any] = asked["data"]
    told["fonts"] = [name for name in asked["fonts"] if name in families]
    told["mono"] = [name for name in asked["mono"] if name in families] + told["fonts"]
    missing = undrawable(set("".join(_texts(told))), fonts)
    warnings = [missing_notice(missing)] if missing else []
    told["notices"] += warnings
    template, stamp = asked["template"].encode(), asked["timestamp"]
    return _reply(_compile(template, {"ledger": told}, fonts, timestamp=stamp), warnings=warnings)


def _texts(value: Any) -> list[str]:
    """Every string in some data."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []


def undrawable(found: set[str], fonts: Any) -> list[str]:
    """The characters that none of the fonts can draw, as typst itself finds by trying."""
    import typst

    probe = sorted(each for each in found if not each.isascii() and _is_drawn(each))
    try:
        _compile(_PROBE, {"probe": probe}, fonts, standard=_ARCHIVAL)
    except typst.TypstError as error:
        told = "".join(_UNDRAWN.findall(error.diagnostic))
        named = _ESCAPED.sub(lambda found: chr(int(found[1], 16)) if found[1] else found[2], told)
        return sorted(set(named) & set(probe)) or probe
    return []


def _is_drawn(character: str) -> bool:
    """Whether a character has a picture of its own: no space, control or variation selector."""
    kind = unicodedata.category(character)
    selector = "VARIATION SELECTOR" in unicodedata.name(character, "")
    return kind == "Co" or (kind[0] not in "CZ" and not selector)


def missing_notice(characters: Sequence[str]) -> str:
    """A sentence on characters without a font: which they are, and the fonts that would help."""
    codes = [f"U+{ord(character):04X}" for character in sorted(characters)]
    return (
        f"No font was found for {count(len(codes), 'character')}: "
        f"{some(codes, _MOST_SHOWN)}. Empty boxes stand for them. Install fonts that "
        "have them, such as Noto (Debian, Ubuntu: fonts-noto-core, fonts-noto-cjk, "
        "fonts-noto-color-emoji)."
    )


def _compile(
    source: bytes,
    data: Mapping[str, Any],
    fonts: Any,
    *,
    timestamp: int = 0,
    standard: Literal["a-2u"] | None = None,
) -> bytes:
    """A PDF of the source. It can read and fetch nothing: its root and packages are empty."""
    import typst

    with tempfile.TemporaryDirectory() as nowhere:
        compiler = typst.Compiler(
            source,
            root=nowhere,
            package_path=nowhere,
            package_cache_path=nowhere,
            font_paths=fonts,
            sys_inputs={name: json.dumps(value) for name, value in data.items()},
        )
        pdf = compiler.compile(
            format="pdf", timestamp=timestamp, pdf_standards=[standard] if standard else []
        )
    if not isinstance(pdf, bytes):
        raise TypeError("typst gave no PDF")
    return pdf


# A source gets its highlights.


_OPACITY = 110
_MAY_ANNOTATE = 1 << 5
"""The bit of a protected file's permissions that allows comments. Source: ISO 32000-1, table 22."""

_FILE_ID = re.compile(rb"/ID\s*\[.*?<([0-9A-Fa-f]{32})>\s*\]\s*>>\s*startxref", re.DOTALL)
_TRAILER_BYTES = 4096
_NO_PLACE = "its words cannot be placed on the page"
_SIGNED = "it carries a digital signature, which no longer holds in the annotated copy"

Point = tuple[float, float]


def annotate(data: bytes, name: str, limits: SourceLimits) -> dict[str, Any]:
    """The annotated PDF in base64 (`pdf`), the marks that were not made (`missed`: index and why)
    and what else to tell (`notes`). `data` is a line of JSON and then the PDF.

    Raises DocumentParsingError where the file cannot be opened or does not allow annotations.
    """
    import pypdfium2
    import pypdfium2.raw as pdfium

    line, _, file = data.partition(b"\n")
    asked = json.loads(line)
    try:
        pdf = pypdfium2.PdfDocument(file)
    except pypdfium2.PdfiumError:
        raise _refused(name, "this PDF cannot be opened") from None
    with closing(pdf):
        if not pdfium.FPDF_GetDocPermissions(pdf.raw) & _MAY_ANNOTATE:
            raise _refused(
                name,
                "this PDF is protected against comments. Ask its author for a copy that may be "
                "annotated",
            )
        signed = pdfium.FPDF_GetSignatureCount(pdf.raw) > 0
        missed = _draw(pdf, asked, limits)
        out = io.BytesIO()
        pdf.save(out)
    data = _with_fixed_id(out.getvalue(), asked["id"])
    return _reply(data, missed=missed, notes=[_SIGNED] if signed else [])


def _draw(pdf: Any, asked: Mapping[str, Any], limits: SourceLimits) -> list[tuple[int, str]]:
    """Draw all marks, page by page; returns those that could not be drawn, and why."""
    by_page: dict[int, list[tuple[int, Mapping[str, Any]]]] = {}
    for index, mark in enumerate(asked["marks"]):
        by_page.setdefault(mark["page"], []).append((index, mark))
    missed: list[tuple[int, str]] = []
    for number, marks in sorted(by_page.items()):
        if not 1 <= number <= min(len(pdf), limits.max_pages):
            missed.extend((index, "the file has no such page") for index, _ in marks)
            continue
        with closing(pdf[number - 1]) as page:
            traced = trace_page(page)
            if not traced.text.strip() and can_recognise(limits):
                traced, _ = trace_scanned(page)
            layout = PageLayout(number, traced)
            kept = asked["pages"][str(number)]
            for index, mark in marks:
                boxes = layout.find(kept, mark["start"], mark["end"])
                if not boxes.exact or not boxes.boxes:
                    missed.append((index, boxes.note or _NO_PLACE))
                else:
                    _highlight(page, boxes, mark)
    return sorted(missed)


def _highlight(page: Any, boxes: PageBoxes, mark: Mapping[str, Any]) -> None:
    """Add one highlight over all boxes to a `pypdfium2.PdfPage`."""
    import pypdfium2
    import pypdfium2.raw as pdfium

    annotation = pdfium.FPDFPage_CreateAnnot(page.raw, pdfium.FPDF_ANNOT_HIGHLIGHT)
    if not annotation:
        raise pypdfium2.PdfiumError("no annotation can be added")
    visible, turned = page.get_bbox(), boxes.rotation
    corners = [quad(box, visible, turned) for box in boxes.boxes]
    try:
        across, up = zip(*(point for four in corners for point in four), strict=True)
        around = pdfium.FS_RECTF(min(across), max(up), max(across), min(up))
        done = [
            pdfium.FPDFAnnot_SetColor(
                annotation, pdfium.FPDFANNOT_COLORTYPE_Color, *mark["colour"], _OPACITY
            ),
            pdfium.FPDFAnnot_SetRect(annotation, around),
            pdfium.FPDFAnnot_SetFlags(annotation, pdfium.FPDF_ANNOT_FLAG_PRINT),
        ]
        for four in corners:
            points = pdfium.FS_QUADPOINTSF(*(edge for point in four for edge in point))
            done.append(pdfium.FPDFAnnot_AppendAttachmentPoints(annotation, points))
        for key, value in mark["fields"].items():
            written = _wide(value)
            done.append(pdfium.FPDFAnnot_SetStringValue(annotation, key.encode("ascii"), written))
    finally:
        pdfium.FPDFPage_CloseAnnot(annotation)
    if not all(done):
        raise pypdfium2.PdfiumError("the annotation cannot be written")


def quad(box: Box, visible: Box, turned: int) -> list[Point]:
    """The corners of a box on the shown page in the page's own coordinates, as `QuadPoints` has
    them in practice: upper left, upper right, lower left, lower right, as a reader sees them.
    `visible` is left, bottom, right, top of what is shown; `turned` are degrees clockwise.
    """
    left, top, right, bottom = box
    return [_own(x, y, visible, turned) for y in (top, bottom) for x in (left, right)]


def _own(x: float, y: float, visible: Box, turned: int) -> Point:
    """A point of the shown page, from its top left corner, in the page's own coordinates."""
    left, bottom, right, top = visible
    match turned:
        case 90:
            return left + y, bottom + x
        case 180:
            return right - x, bottom + y
        case 270:
            return right - y, top - x
        case _:
            return left + x, top - y


def _wide(text: str) -> Any:
    """A string as PDFium takes it: UTF-16, little end first, a zero at the end."""
    data = text.replace("\0", "").encode("utf-16-le", "replace") + b"\0\0"
    return (ctypes.c_ushort * (len(data) // 2)).from_buffer_copy(data)


def _with_fixed_id(data: bytes, id: str) -> bytes:
    """The file with an id that follows from its content. PDFium makes one up, at random.

    The second id of a file says which version it is, and nothing else in the file depends on it;
    one that had no id before gets the same for both. No offset changes.
    """
    found = _FILE_ID.search(data, max(0, len(data) - _TRAILER_BYTES))
    if found is None:
        return data
    told = found[0].replace(b"<" + found[1] + b">", b"<" + id.upper().encode("ascii") + b">")
    return data[: found.start()] + told + data[found.end() :]


def _refused(name: str, reason: str) -> DocumentParsingError:
    return DocumentParsingError(f"{name}: {reason}.", Format.PDF.value)

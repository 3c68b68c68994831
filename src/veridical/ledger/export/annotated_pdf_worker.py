"""What draws highlights into a PDF, in the worker process of `veridical.sources.isolated`.

Boxes come as `pdf_boxes` has them, on the page as it is shown; annotations count in the page's own
coordinates, upwards from where its visible part begins, before it is turned.
"""

from __future__ import annotations

import base64
import ctypes
import io
import json
import re
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

from veridical.errors import DocumentParsingError
from veridical.sources.document import Format
from veridical.sources.limits import SourceLimits
from veridical.sources.pdf_boxes import Box, PageBoxes, PageLayout, trace_page

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
    return {
        "pdf": base64.b64encode(_with_fixed_id(out.getvalue(), asked["id"])).decode("ascii"),
        "missed": missed,
        "notes": [_SIGNED] if signed else [],
    }


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
            layout = PageLayout(number, trace_page(page))
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
        flat = [point for four in corners for point in four]
        done = [
            pdfium.FPDFAnnot_SetColor(
                annotation, pdfium.FPDFANNOT_COLORTYPE_Color, *mark["colour"], _OPACITY
            ),
            pdfium.FPDFAnnot_SetRect(annotation, _around(flat)),
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


def quad(box: Box, visible: Box, turned: int) -> tuple[Point, Point, Point, Point]:
    """The corners of a box on the shown page in the page's own coordinates, as `QuadPoints` has
    them in practice: upper left, upper right, lower left, lower right, as a reader sees them.
    `visible` is left, bottom, right, top of what is shown; `turned` are degrees clockwise.
    """
    left, top, right, bottom = box
    return (
        _own(left, top, visible, turned),
        _own(right, top, visible, turned),
        _own(left, bottom, visible, turned),
        _own(right, bottom, visible, turned),
    )


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


def _around(points: Sequence[Point]) -> Any:
    import pypdfium2.raw as pdfium

    across, up = [x for x, _ in points], [y for _, y in points]
    return pdfium.FS_RECTF(min(across), max(up), max(across), min(up))


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

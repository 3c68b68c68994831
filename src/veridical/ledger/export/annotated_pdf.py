"""A source PDF with the words that a ledger rests on highlighted, each with a note.

The file is opened and written by a worker process with limits, as it is when it is read. What comes
back is read once more: it must say, letter for letter, what the source says.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import ProcessingError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.originals import Cited, OriginalFile, cited, require_words, required
from veridical.ledger.export.pdf_worker import pdf_of
from veridical.ledger.review import EntryReview
from veridical.ledger.verify_find import match_sources
from veridical.sources.document import DEFAULT_LIMITS, Document, Format, SourceLimits
from veridical.sources.isolated import LABELS, call_isolated, parse_isolated

AUTHOR = "Veridical"
MOST_MARKS = 10_000
"""Highlights of one file, those of a place that runs over two pages counted twice."""

MOST_NOTE_CHARS = 8_000

COLOURS: Mapping[Verdict, tuple[int, int, int]] = {
    Verdict.SUPPORTED: (120, 200, 120),
    Verdict.WEAK: (255, 212, 60),
    Verdict.CONTRADICTED: (255, 130, 120),
    Verdict.NOT_FOUND: (190, 190, 190),
}
"""Of what the words say of the claim (`Cited.says`). The note says it in words too."""

_ENTRY = "veridical.ledger.export.pdf_worker:annotate"


@dataclass(frozen=True, slots=True)
class AnnotatedPdf:
    """The file, how many highlights were put into it, and what a reader should be told."""

    data: bytes
    highlights: int
    warnings: tuple[str, ...] = ()


def annotate_pdf(
    ledger: EvidenceLedger,
    file: OriginalFile,
    *,
    reviews: Sequence[EntryReview] = (),
    limits: SourceLimits = DEFAULT_LIMITS,
) -> AnnotatedPdf:
    """The PDF `file`, a source of `ledger`, with the words that its entries rest on highlighted.

    One highlight a piece of evidence and page, its note saying verdict, confidence and claim; what
    was in the file stays, other annotations and the encryption too. The same ledger and file give
    the same bytes, unless the file is encrypted with AES, which is never written twice alike.
    Words that cannot be placed letter for letter are not marked, and a warning says so.

    Raises ValidationError where the file is no PDF, is no source of the ledger or has another text
    than the ledger's source; DocumentParsingError where it cannot be annotated within `limits`, or
    does not allow it; ProcessingError where no worker can be started, or what was written does not
    read as the source does.
    """
    document = file.document
    if document.format is not Format.PDF:
        raise ValidationError(f"{document.name}: it is no PDF, only a PDF can be annotated")
    rows = _rows_of(ledger, document, reviews)
    marks = list(_marks(document, rows, ledger.created_at))
    if len(marks) > MOST_MARKS:
        raise ValidationError(
            f"{document.name}: {len(marks):,} places to highlight, the limit is {MOST_MARKS:,}"
        )
    used = {mark["page"] for mark in marks}
    scanned = sum(scan.page in used for scan in document.scans)
    asked = {
        "pages": {
            page.number: document.text[page.span.start : page.span.end]
            for page in document.pages
            if page.number in used
        },
        "marks": marks,
        "id": hashlib.sha256(
            file.data + json.dumps(marks, sort_keys=True).encode("ascii")
        ).hexdigest()[:32],
    }
    pdf, missed, notes = call_isolated(
        _ENTRY,
        json.dumps(asked).encode("ascii") + b"\n" + file.data,
        document.name,
        lambda reply: _understood(reply, len(marks)),
        format=Format.PDF.value,
        label=LABELS[Format.PDF],
        limits=limits.for_ocr(scanned) if scanned else limits,
    )
    _require_same(document, pdf, limits)
    warnings = [f"{document.name}: {note}" for note in notes]
    for index, note in missed:
        mark = marks[index]
        warnings.append(
            f"{document.name}, page {mark['page']}: claim {mark['number']} is not highlighted: "
            f"{note}"
        )
    return AnnotatedPdf(pdf, len(marks) - len(missed), tuple(warnings))


def cited_pdfs(ledger: EvidenceLedger, files: Sequence[OriginalFile]) -> tuple[OriginalFile, ...]:
    """Those of some files that are the PDFs which the entries of a ledger rest on, in its order.

    Raises ValidationError where one of them is missing or has another text than the ledger's, or
    the ledger rests on no PDF.
    """
    resting = {row.piece.source_id for row in cited(ledger)}
    needed = [
        source.id for source in ledger.sources if source.id in resting and source.format == "pdf"
    ]
    if not needed:
        raise ValidationError("the ledger rests on no PDF, so there is none to annotate")
    documents = required(ledger, [file.document for file in files], needed)
    by_name = {file.document.name: file for file in files}
    return tuple(by_name[documents[source_id].name] for source_id in needed)


def _rows_of(
    ledger: EvidenceLedger, document: Document, reviews: Sequence[EntryReview]
) -> list[Cited]:
    """The evidence in this document. Raises ValidationError where it is not what was judged."""
    ids = [
        source_id
        for source_id, found in match_sources(ledger.sources, [document]).items()
        if found is document
    ]
    if not ids:
        raise ValidationError(f"{document.name}: it is no source of the ledger")
    required(ledger, [document], ids)
    return [row for row in cited(ledger, reviews) if row.piece.source_id in ids]


def _marks(document: Document, rows: Sequence[Cited], created_at: str) -> Iterator[dict[str, Any]]:
    """What the worker is to draw: a mark for each page that a place is on, spans within the page.

    Raises ValidationError for a place that does not have the words which the ledger quotes.
    """
    moment = "D:" + "".join(char for char in created_at[:19] if char.isdigit()) + "Z"
    for row in rows:
        span = row.piece.snippet_span
        require_words(document, row)
        for page in document.pages:
            start, end = max(span.start, page.span.start), min(span.end, page.span.end)
            if start >= end or not document.text[start:end].strip():
                continue
            yield {
                "page": page.number,
                "start": start - page.span.start,
                "end": end - page.span.start,
                "number": row.number,
                "colour": COLOURS[row.says],
                "fields": {
                    "Contents": row.note()[:MOST_NOTE_CHARS],
                    "T": AUTHOR,
                    "Subj": row.headline,
                    "NM": f"{row.id}-{page.number}",
                    "M": moment,
                    "CreationDate": moment,
                },
            }


def _understood(
    reply: Mapping[str, Any], marks: int
) -> tuple[bytes, list[tuple[int, str]], list[str]]:
    """What the worker answered (the PDF, marks that were not made, notes), trusting nothing.

    Raises a LookupError, TypeError or ValueError.
    """
    missed = [(int(index), str(note)[:500]) for index, note in reply["missed"]]
    if any(not 0 <= index < marks for index, _ in missed):
        raise ValueError("a mark that there is not")
    return pdf_of(reply), missed, [str(note)[:500] for note in reply["notes"]]


def _require_same(document: Document, data: bytes, limits: SourceLimits) -> None:
    again = parse_isolated(Format.PDF, data, document.name, limits=limits)
    if again.text != document.text:
        raise ProcessingError(
            f"{document.name}: the annotated copy does not read as the source does, so it is not "
            "handed out. Open the source in a viewer, save it again, and build the ledger anew."
        )

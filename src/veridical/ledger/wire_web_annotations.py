"""Evidence as W3C Web Annotations.

Source: W3C Web Annotation Data Model and Vocabulary, and Selectors and States, 2017; pages of a PDF
as RFC 8118 names them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import quote

from veridical.ledger.entry import EvidenceLedger, Source
from veridical.ledger.export import wording
from veridical.ledger.export.originals import Cited, placed
from veridical.ledger.ids import content_id
from veridical.ledger.review import EntryReview
from veridical.sources.document import Document, Format, Span
from veridical.sources.sniff import KINDS
from veridical.validation.wire import selectors

CONTEXT = "http://www.w3.org/ns/anno.jsonld"
PDF_FRAGMENTS = "http://tools.ietf.org/rfc/rfc8118"
GENERATOR = {"type": "Software", "name": "Veridical"}

_WEB = ("https://", "http://")
_IN_ADDRESS = ":/?#[]@!$&'()*+,;=%~"


def source_iri(source: Source, base_url: str | None = None) -> str:
    """What a source is called in annotations: its name, where that is a web address; its name under
    `base_url`, where that is given; else a URN of its id.
    """
    if source.filename.startswith(_WEB):
        return quote(source.filename.encode("utf-8", "surrogateescape"), safe=_IN_ADDRESS)
    if base_url is None:
        return f"urn:uuid:{source.id}"
    path = source.filename.replace("\\", "/").encode("utf-8", "surrogateescape")
    return f"{base_url.rstrip('/')}/{quote(path.lstrip(b'/'))}"


def to_web_annotations(
    ledger: EvidenceLedger,
    documents: Iterable[Document],
    *,
    reviews: Sequence[EntryReview] = (),
    base_url: str | None = None,
) -> dict[str, Any]:
    """An AnnotationCollection with one annotation for each piece of evidence, in one page.

    `documents` are the ledger's sources as they were. The same arguments give the same data: ids
    follow from the content, `created` is the time of the ledger. `state` of a target holds the
    SHA-256 of the source's text.

    Raises ValidationError where a source that is cited is missing or has another text now, and
    where other words stand in it than the ledger quotes.
    """
    sources = wording.sources_by_id(ledger)
    items = [
        _annotation(ledger, row, document, sources[row.piece.source_id], base_url)
        for row, document in placed(ledger, documents, reviews)
    ]
    collection = f"urn:uuid:{content_id('annotation collection', ledger.id)}"
    made: dict[str, Any] = {
        "@context": CONTEXT,
        "id": collection,
        "type": "AnnotationCollection",
        "label": wording.heading(ledger),
        "generator": GENERATOR,
        "created": ledger.created_at,
        "total": len(items),
    }
    if items:
        page = f"urn:uuid:{content_id('annotation page', ledger.id)}"
        made["first"] = {"id": page, "type": "AnnotationPage", "startIndex": 0, "items": items}
        made["last"] = page
    return made


def _annotation(
    ledger: EvidenceLedger, row: Cited, document: Document, source: Source, base_url: str | None
) -> dict[str, Any]:
    tags = ["veridical", f"verdict:{row.entry.verdict.value}"]
    if row.verdict is not row.entry.verdict:
        tags.append(f"reviewed:{row.verdict.value}")
    comment = {"type": "TextualBody", "format": "text/plain"}
    bodies: list[dict[str, Any]] = [
        {**comment, "value": row.note(), "purpose": "assessing"},
        *({"type": "TextualBody", "value": tag, "purpose": "tagging"} for tag in tags),
    ]
    return {
        "id": f"urn:uuid:{row.id}",
        "type": "Annotation",
        "motivation": "assessing",
        "created": ledger.created_at,
        "generator": GENERATOR,
        "body": bodies,
        "target": {
            "type": "SpecificResource",
            "source": {
                "id": source_iri(source, base_url),
                "type": "Text",
                "format": KINDS[document.format].media_type,
                "label": source.filename,
            },
            "selector": _selectors(document, row.piece.snippet_span),
            "state": {
                "type": "TimeState",
                "sourceDate": ledger.created_at,
                "schema:sha256": source.sha256,
            },
        },
    }


def _selectors(document: Document, span: Span) -> list[dict[str, Any]]:
    made = selectors(document, span)
    page = document.page_at(span.start)
    if page is None or document.format is not Format.PDF:
        return made
    fragment = {"type": "FragmentSelector", "conformsTo": PDF_FRAGMENTS, "value": f"page={page}"}
    return [{**fragment, "refinedBy": made[0]}, *made]

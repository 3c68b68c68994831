"""Links to the quoted words of a ledger, as data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from veridical.errors import ValidationError
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export import wording
from veridical.ledger.export.cited import cited
from veridical.ledger.export.originals import require_words, required
from veridical.ledger.review import EntryReview
from veridical.ledger.text_fragments import TextFragments
from veridical.ledger.wire_web_annotations import source_iri
from veridical.sources.document import Document


def text_fragment_links(
    ledger: EvidenceLedger,
    documents: Iterable[Document],
    *,
    reviews: Sequence[EntryReview] = (),
    base_url: str | None = None,
) -> list[dict[str, Any]]:
    """One row for each piece of evidence: its claim, verdicts, source, quote and `url`.

    `exact` says whether the link tells the very words; else it leads to their page or document.
    Raises ValidationError where a source that is cited is missing or has another text now, does not
    have the words where the ledger quotes them, or has no address on the web: give `base_url`.
    """
    rows = cited(ledger, reviews)
    known = required(ledger, documents, {row.piece.source_id for row in rows})
    sources = wording.sources_by_id(ledger)
    fragments = {source_id: TextFragments(document) for source_id, document in known.items()}
    links: list[dict[str, Any]] = []
    for row in rows:
        source = sources[row.piece.source_id]
        require_words(known[source.id], row.piece, row.number)
        iri = source_iri(source, base_url)
        if iri.startswith("urn:"):
            raise ValidationError(
                f"{source.filename}: it has no address on the web, so no link can lead to it. Say "
                "where the sources stand: --base-url https://…"
            )
        url = fragments[source.id].link(iri, row.piece.snippet_span)
        links.append(
            {
                "claim": wording.claim_words(row.entry.claim),
                "number": row.number,
                "verdict": row.entry.verdict.value,
                "reviewed": row.review.verdict.value if row.review and row.review.verdict else None,
                "bearing": row.bearing,
                "source": source.filename,
                "quote": row.piece.snippet,
                "url": url,
                "exact": ":~:text=" in url,
            }
        )
    return links

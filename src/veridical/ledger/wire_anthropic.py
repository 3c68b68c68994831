"""Citations as Anthropic's Messages API has them: text blocks, each with its citations.

Source: the `citations` of text blocks in the API's reference. Character and block indices count
from 0 and page numbers from 1; all ends are exclusive.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from veridical.errors import ValidationError
from veridical.ledger.entry import MAX_ANSWER_CHARS, Evidence, EvidenceLedger, Source
from veridical.ledger.export.originals import cited
from veridical.ledger.review import EntryReview
from veridical.ledger.wire_given import MAX_CITATIONS, CitedAnswer, Given, GivenCitation
from veridical.sources.document import Span

_KINDS = {
    # The unit of its range, and where it gives an address; the others give a document.
    "char_location": ("char_index", ""),
    "page_location": ("page_number", ""),
    "content_block_location": ("block_index", ""),
    "search_result_location": ("block_index", "source"),
    "web_search_result_location": ("", "url"),
}


def answer_from_anthropic(content: object) -> CitedAnswer:
    """The answer in the content blocks of a message, or in a whole message, with its citations.

    Blocks that are not text (thinking, tool use and its results) are passed over, unless they have
    citations, which are then `unread`.
    Raises ValidationError that names the path of what is not as the API has it.
    """
    given = Given(content, "message")
    blocks = given.at("content") if isinstance(content, dict) else Given(content, "content")
    if blocks.value is None:
        raise blocks.refused("must be a list of content blocks", "required")
    parts: list[str] = []
    citations: list[GivenCitation] = []
    length = uncited = 0
    for block in blocks.items():
        if (kind := block.at("type").text()) != "text":
            if block.at("citations").value:
                citations.append(block.unread(kind, "citations of such a block are not read"))
            continue
        parts.append(block.at("text").text())
        span = Span(length, length + len(parts[-1]))
        length = span.end
        cited = [_citation(item, span) for item in block.at("citations").items()]
        citations.extend(cited)
        uncited += not cited
        if length > MAX_ANSWER_CHARS or len(citations) > MAX_CITATIONS:
            raise ValidationError(
                f"{block.path}: the answer has more than {MAX_ANSWER_CHARS:,} characters or "
                f"{MAX_CITATIONS:,} citations",
                {"path": block.path, "constraint": "maxLength"},
            )
    return CitedAnswer("".join(parts), tuple(citations), uncited)


def _citation(item: Given, span: Span) -> GivenCitation:
    kind = item.at("type").text()
    if kind not in _KINDS:
        raise item.at("type").refused(f"must be one of {', '.join(_KINDS)}", "enum")
    unit, address = _KINDS[kind]
    least = 1 if unit == "page_number" else 0
    place = item.span(f"start_{unit}", f"end_{unit}", least=least) if unit else None
    return GivenCitation(
        kind,
        span,
        item.at("cited_text").text(),
        item.at("title" if address else "document_title").text_or_none(),
        None if address else item.at("document_index").whole(),
        source_span=place if unit == "char_index" else None,
        pages=place if unit == "page_number" else None,
        blocks=place if unit == "block_index" else None,
        url=item.at(address).text() if address else None,
        file_id=None if address else item.at("file_id").text_or_none(),
    )


def to_anthropic(
    ledger: EvidenceLedger, *, reviews: Sequence[EntryReview] = ()
) -> list[dict[str, Any]]:
    """The answer as text blocks that together are its text, each claim with its citations.

    Cited is only what bears a claim out fully, as a citation cannot say "in part", and only where
    the claim is supported and no reviewer says otherwise in `reviews`. Documents
    with pages are cited by page, others by character; `document_index` is the place of the document
    among the ledger's sources.
    """
    sources = {source.id: (number, source) for number, source in enumerate(ledger.sources)}
    borne_out: defaultdict[str, list[Evidence]] = defaultdict(list)
    for row in cited(ledger, reviews):
        if row.is_borne_out:
            borne_out[row.entry.id].append(row.piece)
    blocks: list[dict[str, Any]] = []
    at = 0
    for entry in sorted(ledger.entries, key=lambda entry: entry.claim.span):
        span = entry.claim.span
        if span.start < at or not len(span):
            continue  # A claim within another: a text block cannot be in another one.
        if span.start > at:
            blocks.append({"type": "text", "text": ledger.answer[at : span.start]})
        blocks.append({"type": "text", "text": ledger.answer[span.start : span.end]})
        if given := [_location(piece, *sources[piece.source_id]) for piece in borne_out[entry.id]]:
            blocks[-1]["citations"] = given
        at = span.end
    if at < len(ledger.answer):
        blocks.append({"type": "text", "text": ledger.answer[at:]})
    return blocks


def _location(piece: Evidence, number: int, source: Source) -> dict[str, Any]:
    document = {"document_index": number, "document_title": source.filename}
    page, span = piece.page_number, piece.snippet_span
    if page is not None:
        place = {"start_page_number": page, "end_page_number": page + 1}
        return {"type": "page_location", "cited_text": piece.snippet, **document, **place}
    place = {"start_char_index": span.start, "end_char_index": span.end}
    return {"type": "char_location", "cited_text": piece.source_text, **document, **place}

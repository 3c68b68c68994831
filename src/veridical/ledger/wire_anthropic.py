"""Citations as Anthropic's Messages API has them: text blocks, each with its citations.

Source: the `citations` of text blocks in the API's reference. Character and block indices count
from 0 and page numbers from 1; all ends are exclusive.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from veridical.errors import ValidationError
from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, EvidenceLedger, LedgerEntry
from veridical.ledger.export.cited import not_borne_out
from veridical.ledger.limits import MAX_ANSWER_CHARS
from veridical.ledger.review import EntryReview
from veridical.ledger.wire_given import MAX_CITATIONS, CitedAnswer, Given, GivenCitation
from veridical.sources.span import Span

_KINDS = (
    "char_location",
    "page_location",
    "content_block_location",
    "search_result_location",
    "web_search_result_location",
)
_BORNE_OUT = (Verdict.SUPPORTED, Verdict.WEAK)


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
    cited = item.at("cited_text").text()
    if kind == "web_search_result_location":
        title, url = item.at("title").text_or_none(), item.at("url").text()
        return GivenCitation(kind, span, cited, title, url=url)
    if kind == "search_result_location":
        return GivenCitation(
            kind,
            span,
            cited,
            item.at("title").text_or_none(),
            blocks=item.span("start_block_index", "end_block_index"),
            url=item.at("source").text(),
        )
    by_pages, by_blocks = kind == "page_location", kind == "content_block_location"
    by_chars = not by_pages and not by_blocks
    return GivenCitation(
        kind,
        span,
        cited,
        item.at("document_title").text_or_none(),
        item.at("document_index").whole(),
        source_span=item.span("start_char_index", "end_char_index") if by_chars else None,
        pages=item.span("start_page_number", "end_page_number", least=1) if by_pages else None,
        blocks=item.span("start_block_index", "end_block_index") if by_blocks else None,
        file_id=item.at("file_id").text_or_none(),
    )


def to_anthropic(
    ledger: EvidenceLedger, *, reviews: Sequence[EntryReview] = ()
) -> list[dict[str, Any]]:
    """The answer as text blocks that together are its text, each claim with its citations.

    Cited is only what bears a claim out, and only where its verdict is supported or weak, and no
    reviewer says of it in `reviews` that it is contradicted or not found. Documents
    with pages are cited by page, others by character; `document_index` is the place of the document
    among the ledger's sources.
    """
    index = {source.id: number for number, source in enumerate(ledger.sources)}
    names = {source.id: source.filename for source in ledger.sources}
    withheld = not_borne_out(ledger, reviews)
    blocks: list[dict[str, Any]] = []
    at = 0
    for entry in sorted(ledger.entries, key=lambda entry: entry.claim.span):
        span = entry.claim.span
        if span.start < at or not len(span):
            continue  # A claim within another: a text block cannot be in another one.
        if span.start > at:
            blocks.append(_block(ledger.answer[at : span.start], []))
        cited = [
            _location(piece, index[piece.source_id], names[piece.source_id])
            for piece in _borne_out_by(entry)
            if entry.id not in withheld
        ]
        blocks.append(_block(ledger.answer[span.start : span.end], cited))
        at = span.end
    if at < len(ledger.answer):
        blocks.append(_block(ledger.answer[at:], []))
    return blocks


def _borne_out_by(entry: LedgerEntry) -> list[Evidence]:
    """The pieces that may be cited for a claim: none where its verdict is not in its favour."""
    if entry.verdict not in _BORNE_OUT:
        return []
    return [
        piece
        for piece in entry.evidence
        if piece.support is not SupportLevel.NONE and not piece.contradicts
    ]


def _block(text: str, citations: list[dict[str, Any]]) -> dict[str, Any]:
    block: dict[str, Any] = {"type": "text", "text": text}
    return {**block, "citations": citations} if citations else block


def _location(piece: Evidence, index: int, name: str) -> dict[str, Any]:
    document = {"document_index": index, "document_title": name}
    if piece.page_number is not None:
        return {
            "type": "page_location",
            "cited_text": piece.snippet,
            **document,
            "start_page_number": piece.page_number,
            "end_page_number": piece.page_number + 1,
        }
    return {
        "type": "char_location",
        "cited_text": piece.source_text,
        **document,
        "start_char_index": piece.snippet_span.start,
        "end_char_index": piece.snippet_span.end,
    }

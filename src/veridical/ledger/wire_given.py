"""Citations that came with an answer, and the careful reading of the JSON that they came in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from veridical.errors import ValidationError
from veridical.ledger.entry import MAX_ANSWER_CHARS, Evidence, EvidenceLedger, Source
from veridical.ledger.export.originals import cited
from veridical.ledger.review import EntryReview
from veridical.sources.document import Span
from veridical.validation.schema_errors import shorten

MAX_ITEMS = 10_000
"""Blocks of an answer, and citations of a block; more are refused."""

MAX_CITATIONS = 100_000
MAX_TEXT_CHARS = 1_000_000
_MOST = 2**53


@dataclass(frozen=True, slots=True)
class GivenCitation:
    """A citation as the model's service gave it: what it claims, not what is so.

    `span` is the part of the answer that it goes with.
    `kind` is the service's own type. `cited_text` is None where it quotes nothing, and
    `document_index` counts from 0. `source_span` are characters, `pages` half-open page numbers
    from 1 and `blocks` half-open block numbers from 0 of the cited document. What is there but
    could not be read at all has `unread`: why.
    """

    kind: str
    span: Span
    cited_text: str | None = None
    title: str | None = None
    document_index: int | None = None
    source_span: Span | None = None
    pages: Span | None = None
    blocks: Span | None = None
    url: str | None = None
    unread: str = ""


@dataclass(frozen=True, slots=True)
class CitedAnswer:
    """An answer and the citations that came with it, in its order.

    `uncited` counts the texts that carry no citation.
    """

    text: str
    citations: tuple[GivenCitation, ...]
    uncited: int = 0


@dataclass(frozen=True, slots=True)
class Given:
    """A value of untrusted JSON and its path. Every reading of it raises ValidationError where the
    value is not what it should be.
    """

    value: Any
    path: str

    def refused(self, message: str, constraint: str) -> ValidationError:
        """The error for this value."""
        value = shorten(self.value)
        return ValidationError(
            f"{self.path}: {message}, got {value}",
            {"path": self.path, "value": value, "constraint": constraint},
        )

    def at(self, name: str) -> Given:
        """The value of a key, None where there is no such key."""
        if not isinstance(self.value, Mapping):
            raise self.refused("must be an object", "type")
        return Given(self.value.get(name), f"{self.path}.{name}")

    def unread(self, kind: str, why: str) -> GivenCitation:
        """What stands for citations that are not read here, so that nobody passes over them."""
        return GivenCitation(kind, Span(0, 0), unread=f"{self.path}: {why}")

    def items(self) -> Iterator[Given]:
        """The items of a list; none where there is no value."""
        if self.value is None:
            return
        if not isinstance(self.value, list):
            raise self.refused("must be a list", "type")
        if len(self.value) > MAX_ITEMS:
            raise ValidationError(
                f"{self.path}: {len(self.value):,} items, the limit is {MAX_ITEMS:,}",
                {"path": self.path, "value": len(self.value), "constraint": "maxItems"},
            )
        for index, item in enumerate(self.value):
            yield Given(item, f"{self.path}[{index}]")

    def text(self) -> str:
        """A string."""
        if not isinstance(self.value, str):
            raise self.refused("must be a string", "type")
        if len(self.value) > MAX_TEXT_CHARS:
            raise self.refused(f"must have at most {MAX_TEXT_CHARS:,} characters", "maxLength")
        return self.value

    def text_or_none(self) -> str | None:
        """A string, or nothing."""
        return None if self.value is None else self.text()

    def whole(self) -> int:
        """A whole number from 0."""
        if not isinstance(self.value, int) or isinstance(self.value, bool):
            raise self.refused("must be a whole number", "type")
        if not 0 <= self.value < _MOST:
            raise self.refused("must not be negative, nor huge", "minimum")
        return self.value

    def span(self, first: str, last: str, *, least: int = 0) -> Span:
        """The half-open range of two keys, its start at least `least`."""
        start, end = self.at(first), self.at(last)
        if start.whole() < least:
            raise start.refused(f"must be at least {least}", "minimum")
        if end.whole() < start.whole():
            raise end.refused(f"must not be less than {first}", "minimum")
        return Span(start.whole(), end.whole())


# Citations as Anthropic's Messages API has them: text blocks, each with its citations.


_KINDS = {
    # The unit of its range, and where it gives an address; the others give a document.
    "char_location": ("char_index", ""),
    "page_location": ("page_number", ""),
    "content_block_location": ("block_index", ""),
    "search_result_location": ("block_index", "source"),
    "web_search_result_location": ("", "url"),
}


def read_cited(data: object) -> CitedAnswer:
    """The answer in the content blocks of a message, or in a whole message, with its citations.

    Blocks that are not text (thinking, tool use and its results) are passed over, unless they have
    citations, which are then `unread`.
    Raises ValidationError that names the path of what is not as the API has it.
    """
    given = Given(data, "message")
    blocks = given.at("content") if isinstance(data, dict) else Given(data, "content")
    if blocks.value is None:
        raise blocks.refused(
            "must be a list of content blocks, as a message of Anthropic's API has it", "required"
        )
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

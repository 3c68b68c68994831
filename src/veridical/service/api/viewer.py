"""Endpoints under `/api/v1`: where words stand on the pages of a document, and what changed."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Request
from pydantic import Field

from veridical.errors import ValidationError
from veridical.ledger.verification import EvidenceStatus
from veridical.service.api.documents import MOST_OFFSET, DocumentId, Version
from veridical.service.api.wire import (
    EXAMPLE_ID,
    USUAL_ON_A_PAGE,
    Limit,
    Wire,
    errors,
    told,
)
from veridical.service.context import service_of
from veridical.service.entry.access import Reader
from veridical.service.inquiring.ledger_view import claims_on
from veridical.service.reading.versions import Change, ChangeKind, reading_of, words_between
from veridical.service.reading.viewing import OpenVersion, checked_span, open_version
from veridical.sources.document import Document
from veridical.sources.span import Span

router = APIRouter(tags=["documents"])

Offset = Annotated[int, Query(ge=0, le=MOST_OFFSET, description="In code points of the text.")]


class BoxesReply(Wire):
    """Where a span stands on a page. Lengths are in points (1/72 inch); each box is left, top,
    right, bottom from the top left corner of the page as it is shown: cropped, and turned
    clockwise by `rotation` degrees.
    """

    page: int = Field(examples=[15])
    width: float = Field(examples=[595.28])
    height: float = Field(examples=[841.89])
    rotation: int = Field(examples=[0])
    boxes: list[tuple[float, float, float, float]] = Field(
        description="One for each line of words that stand together, in reading order.",
        examples=[[[70.87, 189.22, 524.38, 199.62]]],
    )
    exact: bool = Field(
        description="Whether the boxes hold all words of the span on this page, and nothing else."
    )
    note: str = Field(description="What is missing where they do not; empty where they do.")


class PlaceReply(Wire):
    """A place in a version's text, in code points, half-open. `line` and `page` count from 1."""

    start: int
    end: int
    line: int
    page: int | None


class WordsReply(Wire):
    """A run of words that is the same in both versions, or what stood there and what stands now."""

    then: str
    now: str
    equal: bool


class ChangeReply(Wire):
    """What became of a paragraph. `old` is its place in the earlier version, `new` in the later
    one. `words` are there where the two differ.
    """

    kind: ChangeKind
    old: PlaceReply | None
    new: PlaceReply | None
    words: list[WordsReply]


class ClaimStandingReply(Wire):
    """Whether the words that a claim rests on still stand in the later version: in their place
    (`held`), elsewhere (`moved`), with other words (`altered`), or no longer (`orphaned`).
    """

    session_id: str = Field(examples=[EXAMPLE_ID])
    number: int = Field(description="Of the claim in its session, from 1.")
    entry_id: str = Field(examples=[EXAMPLE_ID])
    verdict: str = Field(examples=["supported"])
    snippet: str
    checked_version: int | None
    status: EvidenceStatus
    now: PlaceReply | None


class ChangesReply(Wire):
    """What became of a document. `counts` are of paragraphs, those that stayed the same included;
    `items` leaves those out. `next` is what `after` must be for the changes behind them.
    """

    document_id: str = Field(examples=[EXAMPLE_ID])
    from_version: int
    to_version: int
    counts: dict[str, int] = Field(examples=[{"same": 40, "changed": 2, "added": 1}])
    items: list[ChangeReply]
    next: str | None
    claims: list[ClaimStandingReply] = Field(
        description="Those of the newest sessions that rest on the document; on the first page."
    )


@router.get(
    "/documents/{document_id}/pages/{page}/boxes",
    response_model=BoxesReply,
    responses=errors(404, 422),
    summary="Where the words of a span stand on a page of a PDF",
)
def get_boxes(
    request: Request,
    access: Reader,
    document_id: DocumentId,
    page: Annotated[int, Path(ge=1, le=MOST_OFFSET, description="From 1.", examples=[1])],
    start: Offset,
    end: Offset,
    version: Version = None,
) -> dict[str, Any]:
    """The page is looked at again, and only where it still reads as it did are boxes given."""
    opened = open_version(access.shelf, document_id, version)
    span = checked_span(start, end, len(opened.document.text)) or Span(0, 0)
    found = service_of(request).viewing.boxes(access.shelf, opened, page, span)
    return told(BoxesReply, found)


@router.get(
    "/documents/{document_id}/changes",
    response_model=ChangesReply,
    responses=errors(404, 422),
    summary="What changed and what moved between two versions",
)
def get_changes(
    request: Request,
    access: Reader,
    document_id: DocumentId,
    from_: Annotated[int, Query(alias="from", ge=1, le=MOST_OFFSET, examples=[1])],
    to: Version = None,
    limit: Limit = USUAL_ON_A_PAGE,
    after: Annotated[
        str | None, Query(max_length=20, description="`next` of the page before.")
    ] = None,
) -> dict[str, Any]:
    """Paragraph by paragraph (of a PDF sentence by sentence), word by word inside."""
    old = open_version(access.shelf, document_id, from_)
    new = open_version(access.shelf, document_id, to)
    service = service_of(request)
    changes = service.viewing.changes(old.document, new.document)
    shown = [c for c in changes if c.kind not in (ChangeKind.SAME, ChangeKind.MOVED_AWAY)]
    if after is not None and not (after.isascii() and after.isdecimal()):
        raise ValidationError("`after` must be the `next` of an earlier page.")
    first = int(after or 0)
    claims = (
        claims_on(access.shelf, service.ledgers, document_id, new.document) if not first else []
    )
    last = first + limit
    return {
        "document_id": document_id,
        "from_version": old.number,
        "to_version": new.number,
        "counts": {
            kind.value: sum(change.kind is kind for change in changes)
            for kind in ChangeKind
            if kind is not ChangeKind.MOVED_AWAY
        },
        "items": [_change(old, new, change) for change in shown[first:last]],
        "next": str(last) if last < len(shown) else None,
        "claims": [{**one, "now": _place(new.document, one["now"])} for one in claims],
    }


def _change(old: OpenVersion, new: OpenVersion, change: Change) -> dict[str, Any]:
    then = reading_of(old.document, change.old) if change.old else ""
    now = reading_of(new.document, change.new) if change.new else ""
    words = words_between(then, now) if change.altered else ()
    return {
        "kind": change.kind,
        "old": _place(old.document, change.old),
        "new": _place(new.document, change.new),
        "words": [{"then": run.then, "now": run.now, "equal": run.equal} for run in words],
    }


def _place(document: Document, span: Span | None) -> dict[str, Any] | None:
    if span is None:
        return None
    return {
        "start": span.start,
        "end": span.end,
        "line": document.line_number(span.start),
        "page": document.page_at(span.start),
    }

"""Endpoints under `/api/v1`: where a citation anchor leads."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Path
from pydantic import Field

from veridical.retrieval.chunks import Chunk
from veridical.service.api.wire import EXAMPLE_ID, Wire, errors, told
from veridical.service.entry.access import Access, Reader

router = APIRouter(tags=["citations"])

_MOST_ANCHOR_DIGITS = 64

Anchor = Annotated[
    str,
    Path(
        min_length=8,
        max_length=_MOST_ANCHOR_DIGITS,
        pattern="^[0-9a-fA-F]+$",
        description="The hash of a chunk, or how it begins: 8 to 64 hex digits.",
        examples=["a1b2c3d4"],
    ),
]


class CitedChunk(Wire):
    """A chunk of a document. `start` and `end` are code points of the text of that version."""

    chunk_hash: str = Field(description="In full.")
    document_id: str = Field(examples=[EXAMPLE_ID])
    filename: str
    version: int | None
    start: int
    end: int
    page_number: int | None
    heading_path: list[str]
    text: str = Field(description="As a reader sees it.")


class CitationReply(Wire):
    """Where an anchor leads. `candidates` are all chunks that it fits, at most twenty; it resolves
    where they are of one content, and `chunk` is the first of them then.
    """

    chunk_hash: str = Field(description="The anchor, in lower case.", examples=["a1b2c3d4"])
    resolved: bool
    chunk: CitedChunk | None
    error: str | None
    candidates: list[CitedChunk]


@router.get(
    "/citations/{anchor}",
    response_model=CitationReply,
    responses=errors(422),
    summary="Resolve a citation",
)
def resolve_citation(access: Reader, anchor: Anchor) -> dict[str, Any]:
    """Among the documents as they are now: what was replaced or deleted does not resolve."""
    found = access.shelf.documents.cited(anchor)
    return told(
        CitationReply,
        found,
        chunk=_chunk(access, found.chunk) if found.chunk else None,
        candidates=[_chunk(access, chunk) for chunk in found.candidates],
    )


def _chunk(access: Access, chunk: Chunk) -> dict[str, Any]:
    document = chunk.document
    document_id = access.shelf.documents.document_id(document.name)
    versions = access.shelf.ledgers.versions({document_id: document.sha256})
    return told(
        CitedChunk,
        chunk,
        chunk_hash=chunk.sha256,
        document_id=document_id,
        filename=document.name,
        version=versions.get(document_id),
        start=chunk.span.start,
        end=chunk.span.end,
        page_number=chunk.page,
    )

"""Documents, their versions and the files given for them, as JSON."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from pydantic import Field

from veridical.service.api.wire import EXAMPLE_ID, Wire
from veridical.sources.document import Document
from veridical.sources.span import Span
from veridical.store.documents import Status, StoredDocument
from veridical.store.library import Shown, Upload, UploadState


class UploadReply(Wire):
    """A file that was given. `state` tells what became of it, `message` why it could not be read,
    and `version` what it was read as (an earlier version where the text was the same).
    """

    id: str = Field(examples=[EXAMPLE_ID])
    document_id: str = Field(examples=[EXAMPLE_ID])
    filename: str = Field(examples=["HR_Policy_2024.pdf"])
    media_type: str = Field(description="By its content.", examples=["application/pdf"])
    size_bytes: int
    sha256: str = Field(description="Of the bytes, in hex.")
    state: UploadState
    message: str
    version: int | None
    job_id: str = Field(description="The job that reads it.", examples=[EXAMPLE_ID])
    created_at: datetime


class VersionReply(Wire):
    """A version of a document, numbered from 1. `ready` is the one that is searched."""

    version: int
    status: Status
    sha256: str = Field(description="Of the text in UTF-8, in hex.")
    format: str = Field(examples=["pdf"])
    chars: int = Field(description="Code points of the text.")
    size_bytes: int = Field(description="Of the file it was read from.")
    created_at: datetime


class DocumentReply(Wire):
    """A document: its version that is searched, if one was read, and the file last given for it, if
    one was. `from_folder` says that it is kept as it is in a folder of the server.
    """

    id: str = Field(examples=[EXAMPLE_ID])
    filename: str = Field(examples=["HR_Policy_2024.pdf"])
    from_folder: bool
    ready: VersionReply | None
    latest_upload: UploadReply | None


class PagePlace(Wire):
    """Where a page stands in the text."""

    number: int
    start: int
    end: int


class SectionPlace(Wire):
    """A section by its heading; it ends before the next heading, of whatever level."""

    title: str
    level: int
    path: list[str]
    start: int
    end: int


class TextReply(Wire):
    """A piece of the text of a version. All offsets are code points of the whole text, half-open;
    pages and sections are those that the piece has a part of.
    """

    document_id: str
    version: int
    chars: int = Field(description="Of the whole text.")
    start: int
    end: int
    text: str
    pages: list[PagePlace]
    sections: list[SectionPlace]


def upload_wire(upload: Upload) -> dict[str, Any]:
    """A file as `UploadReply`."""
    return {name: getattr(upload, name) for name in UploadReply.model_fields}


def version_wire(version: StoredDocument) -> dict[str, Any]:
    """A version as `VersionReply`."""
    return {name: getattr(version, name) for name in VersionReply.model_fields}


def document_wire(shown: Shown, *, from_folder: bool) -> dict[str, Any]:
    """A document as `DocumentReply`."""
    return {
        "id": shown.document_id,
        "filename": shown.filename,
        "from_folder": from_folder,
        "ready": version_wire(shown.ready) if shown.ready else None,
        "latest_upload": upload_wire(shown.latest) if shown.latest else None,
    }


def text_wire(document_id: str, version: int, document: Document, piece: Span) -> dict[str, Any]:
    """A piece of a text as `TextReply`."""
    pages = [
        {"number": page.number, "start": page.span.start, "end": page.span.end}
        for page in document.pages
        if page.span.start < piece.end and piece.start < page.span.end
    ]
    sections = [
        {
            "title": section.title,
            "level": section.level,
            "path": list(section.path),
            "start": section.heading.start,
            "end": section.end,
        }
        for section in document.sections
        if section.heading.start < piece.end and piece.start < section.end
    ]
    return {
        "document_id": document_id,
        "version": version,
        "chars": len(document.text),
        "start": piece.start,
        "end": piece.end,
        "text": document.text[piece.start : piece.end],
        "pages": pages,
        "sections": sections,
    }

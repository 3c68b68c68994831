"""Endpoints under `/api/v1`: documents, their versions, and where words stand in them."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Path, Query, Request, Response, UploadFile
from pydantic import Field

from veridical.service.api.wire import (
    ANY_FILE,
    API_PREFIX,
    EXAMPLE_ID,
    KNOWN,
    USUAL_ON_A_PAGE,
    After,
    Limit,
    PageReply,
    Searched,
    Wire,
    errors,
    id_path,
    page_reply,
    told,
)
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.entry.headers import file_response
from veridical.service.errors import NotFoundError, RefusedError, there
from veridical.service.reading.uploads import MOST_NAME_CHARS, keep_upload
from veridical.service.reading.viewing import (
    NO_DOCUMENT,
    NOT_READ,
    checked_span,
    open_version,
    require_document,
)
from veridical.sources.document import Document, Span
from veridical.sources.pdf_boxes import PageBoxes
from veridical.sources.sniff import SUPPORTED
from veridical.store.documents import Status
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


def text_wire(document_id: str, version: int, document: Document, piece: Span) -> dict[str, Any]:
    """A piece of a text as `TextReply`."""
    pages = [
        told(PagePlace, page, start=page.span.start, end=page.span.end)
        for page in document.pages
        if page.span.start < piece.end and piece.start < page.span.end
    ]
    sections = [
        told(SectionPlace, section, start=section.heading.start)
        for section in document.sections
        if section.heading.start < piece.end and piece.start < section.end
    ]
    return told(
        TextReply,
        piece,
        document_id=document_id,
        version=version,
        chars=len(document.text),
        text=document.text[piece.start : piece.end],
        pages=pages,
        sections=sections,
    )


router = APIRouter(tags=["documents"])

MOST_TEXT_CHARS = 200_000
"""Of a text, in one reply."""

_MOST_NAME_GIVEN = 4 * MOST_NAME_CHARS
MOST_OFFSET = 2**31 - 1
Offset = Annotated[int, Query(ge=0, le=MOST_OFFSET, description="In code points of the text.")]

DocumentId = Annotated[str, id_path("document"), KNOWN]
GivenFile = Annotated[UploadFile, File(description=f"{SUPPORTED}.")]
GivenName = Annotated[
    str,
    Form(
        max_length=_MOST_NAME_GIVEN,
        description="What the document is called; by default as the file. Folders are dropped.",
        examples=["HR_Policy_2024.pdf"],
    ),
]
Version = Annotated[
    int | None,
    Query(ge=1, le=MOST_OFFSET, description="Without it, the version that is searched."),
]
_UPLOADED: dict[int | str, dict[str, Any]] = {
    200: {"model": UploadReply, "description": "The document has these very bytes already"},
    **errors(408, 409, 413, 415, 422),
}


@router.post(
    "/documents",
    status_code=202,
    response_model=UploadReply,
    responses=_UPLOADED,
    summary="Upload a document, or the next version of the one of its name",
)
def upload_document(
    request: Request,
    response: Response,
    access: Reviewer,
    file: GivenFile,
    filename: GivenName = "",
) -> Upload:
    """Keeps the file and has it read by a job. A file of the name of a document becomes the next
    version of it; the same bytes again change nothing.
    """
    return _kept(request, response, access, filename or file.filename or "", file)


@router.get("/documents", response_model=PageReply[DocumentReply], responses=errors(422))
def list_documents(
    request: Request,
    access: Reader,
    limit: Limit = USUAL_ON_A_PAGE,
    after: After = None,
    q: Searched = "",
) -> dict[str, Any]:
    """The documents of the workspace by name."""
    page = access.shelf.documents.page(limit=limit, after=after, query=q)
    return page_reply(page, lambda shown: _shown(request, access, shown))


@router.get("/documents/{document_id}", response_model=DocumentReply, responses=errors(404))
def get_document(request: Request, access: Reader, document_id: DocumentId) -> dict[str, Any]:
    """One document."""
    return _shown(request, access, require_document(access.shelf, document_id))


@router.delete(
    "/documents/{document_id}",
    status_code=204,
    responses=errors(404, 409),
    summary="Delete a document with its files, in all versions",
)
def delete_document(request: Request, access: Admin, document_id: DocumentId) -> None:
    """Ledgers keep what they quote of it."""
    service_of(request).folders.require_not_kept(access.shelf, document_id)
    # Asked of the deletion itself: files may be left of a document that is gone, and another call
    # may have been first.
    if not access.shelf.documents.delete(document_id):
        raise NotFoundError(NO_DOCUMENT)


@router.get(
    "/documents/{document_id}/versions",
    response_model=PageReply[VersionReply],
    responses=errors(404),
)
def list_versions(access: Reader, document_id: DocumentId) -> dict[str, Any]:
    """The versions that can still be read, newest first; all of them at once."""
    require_document(access.shelf, document_id)
    versions = access.shelf.documents.versions(document_id)
    return {"items": versions, "next": None}


@router.post(
    "/documents/{document_id}/versions",
    status_code=202,
    response_model=UploadReply,
    responses={**_UPLOADED, **errors(404, 408, 409, 413, 415, 422)},
    summary="Upload the next version of a document",
)
def upload_version(
    request: Request, response: Response, access: Reviewer, document_id: DocumentId, file: GivenFile
) -> Upload:
    """The same as uploading a file of the name of the document, whatever this one is called."""
    name = require_document(access.shelf, document_id).filename
    return _kept(request, response, access, name, file)


@router.get("/documents/{document_id}/text", response_model=TextReply, responses=errors(404, 422))
def get_text(
    access: Reader,
    document_id: DocumentId,
    version: Version = None,
    start: Annotated[int, Query(ge=0, le=MOST_OFFSET, description="In code points.")] = 0,
    end: Annotated[
        int | None,
        Query(ge=0, le=MOST_OFFSET, description=f"At most {MOST_TEXT_CHARS:,} behind `start`."),
    ] = None,
) -> dict[str, Any]:
    """The text of a version, which the offsets of ledgers and citations refer to, in pieces."""
    number = _version_number(access, document_id, version)
    document = there(
        access.shelf.documents.read(document_id, number),
        "There is no such version of this document.",
    )
    most = min(len(document.text), start + MOST_TEXT_CHARS)
    piece = Span(min(start, most), max(min(start, most), min(most, most if end is None else end)))
    return text_wire(document_id, number, document, piece)


@router.get(
    "/documents/{document_id}/pages/{page}/boxes",
    response_model=BoxesReply,
    responses=errors(404, 422),
    operation_id="viewer_get_boxes",
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
) -> PageBoxes:
    """The page is looked at again, and only where it still reads as it did are boxes given."""
    opened = open_version(access.shelf, document_id, version)
    span = checked_span(start, end, len(opened.document.text)) or Span(0, 0)
    return service_of(request).viewing.boxes(access.shelf, opened, page, span)


@router.get(
    "/documents/{document_id}/file",
    response_class=Response,
    responses={
        200: {"description": "The file as it was given", "content": ANY_FILE},
        **errors(404, 422),
    },
    summary="The file that a version was read from",
)
def get_file(access: Reader, document_id: DocumentId, version: Version = None) -> Response:
    """To be saved, never shown: what is in it is not ours."""
    number = _version_number(access, document_id, version)
    upload = access.shelf.documents.file_of(document_id, number)
    content = access.shelf.documents.upload_content(upload.id) if upload else None
    if upload is None or content is None:
        raise NotFoundError(
            "The file of this version is not kept here: it was read from a folder, or deleted."
        )
    return file_response(content, filename=upload.filename, media_type=upload.media_type)


def _kept(
    request: Request, response: Response, access: Access, name: str, file: UploadFile
) -> Upload:
    most = service_of(request).settings.max_upload_bytes
    if (file.size or 0) > most:
        raise RefusedError(413, "too_large", f"The file is larger than {most / 1024 / 1024:g} MB.")
    # Never more than may be; the form keeps them on disk until then.
    upload, is_new = keep_upload(service_of(request), access, name, file.file.read(most + 1))
    if not is_new:
        response.status_code = 200
    response.headers["Location"] = f"{API_PREFIX}/documents/{upload.document_id}"
    return upload


def _shown(request: Request, access: Access, shown: Shown) -> dict[str, Any]:
    folders = service_of(request).folders
    return told(
        DocumentReply,
        shown,
        id=shown.document_id,
        from_folder=folders.holds(access.shelf, shown.document_id),
        latest_upload=shown.latest,
    )


def _version_number(access: Access, document_id: str, version: int | None) -> int:
    """The number of a version, which need not be there; of the ready one without a number."""
    shown = require_document(access.shelf, document_id)
    return version or there(shown.ready, NOT_READ).version

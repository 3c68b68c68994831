"""Endpoints under `/api/v1`: ledgers as files, and the links by which they are downloaded."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from pydantic import Field

from veridical.service.api.ledger_wire import Format
from veridical.service.api.sessions import SessionId
from veridical.service.api.wire import (
    ANY_FILE,
    API_PREFIX,
    EXAMPLE_ID,
    KNOWN,
    Wire,
    errors,
    id_path,
    told,
)
from veridical.service.context import Service, service_of
from veridical.service.entry.access import Access, Reader
from veridical.service.entry.headers import file_response
from veridical.service.errors import there
from veridical.service.inquiring.asking import download_url, downloaded, exported
from veridical.store.export_files import ExportFile
from veridical.store.jobs import JobState

router = APIRouter(tags=["exports"])

_MOST_SIGNATURE_CHARS = 64
_MOST_WORKSPACE_CHARS = 200
_MOMENT = "^[0-9]{1,16}$"

ExportId = Annotated[str, id_path("export"), KNOWN]


class ExportRequest(Wire):
    """How the ledger shall be written."""

    format: Format = Field(examples=["pdf"])


class ExportReply(Wire):
    """A file. `download_url` is a path of this server, good until `expires_at` without a token; it
    replies 404 until `status` is `done`. `message` says why it could not be made.
    """

    id: str = Field(examples=[EXAMPLE_ID])
    status: JobState
    format: Format
    filename: str
    size_bytes: int
    sha256: str
    message: str
    job_id: str
    download_url: str
    expires_at: datetime


@router.post(
    "/sessions/{session_id}/ledger/export",
    status_code=201,
    response_model=ExportReply,
    responses={
        202: {"model": ExportReply, "description": "It is being made; look again at its address"},
        **errors(404, 408, 409, 413, 422),
    },
    summary="Export a ledger as a file",
)
async def export_ledger(
    request: Request,
    response: Response,
    access: Reader,
    session_id: SessionId,
    wanted: ExportRequest,
) -> dict[str, Any]:
    """With what reviewers decided beside the verdicts. Waits some seconds for the file."""
    service = service_of(request)
    export = await exported(service, access, session_id, wanted.format)
    if export.state != JobState.DONE:
        response.status_code = 202
    response.headers["Location"] = f"{API_PREFIX}/exports/{export.id}"
    return _wire(service, access, export)


@router.get("/exports/{export_id}", response_model=ExportReply, responses=errors(404))
def get_export(request: Request, access: Reader, export_id: ExportId) -> dict[str, Any]:
    """Whether a file is there, and its address. After it expired it is not found."""
    export = there(
        access.shelf.exports.get(export_id),
        "There is no such export in this workspace, or it expired.",
    )
    return _wire(service_of(request), access, export)


@router.get(
    "/downloads/{export_id}",
    response_class=Response,
    responses={
        200: {"description": "The file", "content": ANY_FILE},
        **errors(404, 410, 422),
    },
    summary="Download a file",
)
def download(
    request: Request,
    export_id: ExportId,
    workspace: Annotated[str, Query(max_length=_MOST_WORKSPACE_CHARS)],
    expires: Annotated[str, Query(pattern=_MOMENT, description="Seconds since 1970.")],
    signature: Annotated[str, Query(max_length=_MOST_SIGNATURE_CHARS)],
) -> Response:
    """By the `download_url` of an export as it is; needs no token, and is good for nothing else."""
    service = service_of(request)
    export, content = downloaded(service, workspace, export_id, expires, signature)
    return file_response(content, filename=export.filename, media_type=export.media_type)


def _wire(service: Service, access: Access, export: ExportFile) -> dict[str, Any]:
    url = download_url(service, access.workspace, export)
    return told(ExportReply, export, status=export.state, download_url=url)

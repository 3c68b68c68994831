"""Pages: a ledger as a file. It is made by a job; one that is soon done is downloaded at once."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from veridical.service.context import service_of
from veridical.service.entry.access import Reader
from veridical.service.errors import NotFoundError
from veridical.service.inquiring.exporting import download_url, exported
from veridical.service.pages.rendering import render
from veridical.service.pages.session_find import inquiry_of
from veridical.store.jobs import JobState

router = APIRouter(include_in_schema=False)

_SEE_OTHER = 303


@router.post("/sessions/{session_id}/export")
async def export_session(
    request: Request,
    access: Reader,
    session_id: str,
    format: Annotated[Literal["pdf", "markdown", "html", "json"], Form()],
) -> Response:
    """Have a file made of the ledger, and download it; one that takes longer has a page to wait on.

    Readers may do it: it takes out what they can read, and changes nothing.
    """
    service = service_of(request)
    file = await exported(service, access, session_id, format)
    if file.state == JobState.DONE:
        return RedirectResponse(download_url(service, access.workspace, file), _SEE_OTHER)
    return RedirectResponse(f"/sessions/{session_id}/exports/{file.id}", _SEE_OTHER)


@router.get("/sessions/{session_id}/exports/{export_id}")
def export_page(request: Request, access: Reader, session_id: str, export_id: str) -> Response:
    """A file that is being made; once it is there, the way to it."""
    inquiry = inquiry_of(access, session_id)
    file = access.shelf.exports.get(export_id)
    if file is None or file.session_id != session_id:
        raise NotFoundError("This export is gone: it is kept for a short time. Make a new one.")
    is_there = file.state == JobState.DONE
    return render(
        request,
        "export.html",
        access=access,
        file=file,
        inquiry=inquiry,
        link=download_url(service_of(request), access.workspace, file) if is_there else "",
        job=access.shelf.jobs.get(file.job_id),
    )

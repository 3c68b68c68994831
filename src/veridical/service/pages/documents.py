"""Pages: the documents of a workspace; giving new ones, new versions, and taking them away."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, File, Query, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from veridical.errors import VeridicalError
from veridical.service.context import service_of
from veridical.service.demo import sample
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.errors import status_of
from veridical.service.pages.rendering import render
from veridical.service.reading.uploads import keep_upload
from veridical.service.reading.viewing import require_document
from veridical.sources.sniff import NAMED, SUPPORTED
from veridical.store.library import Shown, UploadState

router = APIRouter(include_in_schema=False)

MOST_FILES = 50
"""Of one form."""

_MOST_SEARCHED = 200
_MOST_CURSOR = 1_000
_UNDER_WAY = frozenset({UploadState.WAITING, UploadState.READING})

Files = Annotated[list[UploadFile] | None, File()]


@router.get("/documents")
def documents_page(
    request: Request,
    access: Reader,
    q: Annotated[str, Query(max_length=_MOST_SEARCHED)] = "",
    after: Annotated[str | None, Query(max_length=_MOST_CURSOR)] = None,
) -> Response:
    """What there is, with what became of each file."""
    return _list(request, access, q, after)


@router.post("/documents")
def upload_page(request: Request, access: Reviewer, file: Files = None) -> Response:
    """Takes files from the form; what is wrong with one of them is said, the others are kept."""
    problems = _keep_all(request, access, file or [])
    if problems:
        return _list(request, access, problems=problems)
    return RedirectResponse("/documents", 303)


@router.post("/documents/sample")
def add_sample(request: Request, access: Reviewer) -> Response:
    """Add a policy to begin with, and go where a question about it stands ready to be asked."""
    name, content, question = sample()
    keep_upload(service_of(request), access, name, content)
    return RedirectResponse("/?" + urlencode({"query": question}), 303)


@router.get("/documents/{document_id}/versions")
def versions_page(request: Request, access: Reader, document_id: str) -> Response:
    """All versions that can be read, and a form for the next one."""
    return _versions(request, access, require_document(access.shelf, document_id))


@router.post("/documents/{document_id}/versions")
def upload_version_page(
    request: Request, access: Reviewer, document_id: str, file: UploadFile | None = None
) -> Response:
    """Takes the next version of a document, whatever its file is called."""
    shown = require_document(access.shelf, document_id)
    problems = _keep_all(request, access, [file] if file else [], name=shown.filename)
    if problems:
        return _versions(request, access, shown, problem=problems[0][1])
    return RedirectResponse(f"/documents/{document_id}/versions", 303)


@router.get("/documents/{document_id}/delete")
def delete_question_page(request: Request, access: Admin, document_id: str) -> Response:
    """Asks once more."""
    shown = require_document(access.shelf, document_id)
    held = service_of(request).folders.holds(access.shelf, document_id)
    return render(request, "document_delete.html", access=access, shown=shown, from_folder=held)


@router.post("/documents/{document_id}/delete")
def delete_page(request: Request, access: Admin, document_id: str) -> Response:
    """Takes a document away, in all versions."""
    service_of(request).folders.require_not_kept(access.shelf, document_id)
    require_document(access.shelf, document_id)
    access.shelf.documents.delete(document_id)
    return RedirectResponse("/documents", 303)


def _list(
    request: Request,
    access: Access,
    q: str = "",
    after: str | None = None,
    problems: list[tuple[str, str]] | None = None,
) -> Response:
    page = access.shelf.documents.page(after=after, query=q)
    service = service_of(request)
    return render(
        request,
        "documents.html",
        access=access,
        status=422 if problems else 200,
        page=page,
        q=q,
        after=after,
        problems=problems or [],
        jobs=jobs_under_way(access, page.items),
        from_folder=lambda document: service.folders.holds(access.shelf, document),
        most_bytes=service.settings.max_upload_bytes,
        suffixes=",".join(NAMED),
        supported=SUPPORTED,
    )


def _versions(request: Request, access: Access, shown: Shown, problem: str = "") -> Response:
    service = service_of(request)
    return render(
        request,
        "document_versions.html",
        access=access,
        status=422 if problem else 200,
        shown=shown,
        problem=problem,
        versions=access.shelf.documents.versions(shown.document_id),
        jobs=jobs_under_way(access, (shown,)),
        from_folder=service.folders.holds(access.shelf, shown.document_id),
        most_bytes=service.settings.max_upload_bytes,
    )


def jobs_under_way(access: Access, items: tuple[Shown, ...]) -> dict[str, object]:
    """The jobs of files that are still to be read, by the id of the upload."""
    waiting = [s.latest for s in items if s.latest and s.latest.state in _UNDER_WAY]
    found = ((upload.id, access.shelf.jobs.get(upload.job_id)) for upload in waiting)
    return {upload: job for upload, job in found if job is not None}


def _keep_all(
    request: Request, access: Access, files: list[UploadFile], name: str = ""
) -> list[tuple[str, str]]:
    """Keep files one by one; the names of those that cannot be, and why."""
    service = service_of(request)
    given = [file for file in files if file.filename or file.size]
    if not given:
        return [("", "No file was chosen. Choose one or several, then send the form.")]
    problems: list[tuple[str, str]] = []
    if len(given) > MOST_FILES:
        problems.append(("", f"Only the first {MOST_FILES} files were taken. Send the rest again."))
    for file in given[:MOST_FILES]:
        most = service.settings.max_upload_bytes
        try:
            keep_upload(service, access, name or file.filename or "", file.file.read(most + 1))
        except VeridicalError as error:
            if status_of(error)[0] >= _OUR_FAULT:
                raise
            problems.append((file.filename or "", str(error)))
    return problems


_OUR_FAULT = 500

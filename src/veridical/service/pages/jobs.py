"""Pages: jobs, how far they are, and what they are about."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from veridical.reports.words import first_words
from veridical.service.entry.access import Access, Reader, Reviewer
from veridical.service.errors import there
from veridical.service.pages.records import PAGES
from veridical.service.pages.rendering import render, session_name
from veridical.store.jobs import Job, JobKind
from veridical.store.records import RecordKind

router = APIRouter(include_in_schema=False)

_ON_A_PAGE = 25

_MOST_NAME_CHARS = 160
_NO_JOB = "There is no such job here."

_PLACES = {pages.kind: pages.place for pages in PAGES}


@router.get("/jobs")
def jobs_page(request: Request, access: Reader, after: str | None = None) -> Response:
    """All jobs, newest first."""
    page = access.shelf.jobs.page(limit=_ON_A_PAGE, after=after)
    rows = [(job, _subject(access, job)) for job in page.items]
    return render(request, "jobs.html", access=access, rows=rows, page=page, after=after)


@router.get("/jobs/{job_id}")
def job_page(request: Request, access: Reader, job_id: str) -> Response:
    """One job: how far it is, and the way to what it is about."""
    job = there(access.shelf.jobs.get(job_id), _NO_JOB)
    return render(request, "job.html", access=access, job=job, subject=_subject(access, job))


@router.post("/jobs/{job_id}/cancel")
def cancel_job(access: Reviewer, job_id: str) -> Response:
    """Have a job end early."""
    there(access.shelf.jobs.ask_to_cancel(job_id), _NO_JOB)
    return RedirectResponse(f"/jobs/{job_id}", 303)


def _subject(access: Access, job: Job) -> dict[str, str] | None:
    """What a job is about: its name, as somebody wrote it, and the address of its page. None where
    that is there no longer.
    """
    shelf, subject_id = access.shelf, job.subject_id
    if job.kind is JobKind.INGEST:
        upload = shelf.documents.upload(subject_id)
        page = f"/documents/{upload.document_id}" if upload else ""
        return {"name": upload.filename, "page": page} if upload else None
    if job.kind in (JobKind.LEDGER, JobKind.EXPORT):
        session_id, page = subject_id, f"/sessions/{subject_id}"
        if job.kind is JobKind.EXPORT:
            export = shelf.exports.get(subject_id)
            session_id = export.session_id if export else ""
            page = f"/sessions/{session_id}/exports/{subject_id}"
        inquiry = shelf.inquiries.get(session_id) if session_id else None
        name = first_words(session_name(inquiry), _MOST_NAME_CHARS) if inquiry else ""
        return {"name": name, "page": page} if inquiry else None
    kind = RecordKind(job.kind.value)
    record = shelf.records.get(kind, subject_id)
    page = f"/{_PLACES[kind]}/{subject_id}"
    return {"name": record.title, "page": page} if record else None

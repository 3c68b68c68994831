"""Endpoints under `/api/v1`: jobs, how far they are, and their end before their time."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import Field

from veridical.codec import Codec
from veridical.service.api.wire import (
    EXAMPLE_ID,
    KNOWN,
    USUAL_ON_A_PAGE,
    After,
    Limit,
    PageReply,
    Wire,
    errors,
    id_path,
    page_reply,
)
from veridical.service.context import service_of
from veridical.service.entry.access import Reader, Reviewer, caller_of
from veridical.service.errors import NotReadyError, there
from veridical.service.jobs.watching import Change
from veridical.store.jobs import Job, JobKind, JobState
from veridical.store.rows import stamp

job_to_wire = Codec(values={datetime: (stamp, datetime.fromisoformat)}).write
"""A job as plain values."""

router = APIRouter(tags=["jobs"])

RECONNECT_MILLISECONDS = 1_000
_MOST_EVENT_ID_CHARS = 20
_NO_JOB = "There is no such job in this workspace."

JobId = Annotated[str, id_path("job"), KNOWN]


class JobReply(Wire):
    """Work that takes longer than a request. `state` is `done`, `failed` or `cancelled` for good.

    `subject_id` is what it is about: an upload, a session, an export or a record. `done` of
    `total` steps, where `total` is 0 as long as it is not known; `step` says what is being done.
    `message` says why it failed. `revision` grows with each change.
    """

    id: str = Field(examples=[EXAMPLE_ID])
    kind: JobKind
    subject_id: str = Field(examples=[EXAMPLE_ID])
    state: JobState
    done: int = Field(ge=0, examples=[3])
    total: int = Field(ge=0, examples=[12])
    step: str = Field(examples=["checking claims"])
    message: str
    cancel_asked: bool
    times_begun: int = Field(ge=0, description="By how many processes, one after the other.")
    revision: int = Field(ge=0)
    created_at: str = Field(examples=["2026-01-03T14:30:00Z"])
    started_at: str | None
    ended_at: str | None


@router.get("/jobs", response_model=PageReply[JobReply], responses=errors(422))
def list_jobs(
    access: Reader,
    limit: Limit = USUAL_ON_A_PAGE,
    after: After = None,
    active: Annotated[bool, Query(description="Only those that are not over.")] = False,
) -> dict[str, Any]:
    """Newest first."""
    page = access.shelf.jobs.page(limit=limit, after=after, active_only=active)
    return page_reply(page, job_to_wire)


@router.get("/jobs/{job_id}", response_model=JobReply, responses=errors(404))
def get_job(access: Reader, job_id: JobId) -> dict[str, Any]:
    """How far it is, or how it ended."""
    return job_to_wire(there(access.shelf.jobs.get(job_id), _NO_JOB))


@router.post(
    "/jobs/{job_id}/cancel",
    response_model=JobReply,
    responses=errors(404),
    summary="Have a job end early",
)
def cancel_job(access: Reviewer, job_id: JobId) -> dict[str, Any]:
    """One that waits ends at once, one at work as soon as it can; one that is over stays as it is.

    Nothing of what it would have made is kept.
    """
    return job_to_wire(there(access.shelf.jobs.ask_to_cancel(job_id), _NO_JOB))


_EVENT = {
    "description": "Of each event.",
    "type": "object",
    "properties": {
        "event": {"type": "string", "enum": ["progress", "end"]},
        "id": {"type": "string"},
        "data": {
            "type": "string",
            "contentMediaType": "application/json",
            "contentSchema": {"$ref": f"#/components/schemas/{JobReply.__name__}"},
        },
        "retry": {"type": "integer"},
    },
}


async def _seat(request: Request, access: Reader) -> AsyncIterator[None]:  # noqa: ARG001  # first
    """A place among the listeners, until the stream is over."""
    async with service_of(request).jobs.watch.seats.one_for("", caller_of(request)) as is_free:
        if not is_free:
            raise NotReadyError("Too many are following jobs now. Ask for the job itself instead.")
        yield


@router.get(
    "/jobs/{job_id}/events",
    dependencies=[Depends(_seat)],
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events. `progress` with the job as its data at once and at "
            "each change, its revision as the id; `end` with the same once it is over. A stream "
            "may break off before: connect again, with the last id.",
            "content": {"text/event-stream": {"schema": _EVENT}},
        },
        **errors(404, 422),
    },
    summary="Follow a job",
)
def job_events(
    request: Request,
    access: Reader,
    job_id: JobId,
    last_event_id: Annotated[
        str,
        Header(max_length=_MOST_EVENT_ID_CHARS, description="What was seen last, as browsers say."),
    ] = "",
) -> StreamingResponse:
    """Tells how far it is, as it changes."""
    job = there(access.shelf.jobs.get(job_id), _NO_JOB)
    service = service_of(request)
    seen = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else None
    changes = service.jobs.watch.changes(
        job,
        seen,
        is_ending=service.stopping.is_set,
        may_listen=lambda: service.identities.is_known_still(request),
    )
    return StreamingResponse(
        _events(job, changes),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )


async def _events(job: Job, changes: AsyncIterator[Change]) -> AsyncIterator[bytes]:
    yield b"retry: %d\n\n" % RECONNECT_MILLISECONDS
    async for change in changes:
        if change is None:
            yield b": still here\n\n"
        else:
            job = change
            yield _event("progress", job)
    if job.state.is_over:
        yield _event("end", job)


def _event(name: str, job: Job) -> bytes:
    data = json.dumps(job_to_wire(job), ensure_ascii=True, separators=(",", ":"))
    return f"event: {name}\nid: {job.revision}\ndata: {data}\n\n".encode("ascii")

"""For whoever watches over the service: is it ready, and what does it do?"""

from __future__ import annotations

from typing import Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from veridical.service.api.wire import Wire, errors
from veridical.service.context import service_of
from veridical.service.entry.access import Admin
from veridical.service.jobs.engine import EngineState
from veridical.service.observing.observed import CONTENT_TYPE

router = APIRouter()


class ReadyReply(Wire):
    """Whether requests may be sent here. `reasons` says what is in the way."""

    status: Literal["ready", "not_ready"]
    reasons: list[str] = Field(examples=[[]])


@router.head("/ready", include_in_schema=False)
@router.get(
    "/ready",
    response_model=ReadyReply,
    responses={503: {"model": ReadyReply, "description": "Not now; `reasons` says why"}},
    summary="May requests be sent here?",
    tags=["operations"],
)
async def ready(request: Request, response: Response) -> ReadyReply:
    """200 while the database answers and jobs are worked on, 503 otherwise and while stopping."""
    service = service_of(request)
    reasons = []
    if service.stopping.is_set():
        reasons.append("the server is stopping")
    if not await service.pings.look(service.store.ping):
        reasons.append("the database does not answer")
    if service.jobs.state is not EngineState.READY:
        reasons.append(f"the job engine is {service.jobs.state}")
    if reasons:
        response.status_code = 503
    return ReadyReply(status="not_ready" if reasons else "ready", reasons=reasons)


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        **errors(),
    },
    summary="Numbers for Prometheus",
    tags=["operations"],
)
def metrics(request: Request, access: Admin) -> Response:  # noqa: ARG001  # for its rights only
    """Requests by route, method and class of status, their time, jobs that are not over, and
    whether the database answers. With tokens it needs one of an admin.
    """
    return Response(service_of(request).metrics.exposition(), media_type=CONTENT_TYPE)

"""`POST /chat`: a question, answered at once; and for whoever watches over the service, whether it
can be (`GET /health`, `GET /ready`), and what the service does (`GET /metrics`).
"""

from __future__ import annotations

from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from pydantic import Field

from veridical.answering.question import MAX_QUESTION_CHARS
from veridical.answering.wire import answer_to_wire
from veridical.service.api.wire import Wire, errors
from veridical.service.context import service_of
from veridical.service.corpora import FolderState
from veridical.service.entry.access import Admin, Reader
from veridical.service.inquiring.asking import answer_in_turn, status_of_answers
from veridical.service.jobs.engine import EngineState
from veridical.service.observing.observed import CONTENT_TYPE
from veridical.service.settings import Auth

router = APIRouter(tags=["chat"])


class ChatRequest(Wire):
    """A question."""

    question: str = Field(
        description=f"At most {MAX_QUESTION_CHARS:,} characters.",
        examples=["How many days of leave do I get?"],
    )


class CitationReply(Wire):
    """Source `number` of the answer; offsets are code points of the document's text, half-open."""

    doc_id: str
    title: str
    section: str
    snippet: str
    text: str
    number: int
    page: int | None
    start: int
    end: int
    anchor: str


class StatementReply(Wire):
    """A statement, and the numbers of the citations that bear it out."""

    text: str
    citations: list[int]


class QuoteReply(Wire):
    """A sentence of a source, word for word, and its place in the document."""

    text: str
    citation: int
    start: int
    end: int


class RefusalReply(Wire):
    """Why there is no answer, and what no document says."""

    reason: str
    missing: list[str]


class ChatReply(Wire):
    """An answer with its proof, or a refusal with neither citations nor snippets."""

    answer: str
    citations: list[CitationReply]
    snippets: list[str]
    latency_ms: float
    refused: bool
    refusal: RefusalReply | None
    statements: list[StatementReply]
    quotes: list[QuoteReply]
    disagreement: str
    answered_by: str
    probability: float
    notes: list[str]
    nearest: list[CitationReply] = Field(
        description="Of a refusal: the passages that come nearest, and prove nothing."
    )


class HealthReply(Wire):
    """How far the service is with the workspace that it was started for. With tokens only the
    status: anybody may ask.
    """

    status: FolderState
    documents: int | None = None
    chunks: int | None = None
    unreadable: int | None = Field(None, description="Files of folders that could not be read.")
    version: int | None = Field(None, description="Goes up with each change of the documents.")
    answered_by: str | None = None
    message: str | None = None


@router.post(
    "/chat",
    response_model=ChatReply,
    responses=errors(408, 413, 422, 502),
    summary="Ask a question",
)
async def chat(question: ChatRequest, request: Request, access: Reader) -> dict[str, Any]:
    """Answers from the documents with citations and quotes, or says that it cannot.

    Where too many questions are being answered it waits for ten seconds, and then says so.
    """
    answered = await answer_in_turn(request, access, question.question)
    return answer_to_wire(answered.answer, answered.latency_ms)


@router.head("/health", include_in_schema=False)
@router.get(
    "/health",
    response_model=HealthReply,
    response_model_exclude_unset=True,
    responses={503: {"model": HealthReply, "description": "Not yet, or not at all"}},
    summary="Is it ready to answer?",
)
async def health(request: Request, response: Response) -> dict[str, Any]:
    """200 once questions are answered, 503 before that or where the documents cannot be read."""
    # On the event loop: threads may all be waiting for the database, which this does not ask.
    service = service_of(request)
    found = status_of_answers(service, service.store.shelf(service.settings.workspace))
    if found["status"] is not FolderState.READY:
        response.status_code = 503
    return {"status": found["status"]} if service.settings.auth is Auth.TOKEN else found


operations = APIRouter()


class ReadyReply(Wire):
    """Whether requests may be sent here. `reasons` says what is in the way."""

    status: Literal["ready", "not_ready"]
    reasons: list[str] = Field(examples=[[]])


@operations.head("/ready", include_in_schema=False)
@operations.get(
    "/ready",
    response_model=ReadyReply,
    responses={503: {"model": ReadyReply, "description": "Not now; `reasons` says why"}},
    summary="May requests be sent here?",
    operation_id="operations_ready",
    tags=["operations"],
)
async def ready(request: Request, response: Response) -> ReadyReply:
    """200 while the database can be written to and jobs are worked on, 503 otherwise and while
    stopping.
    """
    service = service_of(request)
    reasons = []
    if service.stopping.is_set():
        reasons.append("the server is stopping")
    if problem := await service.pings.look(service.store.ping):
        reasons.append(problem)
    if service.jobs.state is not EngineState.READY:
        reasons.append(f"the job engine is {service.jobs.state}")
    if reasons:
        response.status_code = 503
    return ReadyReply(status="not_ready" if reasons else "ready", reasons=reasons)


@operations.get(
    "/metrics",
    response_class=Response,
    responses={
        200: {"content": {"text/plain": {"schema": {"type": "string"}}}},
        **errors(),
    },
    summary="Numbers for Prometheus",
    operation_id="operations_metrics",
    tags=["operations"],
)
def metrics(request: Request, access: Admin) -> Response:  # noqa: ARG001  # for its rights only
    """Requests by route, method and class of status, their time, jobs that are not over, and
    whether the database answers. With tokens it needs one of an admin.
    """
    return Response(service_of(request).metrics.exposition(), media_type=CONTENT_TYPE)

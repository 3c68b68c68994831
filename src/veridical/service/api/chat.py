"""`POST /chat` and `GET /health`."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response
from pydantic import BaseModel, ConfigDict, Field

from veridical.answering.question.asked import MAX_QUESTION_CHARS
from veridical.answering.wire import answer_to_wire
from veridical.service.desk import AnswerDesk, State

router = APIRouter()


class _Wire(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ChatRequest(_Wire):
    """A question."""

    question: str = Field(
        description=f"At most {MAX_QUESTION_CHARS:,} characters.",
        examples=["How many days of leave do I get?"],
    )


class CitationReply(_Wire):
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


class StatementReply(_Wire):
    """A statement, and the numbers of the citations that bear it out."""

    text: str
    citations: list[int]


class QuoteReply(_Wire):
    """A sentence of a source, word for word, and its place in the document."""

    text: str
    citation: int
    start: int
    end: int


class RefusalReply(_Wire):
    """Why there is no answer, and what no document says."""

    reason: str
    missing: list[str]


class ChatReply(_Wire):
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


class HealthReply(_Wire):
    """How far the service is; `status` is `ready`, `starting` or `failed`."""

    status: State
    documents: int
    chunks: int
    unreadable: int
    version: int
    answered_by: str
    message: str


class ErrorBody(_Wire):
    """What went wrong, and what to do."""

    code: str
    message: str


class ErrorReply(_Wire):
    """Every error of the service."""

    error: ErrorBody


def desk_of(request: Request) -> AnswerDesk:
    """The desk of the application that a request came to."""
    desk = request.app.state.desk
    assert isinstance(desk, AnswerDesk)  # noqa: S101  # set where the application is made
    return desk


_ERRORS: dict[int | str, dict[str, object]] = {
    status: {"model": ErrorReply, "description": description}
    for status, description in {
        408: "The request did not arrive in time",
        413: "The request is too large",
        422: "The request is not usable",
        502: "The language model cannot be used",
        500: "Something is wrong here",
        503: "The index is still being made, or the language model does not answer",
    }.items()
}


@router.post("/chat", response_model=ChatReply, responses=_ERRORS, summary="Ask a question")
def chat(question: ChatRequest, request: Request) -> dict[str, object]:
    """Answers from the documents with citations and quotes, or says that it cannot."""
    answered = desk_of(request).answer(question.question)
    return answer_to_wire(answered.answer, answered.latency_ms)


@router.head("/health", include_in_schema=False)
@router.get(
    "/health",
    response_model=HealthReply,
    responses={503: {"model": HealthReply, "description": "Not yet, or not at all"}},
    summary="Is it ready to answer?",
)
def health(request: Request, response: Response) -> HealthReply:
    """200 once questions are answered, 503 before that or where the documents cannot be opened."""
    status = desk_of(request).status
    if status.state is not State.READY:
        response.status_code = 503
    return HealthReply(
        status=status.state,
        documents=status.documents,
        chunks=status.chunks,
        unreadable=status.unreadable,
        version=status.version,
        answered_by=status.answered_by,
        message=status.message,
    )

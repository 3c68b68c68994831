"""The question page: a form, and the answer with its sources below. It needs no script."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from veridical.answering.question.limits import MAX_QUESTION_CHARS
from veridical.errors import VeridicalError
from veridical.service import desk
from veridical.service.context import service_of
from veridical.service.desk import Answered, FolderState
from veridical.service.entry.access import Access, Reader
from veridical.service.errors import status_of
from veridical.service.pages.answer_parts import source_parts
from veridical.service.pages.rendering import render

router = APIRouter(include_in_schema=False)


@router.head("/ask", response_class=HTMLResponse)
@router.get("/ask", response_class=HTMLResponse)
async def ask_page(request: Request, access: Reader, question: str = "") -> Response:
    """The form; with a question, its answer too. The address can be kept and passed on."""
    answered: Answered | None = None
    problem, code = "", 200
    if question.strip():
        try:
            answered = await desk.answer_in_turn(request, access, question)
        except VeridicalError as error:
            problem, code = str(error), status_of(error)[0]
    # What is drawn reads the database: not on the event loop.
    return await run_in_threadpool(_drawn, request, access, question, answered, problem, code)


def _drawn(
    request: Request, access: Access, question: str, answered: Answered | None, problem: str,
    code: int,
) -> Response:  # fmt: skip
    service = service_of(request)
    looked = desk.status(service, access.shelf)
    return render(
        request,
        "ask.html",
        access=access,
        status=code,
        question=question[:MAX_QUESTION_CHARS],
        answered=answered,
        problem=problem,
        desk=looked,
        is_ready=looked.state is FolderState.READY,
        most_chars=MAX_QUESTION_CHARS,
        source_parts=source_parts,
    )

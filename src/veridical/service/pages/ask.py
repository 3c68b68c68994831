"""The question page: a form, and the answer with its sources below. It needs no script."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response

from veridical.answering.question.limits import MAX_QUESTION_CHARS
from veridical.errors import VeridicalError
from veridical.service import desk
from veridical.service.context import service_of
from veridical.service.desk import Answered, FolderState
from veridical.service.entry.access import Reader
from veridical.service.errors import status_of
from veridical.service.pages.answer_parts import source_parts
from veridical.service.pages.rendering import render

router = APIRouter(include_in_schema=False)


@router.head("/ask", response_class=HTMLResponse)
@router.get("/ask", response_class=HTMLResponse)
def ask_page(request: Request, access: Reader, question: str = "") -> Response:
    """The form; with a question, its answer too. The address can be kept and passed on."""
    service = service_of(request)
    answered: Answered | None = None
    problem, code = "", 200
    if question.strip():
        try:
            answered = desk.answer(service, access.shelf, question)
        except VeridicalError as error:
            problem, code = str(error), status_of(error)[0]
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

"""The question page: a form, and the answer with its sources below. It needs no script."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.responses import Response
from starlette.templating import Jinja2Templates

from veridical.answering.question.asked import MAX_QUESTION_CHARS
from veridical.errors import VeridicalError
from veridical.service.api.chat import desk_of
from veridical.service.desk import Answered, State
from veridical.service.errors import status_of
from veridical.service.pages.answer_parts import source_parts

router = APIRouter(include_in_schema=False)
_templates = Jinja2Templates(directory=Path(__file__).parent.parent / "templates")
_templates.env.globals.update(source_parts=source_parts, most_chars=MAX_QUESTION_CHARS)


@router.head("/", response_class=HTMLResponse)
@router.get("/", response_class=HTMLResponse)
def ask_page(request: Request, question: str = "") -> Response:
    """The form; with a question, its answer too. The address can be kept and passed on."""
    desk = desk_of(request)
    answered: Answered | None = None
    problem, status = "", 200
    if question.strip():
        try:
            answered = desk.answer(question)
        except VeridicalError as error:
            problem, status = str(error), status_of(error)[0]
    context = {
        "question": question[:MAX_QUESTION_CHARS],
        "answered": answered,
        "problem": problem,
        "status": desk.status,
        "is_ready": desk.status.state is State.READY,
    }
    return _templates.TemplateResponse(request, "ask.html", context, status_code=status)

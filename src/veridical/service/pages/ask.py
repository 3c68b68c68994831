"""Pages to ask on: the first page, the question page with its answer below, and help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from veridical.answering.answer import Citation, InjectedQuote, PolicyAnswer
from veridical.answering.question import MAX_QUESTION_CHARS
from veridical.errors import VeridicalError
from veridical.ledger.export import wording
from veridical.service.context import Service, service_of
from veridical.service.corpora import FolderState
from veridical.service.entry.access import Access, Reader
from veridical.service.errors import status_of
from veridical.service.inquiring.asking import Answered, answer_in_turn, status_of_answers
from veridical.service.pages.rendering import render, unwrapped
from veridical.store.inquiries import Inquiry, Mode
from veridical.store.store import Shelf


def listed(service: Service, shelf: Shelf, items: Sequence[Inquiry]) -> list[dict[str, Any]]:
    """Sessions of one page of a list. `counts` and `risks` are those of the verdicts that stand;
    `is_by_review` says that they are not all the machine's. Only ledgers that somebody reviewed
    are looked at.
    """
    reviewed = shelf.reviews.reviewed([item.id for item in items if item.summary])
    found: list[dict[str, Any]] = []
    for item in items:
        counts = machine = item.summary.by_verdict if item.summary else {}
        risks = item.risks
        view = service.ledgers.find(shelf, item.id) if item.id in reviewed else None
        if view is not None:
            counts, risks = view.reviewed.summary.by_verdict, len(view.reviewed.risk_flags)
        by_review = counts != machine
        found.append({"inquiry": item, "counts": counts, "risks": risks, "is_by_review": by_review})
    return found


router = APIRouter(include_in_schema=False)

_RECENT = 6
_BANDS = (0.9, 0.75, 0.6, 0.4, 0.1)
"""A confidence of each band, for the help page."""


@router.get("/")
def first_page(request: Request, access: Reader, query: str = "", mode: str = "") -> Response:
    """One box to ask or to have an answer checked; what there is, and what was asked before.

    `query` and `mode` fill the box in: links to a question to ask next have them.
    """
    wanted = Mode.VERIFY if mode == Mode.VERIFY.value else Mode.ANSWER
    return home_page(request, access, mode=wanted, query=query[:MAX_QUESTION_CHARS])


def home_page(
    request: Request, access: Access, *, mode: Mode = Mode.ANSWER, query: str = "",
    answer: str = "", problem: str = "", status: int = 200,
) -> Response:  # fmt: skip
    """The first page with what was typed, and what is wrong with it."""
    return render(
        request, "home.html", access=access, status=status, mode=mode.value, query=query,
        answer=answer, problem=problem, most_question_chars=MAX_QUESTION_CHARS,
        documents=len(access.shelf.documents.state()),
        recent=listed(
            service_of(request), access.shelf, access.shelf.inquiries.page(limit=_RECENT).items
        ),
        under_way=len(access.shelf.jobs.page(limit=50, active_only=True).items),
    )  # fmt: skip


@router.get("/help")
def help_page(request: Request, access: Reader) -> Response:
    """Keys, and what signs and words mean."""
    return render(
        request, "help.html", access=access, bands=_BANDS, worst_first=wording.WORST_FIRST
    )


def source_parts(answer: PolicyAnswer, citation: Citation) -> list[dict[str, Any]]:
    """The text of a source, in order and whole, cut where quotes begin and end; `quoted` are the
    parts that the answer rests on.
    """
    text = unwrapped(citation.text)
    quotes = [quote for quote in answer.quotes if quote.citation == citation.number]
    parts: list[dict[str, Any]] = []
    at = 0
    for start, end in _places(text, quotes):
        parts.append({"text": text[at:start], "quoted": False})
        parts.append({"text": text[start:end], "quoted": True})
        at = end
    parts.append({"text": text[at:], "quoted": False})
    return [part for part in parts if part["text"]]


def _places(text: str, quotes: Sequence[InjectedQuote]) -> list[tuple[int, int]]:
    """Where quotes stand in a text that they match but for white space; none overlaps another."""
    found: list[tuple[int, int]] = []
    for quote in quotes:
        words = map(re.escape, quote.text.split())
        place = re.search(r"\s+".join(words), text)
        if place and all(place.end() <= start or end <= place.start() for start, end in found):
            found.append(place.span())
    return sorted(found)


@router.head("/ask", response_class=HTMLResponse)
@router.get("/ask", response_class=HTMLResponse)
async def ask_page(request: Request, access: Reader, question: str = "") -> Response:
    """The form; with a question, its answer too. The address can be kept and passed on."""
    answered: Answered | None = None
    problem, code = "", 200
    if question.strip():
        try:
            answered = await answer_in_turn(request, access, question)
        except VeridicalError as error:
            problem, code = str(error), status_of(error)[0]
    looked = status_of_answers(service_of(request), access.shelf)
    page = partial(
        render,
        request,
        "ask.html",
        access=access,
        status=code,
        question=question[:MAX_QUESTION_CHARS],
        answered=answered,
        problem=problem,
        desk=looked,
        is_ready=looked["status"] is FolderState.READY,
        most_chars=MAX_QUESTION_CHARS,
        source_parts=source_parts,
        document_id=access.shelf.documents.document_id,
    )
    # What is drawn may read the database: not on the event loop.
    return await run_in_threadpool(page)

"""Pages: sessions, their claims, and what a reviewer does with them."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from veridical.errors import ValidationError
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.inquiring.asking import new_inquiry
from veridical.service.pages import claims, session_exports
from veridical.service.pages.home import home_page, listed
from veridical.service.pages.rendering import render, session_name
from veridical.service.pages.session_before import related_to
from veridical.service.pages.session_find import inquiry_of
from veridical.service.pages.session_rows import asked_for
from veridical.service.pages.session_view import session_context
from veridical.store.inquiries import Mode

router = APIRouter(include_in_schema=False)
router.include_router(claims.router)
router.include_router(session_exports.router)

SEE_OTHER = 303
_MOST_SEARCHED = 200


@router.get("/sessions")
def sessions_page(
    request: Request,
    access: Reader,
    q: Annotated[str, Query(max_length=_MOST_SEARCHED)] = "",
    after: str | None = None,
) -> Response:
    """Sessions, newest first, with what came of them."""
    page = access.shelf.inquiries.page(limit=25, after=after, query=q.strip())
    items = listed(service_of(request), access.shelf, page.items)
    return render(request, "sessions.html", access=access, items=items, page=page, q=q, after=after)


@router.post("/sessions")
def begin_session(
    request: Request,
    access: Reviewer,
    mode: Annotated[str, Form()] = Mode.ANSWER.value,
    query: Annotated[str, Form()] = "",
    answer: Annotated[str, Form()] = "",
) -> Response:
    """Ask a question, or have an answer checked."""
    wanted = Mode.VERIFY if mode == Mode.VERIFY.value else Mode.ANSWER
    answer = answer.replace("\r\n", "\n")  # as browsers send what was typed
    try:
        added = new_inquiry(
            service_of(request),
            access,
            wanted,
            query.replace("\r\n", "\n"),
            answer=answer if wanted is Mode.VERIFY else None,
        )
    except ValidationError as error:
        return home_page(
            request, access, mode=wanted, query=query, answer=answer, problem=str(error), status=422
        )
    return RedirectResponse(f"/sessions/{added.id}", SEE_OTHER)


@router.post("/sessions/{session_id}/again")
def begin_again(request: Request, access: Reviewer, session_id: str) -> Response:
    """Ask or check the same once more, with the documents as they are now: a session of its own."""
    old = inquiry_of(access, session_id)
    given = old.answer if old.mode is Mode.VERIFY else None
    added = new_inquiry(
        service_of(request), access, old.mode, old.query, answer=given, title=old.title,
        earlier=old.id,
    )  # fmt: skip
    return RedirectResponse(f"/sessions/{added.id}", SEE_OTHER)


@router.get("/sessions/{session_id}")
def session_page(
    request: Request,
    access: Reader,
    session_id: str,
    verdict: Annotated[list[str] | None, Query()] = None,
    decided: str = "",
    sort: str = "",
    q: Annotated[str, Query(max_length=_MOST_SEARCHED)] = "",
    first: int = 1,
    expanded: bool = False,
) -> Response:
    """A session: its answer, its claims, and what was decided about them."""
    view = service_of(request).ledgers.find(access.shelf, session_id)
    if view is None:
        return _without_ledger(request, access, session_id)
    asked = asked_for(verdict or (), decided, sort, q, first)
    context = session_context(request, access, view, asked, expanded=expanded)
    return render(request, "session.html", access=access, **context)


def _without_ledger(request: Request, access: Access, session_id: str) -> Response:
    inquiry = inquiry_of(access, session_id)
    job = access.shelf.jobs.get(inquiry.job_id) if inquiry.job_id else None
    return render(
        request, "session.html", access=access, view=None, inquiry=inquiry, job=job,
        title=session_name(inquiry), related=related_to(access, inquiry),
    )  # fmt: skip


@router.get("/sessions/{session_id}/delete")
def delete_page(request: Request, access: Admin, session_id: str) -> Response:
    """Asks whether a session shall really go."""
    inquiry = inquiry_of(access, session_id)
    return render(request, "session_delete.html", access=access, inquiry=inquiry)


@router.post("/sessions/{session_id}/delete")
def delete_session(access: Admin, session_id: str) -> Response:
    """Take a session away, with its ledgers and what was decided."""
    inquiry_of(access, session_id)
    access.shelf.inquiries.delete(session_id)
    return RedirectResponse("/sessions", SEE_OTHER)

"""Pages: one claim, and the decision about it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from veridical.errors import ConflictError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.review import Decision
from veridical.service.entry.access import Access, Reader, Reviewer
from veridical.service.errors import NotFoundError
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.claim_parts import claim_parts
from veridical.service.pages.rendering import is_fragment, render
from veridical.service.pages.session_before import before_of, earlier_view
from veridical.service.pages.session_find import claim_of
from veridical.service.pages.session_sources import newer_of_claim
from veridical.service.pages.session_view import CLAIM_WORDS, fresh_body

router = APIRouter(include_in_schema=False)

_SEE_OTHER, _CONFLICT, _UNUSABLE = 303, 409, 422
_GONE = "The ledger was built anew meanwhile, without this claim. Look at the session again."


@router.get("/sessions/{session_id}/claims/{number}")
def claim_page(request: Request, access: Reader, session_id: str, number: int) -> Response:
    """One claim whole; for htmx, the claim as it stands in the table."""
    return _claim(request, access, claim_of(request, access, session_id, number), number)


@router.post("/sessions/{session_id}/claims/{number}/review")
def review_claim(
    request: Request, access: Reviewer, session_id: str, number: int,
    decision: Annotated[str, Form()], seen: Annotated[str, Form()] = "",
    ledger: Annotated[str, Form()] = "",
    verdict: Annotated[str, Form()] = "", reason: Annotated[str, Form()] = "",
) -> Response:  # fmt: skip
    """Accept a verdict, overrule it, or take that back. `seen` is the last decision that the
    reviewer saw, `ledger` the stamp of the ledger: where there is another one since, nothing is
    kept, and the claim is shown anew.
    """
    view = claim_of(request, access, session_id, number)
    given = {"verdict": verdict, "reason": reason}
    try:
        kept = access.shelf.reviews.add(
            session_id,
            view.ledger.entries[number - 1].id,
            _decision(decision),
            by=access.actor,
            verdict=_verdict(verdict),
            reason=reason.replace("\r\n", "\n").strip(),
            expected_last=seen,
            expected_stamp=ledger,
        )
    except ConflictError as error:
        view = claim_of(request, access, session_id, number)
        return _claim(request, access, view, number, _CONFLICT, str(error), given)
    except ValidationError as error:
        return _claim(request, access, view, number, _UNUSABLE, str(error), given)
    if kept is None:
        raise NotFoundError(_GONE)
    if is_fragment(request):
        return _claim(request, access, claim_of(request, access, session_id, number), number)
    return RedirectResponse(f"/sessions/{view.inquiry.id}/claims/{number}", _SEE_OTHER)


def _decision(value: str) -> Decision:
    if value not in set(Decision):
        raise ValidationError("A decision is to accept, to overrule, or to withdraw.")
    return Decision(value)


def _verdict(value: str) -> Verdict | None:
    if value and value not in set(Verdict):
        raise ValidationError("There is no such verdict.")
    return Verdict(value) if value else None


def _claim(
    request: Request, access: Access, view: LedgerView, number: int, status: int = 200,
    problem: str = "", given: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    """A claim as whoever asks can use it: a page, or the body of the table that htmx replaces."""
    if is_fragment(request):
        body = fresh_body(request, access, view, number, problem=problem, given=given)
        response: Response = HTMLResponse(body, status)
    else:
        before = before_of(view, earlier_view(request, access, view)).get(number)
        newer = newer_of_claim(access.shelf, view, number)
        response = render(
            request, "claim.html", access=access, status=status, view=view, inquiry=view.inquiry,
            parts=claim_parts(view, number, newer, before),
            last=len(view.ledger.entries), problem=problem, given=given, swaps=False,
            **CLAIM_WORDS,
        )  # fmt: skip
    response.headers["Vary"] = "HX-Request"
    return response

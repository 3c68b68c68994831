"""Pages: sessions, their claims and files, and what a reviewer does with them."""

from __future__ import annotations

from collections import Counter
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from veridical.errors import ConflictError, ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Severity
from veridical.ledger.export import wording
from veridical.ledger.review import Decision
from veridical.service.context import service_of
from veridical.service.demo import DEMO
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.errors import NotFoundError, there
from veridical.service.inquiring.asking import download_url, exported, new_inquiry
from veridical.service.inquiring.ledger_view import LedgerView, newer_versions
from veridical.service.jobs.work.found import found_claims
from veridical.service.pages.ask import home_page
from veridical.service.pages.claims import Asked, Claim, Decided, Order, claims_of
from veridical.service.pages.rendering import document_link, is_fragment, render, session_name
from veridical.service.reading.viewing import lines_around, open_version
from veridical.store.inquiries import Inquiry, Mode
from veridical.store.jobs import JobState


def inquiry_of(access: Access, session_id: str) -> Inquiry:
    """The inquiry of an address. Raises NotFoundError where there is none."""
    inquiry = access.shelf.inquiries.get(session_id)
    return there(inquiry, "There is no such session. It may have been deleted.")


def claim_of(request: Request, access: Access, session_id: str, number: int) -> LedgerView:
    """The ledger that has a claim of this number. Raises NotFoundError where none has."""
    view = service_of(request).ledgers.find(access.shelf, session_id)
    if view is None:
        inquiry_of(access, session_id)
        raise NotFoundError("This session has no ledger yet.")
    if not 1 <= number <= len(view.ledger.entries):
        raise NotFoundError(f"There is no claim {number} in this session.")
    return view


router = APIRouter(include_in_schema=False)

MOST_WHOLE = 40
"""Claims up to which a page carries them in full from the start: to be opened at once, and printed.
Those of a longer ledger are fetched when they are opened."""

MOST_EXPANDED = 500
"""Claims that are shown in full at most on one page."""

MOST_ROWS = 2_000
"""Claims of one page; a longer ledger goes on at the next one."""

_SEVERITIES = list(Severity)
_CONFLICT, _UNUSABLE = 409, 422
_GONE = "The ledger was built anew meanwhile, without this claim. Look at the session again."


@router.get("/sessions/{session_id}/claims/{number}")
def claim_page(request: Request, access: Reader, session_id: str, number: int) -> Response:
    """One claim whole; for htmx, the claim as it stands in the table."""
    return _claim(request, access, claim_of(request, access, session_id, number), number)


@router.get("/sessions/{session_id}/claims/{number}/words")
def claim_words(
    request: Request, access: Reader, session_id: str, number: int, source: int | None = None
) -> Response:
    """The words that a claim rests on, or those that its citation of this place stands for, with
    the lines around them: for a pointer that rests on the claim in the answer.
    """
    view = claim_of(request, access, session_id, number)
    claim = Claim(view, number)
    pieces = claim.pieces(source)
    piece = pieces[0] if pieces else None
    version = view.versions.get(piece.source_id) if piece else None
    around = ("", "")
    if piece is not None and version is not None:
        document = open_version(access.shelf, piece.source_id, version).document
        around = lines_around(document, piece.snippet_span)
    return render(
        request, "_words.html", access=access, claim=claim, piece=piece, before=around[0],
        after=around[1], is_near=piece in claim.entry.near,
    )  # fmt: skip


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
    problem = ""
    if decision not in set(Decision):
        problem = "A decision is to accept, to overrule, or to withdraw."
    elif verdict and verdict not in set(Verdict):
        problem = "There is no such verdict."
    if problem:
        return _claim(request, access, view, number, _UNUSABLE, problem, given)
    try:
        kept = access.shelf.reviews.add(
            session_id,
            view.ledger.entries[number - 1].id,
            Decision(decision),
            by=access.actor,
            verdict=Verdict(verdict) if verdict else None,
            reason=reason.replace("\r\n", "\n").strip(),
            expected_last=seen,
            expected_stamp=ledger,
        )
    except ConflictError as error:
        view = claim_of(request, access, session_id, number)
        return _claim(request, access, view, number, _CONFLICT, str(error), given)
    except ValidationError as error:
        return _claim(request, access, view, number, _UNUSABLE, str(error), given)
    there(kept, _GONE)
    if is_fragment(request):
        return _claim(request, access, claim_of(request, access, session_id, number), number)
    return RedirectResponse(f"/sessions/{view.inquiry.id}/claims/{number}", 303)


def _claim(
    request: Request, access: Access, view: LedgerView, number: int, status: int = 200,
    problem: str = "", given: dict[str, str] | None = None,
) -> Response:  # fmt: skip
    """A claim as whoever asks can use it: a page, or the body of the table that htmx replaces."""
    response = render(
        request,
        "_claim_body.html" if is_fragment(request) else "claim.html",
        access=access,
        status=status,
        view=view,
        claim=claims_of(view, _earlier(request, access, view))[number - 1],
        newer=newer_versions(access.shelf, view.ledger, view.versions),
        problem=problem,
        given=given,
        swaps=is_fragment(request),
        is_open=True,
        is_hidden=False,
        **(_following(view) if request.method == "POST" else {"risks": None}),
    )
    response.headers["Vary"] = "HX-Request"
    return response


@router.post("/sessions/{session_id}/export")
async def export_session(
    request: Request,
    access: Reader,
    session_id: str,
    format: Annotated[Literal["pdf", "markdown", "html", "json"], Form()],
) -> Response:
    """Have a file made of the ledger, and download it; one that takes longer has a page to wait on.

    Readers may do it: it takes out what they can read, and changes nothing.
    """
    service = service_of(request)
    file = await exported(service, access, session_id, format)
    if file.state == JobState.DONE:
        return RedirectResponse(download_url(service, access.workspace, file), 303)
    return RedirectResponse(f"/sessions/{session_id}/exports/{file.id}", 303)


@router.get("/sessions/{session_id}/exports/{export_id}")
def export_page(request: Request, access: Reader, session_id: str, export_id: str) -> Response:
    """A file that is being made; once it is there, the way to it."""
    inquiry = inquiry_of(access, session_id)
    file = access.shelf.exports.get(export_id)
    if file is None or file.session_id != session_id:
        raise NotFoundError("This export is gone: it is kept for a short time. Make a new one.")
    is_there = file.state == JobState.DONE
    return render(
        request,
        "export.html",
        access=access,
        file=file,
        inquiry=inquiry,
        link=download_url(service_of(request), access.workspace, file) if is_there else "",
        job=access.shelf.jobs.get(file.job_id),
    )


_MOST_SEARCHED = 200


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
    return RedirectResponse(f"/sessions/{added.id}", 303)


@router.post("/sessions/{session_id}/again")
def begin_again(request: Request, access: Reviewer, session_id: str) -> Response:
    """Ask or check the same once more, with the documents as they are now: a session of its own."""
    old = inquiry_of(access, session_id)
    given = old.answer if old.mode is Mode.VERIFY else None
    added = new_inquiry(
        service_of(request), access, old.mode, old.query, answer=given, title=old.title,
        earlier=old.id,
    )  # fmt: skip
    return RedirectResponse(f"/sessions/{added.id}", 303)


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
    from veridical.service.pages.answer import answer_html  # brings numpy, which a start needs not

    asked = Asked.of(verdict or (), decided, sort, q, first)
    claims = claims_of(view, _earlier(request, access, view))
    return render(
        request,
        "session.html",
        access=access,
        view=view,
        inquiry=view.inquiry,
        title=view.inquiry.title.strip() or wording.heading(view.ledger),
        related=_related(access, view.inquiry),
        claims=claims,
        answer=view.kept("answer", lambda: answer_html(view, claims)),
        is_expanded=expanded,
        can_expand=len(claims) <= MOST_EXPANDED,
        **_table(claims, asked, expanded=expanded),
        nearest=_nearest(view),
        is_demo=view.inquiry.created_by == DEMO,
        newer=newer_versions(access.shelf, view.ledger, view.versions),
        **_following(view),
    )


def _following(view: LedgerView) -> dict[str, Any]:
    """What follows from the verdicts that stand; the gravest risks first."""
    from veridical.ledger.risks import actions_on  # brings numpy, as above

    reviewed = view.reviewed
    return {
        "reviewed": reviewed,
        "risks": sorted(reviewed.risk_flags, key=lambda flag: _SEVERITIES.index(flag.severity)),
        "actions": list(actions_on(reviewed.entries, reviewed.risk_flags)),
    }


def _table(claims: list[Claim], asked: Asked, *, expanded: bool) -> dict[str, Any]:
    """What the table of claims shows.

    All claims are there where they fit on one page, those that were not asked for too, so that a
    script can filter without asking again.
    """
    shown = {claim.number for claim in claims if asked.fits(claim)}
    rows = asked.order.sort(claims)
    earlier = later = ""
    if is_paged := len(rows) > MOST_ROWS:
        fitting = [claim for claim in rows if claim.number in shown]
        at = min(asked.first, max(1, len(fitting))) - 1
        earlier = asked.query(first=max(1, at + 1 - MOST_ROWS)) if at else ""
        later = asked.query(first=at + 1 + MOST_ROWS) if at + MOST_ROWS < len(fitting) else ""
        rows = fitting[at : at + MOST_ROWS]
    return {
        "asked": asked,
        "rows": rows,
        "shown": shown,
        "is_paged": is_paged,
        "is_long": len(claims) > MOST_WHOLE,
        "is_whole": len(rows) <= (MOST_EXPANDED if expanded else MOST_WHOLE),
        "earlier": earlier,
        "later": later,
        "orders": Order,
        "open_ones": Decided.OPEN,
    }


def _nearest(view: LedgerView) -> list[tuple[Any, str]]:
    """What came nearest to an answer that was refused, with the address of its place."""
    ids = {source.filename: source.id for source in view.ledger.sources}
    return [
        (one, document_link(ids[one["doc_id"]], None, start=one["start"], end=one["end"]))
        for one in (view.inquiry.details or {}).get("nearest", [])
        if one["doc_id"] in ids
    ]


def _earlier(request: Request, access: Access, view: LedgerView) -> LedgerView | None:
    """The ledger of the session that this one checks again, if there is one."""
    earlier = view.inquiry.earlier_id
    return service_of(request).ledgers.find(access.shelf, earlier) if earlier else None


def _related(access: Access, inquiry: Inquiry) -> dict[str, Any]:
    """The session that was checked again, if it is still there, and the checks that were made of
    this one, the newest first.
    """
    inquiries = access.shelf.inquiries
    earlier = inquiries.get(inquiry.earlier_id) if inquiry.earlier_id else None
    return {"earlier": earlier, "later": inquiries.again(inquiry.id)}


def _without_ledger(request: Request, access: Access, session_id: str) -> Response:
    inquiry = inquiry_of(access, session_id)
    from veridical.service.pages.answer import plain_answer_html  # brings numpy, as above

    job = access.shelf.jobs.get(inquiry.job_id) if inquiry.job_id else None
    found = found_claims(access.shelf, job) if job else []
    return render(
        request, "session.html", access=access, view=None, inquiry=inquiry, job=job,
        title=session_name(inquiry), related=_related(access, inquiry),
        answer=plain_answer_html(inquiry.answer) if inquiry.answer.strip() else "",
        found=found, counts=Counter(one.verdict for one in found),
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
    return RedirectResponse("/library", 303)

"""Endpoints under `/api/v1`: sessions (a question, or an answer to be checked) and their ledger."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from starlette.concurrency import run_in_threadpool

from veridical.errors import ValidationError
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import LedgerEntry
from veridical.service.api.ledger_plain import as_bytes, ledger_reply, sent_ledger
from veridical.service.api.ledger_wire import LedgerReply
from veridical.service.api.session_wire import (
    SessionItem,
    SessionReply,
    SessionRequest,
    session_item,
    session_wire,
)
from veridical.service.api.wire import (
    API_PREFIX,
    KNOWN,
    USUAL_ON_A_PAGE,
    After,
    Limit,
    PageReply,
    Searched,
    errors,
    id_path,
    page_reply,
)
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Admin, Reader, Reviewer
from veridical.service.errors import NotFoundError, RefusedError
from veridical.service.inquiring.asking import new_inquiry
from veridical.service.inquiring.ledger_view import LedgerView, LedgerViews, SentLedger
from veridical.store.inquiries import InquiryState
from veridical.store.ledgers_of import LedgerMark

router = APIRouter(tags=["sessions"])

_MOST_ENTRIES = 1_000
_JSON = "application/json"
_NOT_MODIFIED = 304
SessionId = Annotated[str, id_path("session"), KNOWN]


@router.post(
    "/sessions",
    status_code=202,
    response_model=SessionReply,
    responses=errors(408, 413, 422),
    summary="Ask a question, or have an answer checked",
)
def add_session(
    request: Request, response: Response, access: Reviewer, asked: SessionRequest
) -> dict[str, Any]:
    """A job answers the question, if that is asked for, and builds the ledger of the answer."""
    inquiry = new_inquiry(
        service_of(request),
        access,
        asked.mode,
        asked.query,
        answer=asked.answer,
        title=asked.title,
    )
    response.headers["Location"] = f"{API_PREFIX}/sessions/{inquiry.id}"
    return session_wire(inquiry)


@router.get("/sessions", response_model=PageReply[SessionItem], responses=errors(422))
def list_sessions(
    access: Reader, limit: Limit = USUAL_ON_A_PAGE, after: After = None, q: Searched = ""
) -> dict[str, Any]:
    """The sessions of the workspace, newest first; `q` is part of their title or question."""
    page = access.shelf.inquiries.page(limit=limit, after=after, query=q)
    return page_reply(page, session_item)


@router.get("/sessions/{session_id}", response_model=SessionReply, responses=errors(404))
def get_session(access: Reader, session_id: SessionId) -> dict[str, Any]:
    """One session."""
    inquiry = access.shelf.inquiries.get(session_id)
    if inquiry is None:
        raise _no_session()
    return session_wire(inquiry)


@router.delete(
    "/sessions/{session_id}",
    status_code=204,
    responses=errors(404),
    summary="Delete a session with its ledgers, reviews and exports",
)
def delete_session(access: Admin, session_id: SessionId) -> None:
    """It is gone for good."""
    if not access.shelf.inquiries.delete(session_id):
        raise _no_session()


@router.get(
    "/sessions/{session_id}/ledger",
    response_class=Response,
    responses={
        200: {"model": LedgerReply, "description": "The ledger with its session"},
        304: {"description": "It is still the one of the tag in If-None-Match"},
        **errors(404, 409, 422),
    },
    summary="The ledger of a session",
)
async def get_ledger(
    request: Request,
    access: Reader,
    session_id: SessionId,
    verdict: Annotated[
        Verdict | None, Query(description="Only entries with this verdict of the machine.")
    ] = None,
    limit: Annotated[
        int | None, Query(ge=1, le=_MOST_ENTRIES, description="Most entries; without it, all.")
    ] = None,
    after: Annotated[
        str | None, Query(max_length=64, description="`next` of the reply before.")
    ] = None,
) -> Response:
    """All entries at once unless `verdict`, `limit` or `after` choose some; the summary and the
    flags are always those of the whole ledger. 409 `not_ready` while it is being made; ask again
    with `If-None-Match` to learn of reviews and new revisions.
    """
    service = service_of(request)
    if verdict is None and limit is None and after is None:
        key = (access.shelf.workspace_id, session_id)
        look = partial(_sent, service.ledgers, access, session_id)
        return _whole(request, await service.looks.look(key, look))
    write = partial(_some, verdict=verdict, limit=limit, after=after)
    content = await run_in_threadpool(write, service.ledgers, access, session_id)
    return Response(content, media_type=_JSON)


def _sent(ledgers: LedgerViews, access: Access, session_id: str) -> SentLedger:
    sent = ledgers.sent(access.shelf, _mark(access, session_id), sent_ledger)
    if sent is None:
        raise _no_session()
    return sent


def _some(
    ledgers: LedgerViews,
    access: Access,
    session_id: str,
    *,
    verdict: Verdict | None,
    limit: int | None,
    after: str | None,
) -> bytes:
    view = ledgers.of(access.shelf, _mark(access, session_id))
    if view is None:
        raise _no_session()
    chosen, following = _chosen(view, verdict, limit, after)
    return as_bytes(ledger_reply(view, chosen, following))


def _mark(access: Access, session_id: str) -> LedgerMark:
    mark = access.shelf.ledgers.mark(session_id)
    if mark is None:
        raise _no_ledger(access, session_id)
    return mark


def _whole(request: Request, sent: SentLedger) -> Response:
    """The whole ledger, compressed where that is accepted, or that it is as it was."""
    packed = _accepts_gzip(request.headers.get("accept-encoding", ""))
    tag = sent.tag_of(packed=packed)
    headers = {"ETag": tag, "Vary": "Accept-Encoding", "Cache-Control": "private, no-cache"}
    if _names(request.headers.get("if-none-match", ""), tag):
        return Response(status_code=_NOT_MODIFIED, headers=headers)
    if packed:
        headers["Content-Encoding"] = "gzip"
    return Response(sent.packed if packed else sent.plain, headers=headers, media_type=_JSON)


def _accepts_gzip(accepted: str) -> bool:
    """Whether a client takes gzip: it names it, or anything, and not with a weight of nothing."""
    for one in accepted.lower().replace(" ", "").split(","):
        coding, _, weight = one.partition(";q=")
        if coding in ("gzip", "*"):
            return weight.strip("0.") != "" or not weight
    return False


def _names(given: str, tag: str) -> bool:
    """Whether a header If-None-Match names a tag; weak tags compare as they are."""
    tags = (one.strip().removeprefix("W/") for one in given.split(","))
    return given.strip() == "*" or tag in tags


def _chosen(
    view: LedgerView, verdict: Verdict | None, limit: int | None, after: str | None
) -> tuple[list[LedgerEntry], str | None]:
    """Some entries in their order, and the id to go on behind."""
    entries = list(view.ledger.entries)
    if after is not None:
        at = next((index for index, entry in enumerate(entries) if entry.id == after), None)
        if at is None:
            raise ValidationError("after: no entry of this ledger has this id; begin anew")
        entries = entries[at + 1 :]
    fitting = [entry for entry in entries if verdict is None or entry.verdict is verdict]
    if limit is None or len(fitting) <= limit:
        return fitting, None
    return fitting[:limit], fitting[limit - 1].id


def _no_ledger(access: Access, session_id: str) -> Exception:
    """Why a session has no ledger: there is no such session, or not yet, or it failed."""
    inquiry = access.shelf.inquiries.get(session_id)
    if inquiry is None:
        return _no_session()
    job = f" Its job is {inquiry.job_id}." if inquiry.job_id else ""
    if inquiry.state in (InquiryState.FAILED, InquiryState.CANCELLED):
        why = f": {inquiry.message}" if inquiry.message else "."
        return RefusedError(409, inquiry.state.value, f"This session {_ENDED[inquiry.state]}{why}")
    return RefusedError(
        409, "not_ready", f"The ledger is being made.{job}", headers={"Retry-After": "1"}
    )


_ENDED = {InquiryState.FAILED: "failed", InquiryState.CANCELLED: "was cancelled"}


def _no_session() -> NotFoundError:
    return NotFoundError("There is no such session in this workspace.")

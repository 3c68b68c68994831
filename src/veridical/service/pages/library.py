"""Page: all work that was done, of every kind, newest first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Query, Request
from starlette.responses import RedirectResponse, Response

from veridical.service.context import service_of
from veridical.service.entry.access import Access, Reader
from veridical.service.pages.ask import listed
from veridical.service.pages.record_pages import MOST_CURSOR_CHARS, ON_A_PAGE
from veridical.service.pages.records import PAGES
from veridical.service.pages.rendering import render
from veridical.store.inquiries import Inquiry
from veridical.store.paging import Page, cursor
from veridical.store.records import Record, RecordKind

router = APIRouter(include_in_schema=False)

SESSIONS = "session"
KINDS: Mapping[str, str] = {
    SESSIONS: "Answers",
    RecordKind.VALIDATION.value: "Quotes",
    RecordKind.SCORECARD.value: "Scorecards",
    RecordKind.SPEECH.value: "Speeches",
    RecordKind.EVALUATION.value: "Evaluations",
}
"""What there is, by the word that an address asks for it with."""

MOST_SEARCHED = 200
_PLACES = {pages.kind: pages.place for pages in PAGES}


@router.get("/library")
def library_page(
    request: Request,
    access: Reader,
    kind: Annotated[str, Query(max_length=20)] = "",
    q: Annotated[str, Query(max_length=MOST_SEARCHED)] = "",
    after: Annotated[str | None, Query(max_length=MOST_CURSOR_CHARS)] = None,
) -> Response:
    """What was asked, checked and scored, with what came of it; a kind that is none means all."""
    kind = kind if kind in KINDS else ""
    page = _page(access, kind, q.strip(), after)
    sessions = [one for one in page.items if isinstance(one, Inquiry)]
    told = iter(listed(service_of(request), access.shelf, sessions))
    rows = [
        {"record": one, "place": _PLACES[one.kind]} if isinstance(one, Record) else next(told)
        for one in page.items
    ]
    asked = {name: value for name, value in (("kind", kind), ("q", q.strip())) if value}
    return render(
        request, "library.html", access=access, rows=rows, page=page, kinds=KINDS, kind=kind, q=q,
        after=after, asked=asked, documents=len(access.shelf.documents.state()),
    )  # fmt: skip


@router.get("/sessions")
def sessions_page(
    _access: Reader, q: Annotated[str, Query(max_length=MOST_SEARCHED)] = ""
) -> Response:
    """Where sessions had a list of their own."""
    query = urlencode({"kind": SESSIONS, **({"q": q} if q else {})})
    return RedirectResponse(f"/library?{query}", 307)


def _page(access: Access, kind: str, query: str, after: str | None) -> Page[Inquiry | Record]:
    """A page of one kind, or of all: both lists go on behind the same place, for both are in the
    order of time.
    """
    found: list[Inquiry | Record] = []
    more = False
    if kind in ("", SESSIONS):
        sessions = access.shelf.inquiries.page(limit=ON_A_PAGE, after=after, query=query)
        found += sessions.items
        more = sessions.next is not None
    if kind != SESSIONS:
        of = RecordKind(kind) if kind else None
        records = access.shelf.records.page(of, limit=ON_A_PAGE, after=after, query=query)
        found += records.items
        more = more or records.next is not None
    found.sort(key=lambda one: (one.created_at, one.id), reverse=True)
    items = tuple(found[:ON_A_PAGE])
    more = more or len(found) > len(items)
    return Page(items, cursor((items[-1].created_at, items[-1].id)) if more else None)

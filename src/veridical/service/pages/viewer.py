"""Pages: a document with the words that matter marked, and its file for pdf.js."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from veridical.service.context import service_of
from veridical.service.entry.access import Reader
from veridical.service.files import file_response
from veridical.service.pages.claim_parts import document_link
from veridical.service.pages.documents import jobs_under_way
from veridical.service.pages.rendering import render
from veridical.service.pages.viewer_parts import NEUTRAL, claim_context, newer_version
from veridical.service.reading.text_view import text_view
from veridical.service.reading.viewing import (
    OpenVersion,
    checked_span,
    has_ready,
    open_version,
    pdf_file,
    require_document,
    span_problem,
)
from veridical.sources.span import Span

router = APIRouter(include_in_schema=False)

_MOST_OFFSET = 2**31 - 1
_UUID_CHARS = 40
_PDF = "application/pdf"
Number = Annotated[int | None, Query(ge=0, le=_MOST_OFFSET)]
Version = Annotated[int | None, Query(ge=1, le=_MOST_OFFSET)]


@router.get("/documents/{document_id}")
def document_page(
    request: Request,
    access: Reader,
    document_id: str,
    version: Version = None,
    start: Number = None,
    end: Number = None,
    session: Annotated[str, Query(max_length=_UUID_CHARS)] = "",
    claim: Number = None,
    at: Number = None,
    page: Number = None,
    view: Annotated[str, Query(max_length=10)] = "",
    pane: bool = False,
) -> Response:
    """The viewer. With `start` and `end` (code points of the version's text) those words are
    marked; `at` or `page` opens another piece of a long document. `pane` asks for the viewer
    without the page around it.
    """
    if version is None and not has_ready(access.shelf, document_id):
        shown = require_document(access.shelf, document_id)
        return render(
            request, "document_waiting.html", access=access, shown=shown,
            jobs=jobs_under_way(access, (shown,)),
        )  # fmt: skip
    opened = open_version(access.shelf, document_id, version)
    document = opened.document
    span = checked_span(start, end, len(document.text))
    problem = span_problem(start, end, len(document.text))
    ledger = service_of(request).ledgers.find(access.shelf, session) if session else None
    context = claim_context(ledger, claim or 0, opened, span, fits=not problem) if ledger else None
    latest = access.shelf.documents.read(document_id, opened.latest) if opened.is_stale else None
    offset = _page_start(opened, page) if page else at
    text = text_view(document, span, offset)
    here = span.start if span and offset is None else text.window.start
    return render(
        request,
        "_viewer.html" if pane else "document.html",
        access=access,
        opened=opened,
        document=document,
        span=span,
        text=text,
        claim=context,
        problem=problem,
        tone=context.tone if context else NEUTRAL if problem else "",
        newer=newer_version(
            opened, latest, None if problem else span, session=session, claim=claim or 0
        ),
        page_here=document.page_at(here),
        pages=len(document.pages),
        first_line=document.line_number(span.start) if span else None,
        reads_pages=opened.has_pages and view != "text",
        link=_linker(opened, span, session, claim),
        pane=pane,
    )


@router.get("/documents/{document_id}/raw")
def raw_file(
    request: Request, access: Reader, document_id: str, version: Version = None
) -> Response:
    """The file of a PDF for pdf.js, in ranges where it asks for them."""
    file = pdf_file(access.shelf, document_id, version)
    content = service_of(request).viewing.content(access.shelf, file)
    tag = f'"{file.sha256}"'
    headers = {"Accept-Ranges": "bytes", "ETag": tag, "Cache-Control": "private, max-age=300"}
    wanted = _range(request, tag, len(content))
    if wanted is None:
        return file_response(content, filename=file.filename, media_type=_PDF, headers=headers)
    if not len(wanted):
        return Response(status_code=416, headers={"Content-Range": f"bytes */{len(content)}"})
    headers["Content-Range"] = f"bytes {wanted.start}-{wanted.end - 1}/{len(content)}"
    reply = file_response(
        content[wanted.start : wanted.end],
        filename=file.filename,
        media_type=_PDF,
        headers=headers,
    )
    reply.status_code = 206
    return reply


def _page_start(opened: OpenVersion, page: int) -> int:
    """Where a page begins; the last one for a number behind it."""
    pages = opened.document.pages
    return pages[min(page, len(pages)) - 1].span.start if pages else 0


def _linker(
    opened: OpenVersion, span: Span | None, session: str, claim: int | None
) -> Callable[..., str]:
    """Makes addresses of the same view, but for what is given: `link(at=5)`."""
    base = document_link(
        opened.document_id,
        opened.number,
        session=session,
        claim=claim or 0,
        start=span.start if span else None,
        end=span.end if span else None,
    )

    def link(**more: object) -> str:
        return base + "".join(f"&{name}={value}" for name, value in more.items())

    return link


_RANGE = re.compile(r"bytes=(\d{0,15})-(\d{0,15})")


def _range(request: Request, tag: str, length: int) -> Span | None:
    """The bytes that are asked for; None for all of them, an empty span for none that there are.

    Several ranges at once are answered with the whole file, as RFC 9110 allows.
    """
    asked = _RANGE.fullmatch(request.headers.get("range", ""))
    if asked is None or request.headers.get("if-range", tag) != tag:
        return None
    first, last = asked.groups()
    if first:
        start, end = int(first), min(int(last) + 1 if last else length, length)
    elif last:
        start, end = max(0, length - int(last)), length
    else:
        return None
    return Span(start, end) if start < end else Span(0, 0)

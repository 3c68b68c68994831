"""Pages: a document with the words that matter marked, and its file for pdf.js."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence, LedgerEntry
from veridical.ledger.export import wording
from veridical.ledger.verification import EvidenceStatus
from veridical.reports.texts import one_line
from veridical.service.context import service_of
from veridical.service.entry.access import Reader
from veridical.service.entry.headers import file_response
from veridical.service.inquiring.ledger_view import (
    Fate,
    LedgerView,
    Role,
    fate_of,
    fates_of,
    said_of,
    tone_of,
)
from veridical.service.pages.claim_rows import document_link
from veridical.service.pages.documents import jobs_under_way
from veridical.service.pages.rendering import render
from veridical.service.reading.text_view import text_view
from veridical.service.reading.viewing import (
    OpenVersion,
    checked_span,
    open_version,
    pdf_file,
    require_document,
    span_problem,
)
from veridical.sources.document import Document
from veridical.sources.span import Span

NEUTRAL = "neutral"
"""The style of words of which no verdict is told."""

_MOST_LOOKED_FOR = 20
"""Pieces of a claim that are looked for in another version of their document."""


@dataclass(frozen=True, slots=True)
class ClaimContext:
    """The claim that led to a document. `verdict` is the reviewer's where one decided, `machine`
    what the ledger says.

    `piece` is what the open words are to the claim, and `role` as what: both None where they are
    not, letter for letter and in this version, what the ledger saw. Then no verdict is told of
    them, and `seen` tells what that was. `at` of `total` counts the claim's pieces, from 1;
    `previous` and `next` are the pieces before and after it on the way through the session.
    """

    session_id: str
    number: int
    words: str
    verdict: Verdict
    machine: Verdict
    piece: Evidence | None
    role: Role | None
    seen: dict[str, Any] | None
    at: int
    total: int
    previous: dict[str, Any] | None
    next: dict[str, Any] | None

    @property
    def address(self) -> str:
        """The claim in its session."""
        return f"/sessions/{self.session_id}#claim-{self.number}"

    @property
    def is_overruled(self) -> bool:
        """Whether a reviewer says otherwise than the machine."""
        return self.verdict is not self.machine

    @property
    def tone(self) -> str:
        """The style that the words are marked in: that of the piece, never more than it says."""
        if self.piece is None or (self.role is Role.FURTHER and self.is_overruled):
            return NEUTRAL
        if self.role is Role.NEAR:
            return f"verdict-{Verdict.NOT_FOUND}"
        verdict = self.verdict if self.role is Role.DECIDING else tone_of(self.piece)
        return f"verdict-{verdict}"

    @property
    def said(self) -> str:
        """What a further piece says of the claim."""
        return said_of(self.piece) if self.piece is not None else ""


def claim_context(
    view: LedgerView, number: int, opened: OpenVersion, span: Span | None, *, fits: bool = True
) -> ClaimContext | None:
    """The claim with this number, from 1; None where there is none. `span` are the open words;
    they may be fewer than were asked for, and then do not fit.
    """
    if not 1 <= number <= len(view.ledger.entries):
        return None
    entry = view.ledger.entries[number - 1]
    piece, role = _piece_at(view, entry, opened, span if fits else None)
    steps = list(_steps(view))
    of_claim = [at for at, step in enumerate(steps) if step[0] == number]
    here = next((at for at in of_claim if steps[at][1] is piece), None)
    before = here if here is not None else sum(step[0] < number for step in steps)
    after = before + 1 if here is not None else before
    is_asked = span is not None or not fits
    return ClaimContext(
        session_id=view.inquiry.id,
        number=number,
        words=one_line(wording.claim_words(entry.claim)),
        verdict=view.verdict_of(entry),
        machine=entry.verdict,
        piece=piece,
        role=role,
        seen=_seen(view, number, opened, span) if piece is None and is_asked else None,
        at=of_claim.index(here) + 1 if here is not None else 0,
        total=len(of_claim),
        previous=_stop(view, *steps[before - 1]) if before > 0 else None,
        next=_stop(view, *steps[after]) if after < len(steps) else None,
    )


def _piece_at(
    view: LedgerView, entry: LedgerEntry, opened: OpenVersion, span: Span | None
) -> tuple[Evidence, Role] | tuple[None, None]:
    """What the words of a span are to a claim, if they are what the ledger saw: the same text of
    the same document, and the same words at the same place.
    """
    if span is None or not _is_as_seen(view, opened):
        return None, None
    words = opened.document.text[span.start : span.end]
    roles = [Role.DECIDING, *[Role.FURTHER] * len(entry.evidence)][: len(entry.evidence)]
    pieces = [*zip(entry.evidence, roles, strict=True), *((one, Role.NEAR) for one in entry.near)]
    for piece, role in pieces:
        is_here = piece.source_id == opened.document_id and piece.snippet_span == span
        if is_here and piece.source_text == words:
            return piece, role
    return None, None


def _is_as_seen(view: LedgerView, opened: OpenVersion) -> bool:
    """Whether the version has the text that the ledger saw."""
    seen = wording.sources_by_id(view.ledger).get(opened.document_id)
    return seen is not None and seen.sha256 == opened.stored.sha256


def _seen(
    view: LedgerView, number: int, opened: OpenVersion, span: Span | None
) -> dict[str, Any] | None:
    """What a claim was checked against in a document; None where it was not in this one at all: its
    words, the number of that version (None where it is no longer kept) and the address of the
    place. `why` says what is open instead, and `fate` what became of the words in it.
    """
    entry = view.ledger.entries[number - 1]
    pieces = [
        piece for piece in (*entry.evidence, *entry.near) if piece.source_id == opened.document_id
    ][:_MOST_LOOKED_FOR]
    if not pieces:
        return None
    piece, why, fate = pieces[0], "This is not the place that the claim was checked against.", ""
    if not _is_as_seen(view, opened):
        piece, found = _nearest(pieces, opened.document, span)
        why, fate = "The claim was not checked against this version.", _FATES_OF_SEEN[found.status]
    version = view.versions.get(opened.document_id)
    return {
        "words": one_line(" ".join(piece.snippet.split())),
        "version": version,
        "link": _link_to(view, number, piece, version) if version is not None else "",
        "why": why,
        "fate": fate,
    }


def _nearest(
    pieces: list[Evidence], document: Document, span: Span | None
) -> tuple[Evidence, Fate]:
    """Of pieces the one whose words stand where the span is, else the first; with its fate."""
    # Not at the top: it loads how words are compared, and the service is to start first.
    from veridical.ledger.verify_find import Words

    wanted = [
        Words(piece.snippet, piece.source_text, piece.snippet_span.start, whole=True)
        for piece in pieces
    ]
    fates = list(zip(pieces, fates_of(wanted, document), strict=True))
    if span is not None:
        for piece, fate in fates:
            if fate.now is not None and fate.now.overlap(span):
                return piece, fate
    return fates[0]


_FATES_OF_SEEN = {
    EvidenceStatus.HELD: "Those words stand in this version too, at the same place.",
    EvidenceStatus.MOVED: "Those words stand in this version too, at another place.",
    EvidenceStatus.ALTERED: "This version says it in other words.",
    EvidenceStatus.ORPHANED: "Those words do not stand in this version.",
}


def _steps(view: LedgerView) -> Iterator[tuple[int, Evidence]]:
    """All evidence of a ledger that can be opened, with the numbers of its claims: claim by claim
    in the order of the answer, the deciding piece of each first.
    """
    for number, entry in enumerate(view.ledger.entries, 1):
        for piece in entry.evidence:
            if piece.source_id in view.versions:
                yield number, piece


def _stop(view: LedgerView, number: int, piece: Evidence) -> dict[str, Any]:
    """A piece of evidence: its claim's number, what it says of the claim, and where it is."""
    entry = view.ledger.entries[number - 1]
    decides = piece is entry.evidence[0]
    return {
        "number": number,
        "said": wording.VERDICT_WORDS[view.verdict_of(entry)] if decides else said_of(piece),
        "place": one_line(wording.place(piece, wording.sources_by_id(view.ledger))),
        "link": _link_to(view, number, piece, view.versions[piece.source_id]),
    }


def _link_to(view: LedgerView, number: int, piece: Evidence, version: int) -> str:
    return document_link(
        piece.source_id, version, session=view.inquiry.id, claim=number,
        start=piece.snippet_span.start, end=piece.snippet_span.end,
    )  # fmt: skip


_FATES = {
    EvidenceStatus.HELD: "The marked words stand in it at the same place, letter for letter.",
    EvidenceStatus.MOVED: "The marked words stand in it too, at another place.",
    EvidenceStatus.ALTERED: "The marked words were altered in it.",
    EvidenceStatus.ORPHANED: "The marked words do not stand in it any more.",
}


def _newer_version(
    opened: OpenVersion, latest: Document | None, span: Span | None, session: str, claim: int
) -> dict[str, Any] | None:
    """What is to be said of the newer version `latest`; None where there is none. `link` is empty
    where the words stand nowhere in it, and `status` None where none were looked for.
    """
    if latest is None:
        return None
    document, number = opened.document_id, opened.latest
    if span is None:
        link = document_link(document, number)
        return {"version": number, "link": link, "status": None, "told": ""}
    fate = fate_of(opened.document, span, latest, whole=bool(session))
    link = ""
    if fate.now is not None:
        link = document_link(
            document, number, session=session, claim=claim,
            start=fate.now.start, end=fate.now.end,
        )  # fmt: skip
    return {
        "version": number,
        "link": link,
        "status": fate.status,
        "told": _FATES[fate.status],
    }


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
    if version is None and not access.shelf.documents.ready_versions([document_id]):
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
    offset = at
    if page:  # where it begins; the last one for a number behind it
        starts = [one.span.start for one in document.pages] or [0]
        offset = starts[min(page, len(starts)) - 1]
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
        newer=_newer_version(opened, latest, None if problem else span, session, claim or 0),
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

"""Pages: a document with the words that matter marked, and its file for pdf.js."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from veridical.judging.judge import SupportLevel
from veridical.judging.verdict import Verdict
from veridical.ledger.entry import Evidence
from veridical.ledger.export import wording
from veridical.ledger.verification import EvidenceStatus
from veridical.reports.texts import one_line
from veridical.service.context import service_of
from veridical.service.entry.access import Reader
from veridical.service.entry.headers import file_response
from veridical.service.inquiring.ledger_view import LedgerView
from veridical.service.pages.claims import Claim
from veridical.service.pages.documents import jobs_under_way
from veridical.service.pages.rendering import document_link, render
from veridical.service.reading.text_view import text_view
from veridical.service.reading.viewing import (
    OpenVersion,
    checked_span,
    open_version,
    pdf_file,
    require_document,
    span_problem,
)
from veridical.sources.document import Document, Span

if TYPE_CHECKING:
    from veridical.ledger.verify_find import Words

Fate = tuple[EvidenceStatus, Span | None]
"""What became of words: HELD in their place, MOVED, ALTERED, or gone (ORPHANED); and where they, or
something like them, stand now."""

_FATES = {
    EvidenceStatus.HELD: "The marked words stand in it at the same place, letter for letter.",
    EvidenceStatus.MOVED: "The marked words stand in it too, at another place.",
    EvidenceStatus.ALTERED: "The marked words were altered in it.",
    EvidenceStatus.ORPHANED: "The marked words do not stand in it any more.",
}
_FATES_OF_SEEN = {
    EvidenceStatus.HELD: "Those words stand in this version too, at the same place.",
    EvidenceStatus.MOVED: "Those words stand in this version too, at another place.",
    EvidenceStatus.ALTERED: "This version says it in other words.",
    EvidenceStatus.ORPHANED: "Those words do not stand in this version.",
}


def fate_of(old: Document, span: Span, new: Document, *, whole: bool) -> Fate:
    """What became of the words of a span. `whole` says that they are whole sentences."""
    from veridical.ledger.verify_find import Words

    words = Words(old.shown(span), old.text[span.start : span.end], span.start, whole=whole)
    return next(_fates_of([words], new))


def _fates_of(wanted: Sequence[Words], document: Document) -> Iterator[Fate]:
    """What became of words that once stood in a document, in their order."""
    # Not at the top: it loads how words are compared, and the service is to start first.
    from veridical.ledger.verify_find import WordFinder, reads_at

    finder = WordFinder(document)
    for words in wanted:
        if finder.stands(words) if words.whole else reads_at(document, words, words.start):
            yield EvidenceStatus.HELD, Span(words.start, words.start + len(words.written))
        elif (found := finder.find([words])[0]) is None:
            yield EvidenceStatus.ORPHANED, None
        else:
            yield EvidenceStatus.MOVED if found.same else EvidenceStatus.ALTERED, found.span


class Role(StrEnum):
    """The verdict came from the DECIDING piece. FURTHER ones were found beside it; NEAR ones come
    nearest to a claim for which there is no evidence, and prove nothing.
    """

    DECIDING = "deciding"
    FURTHER = "further"
    NEAR = "near"


NEUTRAL = "neutral"
"""The style of words of which no verdict is told."""

_MOST_LOOKED_FOR = 20
"""Pieces of a claim that are looked for in another version of their document."""

_TONES = {
    SupportLevel.FULL: (Verdict.SUPPORTED, "Supports it"),
    SupportLevel.PARTIAL: (Verdict.WEAK, "Supports it in part"),
    SupportLevel.NONE: (Verdict.NOT_FOUND, "Does not support it"),
}
_AGAINST = (Verdict.CONTRADICTED, "Speaks against it")


def _by_itself(piece: Evidence) -> tuple[Verdict, str]:
    """How far a piece by itself bears its claim out: as a verdict, and in words."""
    return _AGAINST if piece.contradicts else _TONES[piece.support]


@dataclass(frozen=True, slots=True)
class Step:
    """A piece of evidence on the way through a session."""

    claim: Claim
    piece: Evidence

    @property
    def link(self) -> str:
        """Its address."""
        return self.claim.link_to(self.piece)

    @property
    def told(self) -> str:
        """Its claim, what it says of that, and where it stands."""
        claim, piece = self.claim, self.piece
        decides = piece is claim.entry.evidence[0]
        said = wording.VERDICT_WORDS[claim.verdict] if decides else _by_itself(piece)[1]
        place = one_line(wording.place(piece, claim.view.sources))
        return f"Claim {claim.number}, {said}: {place}"


@dataclass(frozen=True, slots=True)
class Context:
    """The claim that led to a document.

    `piece` is what the open words are to the claim, and `role` as what: both None where they are
    not, letter for letter and in this version, what the ledger saw. Then no verdict is told of
    them, and `seen` tells what that was. `at` of `total` counts the claim's pieces, from 1;
    `previous` and `next` are the pieces before and after it on the way through the session.
    """

    claim: Claim
    piece: Evidence | None
    role: Role | None
    seen: dict[str, Any] | None
    at: int
    total: int
    previous: Step | None
    next: Step | None

    @property
    def address(self) -> str:
        """The claim in its session."""
        return f"/sessions/{self.claim.view.inquiry.id}#claim-{self.claim.number}"

    @property
    def tone(self) -> str:
        """The style that the words are marked in: that of the piece, never more than it says."""
        if self.piece is None or (self.role is Role.FURTHER and self.claim.is_overruled):
            return NEUTRAL
        if self.role is Role.NEAR:
            return f"verdict-{Verdict.NOT_FOUND}"
        decides = self.role is Role.DECIDING
        return f"verdict-{self.claim.verdict if decides else _by_itself(self.piece)[0]}"

    @property
    def said(self) -> str:
        """What a further piece says of the claim."""
        return _by_itself(self.piece)[1] if self.piece is not None else ""


def context_of(
    view: LedgerView, number: int, opened: OpenVersion, span: Span | None, *, fits: bool = True
) -> Context | None:
    """The claim with this number, from 1; None where there is none. `span` are the open words;
    they may be fewer than were asked for, and then do not fit.
    """
    if not 1 <= number <= len(view.ledger.entries):
        return None
    claim = Claim(view, number)
    piece, role = _piece_at(claim, opened, span if fits else None)
    steps = [
        (n, one)
        for n, entry in enumerate(view.ledger.entries, 1)
        for one in entry.evidence
        if one.source_id in view.versions
    ]
    of_claim = [at for at, step in enumerate(steps) if step[0] == number]
    here = next((at for at in of_claim if steps[at][1] is piece), None)
    before = here if here is not None else sum(n < number for n, _ in steps)
    after = before + 1 if here is not None else before

    def step(at: int) -> Step | None:
        return Step(Claim(view, steps[at][0]), steps[at][1]) if 0 <= at < len(steps) else None

    is_asked = span is not None or not fits
    return Context(
        claim=claim,
        piece=piece,
        role=role,
        seen=_seen(claim, opened, span) if piece is None and is_asked else None,
        at=of_claim.index(here) + 1 if here is not None else 0,
        total=len(of_claim),
        previous=step(before - 1),
        next=step(after),
    )


def _piece_at(
    claim: Claim, opened: OpenVersion, span: Span | None
) -> tuple[Evidence, Role] | tuple[None, None]:
    """What the words of a span are to a claim, if they are what the ledger saw: the same text of
    the same document, and the same words at the same place.
    """
    if span is None or not _is_as_seen(claim, opened):
        return None, None
    words, entry = opened.document.text[span.start : span.end], claim.entry
    for at, piece in enumerate((*entry.evidence, *entry.near)):
        is_here = piece.source_id == opened.document_id and piece.snippet_span == span
        if is_here and piece.source_text == words:
            found = Role.FURTHER if at else Role.DECIDING
            return piece, found if at < len(entry.evidence) else Role.NEAR
    return None, None


def _is_as_seen(claim: Claim, opened: OpenVersion) -> bool:
    """Whether the version has the text that the ledger saw."""
    seen = claim.view.sources.get(opened.document_id)
    return seen is not None and seen.sha256 == opened.stored.sha256


def _seen(claim: Claim, opened: OpenVersion, span: Span | None) -> dict[str, Any] | None:
    """What a claim was checked against in a document; None where it was not in this one at all: its
    words, the number of that version (None where it is no longer kept) and the address of the
    place. `why` says what is open instead, and `fate` what became of the words in it.
    """
    entry = claim.entry
    pieces = [one for one in (*entry.evidence, *entry.near) if one.source_id == opened.document_id]
    if not pieces:
        return None
    piece, why, fate = pieces[0], "This is not the place that the claim was checked against.", ""
    if not _is_as_seen(claim, opened):
        why = "The claim was not checked against this version."
        piece, status = _nearest(pieces[:_MOST_LOOKED_FOR], opened.document, span)
        fate = _FATES_OF_SEEN[status]
    return {
        "words": one_line(" ".join(piece.snippet.split())),
        "version": claim.view.versions.get(opened.document_id),
        "link": claim.link_to(piece),
        "why": why,
        "fate": fate,
    }


def _nearest(
    pieces: list[Evidence], document: Document, span: Span | None
) -> tuple[Evidence, EvidenceStatus]:
    """Of pieces the one whose words stand where the span is, else the first; with its fate."""
    from veridical.ledger.verify_find import Words

    wanted = [
        Words(piece.snippet, piece.source_text, piece.snippet_span.start, whole=True)
        for piece in pieces
    ]
    fates = [
        (piece, *fate) for piece, fate in zip(pieces, _fates_of(wanted, document), strict=True)
    ]
    here = (one for one in fates if span and one[2] is not None and one[2].overlap(span))
    piece, status, _ = next(here, fates[0])
    return piece, status


def _newer_version(
    opened: OpenVersion, latest: Document, span: Span | None, session: str, claim: int
) -> dict[str, Any]:
    """What is to be said of the newer version `latest`. `link` is empty where the words stand
    nowhere in it, and `told` where none were looked for.
    """
    document, number = opened.document_id, opened.latest
    if span is None:
        return {"version": number, "link": document_link(document, number), "told": ""}
    status, now = fate_of(opened.document, span, latest, whole=bool(session))
    place = (
        document_link(document, number, session=session, claim=claim, start=now.start, end=now.end)
        if now
        else ""
    )
    return {"version": number, "link": place, "told": _FATES[status]}


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
    context = context_of(ledger, claim or 0, opened, span, fits=not problem) if ledger else None
    latest = access.shelf.documents.read(document_id, opened.latest) if opened.is_stale else None
    sought = None if problem else span
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
        context=context,
        problem=problem,
        tone=context.tone if context else NEUTRAL if problem else "",
        newer=latest and _newer_version(opened, latest, sought, session, claim or 0),
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

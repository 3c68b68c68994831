"""Pages: validations of quotes against documents."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import Form, Request, UploadFile
from starlette.responses import Response

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes
from veridical.service.entry.access import Access, Reviewer
from veridical.service.pages.record_pages import (
    Download,
    RecordPages,
    as_typed,
    one_of_two,
    router_of,
    text_of,
)
from veridical.service.records.documents import GivenText
from veridical.service.records.inputs import Asked, validation_asked
from veridical.service.records.problems import at_lines
from veridical.store.paging import MOST_ON_A_PAGE
from veridical.store.records import Record, RecordKind

_ALL, _TEXT = "all", "text"
_GIVEN_NAME = "given text"


def _form(_request: Request, access: Access) -> dict[str, Any]:
    page = access.shelf.documents.page(limit=MOST_ON_A_PAGE)
    return {"documents": [item for item in page.items if item.ready is not None]}


def _shown(_access: Access, record: Record) -> dict[str, Any]:
    from veridical.service.records.quotes import quotes_of
    from veridical.validation.reports.html_source import ICONS
    from veridical.validation.reports.wording import STATUS_WORDS

    return {
        "quotes": quotes_of(record),
        "result": record.result,
        "SIGNS": ICONS,
        "WORDS": STATUS_WORDS,
    }


def _json(_access: Access, record: Record) -> Download:
    return Download(".json", "application/json", canonical_bytes(record.result or {}))


def _html(access: Access, record: Record) -> Download:
    """Made anew: it shows the sources whole, which the result does not hold."""
    from veridical.service.records.results import validation_report
    from veridical.validation.reports.html import render_html

    report = validation_report(access.shelf, record.request)
    html = render_html(report, title=record.title)
    return Download(".html", "text/html; charset=utf-8", html.encode())


PAGES = RecordPages(
    RecordKind.VALIDATION,
    "validations",
    "validation",
    form=_form,
    shown=_shown,
    forms={"json": _json, "html": _html},
)
router = router_of(PAGES)


@router.post("/validations")
def create_validation(
    request: Request,
    access: Reviewer,
    quotes: Annotated[str, Form()] = "",
    quotes_file: UploadFile | None = None,
    against: Annotated[list[str] | None, Form()] = None,
    text: Annotated[str, Form()] = "",
    strict: Annotated[bool, Form()] = False,
    title: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Check quotes: one a line, or claims as JSON."""
    chosen = [each for each in against or () if each not in (_ALL, _TEXT, "")]

    def make() -> Asked:
        texts = [GivenText(_GIVEN_NAME, as_typed(text))] if text.strip() else []
        claims, lines = _claims(one_of_two(as_typed(quotes), text_of(quotes_file), "the quotes"))
        try:
            return validation_asked(
                access.shelf,
                claims,
                documents=chosen,
                texts=texts,
                strict=strict,
                title=title,
            )
        except ValidationError as problem:
            raise ValidationError(at_lines(str(problem), lines)) from None

    return PAGES.create(request, access, make, {"quotes": quotes, "text": text, "title": title})


def _claims(given: str) -> tuple[object, Sequence[int]]:
    """Claims as JSON, or of text each line as a quote, with the numbers of their lines."""
    if given.strip()[0] in "[{":
        try:
            return json.loads(given), ()
        except (ValueError, RecursionError):
            raise ValidationError(
                "The quotes begin like JSON and are none. Give one quote a line, or claims as JSON."
            ) from None
    lines = {at: line.strip() for at, line in enumerate(given.split("\n"), 1) if line.strip()}
    claims = [
        {
            "id": f"EV{number:03}",
            "task_id": f"P1.T{number:03}",
            "quote": line,
            "evidence_type": "direct_quote",
        }
        for number, line in enumerate(lines.values(), 1)
    ]
    return claims, tuple(lines)

"""One way to make a page: the shell, what every template may use, and no markup from outside.

Whatever a template puts out is escaped, and invisible controls in it are shown by their names
(`reports.texts.visible`), so that no text of a document, a model or a file name can act or
change the order in which its surroundings are read. `|as_written` leaves the controls alone: for
fields that a reader goes on editing.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape
from starlette.responses import HTMLResponse, Response

from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import confidence_band
from veridical.ledger.export import wording
from veridical.ledger.review import MOST_REASON_CHARS, Decision
from veridical.reports.texts import one_line, visible
from veridical.reports.words import count
from veridical.service.entry.access import FIELD, Access, csrf_token_of
from veridical.store.inquiries import Inquiry
from veridical.store.workspaces import Role

TEMPLATES = Path(__file__).parent.parent / "templates"

NAVIGATION = (
    ("/", "Ask"),
    ("/library", "Library"),
    ("/documents", "Documents"),
)
"""The addresses and names that stand at the top of every page."""

TASKS = (
    ("/", "Ask"),
    ("/?mode=verify", "Check an answer"),
    ("/validations", "Check quotes"),
    ("/scorecards", "Score a recording"),
    ("/speech", "Evaluate a speech"),
    ("/evaluations", "Test questions"),
)
"""What can be begun, each with its form."""


def at_top(here: str) -> str:
    """The address at the top of the page that a path belongs to; empty where it is none of them."""
    if here == "/ask" or here in dict(TASKS):
        return "/"
    place = "/" + here.split("/")[1]
    of_library = ("/library", "/sessions", "/jobs", *dict(TASKS[2:]))
    return "/library" if place in of_library else place


DECISION_WORDS = {
    Decision.ACCEPT: "accepted the verdict",
    Decision.OVERRULE: "overruled the verdict",
    Decision.WITHDRAW: "took the decision back",
}
"""What a reviewer did, as the beginning of a sentence about it."""

MOST_PASSAGES = 5
"""Further passages of a claim that are shown of each kind; the others are counted."""

NAMELESS = "An answer to be checked"
"""What a session is called of which there are no words."""

_SIZES = ("bytes", "kB", "MB", "GB")
_A_THOUSAND = 1000
_WORTH_PACKING, _PACKING = 16_000, 3
"""Bytes from which a page is sent compressed, and how hard it is tried."""


def render(
    request: Request,
    template: str,
    *,
    access: Access | None = None,
    status: int = 200,
    **context: Any,
) -> Response:
    """A page (`templates/<template>`), or a fragment of one for htmx. Everything is escaped.

    Templates get `access`, `workspace`, `may(role)`, `csrf_token`, `csrf_field()`, `here` (the
    path), `is_fragment` (htmx asked), and the filters of this module. A name that a template uses
    and nobody gave is an error. Text of another type than `str` is put out as `str()` has it.
    """
    token = csrf_token_of(request)
    made = part(
        template,
        **context,
        access=access,
        workspace=access.workspace if access else "",
        may=lambda role: access is not None and access.may(Role(role)),
        csrf_token=token,
        csrf_field=lambda: _CSRF_FIELD.format(FIELD, token),
        here=request.url.path,
        is_fragment=is_fragment(request),
    )
    html = made.encode()
    response = HTMLResponse(html, status)
    if len(html) >= _WORTH_PACKING and "gzip" in request.headers.get("accept-encoding", ""):
        # A text of somebody else's choice beside a secret could be guessed from the packed length.
        if not request.url.query:
            packed = gzip.compress(html, _PACKING, mtime=0)
            response = HTMLResponse(packed, status, {"Content-Encoding": "gzip"})
        response.headers["Vary"] = "Accept-Encoding"
    return response


def part(template: str, **context: Any) -> Markup:
    """What a template makes of a context; what is the same for all readers may be kept."""
    html = environment().get_template(template).render(context)
    return Markup(html)  # noqa: S704  # it came out of a template that escapes


def is_fragment(request: Request) -> bool:
    """Whether htmx asks, for a part of a page."""
    return request.headers.get("hx-request") == "true"


@cache
def environment() -> Environment:
    """The templates, compiled once."""
    made = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        cache_size=-1,
    )
    made.globals.update(
        NAVIGATION=NAVIGATION, TASKS=TASKS, at_top=at_top, DECISION_WORDS=DECISION_WORDS,
        MOST_REASON_CHARS=MOST_REASON_CHARS, MOST_PASSAGES=MOST_PASSAGES,
        confidence_meter=confidence_meter, document_link=document_link, wording=wording,
    )  # fmt: skip
    made.filters.update(
        as_written=escape, count=count, date=date, one_line=one_line,
        role_word=_ROLES.__getitem__, session_name=session_name, size=size, time=time_element,
        unwrapped=unwrapped, verdict_badge=verdict_badge,
    )  # fmt: skip
    return made


def _shown(value: Any) -> Any:
    """What stands in a page for a value: text with its invisible controls named."""
    if isinstance(value, str) and not hasattr(value, "__html__") and not value.isprintable():
        return visible(value)
    return value


def date(value: datetime | str | None) -> str:
    """A time as `2026-01-03 14:30 UTC`; `-` for none."""
    return wording.stamp(_iso(value)) if value else wording.NO_SOURCE


def time_element(value: datetime | str | None) -> Markup:
    """The same as an element that names the exact time."""
    if not value:
        return escape(wording.NO_SOURCE)
    return Markup('<time datetime="{}">{}</time>').format(_iso(value), date(value))


def _iso(value: datetime | str) -> str:
    if isinstance(value, str):
        return value
    moment = value if value.tzinfo else value.replace(tzinfo=UTC)
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def unwrapped(text: str) -> str:
    """A passage in paragraphs: lines that its file was broken at are joined, and items, rows and
    paragraphs kept apart.
    """
    return _BLANK.sub("\n\n", _WRAPPED.sub(" ", text)).strip()


_BLANK = re.compile(r"\n[ \t]*\n\s*")

_WRAPPED = re.compile(r"(?<!\n)\n(?![ \t]*(?:\n|[-*+•|]|\d{1,3}[.)]|\w\)))")
"""A line that a file was broken at: neither a paragraph nor an item or a row begins after it."""


def size(number_of_bytes: int) -> str:
    """A size as a reader says it: `940 bytes`, `1.2 MB`."""
    amount, unit = float(number_of_bytes), _SIZES[0]
    for unit in _SIZES:
        if amount < _A_THOUSAND or unit == _SIZES[-1]:
            break
        amount /= _A_THOUSAND
    return f"{amount:.0f} {unit}" if unit == _SIZES[0] else f"{amount:.1f} {unit}"


_CSRF_FIELD = Markup('<input type="hidden" name="{}" value="{}">')
_BADGE = Markup('<span class="verdict verdict-{}"><i aria-hidden="true">{}</i>{}</span>')
_METER = Markup(
    '<span class="confidence confidence-{}"><span>{}</span>'
    '<svg class="meter" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
    '<rect width="100" height="8"/><rect width="{}" height="8"/></svg>'
    '<span class="badge">{}</span></span>'
)


def document_link(
    document_id: str,
    version: int | None,
    *,
    session: str = "",
    claim: int = 0,
    start: int | None = None,
    end: int | None = None,
) -> str:
    """The address of a document, or of a place in it: permanent, for it names the version."""
    pairs: Sequence[tuple[str, object]] = (
        ("version", version), ("start", start), ("end", end),
        ("session", session or None), ("claim", claim or None),
    )  # fmt: skip
    query = urlencode([(name, value) for name, value in pairs if value is not None])
    return f"/documents/{quote(document_id, safe='')}" + (f"?{query}" if query else "")


def session_name(inquiry: Inquiry) -> str:
    """What a session is called, in lists and at the head of its page."""
    return wording.called(inquiry.title, inquiry.query, inquiry.answer, NAMELESS)


_ROLES = {Role.READER: "reader", Role.REVIEWER: "reviewer", Role.ADMIN: "administrator"}


@cache
def verdict_badge(verdict: Verdict | str) -> Markup:
    """Sign and word in the colour of a verdict."""
    known = Verdict(verdict)
    return _BADGE.format(known.value, wording.VERDICT_SIGNS[known], wording.VERDICT_WORDS[known])


def confidence_meter(score: float) -> Markup:
    """A confidence as number, bar and word, in its band's style."""
    width = round(min(1.0, max(0.0, score)) * 100)
    return _METER.format(
        confidence_band(score).value, wording.confidence(score), width, wording.band(score)
    )

"""Errors as pages, for those who came with a browser."""

from __future__ import annotations

import logging
from html import escape
from http import HTTPStatus

from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from veridical.service.observing.request_ids import request_id_of

_log = logging.getLogger(__name__)


def wants_page(connection: HTTPConnection) -> bool:
    """Whether a request is a browser's for a page, rather than a program's."""
    path = connection.scope.get("path", "")
    return not path.startswith("/api/") and "text/html" in connection.headers.get("accept", "")


def error_page(
    request: Request, status: int, code: str, message: str, headers: dict[str, str] | None
) -> Response:
    """The error as a page; one of a few plain lines where the pages themselves are what failed."""
    request_id = request_id_of(request)
    try:
        from veridical.service.pages.rendering import render

        page = render(
            request,
            "error.html",
            access=getattr(request.state, "access", None),
            status=status,
            code=code,
            message=message,
            request_id=request_id,
        )
    except Exception as error:  # noqa: BLE001  # an error page must not fail
        _log.error("the error page cannot be made: %s", type(error).__name__)
        page = _plain(status, message, request_id)
    page.headers.update(headers or {})
    return page


def _plain(status: int, message: str, request_id: str) -> Response:
    title = escape(f"{status} {HTTPStatus(status).phrase}")
    return HTMLResponse(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>{title}</title>'
        f"<h1>{title}</h1><p>{escape(message)}</p><p>Request {escape(request_id)}</p>"
        '<p><a href="/">Back to the beginning</a></p></html>',
        status_code=status,
    )

"""The style sheets and scripts of reports as files: no page of the service has them inside it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache

from fastapi import APIRouter, Request
from starlette.responses import Response

from veridical.service.errors import NotFoundError
from veridical.validation.reports.page import asset, report_style

router = APIRouter(include_in_schema=False)

_NOT_MODIFIED = 304

_FILES: dict[str, tuple[str, Callable[[], str]]] = {
    "speech.css": ("text/css", lambda: report_style("veridical.speech.report", "speech.css")),
    "speech.js": ("text/javascript", lambda: asset("veridical.speech.report", "speech.js")),
    "score.css": ("text/css", lambda: report_style("veridical.scoring.report", "score.css")),
    "score.js": ("text/javascript", lambda: asset("veridical.scoring.report", "score.js")),
    "evaluation.css": (
        "text/css",
        lambda: report_style("veridical.evaluation.report", "evaluation.css"),
    ),
}


@cache
def _made(name: str) -> tuple[bytes, str]:
    """The bytes of a file and its tag."""
    content = _FILES[name][1]().encode()
    return content, f'"{hashlib.sha256(content).hexdigest()[:32]}"'


@router.head("/static/reports/{name}")
@router.get("/static/reports/{name}")
def report_asset(request: Request, name: str) -> Response:
    """The same for everybody, so that nobody needs a token for it."""
    if name not in _FILES:
        raise NotFoundError("There is no such file.")
    content, tag = _made(name)
    headers = {"ETag": tag, "Cache-Control": "public, max-age=3600"}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=_NOT_MODIFIED, headers=headers)
    return Response(content, media_type=_FILES[name][0], headers=headers)

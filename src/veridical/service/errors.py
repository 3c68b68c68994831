"""One shape for every error of the service: `{"error": {"code", "message", "request_id"}}`.

Where a browser asks for a page, the error is shown as one.
"""

from __future__ import annotations

import logging
import re
import secrets
from html import escape
from http import HTTPStatus
from typing import Any, TypeVar

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from fastapi.routing import iter_route_contexts
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from veridical.errors import (
    ConflictError,
    DocumentParsingError,
    MissingExtraError,
    ModelError,
    ModelUnavailable,
    NoDocumentsError,
    StoreError,
    StoreUnavailable,
    TooManyJobsError,
    ValidationError,
    VeridicalError,
)
from veridical.service.observing.logs import stack_of

T = TypeVar("T")

HEADER = "X-Request-ID"
_USABLE = re.compile(r"[A-Za-z0-9._-]{1,64}")


def new_request_id() -> str:
    """One that no other request has."""
    return secrets.token_hex(8)


def give_request_id(scope: Scope) -> str:
    """The id of a request from here on: the one that it came with, where that is harmless."""
    given = Headers(scope=scope).get(HEADER, "")
    request_id = given if _USABLE.fullmatch(given) else new_request_id()
    scope.setdefault("state", {})["request_id"] = request_id
    return request_id


def request_id_of(connection: HTTPConnection) -> str:
    """The id of a request; empty where nobody gave it one."""
    return str(connection.scope.get("state", {}).get("request_id", ""))


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


_NOUNS = {"query": "In the address", "path": "In the address"}
_IN_A_FORM = "In the form"


def problem_words(problem: dict[str, Any]) -> str:
    """A problem that was found with a request as a sentence; never with what was sent.

    It is told by its kind: the words of the library that found it are for programmers.
    """
    place, *names = problem["loc"]
    what = f"“{names[-1]}”" if names else "what was sent"
    kind = str(problem["type"])
    fitting = (words for begins, words in _RULES if kind.startswith(begins))
    rule = next(fitting, "cannot be used").format_map(problem.get("ctx", {}))
    return f"{_NOUNS.get(str(place), _IN_A_FORM)}, {what} {rule}."


_RULES = (
    ("missing", "is missing"),
    ("int", "must be a whole number"),
    ("float", "must be a number"),
    ("bool", "must be true or false"),
    ("greater_than_equal", "must be {ge} or more"),
    ("less_than_equal", "must be {le} or less"),
    ("string_too_long", "must have {max_length} characters or fewer"),
    ("string_too_short", "must have {min_length} characters or more"),
    ("literal_error", "must be one of {expected}"),
    ("enum", "must be one of {expected}"),
)
"""How kinds of problems begin, and what each says; the first that fits."""

FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
"""How the kinds of a body that is a form begin."""


class ServiceError(VeridicalError):
    """An error that says itself how it is replied."""

    status = 500
    code = "internal_error"

    def __init__(self, message: str, *, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.headers = headers


class NotReadyError(ServiceError):
    """Something is still being made, or cannot be reached for now."""

    status, code = 503, "not_ready"


class NotFoundError(ServiceError):
    """What is asked for is not there: what belongs to another workspace is not there either."""

    status, code = 404, "not_found"


def there(found: T | None, problem: str) -> T:
    """What was found. Raises NotFoundError with these words where there is nothing."""
    if found is None:
        raise NotFoundError(problem)
    return found


class UnauthorizedError(ServiceError):
    """No token, or one that is not good, or no longer."""

    status, code = 401, "unauthorized"

    def __init__(self, message: str) -> None:
        super().__init__(message, headers={"WWW-Authenticate": 'Bearer realm="veridical"'})


class ForbiddenError(ServiceError):
    """Whoever asks is known, and may not do this."""

    status, code = 403, "forbidden"


class TooManyError(ServiceError):
    """Too many calls for now. `retry_seconds` says when the next one is welcome."""

    status, code = 429, "too_many_requests"

    def __init__(self, message: str, *, retry_seconds: int) -> None:
        super().__init__(message, headers={"Retry-After": str(retry_seconds)})


class RefusedError(ServiceError):
    """A request that is not as it must be, with the status and the code that say how."""

    def __init__(
        self, status: int, code: str, message: str, headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(message, headers=headers)
        self.status, self.code = status, code


def error_response(
    status: int,
    code: str,
    message: str,
    headers: dict[str, str] | None = None,
    request_id: str = "",
) -> JSONResponse:
    """An error as every endpoint replies it."""
    told = message.encode("utf-8", "replace").decode("utf-8")
    content = {"error": {"code": code, "message": told, "request_id": request_id}}
    return JSONResponse(content, status_code=status, headers=headers)


def add_error_handlers(app: FastAPI) -> None:
    """Turn what goes wrong into replies that say what to do."""
    for kind in (RequestValidationError, HTTPException, VeridicalError, Exception):
        app.add_exception_handler(kind, reply_to)


def reply_to(request: Request, error: Exception) -> Response:
    """What is replied where `error` ended the work on a request: a page where one was asked for."""
    status, code, message, headers = _told(error, request)
    if wants_page(request):
        return error_page(request, status, code, message, headers)
    return error_response(status, code, message, headers, request_id_of(request))


def status_of(error: VeridicalError) -> tuple[int, str]:
    """The HTTP status of one of our errors, and its code."""
    if isinstance(error, ServiceError):
        return error.status, error.code
    for kind, status, code in _STATUSES:
        if isinstance(error, kind):
            return status, code
    return 500, "internal_error"


_STATUSES: tuple[tuple[type[VeridicalError], int, str], ...] = (
    (ValidationError, 422, "invalid_request"),
    (ConflictError, 409, "conflict"),
    (TooManyJobsError, 429, "too_many_jobs"),
    (NoDocumentsError, 409, "no_documents"),
    (DocumentParsingError, 422, "unreadable_document"),
    (StoreUnavailable, 503, "database_unavailable"),
    (StoreError, 500, "database_error"),
    (MissingExtraError, 501, "not_installed"),
    (ModelUnavailable, 503, "model_unavailable"),
    (ModelError, 502, "model_error"),
)
_MOST_PROBLEMS = 5
_NOT_JSON = "the body is not valid JSON"
_NOT_SENT_AS_JSON = "the body must be JSON, sent with the header Content-Type: application/json"
_NO_FILE = "must be the file of a form (multipart/form-data), as `curl -F file=@a.pdf` sends it"
_NO_ADDRESS = "There is nothing at this address; /openapi.json lists all that the API has."
_NO_PAGE = "There is no page at this address."
_NOT_A_FORM = "the form cannot be read"
_DEFECT = "Something unexpected went wrong here. This is a defect of the service."
_DATABASE_GONE = "The database does not answer. Nothing was changed; try again soon."
_HTTP_CODES = {404: "not_found", 405: "method_not_allowed", 408: "too_slow", 413: "too_large"}

Told = tuple[int, str, str, dict[str, str] | None]


def _told(error: Exception, request: Request) -> Told:
    if isinstance(error, RequestValidationError):
        found = error.errors()[:_MOST_PROBLEMS]
        if wants_page(request):
            return 422, "invalid_request", " ".join(map(problem_words, found)), None
        return 422, "invalid_request", "; ".join(_described(one, request) for one in found), None
    if isinstance(error, HTTPException):
        return _http_error(error, request)
    if isinstance(error, VeridicalError):
        return _our_error(error)
    _log.error("unexpected %s: %s", type(error).__name__, stack_of(error))
    return 500, "internal_error", _DEFECT, None


def _our_error(error: VeridicalError) -> Told:
    status, code = status_of(error)
    headers = error.headers if isinstance(error, ServiceError) else None
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        headers = {"Retry-After": "1", **(headers or {})}
    if isinstance(error, StoreError):
        _log.error("the database cannot be used: %s", stack_of(error))
        is_gone = isinstance(error, StoreUnavailable)
        return status, code, error.public or (_DATABASE_GONE if is_gone else str(error)), headers
    if status == HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("unexpected %s: %s", type(error).__name__, stack_of(error))
    return status, code, str(error), headers


def _described(problem: dict[str, Any], request: Request) -> str:
    """Where in the request something is wrong, and what; never what was sent."""
    if problem["type"] == "json_invalid":
        return _NOT_JSON
    kind = request.headers.get("content-type", "").lower()
    if problem["loc"] == ("body",) and "json" not in kind:
        return _NOT_SENT_AS_JSON
    if problem["loc"][:1] == ("body",) and "UploadFile" in problem["msg"]:
        return f"{problem['loc'][-1]}: {_NO_FILE}"
    place = ".".join(str(part) for part in problem["loc"][1:]) or "the body"
    return f"{place}: {problem['msg']}"


def _http_error(error: HTTPException, request: Request) -> Told:
    if error.status_code == HTTPStatus.BAD_REQUEST:
        # Of ours none: what FastAPI says of a body that it cannot parse, or that we did not let in.
        if isinstance(error.__cause__, VeridicalError):
            return _our_error(error.__cause__)
        is_form = request.headers.get("content-type", "").lower().startswith(FORMS)
        problem = f"{_NOT_A_FORM}: {error.detail}" if is_form else _NOT_JSON
        return 422, "invalid_request", problem, None
    code = _HTTP_CODES.get(error.status_code, "http_error")
    headers = dict(error.headers) if error.headers else None
    if error.detail == HTTPStatus.NOT_FOUND.phrase:  # as a router says it, which finds no route
        return error.status_code, code, _NO_PAGE if wants_page(request) else _NO_ADDRESS, headers
    if error.status_code == HTTPStatus.METHOD_NOT_ALLOWED:
        allowed = ", ".join(_methods_of(request))
        message = f"{request.method} cannot be done here, only {allowed}."
        return error.status_code, code, message, {"Allow": allowed}
    return error.status_code, code, str(error.detail), headers


def _methods_of(request: Request) -> list[str]:
    """What may be done at the address of a request, by all routes that lead there."""
    routes = iter_route_contexts(request.app.routes)
    found = {
        method
        for route in routes
        if route.path_regex is not None and route.path_regex.match(request.scope["path"])
        for method in route.methods or ()
    }
    return sorted(found) or ["GET", "HEAD"]  # files, which have no routes

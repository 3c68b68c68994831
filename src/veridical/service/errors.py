"""One shape for every error of the service: `{"error": {"code": …, "message": …}}`."""

from __future__ import annotations

import logging
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.responses import Response

from veridical.errors import ModelError, ModelUnavailable, ValidationError, VeridicalError

_log = logging.getLogger(__name__)


class NotReadyError(VeridicalError):
    """The index is still being made, or could not be made."""


def error_response(
    status: int, code: str, message: str, headers: dict[str, str] | None = None
) -> JSONResponse:
    """An error as every endpoint replies it."""
    content = {"error": {"code": code, "message": message}}
    return JSONResponse(content, status_code=status, headers=headers)


def add_error_handlers(app: FastAPI) -> None:
    """Turn what goes wrong into replies that say what to do."""
    app.add_exception_handler(RequestValidationError, _invalid_request)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(VeridicalError, _our_error)
    app.add_exception_handler(Exception, _defect)


def status_of(error: VeridicalError) -> tuple[int, str]:
    """The HTTP status of one of our errors, and its code."""
    if isinstance(error, ValidationError):
        return 422, "invalid_request"
    if isinstance(error, NotReadyError):
        return 503, "not_ready"
    if isinstance(error, ModelUnavailable):
        return 503, "model_unavailable"
    if isinstance(error, ModelError):
        return 502, "model_error"
    return 500, "internal_error"


def _our_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, VeridicalError)  # noqa: S101  # what the handler is registered for
    status, code = status_of(error)
    headers = {"Retry-After": "1"} if status == _UNAVAILABLE else None
    return error_response(status, code, str(error), headers)


_UNAVAILABLE = 503
_MOST_PROBLEMS = 5
_BAD_REQUEST = 400
_NOT_JSON = "the body is not valid JSON"


def _invalid_request(_request: Request, error: Exception) -> Response:
    """Where in the request something is wrong, and what; never what was sent."""
    assert isinstance(error, RequestValidationError)  # noqa: S101
    problems = [_described(problem) for problem in error.errors()[:_MOST_PROBLEMS]]
    return error_response(422, "invalid_request", "; ".join(problems))


def _described(problem: dict[str, Any]) -> str:
    if problem["type"] == "json_invalid":
        return _NOT_JSON
    place = ".".join(str(part) for part in problem["loc"][1:]) or "the body"
    return f"{place}: {problem['msg']}"


def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    if (
        error.status_code == _BAD_REQUEST
    ):  # of ours none: what FastAPI says of a body that it cannot parse
        return error_response(422, "invalid_request", _NOT_JSON)
    codes = {404: "not_found", 405: "method_not_allowed", 408: "too_slow", 413: "too_large"}
    code = codes.get(error.status_code, "http_error")
    headers = dict(error.headers) if error.headers else None
    return error_response(error.status_code, code, str(error.detail), headers)


def _defect(_request: Request, error: Exception) -> Response:
    _log.error("unexpected %s", type(error).__name__, exc_info=error)
    message = "Something unexpected went wrong here. This is a defect of the service."
    return error_response(500, "internal_error", message)

"""What `/openapi.json` says beside what the endpoints say themselves."""

from __future__ import annotations

from collections.abc import Iterator
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute

from veridical.service.api.wire import ErrorReply
from veridical.service.entry.access import OPEN_ROUTES, template_of
from veridical.service.entry.idempotency import HEADER, REPLAYED
from veridical.service.entry.identity import WORKSPACE_HEADER
from veridical.service.settings import API_PREFIX

_ABOUT = f"""Checks that what a language model wrote is really in its sources.

**Who may call.** With `--auth token` each call needs `Authorization: Bearer vrd_…`; a token is of
one workspace and has a role: `reader`, `reviewer` or `admin`. With open access there are no tokens,
and the header `{WORKSPACE_HEADER}` says which workspace a call is about. What belongs to another
workspace is not found.

**Errors** have one shape: `{{"error": {{"code", "message", "request_id"}}}}`.

**Lists** give `items` and `next`; the next page is `?after=` that.

**Calls that create** take a header `{HEADER}`: the same key and body is done once, and its reply is
given again for a day, unless what it made was deleted (410).
"""
_SCHEMES = {
    "token": {
        "type": "http",
        "scheme": "bearer",
        "description": "Made by `veridical token create`, or `POST /api/v1/tokens`.",
    }
}
_KEY = {
    "name": HEADER,
    "in": "header",
    "required": False,
    "description": "1 to 200 printable ASCII characters of your choice. The same call with the "
    f"same key is done once: its reply is given again for 24 hours, with `{REPLAYED}: true`.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
    "example": "7f8f7c1e-2a52-4a4b-9f55-0a7f5c6d9b10",
}
_WORKSPACE = {
    "name": WORKSPACE_HEADER,
    "in": "header",
    "required": False,
    "description": "The workspace of this call with open access, percent-encoded where it is not "
    "ASCII. With a token it can only be the token's own.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 600, "pattern": "^[!-~]+$"},
    "example": "default",
}
_SCHEMAS = "#/components/schemas/"
_ERROR = {"$ref": _SCHEMAS + ErrorReply.__name__}
_OF_KEYS = {
    "409": "The first call with this key is still under way",
    "410": "What the first call with this key made was deleted since",
}
_METHODS = ("get", "post", "put", "patch", "delete")


def operation_id(route: APIRoute) -> str:
    """A name that stays the same as long as the endpoint does."""
    return f"{route.endpoint.__module__.rpartition('.')[2]}_{route.name}"


def describe(app: FastAPI) -> None:
    """Have the application describe itself whole."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            schema = get_openapi(
                title=app.title, version=app.version, description=_ABOUT, routes=app.routes
            )
            _add_access(schema)
            _have_one_error(schema)
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _add_access(schema: dict[str, Any]) -> None:
    schema.setdefault("components", {})["securitySchemes"] = _SCHEMES
    for path, method, operation in _operations(schema):
        is_open = template_of(path) in OPEN_ROUTES
        operation["security"] = [] if is_open else [{"token": []}]
        if path.startswith(API_PREFIX):
            extra = [*([] if is_open else [_WORKSPACE]), *([_KEY] if method == "post" else [])]
            operation["parameters"] = [*operation.get("parameters", []), *extra]
            for status, told in _OF_KEYS.items() if method == "post" else ():
                operation["responses"].setdefault(status, {"description": told})


def _have_one_error(schema: dict[str, Any]) -> None:
    """Every error has the one shape, but where an endpoint says itself what it replies.

    FastAPI describes what it would reply of unusable requests; here they have that shape too.
    """
    for _path, _method, operation in _operations(schema):
        for status, reply in operation["responses"].items():
            if status == "422" and "HTTPValidationError" in str(reply):
                reply.pop("content")
            if int(status) >= HTTPStatus.BAD_REQUEST:
                reply.setdefault("content", {"application/json": {"schema": _ERROR}})
    described = ErrorReply.model_json_schema(ref_template=_SCHEMAS + "{model}")
    schemas = schema["components"]["schemas"]
    for name in ("HTTPValidationError", "ValidationError"):
        schemas.pop(name, None)
    schemas |= {**described.pop("$defs"), ErrorReply.__name__: described}


def _operations(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    for path, item in schema["paths"].items():
        for method in _METHODS:
            if method in item:
                yield path, method, item[method]

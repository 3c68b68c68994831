"""The application: the API and the pages over one store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles

from veridical.service.api import (
    chat,
    citations,
    documents,
    exports,
    jobs,
    records,
    sessions,
    workspaces,
)
from veridical.service.api.wire import ErrorReply
from veridical.service.context import Service
from veridical.service.corpora import Corpora, Folders
from veridical.service.entry.access import OPEN_ROUTES, template_of
from veridical.service.entry.idempotency import HEADER, REPLAYED, Idempotency
from veridical.service.entry.identity import WORKSPACE_HEADER, Identities
from veridical.service.entry.middleware import Authentication, BodyLimit, OriginCheck
from veridical.service.errors import add_error_handlers
from veridical.service.jobs.engine import JobEngine
from veridical.service.observing.observed import Metrics, Observed
from veridical.service.observing.telemetry import FASTAPI_TELEMETRY_OFF
from veridical.service.pages import access as access_pages
from veridical.service.pages import ask, recordings, scoring
from veridical.service.pages import documents as document_pages
from veridical.service.pages import jobs as job_pages
from veridical.service.pages import library as library_pages
from veridical.service.pages import records as record_pages
from veridical.service.pages import sessions as session_pages
from veridical.service.pages import viewer as viewer_pages
from veridical.service.pages.record_pages import report_assets
from veridical.service.settings import API_PREFIX, ServiceSettings
from veridical.store.store import Store
from veridical.version import __version__

API_ROUTERS: tuple[APIRouter, ...] = (
    workspaces.router, documents.router, sessions.router, sessions.reviews,
    exports.router, citations.router, jobs.router, *records.ROUTERS,
)  # fmt: skip

ROOT_ROUTERS: tuple[APIRouter, ...] = (
    chat.operations, chat.router, access_pages.router, ask.router,
    session_pages.router, document_pages.router, viewer_pages.router,
    recordings.router, scoring.router, *record_pages.ROUTERS,
    library_pages.router, job_pages.router, report_assets,
)  # fmt: skip

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
            schema.setdefault("components", {})["securitySchemes"] = _SCHEMES
            for path, item in schema["paths"].items():
                for method in set(_METHODS) & set(item):
                    _add_access(path, method, item[method])
                    _have_one_error(item[method])
            described_error = ErrorReply.model_json_schema(ref_template=_SCHEMAS + "{model}")
            schemas = schema["components"]["schemas"]
            for name in ("HTTPValidationError", "ValidationError"):
                schemas.pop(name, None)
            schemas |= {**described_error.pop("$defs"), ErrorReply.__name__: described_error}
            app.openapi_schema = schema
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _add_access(path: str, method: str, operation: dict[str, Any]) -> None:
    is_open = template_of(path) in OPEN_ROUTES
    operation["security"] = [] if is_open else [{"token": []}]
    if path.startswith(API_PREFIX):
        extra = [*([] if is_open else [_WORKSPACE]), *([_KEY] if method == "post" else [])]
        operation["parameters"] = [*operation.get("parameters", []), *extra]
        for status, told in _OF_KEYS.items() if method == "post" else ():
            operation["responses"].setdefault(status, {"description": told})


def _have_one_error(operation: dict[str, Any]) -> None:
    """Every error has the one shape, but where an endpoint says itself what it replies.

    FastAPI describes what it would reply of unusable requests; here they have that shape too.
    """
    for status, reply in operation["responses"].items():
        if status == "422" and "HTTPValidationError" in str(reply):
            reply.pop("content")
        if int(status) >= HTTPStatus.BAD_REQUEST:
            reply.setdefault("content", {"application/json": {"schema": _ERROR}})


def create_app(settings: ServiceSettings, *, store: Store | None = None) -> FastAPI:
    """The service as an ASGI application: run it with any server of that kind, such as uvicorn.

    Opens the database of the settings, and makes or upgrades its tables; a `store` that is given is
    used in its place, and left open at the end. Jobs and folders are taken up in the background
    once the server starts, and `/ready` says when. Raises what `Store.open` raises.
    """
    opened = store or Store.open(settings.database, busy_seconds=settings.busy_seconds)
    corpora = Corpora(model=settings.model)
    service = Service(
        settings=settings,
        store=opened,
        corpora=corpora,
        jobs=JobEngine(settings, opened, corpora),
        folders=Folders(settings, opened, corpora),
        identities=Identities(settings, opened),
        metrics=Metrics(opened),
    )

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        service.stopping.clear()
        service.jobs.start()
        service.folders.start()
        yield
        service.stopping.set()
        service.folders.stop()
        service.jobs.stop()
        if store is None:
            service.store.close()

    # The interactive documentation of FastAPI loads scripts from elsewhere.
    app = FastAPI(
        title="Veridical",
        version=__version__,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would lead to whatever host the request names
        generate_unique_id_function=operation_id,
        telemetry=FASTAPI_TELEMETRY_OFF,
    )
    app.state.service = service
    add_error_handlers(app)
    # What every request passes before a route is looked for: the last added is the first met.
    app.add_middleware(Idempotency)
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(Authentication, rate_per_minute=settings.rate_per_minute)
    app.add_middleware(OriginCheck, settings=settings)
    app.add_middleware(Observed)
    for router in API_ROUTERS:
        app.include_router(router, prefix=API_PREFIX)
    for router in ROOT_ROUTERS:
        app.include_router(router)
    app.mount("/static/look", StaticFiles(directory=_folder("veridical.look")), name="look")
    app.mount("/static", StaticFiles(directory=_folder("veridical.service") / "static"))
    describe(app)
    return app


def _folder(package: str) -> Path:
    return Path(str(resources.files(package)))

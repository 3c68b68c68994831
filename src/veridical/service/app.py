"""The application: the API and the pages over one store."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from veridical.service.api.openapi import describe, operation_id
from veridical.service.context import Service
from veridical.service.corpora import Corpora
from veridical.service.entry.door import Door
from veridical.service.entry.headers import SecurityHeaders
from veridical.service.entry.idempotency import Idempotency
from veridical.service.entry.identity import Identities
from veridical.service.entry.limits import BodyLimit
from veridical.service.entry.origins import Guard
from veridical.service.errors import add_error_handlers
from veridical.service.jobs.engine import JobEngine
from veridical.service.observing.metrics import Metrics
from veridical.service.observing.observed import Observed
from veridical.service.observing.telemetry import FASTAPI_TELEMETRY_OFF
from veridical.service.reading.folders import Folders
from veridical.service.routes import API_ROUTERS, ROOT_ROUTERS
from veridical.service.settings import API_PREFIX, ServiceSettings
from veridical.store.store import Store
from veridical.version import __version__


def create_app(settings: ServiceSettings, *, store: Store | None = None) -> FastAPI:
    """The service as an ASGI application: run it with any server of that kind, such as uvicorn.

    Opens the database of the settings, and makes or upgrades its tables; a `store` that is given is
    used in its place, and left open at the end. Jobs and folders are taken up in the background
    once the server starts, and `/ready` says when. Raises what `Store.open` raises.
    """
    opened = store or Store.open(settings.database, busy_seconds=settings.busy_seconds)
    service = _service(settings, opened)

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
    _surround(app, settings)
    for router in API_ROUTERS:
        app.include_router(router, prefix=API_PREFIX)
    for router in ROOT_ROUTERS:
        app.include_router(router)
    app.mount("/static/look", StaticFiles(directory=_folder("veridical.look")), name="look")
    app.mount("/static", StaticFiles(directory=_folder("veridical.service") / "static"))
    describe(app)
    return app


def _service(settings: ServiceSettings, store: Store) -> Service:
    corpora = Corpora(model=settings.model)
    return Service(
        settings=settings,
        store=store,
        corpora=corpora,
        jobs=JobEngine(settings, store, corpora),
        folders=Folders(settings, store, corpora),
        identities=Identities(settings, store),
        metrics=Metrics(store),
    )


def _surround(app: FastAPI, settings: ServiceSettings) -> None:
    """What every request passes before a route is looked for: the last added is the first met."""
    app.add_middleware(Idempotency)
    app.add_middleware(BodyLimit, settings=settings)
    app.add_middleware(Door, rate_per_minute=settings.rate_per_minute)
    app.add_middleware(Guard, settings=settings)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(Observed)


def _folder(package: str) -> Path:
    return Path(str(resources.files(package)))

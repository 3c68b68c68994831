"""The application: endpoints and pages over one desk."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from importlib import resources
from pathlib import Path

from fastapi import FastAPI
from fastapi.staticfiles import StaticFiles

from veridical.answering.index.policy_index import PolicyIndex
from veridical.models.protocol import LanguageModel
from veridical.service.api import chat
from veridical.service.desk import AnswerDesk
from veridical.service.errors import add_error_handlers
from veridical.service.headers import SecurityHeaders
from veridical.service.limits import BodyLimit
from veridical.service.pages import ask
from veridical.service.settings import REFRESH_SECONDS
from veridical.version import __version__


def create_app(
    open_index: Callable[[], PolicyIndex],
    *,
    model: LanguageModel | None = None,
    refresh_seconds: float = REFRESH_SECONDS,
) -> FastAPI:
    """An application that answers questions over the index that `open_index` opens.

    It opens in the background when the server starts; until then `/health` says so. `model` writes
    the answers, the embedded author without one. Run it with any ASGI server, such as uvicorn.
    """
    desk = AnswerDesk(open_index, model=model, refresh_seconds=refresh_seconds)

    @asynccontextmanager
    async def lifespan(_app: FastAPI) -> AsyncIterator[None]:
        desk.start()
        yield
        desk.stop()

    # The interactive documentation of FastAPI loads scripts from elsewhere.
    app = FastAPI(
        title="Veridical", version=__version__, lifespan=lifespan, docs_url=None, redoc_url=None
    )
    app.state.desk = desk
    add_error_handlers(app)
    app.add_middleware(BodyLimit)
    app.add_middleware(SecurityHeaders)
    app.include_router(chat.router)
    app.include_router(ask.router)
    static = Path(str(resources.files("veridical.service") / "static"))
    app.mount("/static", StaticFiles(directory=static), name="static")
    return app

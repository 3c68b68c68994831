"""uvicorn, with what it lacks: it tells the service when it begins to stop, and bounds heads."""

from __future__ import annotations

import threading
from asyncio import Protocol
from importlib.util import find_spec
from types import FrameType

import uvicorn


class Server(uvicorn.Server):
    """A server that sets `stopping` when it is told to stop: replies that go on for as long as
    somebody listens must end then, or it would wait for them.
    """

    def __init__(self, config: uvicorn.Config, stopping: threading.Event) -> None:
        super().__init__(config)
        self._stopping = stopping

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal to stop."""
        self._stopping.set()
        super().handle_exit(sig, frame)


def http_protocol() -> type[Protocol] | str:
    """HTTP by httptools where it is installed, else by h11, which has bounds of its own."""
    if find_spec("httptools") is None:
        return "h11"
    from veridical.service.entry.protocol import BoundedHttp

    return BoundedHttp

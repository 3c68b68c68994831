"""A real server on the loopback address, in a thread of the test."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import httpx2
import uvicorn
from fastapi import FastAPI

from veridical.service.server import http_protocol

T = TypeVar("T")

_READY_SECONDS = 60.0


@contextmanager
def serving(app: FastAPI, *, wait_until_ready: bool = True) -> Iterator[httpx2.Client]:
    """A client of the application, served until the block ends."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app, http=http_protocol(), ws="none", log_config=None, timeout_graceful_shutdown=5
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            url = f"http://127.0.0.1:{listener.getsockname()[1]}"
            with httpx2.Client(base_url=url, timeout=60) as client:
                if wait_until_ready:
                    until_ready(client)
                yield client
        finally:
            server.should_exit = True
            thread.join()


def keep_port(port: int) -> socket.socket:
    """A socket that keeps a port for who names it: nobody else gets it by chance meanwhile, and
    nobody is let in."""
    kept = socket.socket()
    kept.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    kept.bind(("127.0.0.1", port))
    return kept


def until_ready(client: httpx2.Client) -> dict[str, object]:
    """What `/health` says once it is ready."""
    return until_health(client, lambda health: health["status"] == "ready")


def until_health(
    client: httpx2.Client, wished: Callable[[dict[str, object]], bool]
) -> dict[str, object]:
    """What `/health` says once that is as wished."""
    return dict(until(lambda: client.get("/health").json(), wished))


def until(look: Callable[[], T], wished: Callable[[T], bool]) -> T:
    """What one sees once that is as wished."""
    deadline = time.monotonic() + _READY_SECONDS
    while not wished(seen := look()):
        assert time.monotonic() < deadline, f"after {_READY_SECONDS} s still {seen}"
        time.sleep(0.02)
    return seen

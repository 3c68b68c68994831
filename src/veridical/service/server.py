"""uvicorn, with what it lacks: it tells the service when it begins to stop, bounds heads, and reads
what proxies say in any of its forms.
"""

from __future__ import annotations

import threading
from asyncio import Protocol
from collections.abc import Iterable
from importlib.util import find_spec
from types import FrameType
from typing import TYPE_CHECKING, Any

import uvicorn
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

if TYPE_CHECKING:
    from uvicorn._types import ASGIReceiveCallable, ASGISendCallable, Scope


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


class BehindProxies(ProxyHeadersMiddleware):
    """Believes what proxies say of the client, where they are of those that were named.

    Of `X-Forwarded-For` uvicorn takes the last address that is not one of them, and where all are
    believed the first. Of `X-Forwarded-Proto` it takes one plain word only; here it may be a list,
    in any case: the entry that belongs to that address, or else the one at the same end.
    """

    def __init__(self, app: Any, proxies: str) -> None:
        super().__init__(app, proxies)

    async def __call__(
        self, scope: Scope, receive: ASGIReceiveCallable, send: ASGISendCallable
    ) -> None:
        """Pass the request on, with the address and the scheme of the client."""
        if scope["type"] == "http" and (scope["client"] or ("",))[0] in self.trusted_hosts:
            headers = scope["headers"] = list(scope["headers"])
            told = _entries(headers, b"x-forwarded-proto")
            if told:
                headers[:] = [one for one in headers if one[0] != b"x-forwarded-proto"]
                place = self._place(_entries(headers, b"x-forwarded-for"), len(told))
                headers.append((b"x-forwarded-proto", told[place].lower().encode("latin-1")))
        await super().__call__(scope, receive, send)

    def _place(self, addresses: list[str], count: int) -> int:
        """Which of so many entries is about the client."""
        if self.trusted_hosts.always_trust:
            return 0
        if len(addresses) != count:
            return -1
        ours = [_host(address) in self.trusted_hosts for address in addresses]
        return max((place for place in range(count) if not ours[place]), default=0)


def _entries(headers: Iterable[tuple[bytes, bytes]], name: bytes) -> list[str]:
    joined = b",".join(value for key, value in headers if key == name).decode("latin-1")
    return [entry.strip() for entry in joined.split(",")] if joined else []


def _host(address: str) -> str:
    """Without the port that some proxies tell too."""
    if address.startswith("["):
        return address[1:].partition("]")[0]
    return address.partition(":")[0] if address.count(":") == 1 else address


def http_protocol() -> type[Protocol] | str:
    """HTTP by httptools where it is installed, else by h11, which has bounds of its own."""
    if find_spec("httptools") is None:
        return "h11"
    from veridical.service.entry.protocol import BoundedHttp

    return BoundedHttp

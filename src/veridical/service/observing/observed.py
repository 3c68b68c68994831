"""Around every request: its id, its line in the log, its numbers, its span; and a reply in any
case, also where something unexpected went wrong. Prometheus reads the numbers at `/metrics`.
"""

from __future__ import annotations

import logging
import time
from collections import Counter as Tally
from collections.abc import Iterator

from fastapi import FastAPI
from fastapi.routing import iter_route_contexts
from opentelemetry.trace import Span
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from veridical.errors import StoreError
from veridical.service.context import service_of
from veridical.service.entry.access import access_of
from veridical.service.entry.headers import SECURITY_HEADERS
from veridical.service.errors import HEADER, give_request_id, reply_to, request_id_of
from veridical.service.observing.logs import ACCESS_LOG
from veridical.service.observing.telemetry import end_span, request_span
from veridical.store.jobs import JobKind, JobState
from veridical.store.store import Store

CONTENT_TYPE = CONTENT_TYPE_LATEST
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class Metrics(Collector):
    """The numbers of one service, in a registry of its own."""

    def __init__(self, store: Store) -> None:
        self._registry = CollectorRegistry()
        self._requests = Counter(
            "veridical_requests",
            "Requests that were replied to.",
            ("method", "route", "status"),
            registry=self._registry,
        )
        self._seconds = Histogram(
            "veridical_request_seconds",
            "Time until a reply was sent.",
            ("method", "route"),
            buckets=_BUCKETS,
            registry=self._registry,
        )
        self.in_flight = Gauge(
            "veridical_requests_in_flight",
            "Requests that are being worked on.",
            registry=self._registry,
        )
        self._store = store
        self._registry.register(self)  # for what only the database knows

    def count(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count a request that is over; `route` is the template of its route."""
        known = method if method in _METHODS else "OTHER"
        self._requests.labels(known, route, f"{status // 100}xx").inc()
        self._seconds.labels(known, route).observe(seconds)

    def exposition(self) -> bytes:
        """All of it as Prometheus reads it. Asks the database."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """The jobs that are not over by kind and state, and whether the database answers."""
        told = "Jobs that are not over."
        jobs = GaugeMetricFamily("veridical_jobs", told, labels=("kind", "state"))
        up = GaugeMetricFamily("veridical_database_up", "Whether the database answers.")
        try:
            board = self._store.job_board
            tally = Tally((one.job.kind, one.job.state) for one in board.open_jobs())
        except StoreError:
            up.add_metric((), 0)
        else:
            up.add_metric((), 1)
            for kind in JobKind:
                for state in (JobState.WAITING, JobState.RUNNING):
                    jobs.add_metric((kind, state), tally[kind, state])
        yield jobs
        yield up


NO_ROUTE = "(none)"
_access_log = logging.getLogger(ACCESS_LOG)


def _route_names(app: FastAPI) -> dict[int, str]:
    """Templates such as `/api/v1/jobs/{job_id}`, with the prefix under which the route was
    included: by the route, and for those of Starlette, which it does not tell, by the endpoint.
    They may be logged and counted, unlike paths, which name things.
    """
    names: dict[int, str] = {}
    for context in iter_route_contexts(app.routes):
        for known in (context.original_route, context.endpoint):
            if known is not None and context.path_format is not None:
                names[id(known)] = context.path_format
    return names


class Observed:
    """The outermost part of the service."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._names: dict[int, str] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, and take note of how it went."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        reply = _Reply(give_request_id(scope), send)
        metrics = service_of(request).metrics
        begun = time.perf_counter()
        with metrics.in_flight.track_inprogress(), request_span(scope) as span:
            try:
                await self._app(scope, receive, reply.send)
            except Exception as error:
                if reply.status:
                    raise  # half of a reply is sent: the server must break it off
                await reply_to(request, error)(scope, receive, reply.send)
            finally:
                self._note(request, reply, span, time.perf_counter() - begun)

    def _note(self, request: Request, reply: _Reply, span: Span, seconds: float) -> None:
        route, method = self._route(request.scope), request.method
        service_of(request).metrics.count(method, route, reply.status, seconds)
        end_span(span, method, route, reply.status, request_id_of(request))
        access = access_of(request)
        fields = {
            "method": method,
            "route": route,
            "status": reply.status,
            "ms": round(seconds * 1000, 1),
            "request_id": request_id_of(request),
            "token_id": access.token_id if access is not None else None,
            "bytes": reply.size_bytes,
        }
        _access_log.info("request", extra={"fields": fields})

    def _route(self, scope: Scope) -> str:
        if self._names is None:
            self._names = _route_names(scope["app"])
        if scope["path"].startswith("/static/"):
            return "/static/{path}"
        known = (self._names.get(id(scope.get(key))) for key in ("route", "endpoint"))
        return next((name for name in known if name is not None), NO_ROUTE)


class _Reply:
    """What was sent, with the headers of every reply; `status` 0 before anything was."""

    def __init__(self, request_id: str, send: Send) -> None:
        self._request_id = request_id
        self._send = send
        self.status = 0
        self.size_bytes = 0

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            headers = MutableHeaders(scope=message)
            headers[HEADER] = self._request_id
            for name, value in SECURITY_HEADERS.items():
                headers.setdefault(name, value)
        elif message["type"] == "http.response.body":
            self.size_bytes += len(message.get("body", b""))
        await self._send(message)

"""OpenTelemetry spans of requests, where a tracer is set up; nothing otherwise.

FastAPI makes spans too, but they hold paths and queries, and a query holds a question.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from fastapi.telemetry import TelemetryConfig
from opentelemetry import context, trace
from opentelemetry.trace import Span, SpanKind, StatusCode
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator
from starlette.datastructures import Headers
from starlette.types import Scope

if TYPE_CHECKING:
    from opentelemetry.sdk.trace.export import SpanExporter

FASTAPI_TELEMETRY_OFF: TelemetryConfig = {
    "tracing": False,
    "metrics": False,
    "logs": False,
    "auto_configure": False,
}

_OTLP = "opentelemetry.exporter.otlp.proto.http"
_ENDPOINTS = ("OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT")
_NONE = "none"
_SDK = {"opentelemetry.sdk": "opentelemetry-sdk"}
_PACKAGES = {
    "console": _SDK,
    "otlp": {**_SDK, _OTLP: "opentelemetry-exporter-otlp-proto-http"},
}
"""What each exporter needs: the package, and what pip calls it."""

_MISSING = "Traces were asked for, but are not exported. First: pip install {}"
_UNKNOWN = "Traces are not exported: OTEL_TRACES_EXPORTER is {!r}; known here are {}."

END_SECONDS = 1.0
"""How long the last spans may take at the end: a collector that hangs must not hold up a stop."""

_PARENT = "traceparent"
_PARENTS = TraceContextTextMapPropagator()
_FIRST_OF_SERVER_ERRORS = 500


@contextmanager
def request_span(scope: Scope) -> Iterator[Span]:
    """A span for a request, the child of the caller's where it names one.

    Nothing else is taken from the request: `baggage` and `tracestate` are words of whoever sent it,
    and would go into logs and traces.
    """
    tracer = trace.get_tracer("veridical")
    named = Headers(scope=scope).getlist(_PARENT)
    parent = _PARENTS.extract({_PARENT: named[0]} if len(named) == 1 else {})
    span = tracer.start_span(scope["method"], context=parent, kind=SpanKind.SERVER)
    token = context.attach(trace.set_span_in_context(span, parent))
    try:
        yield span
    finally:
        context.detach(token)
        span.end()


def end_span(span: Span, method: str, route: str, status: int, request_id: str) -> None:
    """Say of a span how the request ended."""
    if not span.is_recording():
        return
    span.update_name(f"{method} {route}")
    span.set_attribute("http.request.method", method)
    span.set_attribute("http.route", route)
    span.set_attribute("http.response.status_code", status)
    span.set_attribute("veridical.request_id", request_id)
    if status >= _FIRST_OF_SERVER_ERRORS:
        span.set_status(StatusCode.ERROR)


def set_up_from_environment(warn: Callable[[str], None]) -> Callable[[], None] | None:
    """Export spans as the variables of OpenTelemetry ask for: `OTEL_TRACES_EXPORTER` of `console`,
    `otlp` or `none`, or an endpoint alone.

    What ends it is returned, to be called at the end of the process; None where nothing is
    exported. `warn` is told why, where something was asked for.
    """
    wanted = _wanted()
    if wanted is None:
        return None
    if wanted not in _PACKAGES:
        warn(_UNKNOWN.format(wanted, ", ".join((*_PACKAGES, _NONE))))
        return None
    missing = [name for package, name in _PACKAGES[wanted].items() if not _is_there(package)]
    if missing:
        warn(_MISSING.format(" ".join(missing)))
        return None
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    # Not at the exit by itself: it would wait for a collector that hangs.
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(BatchSpanProcessor(_exporter(wanted)))
    trace.set_tracer_provider(provider)
    return partial(end_within, END_SECONDS, provider.shutdown)


def end_within(seconds: float, end: Callable[[], None]) -> None:
    """Call `end`, which hands over the last spans, and wait for it so long and no longer."""
    ending = threading.Thread(target=end, daemon=True, name="telemetry-end")
    ending.start()
    ending.join(seconds)


def _wanted() -> str | None:
    """The exporter that is asked for; None for none."""
    if os.environ.get("OTEL_SDK_DISABLED", "").strip().lower() == "true":
        return None
    named = os.environ.get("OTEL_TRACES_EXPORTER", "").strip().lower()
    if not named and any(os.environ.get(name, "").strip() for name in _ENDPOINTS):
        named = "otlp"
    return named if named not in ("", _NONE) else None


def _exporter(wanted: str) -> SpanExporter:
    if wanted == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)
    exporter: SpanExporter = import_module(f"{_OTLP}.trace_exporter").OTLPSpanExporter()
    return exporter


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False

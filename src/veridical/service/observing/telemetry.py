"""OpenTelemetry spans of requests, where a tracer is set up; nothing otherwise.

FastAPI makes spans too, but they hold paths and queries, and a query holds a question.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from fastapi.telemetry import TelemetryConfig
from opentelemetry import context, propagate, trace
from opentelemetry.trace import Span, SpanKind, StatusCode
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
_EXPORTERS = ("OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_ENDPOINT")
_FIRST_OF_SERVER_ERRORS = 500


@contextmanager
def request_span(scope: Scope) -> Iterator[Span]:
    """A span for a request, the child of the caller's where it names one."""
    tracer = trace.get_tracer("veridical")
    parent = propagate.extract(dict(Headers(scope=scope)))
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


def set_up_from_environment() -> bool:
    """Export spans as the variables of OpenTelemetry ask for (`OTEL_TRACES_EXPORTER` of `console`
    or `otlp`, or `OTEL_EXPORTER_OTLP_ENDPOINT`); False where they ask for nothing, or the packages
    for it are not installed.
    """
    if not any(os.environ.get(name) for name in _EXPORTERS) or not _is_there("opentelemetry.sdk"):
        return False
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    exporter = _exporter()
    if exporter is None:
        return False
    provider = TracerProvider()
    provider.add_span_processor(BatchSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    return True


def _exporter() -> SpanExporter | None:
    if os.environ.get("OTEL_TRACES_EXPORTER") == "console":
        from opentelemetry.sdk.trace.export import ConsoleSpanExporter

        return ConsoleSpanExporter(out=sys.stderr)
    if not _is_there(_OTLP):
        return None
    exporter: SpanExporter = import_module(f"{_OTLP}.trace_exporter").OTLPSpanExporter()
    return exporter


def _is_there(package: str) -> bool:
    try:
        return find_spec(package) is not None
    except ModuleNotFoundError:
        return False

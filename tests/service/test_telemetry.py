"""What the variables of OpenTelemetry switch on, and what of a request goes into a span."""

from __future__ import annotations

import logging
import os
import threading
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import (
    SimpleSpanProcessor,
    SpanExporter,
    SpanExportResult,
)
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from tests.service.visiting import Place
from tests.store.shelves import there

from veridical.service.observing import telemetry

LIST = "/api/v1/workspaces"
PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
ENDPOINT = "http://127.0.0.1:9"


@pytest.fixture
def environment(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Without a variable of OpenTelemetry; no provider is set for good."""
    for name in [name for name in os.environ if name.startswith("OTEL_")]:
        monkeypatch.delenv(name)
    monkeypatch.setattr(trace, "set_tracer_provider", lambda _: None)
    return monkeypatch


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"OTEL_TRACES_EXPORTER": "none"},
        {"OTEL_TRACES_EXPORTER": " None ", "OTEL_EXPORTER_OTLP_ENDPOINT": ENDPOINT},
        {"OTEL_TRACES_EXPORTER": "console", "OTEL_SDK_DISABLED": "true"},
        {"OTEL_TRACES_EXPORTER": "", "OTEL_EXPORTER_OTLP_ENDPOINT": " "},
    ],
)
def test_nothing_is_exported_and_nothing_said(
    environment: pytest.MonkeyPatch, variables: dict[str, str]
) -> None:
    told: list[str] = []
    environment.setattr(telemetry, "_exporter", lambda _: pytest.fail("an exporter is made"))
    for name, value in variables.items():
        environment.setenv(name, value)
    assert telemetry.set_up_from_environment(told.append) is None
    assert told == []


@pytest.mark.parametrize(
    ("name", "value", "there", "said"),
    [
        ("EXPORTER_OTLP_ENDPOINT", ENDPOINT, "opentelemetry.sdk",
         "First: pip install opentelemetry-exporter-otlp-proto-http"),
        ("EXPORTER_OTLP_TRACES_ENDPOINT", ENDPOINT, "",
         "pip install opentelemetry-sdk opentelemetry-exporter-otlp-proto-http"),
        ("TRACES_EXPORTER", "console", "", "pip install opentelemetry-sdk"),
        ("TRACES_EXPORTER", "zipkin", "", "'zipkin'; known here are console, otlp, none."),
    ],
)  # fmt: skip
def test_what_was_asked_for_and_cannot_be_is_told(
    environment: pytest.MonkeyPatch, name: str, value: str, there: str, said: str
) -> None:
    environment.setattr(telemetry, "_is_there", there.__eq__)
    environment.setenv(f"OTEL_{name}", value)
    told: list[str] = []
    assert telemetry.set_up_from_environment(told.append) is None
    assert said in told[0]


class Hanging(SpanExporter):
    """Hands over to a collector that takes connections and says nothing, until it may."""

    def __init__(self) -> None:
        self.goes_on = threading.Event()
        self.has_ended = False

    def export(self, spans: Any) -> SpanExportResult:
        self.goes_on.wait(600)
        self.has_ended = True
        return SpanExportResult.FAILURE


def traced(environment: pytest.MonkeyPatch, exporter: SpanExporter) -> TracerProvider:
    """A span that an exporter is to hand over; comes back when tracing has ended."""
    made: list[TracerProvider] = []
    environment.setenv("OTEL_TRACES_EXPORTER", "console")
    environment.setattr(telemetry, "_exporter", lambda _: exporter)
    environment.setattr(trace, "set_tracer_provider", made.append)
    end = there(telemetry.set_up_from_environment(pytest.fail))
    made[0].get_tracer("test").start_span("one").end()
    end()
    return made[0]


def test_a_collector_that_hangs_does_not_hold_up_the_end(environment: pytest.MonkeyPatch) -> None:
    environment.setattr(telemetry, "END_SECONDS", 0.2)
    collector = Hanging()
    assert traced(environment, collector)._atexit_handler is None
    assert not collector.has_ended
    collector.goes_on.set()


# --- what of a request is taken ------------------------------------------------------------------


@pytest.mark.parametrize(
    "headers",
    [
        {"baggage": ",".join(f"secret{n}=v" for n in range(1_000))},
        {"baggage": "secret"},
        {"traceparent": PARENT, "tracestate": "secret=1"},
        {"traceparent": PARENT, "tracestate": "secret" * 1_000},
        {"traceparent": "secret" * 100},
    ],
)
def test_nothing_of_a_stranger_is_logged_or_exported(
    place: Place,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    headers: dict[str, str],
) -> None:
    exporter = InMemorySpanExporter()
    provider = TracerProvider(shutdown_on_exit=False)
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setattr(trace, "get_tracer", provider.get_tracer)
    caplog.set_level(logging.DEBUG)
    assert place.client().get(LIST, params={"q": "secret"}, headers=headers).status_code == 200
    (span,) = exporter.get_finished_spans()
    assert span.name == f"GET {LIST}"
    assert there(span.attributes)["http.response.status_code"] == 200
    if headers.get("traceparent") == PARENT:
        assert f"{there(span.parent).trace_id:032x}" in PARENT
    else:
        assert span.parent is None
    told = "".join(record.getMessage() for record in caplog.records if "httpx" not in record.name)
    assert "secret" not in span.to_json() + told

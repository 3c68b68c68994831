"""Telemetry: told where the program has OpenTelemetry, and never in anybody's words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from veridical import tracing

SECRETS = ("14 euros", "fees-of-anna.md", "What is the fee", "15 euros", "sk-secret")

LIBRARY = """
import json, sys
from veridical import Corpus, LedgerBuilder, PolicyAnswerer, Validator, document_from_text
from veridical import VeridicalError, load_document, load_document_bytes, tracing

policy = document_from_text("# Fees\\n\\nThe fee is 14 euros a month.\\n", "fees-of-anna.md")
corpus = Corpus([policy])

def work():
    with tracing.of_response("chatcmpl-7"):
        LedgerBuilder(corpus).build("The fee is 14 euros a month. The fee is 15 euros a month.")
    load_document_bytes(b"The fee is 14 euros a month.", "fees-of-anna.md")
    try:
        load_document("fees-of-anna.md")
    except VeridicalError:
        pass
    LedgerBuilder(corpus).judged(["Dogs may be brought to the office."])
    Validator([policy]).validate([])
    Validator([policy]).check("The fee is 15 euros a month", source="fees-of-anna.md")
    PolicyAnswerer(corpus).answer("What is the fee a month?")
    try:
        LedgerBuilder(corpus).build("x" * 5_000_000)
    except VeridicalError:
        pass
"""

WITH_SDK = (
    """
from opentelemetry import trace
from opentelemetry._logs import set_logger_provider
from opentelemetry.sdk._logs import LoggerProvider
from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
"""
    + LIBRARY
    + """
LedgerBuilder(corpus).build("The fee is 14 euros.")  # before the program sets its providers
spans, logs = InMemorySpanExporter(), InMemoryLogRecordExporter()
traces, events = TracerProvider(), LoggerProvider()
traces.add_span_processor(SimpleSpanProcessor(spans))
events.add_log_record_processor(SimpleLogRecordProcessor(logs))
trace.set_tracer_provider(traces)
set_logger_provider(events)
with trace.get_tracer("program").start_as_current_span("program"):
    work()
named = {span.context.span_id: span.name for span in spans.get_finished_spans()}
print(json.dumps({
    "spans": [
        {
            "name": span.name,
            "parent": named.get(span.parent.span_id) if span.parent else None,
            "attributes": dict(span.attributes),
            "status": span.status.status_code.name,
            "description": span.status.description,
            "events": len(span.events),
            "scope": [span.instrumentation_scope.name, span.instrumentation_scope.version],
        }
        for span in spans.get_finished_spans()
    ],
    "events": [
        {
            "name": each.log_record.event_name,
            "body": each.log_record.body,
            "scope": [each.instrumentation_scope.name, each.instrumentation_scope.version],
            "span": named.get(each.log_record.span_id),
            "attributes": dict(each.log_record.attributes),
        }
        for each in logs.get_finished_logs()
    ],
}))
"""
)


def run(program: str, **environment: str) -> Any:
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        encoding="utf-8",
        env={**os.environ, **environment},
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture(scope="module")
def told() -> Any:
    pytest.importorskip("opentelemetry.sdk")
    return run(WITH_SDK)


def spans(told: Any, name: str) -> list[dict[str, Any]]:
    return [span for span in told["spans"] if span["name"] == name]


def test_each_job_is_a_span_of_the_program_s_trace(told: Any) -> None:
    assert {span["name"] for span in told["spans"]} >= {
        "veridical.ledger.build",
        "veridical.ledger.judged",
        "veridical.ledger.judge",
        "veridical.validation.validate",
        "veridical.answering.answer",
    }
    for name in ("ledger.build", "validation.validate", "answering.answer"):
        assert {span["parent"] for span in spans(told, f"veridical.{name}")} == {"program"}
    parents = {span["parent"] for span in spans(told, "veridical.ledger.judge")}
    assert parents == {"veridical.ledger.build", "veridical.ledger.judged"}


def test_a_document_that_is_read_is_a_span_also_where_it_cannot_be(told: Any) -> None:
    read, unread = spans(told, "veridical.sources.load")
    assert (read["parent"], read["attributes"]) == ("program", {})
    assert unread["attributes"] == {"error.type": "DocumentParsingError"}


def test_spans_tell_numbers_and_of_an_error_its_type_only(told: Any) -> None:
    built = spans(told, "veridical.ledger.build")[0]
    assert built["attributes"] == {
        "veridical.documents": 1,
        "veridical.claims": 2,
        "veridical.supported": 1,
        "veridical.contradicted": 1,
    }
    asked = spans(told, "veridical.answering.answer")[0]
    assert asked["attributes"] == {"veridical.refused": False, "veridical.statements": 1}
    failed = spans(told, "veridical.ledger.build")[-1]
    assert failed["attributes"] == {"error.type": "ValidationError"}
    assert (failed["status"], failed["description"], failed["events"]) == ("ERROR", None, 0)


def test_each_verdict_is_an_event_of_its_span(told: Any) -> None:
    assert {event["name"] for event in told["events"]} == {"gen_ai.evaluation.result"}
    assert all(event["body"] is None for event in told["events"])
    rows = [
        (
            event["span"],
            event["attributes"]["gen_ai.evaluation.name"],
            event["attributes"]["gen_ai.evaluation.score.label"],
            event["attributes"]["gen_ai.evaluation.explanation"],
            event["attributes"].get("gen_ai.response.id"),
        )
        for event in told["events"]
    ]
    build, judged = "veridical.ledger.build", "veridical.ledger.judged"
    assert rows[:3] == [
        (build, "Groundedness", "supported", "full_support", "chatcmpl-7"),
        (build, "Groundedness", "contradicted", "contradicting_passage", "chatcmpl-7"),
        (judged, "Groundedness", "not_found", rows[2][3], None),
    ]
    assert rows[2][3] in ("nearest_passage_only", "no_passage")
    assert rows[3] == (
        "veridical.validation.validate",
        "QuoteFidelity",
        "failed",
        "not_found",
        None,
    )
    for event in told["events"]:
        assert 0.0 <= event["attributes"]["gen_ai.evaluation.score.value"] <= 1.0


def test_no_word_of_anybody_is_told(told: Any) -> None:
    for secret in SECRETS:
        assert secret not in json.dumps(told)


LOADED = LIBRARY + "\nwork()\nprint(json.dumps([n for n in sys.modules if 'opentelemetry' in n]))\n"


def test_without_opentelemetry_none_is_loaded() -> None:
    clean = {name: "" for name in os.environ if name.startswith("OTEL_")}
    assert run(LOADED, **clean) == []


@pytest.mark.parametrize(
    ("variable", "value", "loads"),
    [
        ("OTEL_TRACES_EXPORTER", "console", True),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:1", True),
        ("OTEL_TRACES_EXPORTER", "none", False),
    ],
)
def test_the_environment_may_ask_for_it(variable: str, value: str, loads: bool) -> None:
    pytest.importorskip("opentelemetry.trace")
    program = (
        "import json, sys\nfrom veridical import tracing\nwith tracing.span('x'):\n    pass\n"
        "print(json.dumps('opentelemetry.trace' in sys.modules))"
    )
    assert run(program, **{variable: value}) is loads


def test_a_program_without_the_package_goes_on() -> None:
    """Something called `opentelemetry` is there, and it is not the API."""
    program = (
        "import sys, types\nsys.modules['opentelemetry'] = types.ModuleType('opentelemetry')\n"
    )
    assert run(program + LIBRARY + "\nwork()\nprint(json.dumps('done'))\n") == "done"


def test_a_decorated_function_is_as_it_was() -> None:
    @tracing.traced("x")
    def doubled(number: int, *, by: int = 2) -> int:
        """Say what it does."""
        return number * by

    assert doubled(4, by=3) == 12
    assert doubled.__doc__ == "Say what it does."
    with pytest.raises(ZeroDivisionError), tracing.span("x", claims=1):
        raise ZeroDivisionError
    tracing.tell(claims=1)
    tracing.evaluated("x", label="y")

"""Pages: evaluation runs, one by one and over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import Response

from veridical.ledger.canonical import compact_bytes
from veridical.service.entry.access import Access, Reviewer
from veridical.service.pages.record_pages import (
    Download,
    RecordPages,
    as_typed,
    one_of_two,
    router_of,
    text_of,
)
from veridical.service.records.inputs import Asked, evaluation_asked
from veridical.store.records import Record, RecordKind, RecordState

if TYPE_CHECKING:
    from veridical.evaluation.run import EvalRun

# Evaluation runs over time: their rates and times as points of two small charts.


WIDTH, HEIGHT = 640.0, 150.0
_MARGIN = 12.0

RATES = (
    ("correct", "Correct", "first"),
    ("groundedness", "Grounded", "second"),
    ("citation_accuracy", "Quoted exactly", "third"),
)
TIMES = (("p50", "p50", "first"), ("p95", "p95", "second"))


@dataclass(frozen=True, slots=True)
class Point:
    """A run on a chart. `told` says what stands there."""

    x: float
    y: float
    told: str
    record_id: str


@dataclass(frozen=True, slots=True)
class Line:
    """A measure over the runs, the oldest first. `style` is its stroke."""

    name: str
    style: str
    points: tuple[Point, ...]

    @property
    def path(self) -> str:
        """The points joined, as an SVG path."""
        return "M" + "L".join(f"{point.x:.1f} {point.y:.1f}" for point in self.points)


@dataclass(frozen=True, slots=True)
class Chart:
    """Lines over a scale from 0 to `most`, told as `scale`."""

    name: str
    scale: str
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class OverTime:
    """Both charts; there is nothing to see over time before the second run."""

    charts: tuple[Chart, ...]
    runs: int


def runs_over_time(newest_first: Sequence[Record]) -> OverTime:
    """The charts of runs that are ready."""
    from veridical.evaluation.report.charts import axis_end

    records = list(reversed(newest_first))
    if len(records) < 2:
        return OverTime((), len(records))
    times = [_time(name, record) for record in records for name, _, _ in TIMES]
    known = [time for time in times if time is not None]
    most = axis_end(max(known))[0] if known else 1.0
    rates = tuple(
        _line(records, name, style, partial(_share, key), 1.0, _percent)
        for key, name, style in RATES
    )
    clocks = tuple(
        _line(records, name, style, partial(_time, key), most, _milliseconds)
        for key, name, style in TIMES
    )
    charts = (
        Chart("Right answers", "100 %", rates),
        Chart("Time to an answer", _milliseconds(most), clocks),
    )
    return OverTime(charts, len(records))


def _line(
    records: Sequence[Record],
    name: str,
    style: str,
    value_of: Callable[[Record], float | None],
    most: float,
    told: Callable[[float], str],
) -> Line:
    step = (WIDTH - 2 * _MARGIN) / max(1, len(records) - 1)
    points = []
    for number, record in enumerate(records):
        value = value_of(record)
        if value is None:
            continue
        y = HEIGHT - _MARGIN - (HEIGHT - 2 * _MARGIN) * min(1.0, value / most)
        words = f"{record.created_at:%Y-%m-%d %H:%M}, {name}: {told(value)}"
        points.append(Point(_MARGIN + number * step, y, words, record.id))
    return Line(name, style, tuple(points))


def _share(name: str, record: Record) -> float | None:
    rate: dict[str, Any] = record.summary.get(name, {})
    return rate["count"] / rate["of"] if rate.get("of") else None


def _time(name: str, record: Record) -> float | None:
    value: float | None = record.summary.get("client_latency_ms", {}).get(name)
    return value


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _milliseconds(value: float) -> str:
    return f"{value:,.1f} ms".replace(".0 ms", " ms")


MOST_RUNS = 50
"""Runs that the chart shows, the newest."""


def _form(_request: Request, access: Access) -> dict[str, Any]:
    from veridical.evaluation.gates import GATE_NAMES

    page = access.shelf.records.page(RecordKind.EVALUATION, limit=MOST_RUNS)
    ready = [record for record in page.items if record.state is RecordState.READY]
    return {"over_time": runs_over_time(ready), "gates": GATE_NAMES}


def _shown(_access: Access, record: Record) -> dict[str, Any]:
    from veridical.evaluation.report.html import parts

    report = parts(_run(record))
    return {
        "report": Markup(report.body),  # noqa: S704  # made by the report, which escapes
        "bounds": (record.result or {}).get("bounds", []),
    }


def _run(record: Record) -> EvalRun:
    from veridical.evaluation.results import run_from_bytes

    return run_from_bytes(_as_file(record))


def _as_file(record: Record) -> bytes:
    """The run as the JSON Lines that `veridical eval` reads."""
    result = record.result or {}
    lines = (result["run"], *result["results"])
    return b"".join(compact_bytes(line) + b"\n" for line in lines)


def _lines(_access: Access, record: Record) -> Download:
    return Download(".jsonl", "application/jsonl", _as_file(record))


def _html(_access: Access, record: Record) -> Download:
    from veridical.evaluation.report.html import render_html

    html = render_html(_run(record), record.title)
    return Download(".html", "text/html; charset=utf-8", html.encode())


PAGES = RecordPages(
    RecordKind.EVALUATION,
    "evaluations",
    "evaluation run",
    form=_form,
    shown=_shown,
    forms={"json": _lines, "html": _html},
)


router = router_of(PAGES)


@router.post("/evaluations")
def create_evaluation(
    request: Request,
    access: Reviewer,
    questions: Annotated[str, Form()] = "",
    questions_file: UploadFile | None = None,
    fail_under: Annotated[str, Form(max_length=300)] = "",
    title: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Ask questions with known outcomes of the documents of the workspace."""

    def make() -> Asked:
        asked = one_of_two(as_typed(questions), text_of(questions_file), "the questions")
        return evaluation_asked(asked, fail_under=fail_under, title=title)

    given = {"questions": questions, "fail_under": fail_under, "title": title}
    return PAGES.create(request, access, make, given)

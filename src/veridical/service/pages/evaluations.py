"""Pages: evaluation runs, one by one and over time."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import Response

from veridical.service.entry.access import Access, Reviewer
from veridical.service.pages.record_pages import (
    Download,
    RecordPages,
    as_typed,
    one_of_two,
    router_of,
    text_of,
)
from veridical.service.records.forms import run_from_wire, run_lines
from veridical.service.records.inputs import Asked, evaluation_asked
from veridical.service.records.runs import runs_over_time
from veridical.store.records import Record, RecordKind, RecordState

MOST_RUNS = 50
"""Runs that the chart shows, the newest."""


def _form(_request: Request, access: Access) -> dict[str, Any]:
    from veridical.evaluation.gates import GATE_NAMES

    page = access.shelf.records.page(RecordKind.EVALUATION, limit=MOST_RUNS)
    ready = [record for record in page.items if record.state is RecordState.READY]
    return {"over_time": runs_over_time(ready), "gates": GATE_NAMES}


def _shown(_access: Access, record: Record) -> dict[str, Any]:
    from veridical.evaluation.report.html import parts

    report = parts(run_from_wire(record.result or {}))
    return {
        "report": Markup(report.body),  # noqa: S704  # made by the report, which escapes
        "bounds": (record.result or {}).get("bounds", []),
    }


def _lines(_access: Access, record: Record) -> Download:
    return Download(".jsonl", "application/jsonl", run_lines(record.result or {}))


def _html(_access: Access, record: Record) -> Download:
    from veridical.evaluation.report.html import render_html

    html = render_html(run_from_wire(record.result or {}), record.title)
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

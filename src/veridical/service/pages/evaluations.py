"""Pages: evaluation runs, one by one, over time, and two side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Form, Query, Request, UploadFile
from markupsafe import Markup
from starlette.responses import Response

from veridical.errors import ValidationError
from veridical.service.entry.access import Access, Reader, Reviewer
from veridical.service.errors import NotFoundError
from veridical.service.pages.record_pages import (
    UNPROCESSABLE,
    Download,
    RecordPages,
    as_typed,
    one_of_two,
    router_of,
    text_of,
)
from veridical.service.pages.rendering import render
from veridical.service.records.forms import run_from_wire, run_lines
from veridical.service.records.inputs import Asked, evaluation_asked
from veridical.service.records.runs import runs_over_time
from veridical.store.records import Record, RecordKind, RecordState

if TYPE_CHECKING:
    from veridical.evaluation.compare import Comparison

MOST_RUNS = 50
"""Runs that the chart shows, the newest."""


def _ready(access: Access) -> list[Record]:
    page = access.shelf.records.page(RecordKind.EVALUATION, limit=MOST_RUNS)
    return [record for record in page.items if record.state is RecordState.READY]


def _form(_request: Request, access: Access) -> dict[str, Any]:
    from veridical.evaluation.gates import GATE_NAMES

    ready = _ready(access)
    return {"over_time": runs_over_time(ready), "ready": ready, "gates": GATE_NAMES}


def _shown(access: Access, record: Record) -> dict[str, Any]:
    from veridical.evaluation.report.html import parts

    report = parts(run_from_wire(record.result or {}))
    return {
        "report": Markup(report.body),  # noqa: S704  # made by the report, which escapes
        "bounds": (record.result or {}).get("bounds", []),
        "others": [other for other in _ready(access) if other.id != record.id],
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


def _other(access: Access, record_id: str) -> Record:
    record = PAGES.find(access, record_id)
    if record.state is not RecordState.READY:
        raise NotFoundError("This run has no results that could be compared.")
    return record


common = router_of(PAGES)
router = common


@router.get("/evaluations/{record_id}/compare")
def compare(
    request: Request,
    access: Reader,
    record_id: str,
    with_: Annotated[str, Query(alias="with", max_length=100)] = "",
) -> Response:
    """What changed from the run of `with` to this one, over the questions that both have."""
    from veridical.evaluation.compare import compare_runs

    after, before = _other(access, record_id), _other(access, with_)
    comparison: Comparison | None = None
    problem = ""
    try:
        comparison = compare_runs(
            run_from_wire(before.result or {}), run_from_wire(after.result or {}), common=True
        )
    except ValidationError as error:
        problem = str(error)
    return render(
        request, "evaluations_compare.html", access=access, pages=PAGES, before=before,
        after=after, comparison=comparison, problem=problem,
        status=UNPROCESSABLE if problem else 200,
    )  # fmt: skip


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

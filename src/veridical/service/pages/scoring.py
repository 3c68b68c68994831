"""Pages about scorecards: rulings of reviewers, the trend over several, rubrics in versions."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, File, Form, Query, Request, UploadFile
from starlette.responses import RedirectResponse, Response

from veridical.errors import ConflictError, DocumentParsingError, ValidationError
from veridical.service.entry.access import Access, Reader, Reviewer
from veridical.service.errors import there
from veridical.service.pages.rendering import render
from veridical.store.records import Record, RecordKind, RecordState

router = APIRouter(include_in_schema=False)

MOST_CARDS = 50
"""Scorecards that a trend shows, the newest."""

MOST_RUBRIC_CHARS = 500_000
MOST_VERSIONS = (1 << 31) - 1
"""What databases take for a number of a version."""

_NO_CARD = "There is no such scorecard here. It may have been deleted."
_NO_RUBRIC = "There is no such rubric here."


@router.post("/scorecards/{record_id}/rulings")
def rule(
    request: Request, access: Reviewer, record_id: str,
    criterion: Annotated[str, Form(max_length=200)],
    verdict: Annotated[str, Form(max_length=40)] = "",
    reason: Annotated[str, Form(max_length=10_000)] = "",
    seen: Annotated[int, Form(ge=0)] = 0,
) -> Response:  # fmt: skip
    """Overrule a criterion with a reason, or with no verdict take that back."""
    from veridical.scoring.ruling import ruled
    from veridical.scoring.scorecard import CriterionVerdict
    from veridical.scoring.wire import scorecard_from_wire, scorecard_to_wire

    if verdict not in {"", *CriterionVerdict}:
        raise ValidationError("Choose a verdict.")
    at = datetime.now(UTC).isoformat(timespec="seconds")

    def change(result: Any) -> dict[str, Any]:
        if result is None:
            raise ConflictError("The scorecard is not ready yet.")
        card = ruled(
            scorecard_from_wire(result),
            criterion,
            CriterionVerdict(verdict) if verdict else None,
            reason=reason.replace("\r\n", "\n"),
            reviewer=access.actor,
            at=at,
            seen=seen,
        )
        return scorecard_to_wire(card)

    try:
        changed = access.shelf.records.change(RecordKind.SCORECARD, record_id, "result", change)
    except (ValidationError, ConflictError) as problem:
        status = 409 if isinstance(problem, ConflictError) else 422
        return render(
            request, "error.html", access=access, status=status, title="Not overruled",
            message=str(problem),
        )  # fmt: skip
    there(changed, _NO_CARD)
    return RedirectResponse(f"/scorecards/{record_id}#rulings", 303)


@router.get("/scorecards/trend")
def trend(
    request: Request, access: Reader, rubric: Annotated[str, Query(max_length=200)] = ""
) -> Response:
    """What improves over the newest scorecards of a rubric, and what does not."""
    from veridical.scoring.report import wording
    from veridical.scoring.trend import trend_of
    from veridical.scoring.wire import scorecard_from_wire

    listed = access.shelf.records.page(RecordKind.SCORECARD, limit=MOST_CARDS).items
    ready = [record for record in listed if record.state is RecordState.READY]
    names = list(dict.fromkeys(str(record.summary["rubric"]) for record in ready))
    chosen = rubric if rubric in names else next(iter(names), "")
    of_rubric = [record for record in ready if record.summary["rubric"] == chosen]
    whole = [_whole(access, record) for record in reversed(of_rubric)]
    cards = [scorecard_from_wire(record.result) for record in whole if record is not None]
    return render(
        request, "scorecards_trend.html", access=access, names=names, chosen=chosen,
        trend=trend_of(cards) if len(cards) > 1 else None, records=whole, score=wording,
    )  # fmt: skip


def _whole(access: Access, record: Record) -> Record | None:
    return access.shelf.records.get(RecordKind.SCORECARD, record.id)


@router.get("/rubrics")
def rubrics(request: Request, access: Reader) -> Response:
    """The rubrics of the workspace, with the form that drafts one."""
    return _rubrics(request, access, "")


def _rubrics(request: Request, access: Access, problem: str) -> Response:
    return render(
        request, "rubrics.html", access=access, status=422 if problem else 200,
        rubrics=access.shelf.rubrics.names(), problem=problem,
    )  # fmt: skip


@router.post("/rubrics")
def draft(
    request: Request, access: Reviewer, procedure_file: Annotated[UploadFile, File()]
) -> Response:
    """Draft a rubric from a procedure: the first version of one, or another of the same name."""
    from veridical.scoring.rubrics.draft import draft_rubric
    from veridical.scoring.rubrics.file import rubric_from_text
    from veridical.sources.loader import load_document_bytes

    name = procedure_file.filename or "procedure"
    try:
        text = draft_rubric([load_document_bytes(procedure_file.file.read(), name)])
        called = rubric_from_text(text).template.id
        last = access.shelf.rubrics.get(called)
        seen = 0 if last is None else last.version
        access.shelf.rubrics.add(called, text, by=access.actor, seen=seen)
    except (ValidationError, DocumentParsingError, ConflictError) as problem:
        return _rubrics(request, access, str(problem))
    return RedirectResponse(f"/rubrics/{called}", 303)


@router.get("/rubrics/{name}")
def rubric_page(
    request: Request, access: Reader, name: str,
    version: Annotated[int | None, Query(ge=1, le=MOST_VERSIONS)] = None,
) -> Response:  # fmt: skip
    """A version of a rubric, to be read and changed."""
    return _rubric(request, access, name, version, None, "")


@router.post("/rubrics/{name}")
def save_rubric(
    request: Request, access: Reviewer, name: str,
    text: Annotated[str, Form(max_length=MOST_RUBRIC_CHARS)],
    seen: Annotated[int, Form(ge=1)],
) -> Response:  # fmt: skip
    """Keep a change as a new version; one with mistakes comes back with their lines."""
    from veridical.scoring.rubrics.file import rubric_from_text

    text = text.replace("\r\n", "\n")
    there(access.shelf.rubrics.get(name), _NO_RUBRIC)
    try:
        rubric_from_text(text)
        access.shelf.rubrics.add(name, text, by=access.actor, seen=seen)
    except (ValidationError, ConflictError) as problem:
        return _rubric(request, access, name, None, text, str(problem))
    return RedirectResponse(f"/rubrics/{name}", 303)


def _rubric(
    request: Request, access: Access, name: str, version: int | None, text: str | None, problem: str
) -> Response:
    from veridical.scoring.rubrics.file import lint_rubric, rubric_from_text

    shown = there(access.shelf.rubrics.get(name, version), _NO_RUBRIC)
    written = shown.text if text is None else text
    notes = lint_rubric(written)
    has_errors = any(note.severity == "error" for note in notes)
    return render(
        request, "rubrics_one.html", access=access, status=422 if problem else 200, shown=shown,
        versions=access.shelf.rubrics.versions(name), text=written, problem=problem, notes=notes,
        rubric=None if has_errors else rubric_from_text(written),
    )  # fmt: skip

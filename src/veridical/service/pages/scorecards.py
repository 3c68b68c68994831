"""Pages: scorecards on their time axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import Response

from veridical.service.context import service_of
from veridical.service.entry.access import Access, Reviewer
from veridical.service.pages.record_pages import (
    Download,
    RecordPages,
    as_typed,
    router_of,
    text_of,
    transcript_of,
)
from veridical.service.records.documents import read_transcript
from veridical.service.records.inputs import Asked, scorecard_asked
from veridical.store.records import Record, RecordKind

if TYPE_CHECKING:
    from veridical.scoring.scorecard import Scorecard


def _form(request: Request, _access: Access) -> dict[str, Any]:
    from veridical.scoring.rubrics.shipped import shipped_names

    model = service_of(request).settings.model
    return {"rubrics": shipped_names(), "scored_by": None if model is None else model.name}


def _card(record: Record) -> Scorecard:
    from veridical.scoring.wire import scorecard_from_wire

    return scorecard_from_wire(record.result or {})


def _shown(_access: Access, record: Record) -> dict[str, Any]:
    from veridical.scoring.report.html import parts

    report = parts(_card(record), read_transcript(record.request["transcript"]))
    return {"report": Markup(report.body)}  # noqa: S704  # made by the report, which escapes


def _json(_access: Access, record: Record) -> Download:
    from veridical.scoring.wire import scorecard_to_bytes

    return Download(".json", "application/json", scorecard_to_bytes(_card(record)))


def _html(_access: Access, record: Record) -> Download:
    from veridical.scoring.report.html import render_html

    transcript = read_transcript(record.request["transcript"])
    html = render_html(_card(record), transcript, title=record.title)
    return Download(".html", "text/html; charset=utf-8", html.encode())


def _markdown(_access: Access, record: Record) -> Download:
    from veridical.scoring.report.markdown import render_markdown

    text = render_markdown(_card(record), title=record.title)
    return Download(".md", "text/markdown; charset=utf-8", text.encode())


PAGES = RecordPages(
    RecordKind.SCORECARD,
    "scorecards",
    "scorecard",
    form=_form,
    shown=_shown,
    forms={"json": _json, "html": _html, "markdown": _markdown},
)
router = router_of(PAGES)


@router.post("/scorecards")
def create_scorecard(
    request: Request,
    access: Reviewer,
    transcript: Annotated[str, Form()] = "",
    transcript_file: UploadFile | None = None,
    rubric: Annotated[str, Form(max_length=200)] = "",
    rubric_text: Annotated[str, Form()] = "",
    rubric_file: UploadFile | None = None,
    title: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Score a transcript by a shipped rubric, or by one that is given."""

    def make() -> Asked:
        given = transcript_of(transcript, transcript_file)
        own = as_typed(rubric_text) or text_of(rubric_file)
        return scorecard_asked(
            access.shelf,
            given,
            own if own.strip() else rubric,
            needs_cues=service_of(request).settings.model is None,
            title=title,
        )

    given = {
        "transcript": transcript, "rubric": rubric, "rubric_text": rubric_text, "title": title,
    }  # fmt: skip
    return PAGES.create(request, access, make, given)

"""Pages: evaluations of speeches, and checks of evaluations, on their time axis."""

from __future__ import annotations

import json
from typing import Annotated, Any

from fastapi import Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import Response

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes
from veridical.service.entry.access import Access, Reviewer
from veridical.service.pages.record_pages import (
    Download,
    RecordPages,
    as_typed,
    router_of,
    text_of,
    transcript_of,
)
from veridical.service.records.checks import check_of
from veridical.service.records.inputs import Asked, SpeechOptions, speech_asked
from veridical.store.records import Record, RecordKind

_CHECK = "check"


def _form(_request: Request, _access: Access) -> dict[str, Any]:
    return {}


def _shown(_access: Access, record: Record) -> dict[str, Any]:
    if record.summary.get("mode") == _CHECK:
        return {"check": check_of(record), "report": None}
    from veridical.speech.report.html import parts
    from veridical.speech.wire_read import from_wire

    report = parts(from_wire(record.result or {}))
    return {
        "check": None,
        "report": Markup(report.body),  # noqa: S704  # made by the report, which escapes
        "script": (record.result or {})["script"],
    }


def _json(_access: Access, record: Record) -> Download:
    return Download(".json", "application/json", canonical_bytes(record.result or {}))


def _html(_access: Access, record: Record) -> Download:
    from veridical.speech.report.html import render_speech_html
    from veridical.speech.wire_read import from_wire

    html = render_speech_html(from_wire(record.result or {}), title=record.title)
    return Download(".html", "text/html; charset=utf-8", html.encode())


def _script(_access: Access, record: Record) -> Download:
    text = (record.result or {})["script"]["text"] + "\n"
    return Download(".txt", "text/plain; charset=utf-8", text.encode())


def _written(make: Any) -> Any:
    """Of an evaluation that was written here; of a check there is only the JSON."""

    def made(access: Access, record: Record) -> Download:
        if record.summary.get("mode") == _CHECK:
            return _json(access, record)
        download: Download = make(access, record)
        return download

    return made


PAGES = RecordPages(
    RecordKind.SPEECH,
    "speech",
    "speech evaluation",
    form=_form,
    shown=_shown,
    forms={"json": _json, "html": _written(_html), "script": _written(_script)},
)
router = router_of(PAGES)


@router.post("/speech")
def create_speech(
    request: Request,
    access: Reviewer,
    transcript: Annotated[str, Form()] = "",
    transcript_file: UploadFile | None = None,
    evaluation: Annotated[str, Form()] = "",
    evaluation_file: UploadFile | None = None,
    speaker: Annotated[str, Form(max_length=100)] = "",
    names: Annotated[str, Form(max_length=20_000)] = "",
    title: Annotated[str, Form(max_length=200)] = "",
) -> Response:
    """Evaluate a speech, or check an evaluation of it."""

    def make() -> Asked:
        given = transcript_of(transcript, transcript_file)
        listed = tuple(name.strip() for name in names.replace("\n", ",").split(",") if name.strip())
        return speech_asked(
            access.shelf,
            given,
            evaluation=_evaluation(as_typed(evaluation) or text_of(evaluation_file)),
            options=SpeechOptions(speaker=speaker.strip() or None, names=listed),
            title=title,
        )

    given = {
        "transcript": transcript, "evaluation": evaluation, "speaker": speaker, "names": names,
        "title": title,
    }  # fmt: skip
    return PAGES.create(request, access, make, given)


def _evaluation(text: str) -> object:
    if not text.strip():
        return None
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise ValidationError("The evaluation to check is not JSON.") from None

"""Pages: evaluations of speeches, and checks of evaluations, on their time axis."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
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
from veridical.service.records.documents import read_transcript
from veridical.service.records.inputs import Asked, SpeechOptions, speech_asked
from veridical.sources.clock import clock
from veridical.store.records import Record, RecordKind
from veridical.text.turns import turns
from veridical.validation.reports.time_axis import Axis, axis_over, known

# A check of an evaluation as a page shows it: each item, its checks, and where it was said.


MOST_AROUND_CHARS = 200


@dataclass(frozen=True, slots=True)
class Said:
    """Where the words of an item really stand, with some that stand around them."""

    time: str
    speakers: str
    before: str
    words: str
    after: str


@dataclass(frozen=True, slots=True)
class CheckedItem:
    """An item as it was checked. `claimed_at` and `said_at` are percent of the axis, if known."""

    number: int
    type: str
    quote: str
    passed: bool
    proven: bool
    claimed: str
    said: tuple[Said, ...]
    failed: tuple[str, ...]
    correction: str
    claimed_at: str
    said_at: str


@dataclass(frozen=True, slots=True)
class Tick:
    """A time under the axis."""

    at: str
    time: str


@dataclass(frozen=True, slots=True)
class Check:
    """A whole check."""

    items: tuple[CheckedItem, ...]
    passed: int
    transcript: str
    warnings: tuple[str, ...]
    ticks: tuple[Tick, ...]


def check_of(record: Record) -> Check:
    """The check of a record that is ready."""
    result = record.result or {}
    transcript = read_transcript(record.request["transcript"])
    times = [each["claimed_seconds"] for each in result["items"]]
    times += [each["true_seconds"] for each in result["items"]]
    times += [part.end for turn in turns(transcript) for part in turn.parts]
    axis = axis_over([0.0, *times])
    return Check(
        items=tuple(_item(each, transcript.text, axis) for each in result["items"]),
        passed=result["passed"],
        transcript=result["transcript"]["name"],
        warnings=(*result["shape_warnings"], *result["transcript_warnings"]),
        ticks=() if axis is None else tuple(
            Tick(axis.across(tick.seconds), clock(tick.seconds))
            for tick in axis.ticks()
            if tick.narrow
        ),
    )  # fmt: skip


def _item(item: Mapping[str, Any], text: str, axis: Axis | None) -> CheckedItem:
    correction = item["correction"] or {}
    seconds = known(correction.get("seconds"))
    when = "" if seconds is None else f" at {clock(seconds)}"
    return CheckedItem(
        number=item["number"],
        type=item["type"],
        quote=item["evidence_quote"],
        passed=item["passed"],
        proven=item["proven_by_receipt"],
        claimed=_clock(item["claimed_seconds"]),
        said=tuple(_said(each, text) for each in item["occurrences"]),
        failed=tuple(each["message"] for each in item["checks"] if each["outcome"] == "failed"),
        correction=f"“{correction['quote']}”{when}" if correction else "",
        claimed_at=_across(item["claimed_seconds"], axis),
        said_at=_across(item["true_seconds"], axis),
    )


def _said(occurrence: Mapping[str, Any], text: str) -> Said:
    start, end = occurrence["start_position"], occurrence["end_position"]
    return Said(
        time=_clock(occurrence["start_seconds"]),
        speakers=", ".join(occurrence["speakers"]),
        before=text[max(0, start - MOST_AROUND_CHARS) : start],
        words=text[start:end],
        after=text[end : end + MOST_AROUND_CHARS],
    )


def _clock(seconds: float | None) -> str:
    good = known(seconds)
    return "no time" if good is None else clock(good)


def _across(seconds: float | None, axis: Axis | None) -> str:
    good = known(seconds)
    return "" if good is None or axis is None else axis.across(good)


_CHECK = "check"


def _form(_request: Request, _access: Access) -> dict[str, Any]:
    return {}


def _shown(_access: Access, record: Record) -> dict[str, Any]:
    if record.summary.get("mode") == _CHECK:
        return {"check": check_of(record), "report": None}
    from veridical.speech.report.html import parts
    from veridical.speech.wire import from_wire

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
    from veridical.speech.wire import from_wire

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

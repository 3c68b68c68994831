"""Pages: validations, speech evaluations, scorecards and evaluation runs: of each kind what its
form asks for, what its page shows, and its result as files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import Form, Request, UploadFile
from markupsafe import Markup
from starlette.responses import Response

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes, compact_bytes
from veridical.reports.axis import Axis, axis_over, known
from veridical.service.context import service_of
from veridical.service.entry.access import Access, Reviewer
from veridical.service.pages.record_pages import (
    File,
    RecordPages,
    as_typed,
    at_lines,
    one_of_two,
    router_of,
    text_of,
    transcript_of,
)
from veridical.service.records.inputs import (
    Asked,
    evaluation_asked,
    read_transcript,
    scorecard_asked,
    speech_asked,
    validation_asked,
)
from veridical.sources.clock import clock
from veridical.store.paging import MOST_ON_A_PAGE
from veridical.store.records import Record, RecordKind, RecordState
from veridical.text.turns import turns

if TYPE_CHECKING:
    from veridical.evaluation.run import EvalRun
    from veridical.scoring.scorecard import Scorecard

Title = Annotated[str, Form(max_length=200)]
Typed = Annotated[str, Form()]


def _result(_access: Access, record: Record) -> File:
    return ".json", canonical_bytes(record.result or {})


def _report(body: str) -> Markup:
    return Markup(body)  # noqa: S704  # made by the report, which escapes


def _validation_form(_request: Request, access: Access) -> dict[str, Any]:
    page = access.shelf.documents.page(limit=MOST_ON_A_PAGE)
    return {"documents": [item for item in page.items if item.ready is not None]}


def _validation_shown(record: Record) -> dict[str, Any]:
    from veridical.service.records.quotes import quotes_of
    from veridical.validation.reports.wording import SIGNS, STATUS_WORDS

    quotes = quotes_of(record)
    return {
        "quotes": quotes,
        "counts": Counter(quote.status for quote in quotes),
        "result": record.result,
        "SIGNS": SIGNS,
        "WORDS": STATUS_WORDS,
    }


def _validation_html(access: Access, record: Record) -> File:
    """Made anew: it shows the sources whole, which the result does not hold."""
    from veridical.service.records.work import validation_report
    from veridical.validation.reports.html import render_html

    report = validation_report(access.shelf, record.request)
    return ".html", render_html(report, title=record.title)


VALIDATIONS = RecordPages(
    RecordKind.VALIDATION,
    "validations",
    "validation",
    form=_validation_form,
    shown=_validation_shown,
    files={"json": _result, "html": _validation_html},
)
validations = router_of(VALIDATIONS)


@validations.post("/validations")
def create_validation(
    request: Request,
    access: Reviewer,
    quotes: Typed = "",
    quotes_file: UploadFile | None = None,
    against: Annotated[list[str] | None, Form()] = None,
    text: Typed = "",
    strict: Annotated[bool, Form()] = False,
    title: Title = "",
) -> Response:
    """Check quotes: one a line, or claims as JSON."""

    def make() -> Asked:
        claims, lines = _claims(one_of_two(as_typed(quotes), text_of(quotes_file), "the quotes"))
        given = [{"name": "given text", "text": as_typed(text)}] if text.strip() else []
        chosen = [each for each in against or () if each not in ("all", "text", "")]
        try:
            return validation_asked(
                access.shelf, claims, documents=chosen, texts=given, strict=strict, title=title
            )
        except ValidationError as problem:
            raise ValidationError(at_lines(str(problem), lines)) from None

    return VALIDATIONS.create(request, access, make, quotes=quotes, text=text, title=title)


def _claims(given: str) -> tuple[object, Sequence[int]]:
    """Claims as JSON, or of text each line as a quote, with the numbers of their lines."""
    if given.strip()[0] in "[{":
        try:
            return json.loads(given), ()
        except (ValueError, RecursionError):
            raise ValidationError(
                "The quotes begin like JSON and are none. Give one quote a line, or claims as JSON."
            ) from None
    lines = {at: line.strip() for at, line in enumerate(given.split("\n"), 1) if line.strip()}
    claims = [
        {
            "id": f"EV{number:03}",
            "task_id": f"P1.T{number:03}",
            "quote": line,
            "evidence_type": "direct_quote",
        }
        for number, line in enumerate(lines.values(), 1)
    ]
    return claims, tuple(lines)


_MOST_AROUND_CHARS = 200


def _is_check(record: Record) -> bool:
    return record.summary.get("mode") == "check"


def _check(record: Record) -> dict[str, Any]:
    """A check of an evaluation: each item, its checks, and where it was said, on a time axis."""
    result = record.result or {}
    transcript = read_transcript(record.request["transcript"])
    times = [each[name] for name in ("claimed_seconds", "true_seconds") for each in result["items"]]
    times += [part.end for turn in turns(transcript) for part in turn.parts]
    axis = axis_over([0.0, *times])
    ticks = [] if axis is None else [tick.seconds for tick in axis.ticks() if tick.narrow]
    return {
        "items": [_checked_item(each, transcript.text, axis) for each in result["items"]],
        "passed": result["passed"],
        "transcript": result["transcript"]["name"],
        "warnings": (*result["shape_warnings"], *result["transcript_warnings"]),
        "ticks": [{"at": _across(tick, axis), "time": clock(tick)} for tick in ticks],
    }


def _checked_item(item: Mapping[str, Any], text: str, axis: Axis | None) -> dict[str, Any]:
    """`claimed_at` and `said_at` are percent of the axis, if known; `said` is where the words of
    the item really stand, with some that stand around them.
    """
    correction = item["correction"] or {}
    seconds = known(correction.get("seconds"))
    when = "" if seconds is None else f" at {clock(seconds)}"
    return {
        "number": item["number"],
        "type": item["type"],
        "quote": item["evidence_quote"],
        "passed": item["passed"],
        "proven": item["proven_by_receipt"],
        "claimed": _clock(item["claimed_seconds"]),
        "said": [
            {
                "time": _clock(each["start_seconds"]),
                "speakers": ", ".join(each["speakers"]),
                "before": text[max(0, start - _MOST_AROUND_CHARS) : start],
                "words": text[start:end],
                "after": text[end : end + _MOST_AROUND_CHARS],
            }
            for each in item["occurrences"]
            for start, end in ((each["start_position"], each["end_position"]),)
        ],
        "failed": [each["message"] for each in item["checks"] if each["outcome"] == "failed"],
        "correction": f"“{correction['quote']}”{when}" if correction else "",
        "claimed_at": _across(item["claimed_seconds"], axis),
        "said_at": _across(item["true_seconds"], axis),
    }


def _clock(seconds: float | None) -> str:
    good = known(seconds)
    return "no time" if good is None else clock(good)


def _across(seconds: float | None, axis: Axis | None) -> str:
    good = known(seconds)
    return "" if good is None or axis is None else axis.across(good)


def _speech_shown(record: Record) -> dict[str, Any]:
    if _is_check(record):
        return {"check": _check(record), "report": None}
    from veridical.speech.report.html import parts
    from veridical.speech.wire import from_wire

    result = record.result or {}
    report = _report(parts(from_wire(result)).body)
    return {"check": None, "report": report, "script": result["script"]}


def _speech_html(access: Access, record: Record) -> File:
    from veridical.speech.report.html import render_speech_html
    from veridical.speech.wire import from_wire

    if _is_check(record):  # of a check there is only the JSON
        return _result(access, record)
    return ".html", render_speech_html(from_wire(record.result or {}), title=record.title)


def _script(access: Access, record: Record) -> File:
    if _is_check(record):
        return _result(access, record)
    return ".txt", (record.result or {})["script"]["text"] + "\n"


SPEECH = RecordPages(
    RecordKind.SPEECH,
    "speech",
    "speech evaluation",
    shown=_speech_shown,
    files={"json": _result, "html": _speech_html, "script": _script},
)
speech = router_of(SPEECH)


@speech.post("/speech")
def create_speech(
    request: Request,
    access: Reviewer,
    transcript: Typed = "",
    transcript_file: UploadFile | None = None,
    evaluation: Typed = "",
    evaluation_file: UploadFile | None = None,
    speaker: Annotated[str, Form(max_length=100)] = "",
    names: Annotated[str, Form(max_length=20_000)] = "",
    title: Title = "",
) -> Response:
    """Evaluate a speech, or check an evaluation of it."""

    def make() -> Asked:
        given = transcript_of(transcript, transcript_file)
        listed = tuple(name.strip() for name in names.replace("\n", ",").split(",") if name.strip())
        to_check = as_typed(evaluation) or text_of(evaluation_file)
        try:
            checked = json.loads(to_check) if to_check.strip() else None
        except (ValueError, RecursionError):
            raise ValidationError("The evaluation to check is not JSON.") from None
        return speech_asked(
            access.shelf,
            given,
            evaluation=checked,
            speaker=speaker.strip() or None,
            names=listed,
            title=title,
        )

    return SPEECH.create(
        request, access, make, transcript=transcript, evaluation=evaluation, speaker=speaker,
        names=names, title=title,
    )  # fmt: skip


def _scorecard_form(request: Request, _access: Access) -> dict[str, Any]:
    from veridical.scoring.rubrics.shipped import shipped_names

    model = service_of(request).settings.model
    return {"rubrics": shipped_names(), "scored_by": None if model is None else model.name}


def _card(record: Record) -> Scorecard:
    from veridical.scoring.wire import scorecard_from_wire

    return scorecard_from_wire(record.result or {})


def _scorecard_shown(record: Record) -> dict[str, Any]:
    from veridical.scoring.report.html import parts

    report = parts(_card(record), read_transcript(record.request["transcript"]))
    return {"report": _report(report.body)}


def _scorecard_json(_access: Access, record: Record) -> File:
    from veridical.scoring.wire import scorecard_to_bytes

    return ".json", scorecard_to_bytes(_card(record))


def _scorecard_html(_access: Access, record: Record) -> File:
    from veridical.scoring.report.html import render_html

    transcript = read_transcript(record.request["transcript"])
    return ".html", render_html(_card(record), transcript, title=record.title)


def _scorecard_markdown(_access: Access, record: Record) -> File:
    from veridical.scoring.report.markdown import render_markdown

    return ".md", render_markdown(_card(record), title=record.title)


SCORECARDS = RecordPages(
    RecordKind.SCORECARD,
    "scorecards",
    "scorecard",
    form=_scorecard_form,
    shown=_scorecard_shown,
    files={"json": _scorecard_json, "html": _scorecard_html, "markdown": _scorecard_markdown},
)
scorecards = router_of(SCORECARDS)


@scorecards.post("/scorecards")
def create_scorecard(
    request: Request,
    access: Reviewer,
    transcript: Typed = "",
    transcript_file: UploadFile | None = None,
    rubric: Annotated[str, Form(max_length=200)] = "",
    rubric_text: Typed = "",
    rubric_file: UploadFile | None = None,
    title: Title = "",
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

    return SCORECARDS.create(
        request, access, make, transcript=transcript, rubric=rubric, rubric_text=rubric_text,
        title=title,
    )  # fmt: skip


_MOST_RUNS = 50
"""Runs that the charts show, the newest."""

_WIDTH, _HEIGHT, _MARGIN = 640.0, 150.0, 12.0
_RATES = (
    ("correct", "Correct", "first"),
    ("groundedness", "Grounded", "second"),
    ("citation_accuracy", "Quoted exactly", "third"),
)
_TIMES = (("p50", "p50", "first"), ("p95", "p95", "second"))


def _evaluation_form(_request: Request, access: Access) -> dict[str, Any]:
    from veridical.evaluation.gates import GATE_NAMES

    page = access.shelf.records.page(RecordKind.EVALUATION, limit=_MOST_RUNS)
    ready = [record for record in reversed(page.items) if record.state is RecordState.READY]
    return {"over_time": {"charts": _charts(ready), "runs": len(ready)}, "gates": GATE_NAMES}


def _charts(runs: Sequence[Record]) -> list[dict[str, Any]]:
    """Rates and times of runs, the oldest first, as two small charts over a scale from 0; none
    before the second run, as there is nothing to see over time.
    """
    if len(runs) < 2:
        return []
    from veridical.evaluation.report.charts import axis_end

    times = [
        time for run in runs for name, _, _ in _TIMES if (time := _time(name, run)) is not None
    ]
    most = axis_end(max(times))[0] if times else 1.0
    rates = [
        _line(runs, name, style, partial(_share, key), 1.0, _percent) for key, name, style in _RATES
    ]
    clocks = [
        _line(runs, name, style, partial(_time, key), most, _millis) for key, name, style in _TIMES
    ]
    return [
        {"name": "Right answers", "scale": "100 %", "lines": rates},
        {"name": "Time to an answer", "scale": _millis(most), "lines": clocks},
    ]


def _line(
    runs: Sequence[Record],
    name: str,
    style: str,
    value_of: Callable[[Record], float | None],
    most: float,
    told: Callable[[float], str],
) -> dict[str, Any]:
    """A measure over the runs. `style` is its stroke, `path` its points joined as SVG does it."""
    step = (_WIDTH - 2 * _MARGIN) / max(1, len(runs) - 1)
    points = [
        {
            "x": _MARGIN + number * step,
            "y": _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * min(1.0, value / most),
            "told": f"{run.created_at:%Y-%m-%d %H:%M}, {name}: {told(value)}",
            "record_id": run.id,
        }
        for number, run in enumerate(runs)
        if (value := value_of(run)) is not None
    ]
    path = "M" + "L".join(f"{point['x']:.1f} {point['y']:.1f}" for point in points)
    return {"name": name, "style": style, "points": points, "path": path}


def _share(name: str, run: Record) -> float | None:
    rate: dict[str, Any] = run.summary.get(name, {})
    return rate["count"] / rate["of"] if rate.get("of") else None


def _time(name: str, run: Record) -> float | None:
    value: float | None = run.summary.get("client_latency_ms", {}).get(name)
    return value


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _millis(value: float) -> str:
    return f"{value:,.1f} ms".replace(".0 ms", " ms")


def _lines(record: Record) -> bytes:
    """The run as the JSON Lines that `veridical eval` reads."""
    result = record.result or {}
    return b"".join(compact_bytes(line) + b"\n" for line in (result["run"], *result["results"]))


def _run(record: Record) -> EvalRun:
    from veridical.evaluation.results import run_from_bytes

    return run_from_bytes(_lines(record))


def _evaluation_shown(record: Record) -> dict[str, Any]:
    from veridical.evaluation.report.html import parts

    bounds = (record.result or {}).get("bounds", [])
    return {"report": _report(parts(_run(record)).body), "bounds": bounds}


def _evaluation_html(_access: Access, record: Record) -> File:
    from veridical.evaluation.report.html import render_html

    return ".html", render_html(_run(record), record.title)


EVALUATIONS = RecordPages(
    RecordKind.EVALUATION,
    "evaluations",
    "evaluation run",
    form=_evaluation_form,
    shown=_evaluation_shown,
    files={"json": lambda _access, record: (".jsonl", _lines(record)), "html": _evaluation_html},
)
evaluations = router_of(EVALUATIONS)


@evaluations.post("/evaluations")
def create_evaluation(
    request: Request,
    access: Reviewer,
    questions: Typed = "",
    questions_file: UploadFile | None = None,
    fail_under: Annotated[str, Form(max_length=300)] = "",
    title: Title = "",
) -> Response:
    """Ask questions with known outcomes of the documents of the workspace."""

    def make() -> Asked:
        asked = one_of_two(as_typed(questions), text_of(questions_file), "the questions")
        return evaluation_asked(asked, fail_under=fail_under, title=title)

    return EVALUATIONS.create(
        request, access, make, questions=questions, fail_under=fail_under, title=title
    )


PAGES = (VALIDATIONS, SPEECH, SCORECARDS, EVALUATIONS)
ROUTERS = (validations, speech, scorecards, evaluations)

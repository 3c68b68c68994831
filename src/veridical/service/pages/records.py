"""Pages: validations, speech evaluations, scorecards and evaluation runs: of each kind what its
form asks for, what its page shows, and its result as files.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from fastapi import Request
from markupsafe import Markup

from veridical.errors import ValidationError
from veridical.ledger.canonical import canonical_bytes, compact_bytes
from veridical.reports.axis import axis_over, known
from veridical.reports.words import count
from veridical.service.context import service_of
from veridical.service.entry.access import Access
from veridical.service.errors import there
from veridical.service.pages.record_pages import Given, RecordPages, ResultFile, at_lines
from veridical.service.records.inputs import (
    Asked,
    evaluation_asked,
    other_stretch,
    read_transcript,
    scorecard_asked,
    speech_asked,
    validation_asked,
)
from veridical.sources.transcript import Precision, clock
from veridical.store.paging import MOST_ON_A_PAGE
from veridical.store.records import Record, RecordKind, RecordState
from veridical.text.turns import turns

if TYPE_CHECKING:
    from veridical.evaluation.run import EvalRun
    from veridical.scoring.scorecard import Scorecard


def _result(_access: Access, record: Record) -> ResultFile:
    return ".json", canonical_bytes(record.result or {})


def _report(body: str) -> Markup:
    return Markup(body)  # noqa: S704  # made by the report, which escapes


def _validation_form(_request: Request, access: Access) -> dict[str, Any]:
    page = access.shelf.documents.page(limit=MOST_ON_A_PAGE)
    return {"documents": [item for item in page.items if item.ready is not None]}


def _validation_shown(record: Record) -> dict[str, Any]:
    from veridical.service.records.quotes import quotes_of
    from veridical.validation.wording import SIGNS, STATUS_WORDS

    quotes = quotes_of(record)
    return {
        "quotes": quotes,
        "counts": Counter(quote.result.status for quote in quotes),
        "result": record.result,
        "SIGNS": SIGNS,
        "WORDS": STATUS_WORDS,
    }


def _validation_html(access: Access, record: Record) -> ResultFile:
    """Made anew: it shows the sources whole, which the result does not hold."""
    from veridical.service.records.work import validation_report
    from veridical.validation.reports.html import render_html

    report = validation_report(access.shelf, record.request)
    return ".html", render_html(report, title=record.title)


def _validation_asked(_request: Request, access: Access, given: Given) -> Asked:
    """A check of quotes: one a line, or claims as JSON."""
    claims, lines = _claims(given.one_text("quotes"))
    text = given.typed("text")
    chosen = [str(one) for one in given.form.getlist("against")]
    try:
        return validation_asked(
            access.shelf,
            claims,
            documents=[one for one in chosen if one not in ("all", "text", "")],
            texts=[{"name": "given text", "text": text}] if text.strip() else [],
            strict=bool(given.typed("strict")),
            title=given.typed("title"),
        )
    except ValidationError as problem:
        raise ValidationError(at_lines(str(problem), lines)) from None


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


VALIDATIONS = RecordPages(
    RecordKind.VALIDATION,
    "validations",
    "validation",
    asked=_validation_asked,
    form=_validation_form,
    shown=_validation_shown,
    files={"json": _result, "html": _validation_html},
)


def _is_check(record: Record) -> bool:
    return record.summary.get("mode") == "check"


def _check(record: Record) -> dict[str, Any]:
    """A check of an evaluation. `across` is where a second stands on its time axis, if known."""
    result = record.result or {}
    transcript = read_transcript(record.request["transcript"])
    times = [each[name] for name in ("claimed_seconds", "true_seconds") for each in result["items"]]
    times += [part.end for turn in turns(transcript) for part in turn.parts]
    axis = axis_over([0.0, *times])

    def across(seconds: float | None) -> str:
        good = known(seconds)
        return "" if good is None or axis is None else axis.across(good)

    return {
        "check": result,
        "text": transcript.text,
        "ticks": [tick.seconds for tick in axis.ticks() if tick.narrow] if axis else [],
        "across": across,
        "clock": _clock,
    }


def _clock(seconds: float | None) -> str:
    good = known(seconds)
    return "no time" if good is None else clock(good)


def _speech_shown(record: Record) -> dict[str, Any]:
    if _is_check(record):
        checked = _check(record)
        stretch = _stretch(record) if checked["ticks"] else None
        return {**checked, "report": None, "stretch": stretch}
    from veridical.speech.report.html import parts
    from veridical.speech.wire import from_wire

    result = record.result or {}
    report = _report(parts(from_wire(result)).body)
    timed = result["metrics"]["precision"] != Precision.NONE
    stretch = _stretch(record) if timed else None
    return {"report": report, "script": result["script"], "stretch": stretch}


def _stretch(record: Record) -> dict[str, Any]:
    """From when to when of the recording was taken for the speech, and whether that was found."""
    found = record.summary.get("found_seconds")
    begin, end = found or (record.request.get(name) for name in ("from_seconds", "to_seconds"))
    return {"is_found": bool(found), "begin": _time(begin), "end": _time(end)}


def _time(seconds: float | None) -> str:
    """A time as the form takes it, in whole tenths of a second: `2:46.5`."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(10 * seconds), 600)
    return f"{minutes}:{rest // 10:02}" + (f".{rest % 10}" if rest % 10 else "")


def _speech_html(access: Access, record: Record) -> ResultFile:
    from veridical.speech.report.html import render_speech_html
    from veridical.speech.wire import from_wire

    if _is_check(record):  # of a check there is only the JSON
        return _result(access, record)
    return ".html", render_speech_html(from_wire(record.result or {}), title=record.title)


def _speech_pdf(access: Access, record: Record) -> ResultFile:
    from veridical.speech.report.pdf import render_pdf
    from veridical.speech.wire import from_wire

    if _is_check(record):
        return _result(access, record)
    return ".pdf", render_pdf(from_wire(record.result or {}), title=record.title).data


def _script(access: Access, record: Record) -> ResultFile:
    if _is_check(record):
        return _result(access, record)
    return ".txt", (record.result or {})["script"]["text"] + "\n"


def _speech_asked(request: Request, access: Access, given: Given) -> Asked:
    """An evaluation of a speech, or the check of one."""
    transcript, recording = given.said(service_of(request).settings.keep_speech_seconds)
    evaluation = given.text("evaluation")
    try:
        to_check = json.loads(evaluation) if evaluation.strip() else None
    except (ValueError, RecursionError):
        raise ValidationError("The evaluation to check is not JSON.") from None
    begin, end = given.stretch()
    names = given.typed("names").replace("\n", ",").split(",")
    return speech_asked(
        access.shelf,
        transcript,
        evaluation=to_check,
        speaker=given.typed("speaker").strip() or None,
        names=[name.strip() for name in names if name.strip()],
        from_seconds=begin,
        to_seconds=end,
        title=given.typed("title"),
        recording=recording,
    )


def _other_speech(record: Record, given: Given) -> Asked:
    """The same speech, where the form of its page was sent of the stretch that it says."""
    if "from_time" not in given.form:
        return Asked(record.kind, record.title, record.request)
    return other_stretch(record, *given.stretch())


def usually_kept(seconds: int | None) -> str:
    """How long a recording is kept where nobody says otherwise."""
    if seconds is None:
        return "as usual: as long as the report"
    return f"as usual: {count(seconds // 60, 'minute')} after the report"


def _speech_form(request: Request, _access: Access) -> dict[str, Any]:
    return {"usually_kept": usually_kept(service_of(request).settings.keep_speech_seconds)}


SPEECH = RecordPages(
    RecordKind.SPEECH,
    "speech",
    "speech evaluation",
    asked=_speech_asked,
    form=_speech_form,
    shown=_speech_shown,
    files={"json": _result, "html": _speech_html, "pdf": _speech_pdf, "script": _script},
    other=_other_speech,
)


SAVED = "saved: "
"""What stands before the name of a rubric of the workspace, where those shipped stand too."""


def _scorecard_form(request: Request, access: Access) -> dict[str, Any]:
    from veridical.scoring.rubrics.file import shipped_names

    model = service_of(request).settings.model
    own = [f"{SAVED}{rubric.name}" for rubric in access.shelf.rubrics.names()]
    return {
        "usually_kept": usually_kept(service_of(request).settings.keep_scoring_seconds),
        "rubrics": [*shipped_names(), *own],
        "scored_by": None if model is None else model.name,
    }


def _card(record: Record) -> Scorecard:
    from veridical.scoring.wire import scorecard_from_wire

    return scorecard_from_wire(record.result or {})


def _scorecard_shown(record: Record) -> dict[str, Any]:
    from veridical.scoring.report.html import parts
    from veridical.scoring.report.wording import VERDICTS
    from veridical.scoring.ruling import standing

    card = _card(record)
    report = parts(card, read_transcript(record.request["transcript"]))
    return {
        "report": _report(report.body),
        "card": card,
        "standing": standing(card),
        "VERDICTS": VERDICTS,
    }


def _scorecard_pdf(_access: Access, record: Record) -> ResultFile:
    from veridical.scoring.report.pdf import render_pdf

    return ".pdf", render_pdf(_card(record), title=record.title).data


def _scorecard_json(_access: Access, record: Record) -> ResultFile:
    from veridical.scoring.wire import scorecard_to_bytes

    return ".json", scorecard_to_bytes(_card(record))


def _scorecard_html(_access: Access, record: Record) -> ResultFile:
    from veridical.scoring.report.html import render_html

    transcript = read_transcript(record.request["transcript"])
    return ".html", render_html(_card(record), transcript, title=record.title)


def _scorecard_markdown(_access: Access, record: Record) -> ResultFile:
    from veridical.scoring.report.markdown import render_markdown

    return ".md", render_markdown(_card(record), title=record.title)


def _scorecard_asked(request: Request, access: Access, given: Given) -> Asked:
    """A scorecard of a transcript by a shipped rubric, or by one that is given."""
    settings = service_of(request).settings
    transcript, recording = given.said(settings.keep_scoring_seconds)
    own, chosen = given.text("rubric_text"), given.typed("rubric")
    if chosen.startswith(SAVED) and not own.strip():
        kept = access.shelf.rubrics.get(chosen.removeprefix(SAVED))
        own = there(kept, "There is no such rubric here.").text
    return scorecard_asked(
        access.shelf,
        transcript,
        own if own.strip() else chosen,
        needs_cues=settings.model is None,
        title=given.typed("title"),
        recording=recording,
    )


SCORECARDS = RecordPages(
    RecordKind.SCORECARD,
    "scorecards",
    "scorecard",
    asked=_scorecard_asked,
    form=_scorecard_form,
    shown=_scorecard_shown,
    files={
        "json": _scorecard_json,
        "html": _scorecard_html,
        "markdown": _scorecard_markdown,
        "pdf": _scorecard_pdf,
    },
)


_MOST_RUNS = 50
"""Runs that the charts show, the newest."""

_WIDTH, _HEIGHT, _MARGIN = 640.0, 150.0, 12.0
_STYLES = ("first", "second", "third")
_RATES = (
    ("correct", "Correct"),
    ("groundedness", "Grounded"),
    ("citation_accuracy", "Quoted exactly"),
)
_TIMES = (("p50", "p50"), ("p95", "p95"))


def _evaluation_form(_request: Request, access: Access) -> dict[str, Any]:
    from veridical.evaluation.summary import GATE_NAMES

    page = access.shelf.records.page(RecordKind.EVALUATION, limit=_MOST_RUNS)
    ready = [record for record in reversed(page.items) if record.state is RecordState.READY]
    over_time = {"charts": _charts(ready), "runs": len(ready)}
    return {"over_time": over_time, "runs": page.items, "gates": GATE_NAMES}


def _charts(runs: Sequence[Record]) -> list[dict[str, Any]]:
    """Rates and times of runs, the oldest first, as two small charts over a scale from 0; none
    before the second run, as there is nothing to see over time.
    """
    if len(runs) < 2:
        return []
    from veridical.evaluation.report.charts import axis_end

    times = [time for run in runs for key, _ in _TIMES if (time := _measured(run, key)) is not None]
    most = axis_end(max(times))[0] if times else 1.0
    return [
        {
            "name": "Right answers",
            "scale": "100 %",
            "lines": [*_chart_lines(runs, _RATES, 1.0, _percent)],
        },
        {
            "name": "Time to an answer",
            "scale": _millis(most),
            "lines": [*_chart_lines(runs, _TIMES, most, _millis)],
        },
    ]


def _chart_lines(
    runs: Sequence[Record],
    measures: Sequence[tuple[str, str]],
    most: float,
    told: Callable[[float], str],
) -> Iterator[dict[str, Any]]:
    """Measures over the runs. `style` is a stroke, `path` its points joined as SVG does it."""
    step = (_WIDTH - 2 * _MARGIN) / (len(runs) - 1)
    for (key, name), style in zip(measures, _STYLES, strict=False):
        points = [
            {
                "x": _MARGIN + number * step,
                "y": _HEIGHT - _MARGIN - (_HEIGHT - 2 * _MARGIN) * min(1.0, value / most),
                "told": f"{run.created_at:%Y-%m-%d %H:%M}, {name}: {told(value)}",
                "record_id": run.id,
            }
            for number, run in enumerate(runs)
            if (value := _measured(run, key)) is not None
        ]
        path = "M" + "L".join(f"{point['x']:.1f} {point['y']:.1f}" for point in points)
        yield {"name": name, "style": style, "points": points, "path": path}


def _measured(run: Record, key: str) -> float | None:
    """A rate of a run, or a time in milliseconds; None where it was not measured."""
    rate: dict[str, Any] | None = run.summary.get(key)
    if rate is not None:
        return rate["count"] / rate["of"] if rate.get("of") else None
    value: float | None = run.summary.get("client_latency_ms", {}).get(key)
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


def _evaluation_html(_access: Access, record: Record) -> ResultFile:
    from veridical.evaluation.report.html import render_html

    return ".html", render_html(_run(record), record.title)


def _evaluation_asked(_request: Request, _access: Access, given: Given) -> Asked:
    """Questions with known outcomes, of the documents of the workspace."""
    return evaluation_asked(
        given.one_text("questions"),
        fail_under=given.typed("fail_under"),
        title=given.typed("title"),
    )


EVALUATIONS = RecordPages(
    RecordKind.EVALUATION,
    "evaluations",
    "evaluation run",
    asked=_evaluation_asked,
    form=_evaluation_form,
    shown=_evaluation_shown,
    files={"json": lambda _access, record: (".jsonl", _lines(record)), "html": _evaluation_html},
)

PAGES = (VALIDATIONS, SPEECH, SCORECARDS, EVALUATIONS)
ROUTERS = tuple(pages.router() for pages in PAGES)

"""The forms in which a report can be written, the table at a terminal among them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from veridical.cli import files
from veridical.cli.choices import Form, by_suffix, parse_choice
from veridical.cli.files import encode, write_whole
from veridical.cli.terminal import clean, err, excerpt, out, out_data
from veridical.cli.text_table import Look, text_table
from veridical.errors import ConfigurationError, OutputError
from veridical.validation.results import ClaimResult, Status, Summary, ValidationReport
from veridical.validation.schemas import load_schema

if TYPE_CHECKING:
    from rich.text import Text


FORMS = (Form.TABLE, Form.JSON, Form.JUNIT, Form.SARIF, Form.HTML)
_BY_SUFFIX = by_suffix(".json .xml .sarif .html .htm .txt")

_SIGNS = {
    Status.VALIDATED: ("\u2713", "green"),
    Status.AMBIGUOUS: ("\u2248", "yellow"),
    Status.LOW_CONFIDENCE: ("?", "yellow"),
    Status.FAILED: ("\u2715", "red"),
}
_QUOTE_CHARS = 160


def format_of(path: Path) -> Form:
    """The form that a file's suffix asks for. Raises OutputError for any other."""
    try:
        return _BY_SUFFIX[path.suffix.lower()]
    except KeyError:
        known = ", ".join(_BY_SUFFIX)
        raise OutputError(
            f"cannot tell the format of {path} from its suffix (known: {known}); "
            "give --format json, junit, sarif or html"
        ) from None


def has_known_suffix(path: Path) -> bool:
    """Whether the suffix of a file asks for a format."""
    return path.suffix.lower() in _BY_SUFFIX


def render(report: ValidationReport, form: Form, *, claims_uri: str | None = None) -> str:
    """The report as text, ending in a line feed."""
    if form is Form.JSON:
        return json.dumps(report.to_dict(), indent=2, ensure_ascii=False) + "\n"
    if form is Form.HTML:
        from veridical.validation.reports.html import render_html

        return render_html(report)
    if form is Form.JUNIT:
        from veridical.validation.reports.junit import render_junit

        return render_junit(report)
    if form is Form.SARIF:
        from veridical.validation.reports.sarif import render_sarif

        return render_sarif(report, claims_uri=claims_uri)
    return render_table(report)


def render_table(report: ValidationReport, look: Look | None = None) -> str:
    """The results as a table, and a line that sums them up; by default plain."""
    from rich.text import Text

    errors = (Text(f"error: {clean(error.message)}", style="red") for error in report.errors)
    headings = ("Claim", "Verdict", "Quote and where it stands")
    rows = ((clean(r.claim.id), _verdict(r), _details(r)) for r in report.results)
    return text_table(headings, rows, (_summed_up(report.summary), *errors), look)


def _verdict(result: ClaimResult) -> Text:
    from rich.text import Text

    sign, style = _SIGNS[result.status]
    verdict = Text(f"{sign} {result.status.value}", style=style)
    if result.fidelity is not None:
        verdict.append(f"\n  {result.fidelity.value}", style="dim")
    return verdict


def _details(result: ClaimResult) -> Text:
    from rich.text import Text

    from veridical.validation import wording

    text = Text(f"\u201c{excerpt(result.claim.quote, _QUOTE_CHARS)}\u201d")
    if result.match is not None:
        where = wording.place(result.match)
        text.append(f"\n{clean(where)}  {result.confidence:.0%}", style="dim")
    if result.rules:
        text.append(f"\ndiffers in {wording.differs_in(result)}", style="dim")
    for line in result.suggestions:
        text.append(f"\n{clean(line)}", style="italic")
    for note in result.notes:
        text.append(f"\n{clean(note.message)}", style="italic")
    return text


def _summed_up(summary: Summary) -> str:
    """The counts and the rate, with its denominator."""
    return (
        f"{summary.validated} of {summary.total} validated ({summary.validation_rate:.0%}), "
        f"{summary.ambiguous} ambiguous, {summary.low_confidence} low confidence, "
        f"{summary.failed} failed"
    )


def terminal_table(report: ValidationReport) -> str:
    """The table for standard output, as wide and as colourful as that is."""
    return render_table(report, Look.of_standard_output())


def parse_format(name: str | None) -> Form | None:
    """The report format of that name. Raises ConfigurationError that lists the names."""
    return None if name is None else parse_choice(FORMS, name)


def named_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of that name. Raises ConfigurationError that lists the names."""
    from veridical.evaluation import schemas as evaluation
    from veridical.judging import schemas as judging
    from veridical.ledger import schemas as ledger
    from veridical.scoring import schemas as scoring
    from veridical.speech import schemas as speech

    shipped = (
        load_schema,
        speech.load_schema,
        scoring.load_schema,
        evaluation.load_schema,
        ledger.load_schema,
        judging.load_schema,
    )
    for load in shipped:
        if name in load.names:
            return load(name)
    known = ", ".join(schema for load in shipped for schema in load.names)
    raise ConfigurationError(f"no schema {name!r}; there are {known}")


def check_outputs(
    outputs: Sequence[Path], form: Form | None, inputs: Sequence[str | None]
) -> list[Form]:
    """The form of each output. Raises OutputError before any work is done if one cannot be made."""
    if form is not None and form is not Form.TABLE and len(outputs) > 1:
        raise OutputError("--format goes with one --output; with several, the suffixes decide")
    files.check_outputs(outputs, inputs)
    if form is not None and form is not Form.TABLE:
        return [form for _ in outputs]
    if form is Form.TABLE and len(outputs) == 1 and not has_known_suffix(outputs[0]):
        return [form]
    return [format_of(path) for path in outputs]


def deliver(
    report: ValidationReport,
    outputs: Sequence[Path],
    forms: Sequence[Form],
    form: Form | None,
    claims_uri: str | None = None,
) -> None:
    """Write the outputs, and print what was not asked for as a file."""
    # All are made before the first is written: either all of them are there afterwards or none.
    made = [encode(render(report, kind, claims_uri=claims_uri)) for kind in forms]
    for path, data in zip(outputs, made, strict=True):
        write_whole(path, data)
    if form is None or form is Form.TABLE:
        out(terminal_table(report).rstrip("\n"))
        for path in outputs:
            err(f"Report: {path}")
    elif not outputs:
        out_data(encode(render(report, form, claims_uri=claims_uri)))

"""`veridical speech check`: the quotes of an evaluation against the transcript."""

from __future__ import annotations

import json
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from veridical.cli import setup
from veridical.cli.choices import parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import check_outputs, encode, read_json, write_whole
from veridical.cli.terminal import clean, err, excerpt, out, out_data
from veridical.errors import OutputError
from veridical.sources.clock import clock
from veridical.sources.transcripts.loader import load_transcript
from veridical.speech.checking import (
    EvaluationReport,
    ItemReport,
    check_evaluation,
    read_evaluation,
)
from veridical.speech.speakers import require_label
from veridical.validation.reports.wording import count
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

if TYPE_CHECKING:
    from veridical.cli.text_table import Look

_QUOTE_CHARS = 200


class CheckFormat(StrEnum):
    """A form of the result."""

    TABLE = "table"
    JSON = "json"


_BY_SUFFIX = {".json": CheckFormat.JSON, ".txt": CheckFormat.TABLE}


def run(
    transcript_path: str,
    evaluation_path: str,
    *,
    form: str | None,
    outputs: Sequence[Path],
    label: str | None,
    min_words: int | None,
    max_words: int | None,
    tolerance: float | None,
    verbose: bool,
) -> int:
    """Check an evaluation, print or write the result, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    wanted = _format(form, outputs)
    setup.check_inputs([transcript_path], evaluation_path)
    check_outputs(outputs, [transcript_path, evaluation_path])
    policy = _policy(min_words, max_words, tolerance)
    handed_in = read_evaluation(read_json(evaluation_path, what="evaluation"))
    transcript = load_transcript(transcript_path)
    require_label(transcript, label)
    report = check_evaluation(handed_in, transcript, policy=policy, label=label)
    data = encode(_rendered(report, wanted))
    for path in outputs:
        write_whole(path, data)
        err(f"Written: {path}")
    if not outputs:
        _print(report, wanted)
    for warning in (*transcript.warnings, *report.shape):
        err(f"veridical: warning: {clean(warning)}")
    return 0 if report.all_passed else NEGATIVE_RESULT


def _format(name: str | None, outputs: Sequence[Path]) -> CheckFormat:
    """The form that was asked for, else that of the files' suffix."""
    if name is not None:
        return parse_choice(CheckFormat, name, option="--format")
    forms = {suffix_choice(_BY_SUFFIX, path) for path in outputs}
    if len(forms) > 1:
        raise OutputError("the files have different suffixes; say which --format they should have")
    return forms.pop() if forms else CheckFormat.TABLE


def _policy(
    min_words: int | None, max_words: int | None, tolerance: float | None
) -> TimedQuotePolicy:
    defaults = DEFAULT_TIMED_POLICY
    return TimedQuotePolicy(
        defaults.min_tokens if min_words is None else min_words,
        defaults.max_tokens if max_words is None else max_words,
        defaults.tolerance_seconds if tolerance is None else tolerance,
    )


def _rendered(report: EvaluationReport, form: CheckFormat) -> str:
    if form is CheckFormat.JSON:
        return json.dumps(report.to_mapping(), indent=2, ensure_ascii=False) + "\n"
    return render_table(report)


def _print(report: EvaluationReport, form: CheckFormat) -> None:
    if form is CheckFormat.JSON:
        out_data(encode(_rendered(report, form)))
    else:
        from veridical.cli.text_table import Look

        out(render_table(report, Look.of_standard_output()).rstrip("\n"))


def render_table(report: EvaluationReport, look: Look | None = None) -> str:
    """The items as a table, and a line that sums them up; by default plain."""
    from rich.text import Text

    from veridical.cli.text_table import Look, TextTable

    table = TextTable(("Item", "Evidence", "Quote, and when it was said"), look or Look())
    for number, item in enumerate(report.items, 1):
        passed = item.check.passed
        verdict = Text("\u2713 passed", "green") if passed else Text("\u2715 failed", "red")
        table.add_row(Text(f"{number} {item.item.type}"), verdict, Text("\n".join(_facts(item))))
    table.add_line(Text(f"{report.passed} of {count(len(report.items), 'item')} pass"))
    return table.render()


def _facts(report: ItemReport) -> list[str]:
    """What a reader needs to know of one item, a fact a line."""
    check = report.check
    facts = [f"\u201c{excerpt(report.item.evidence_quote, _QUOTE_CHARS)}\u201d", _times(report)]
    if report.proven:
        facts.append("names were left out; the receipt proves the words")
    if len(check.occurrences) > 1:
        listed = [o.moment.start for o in check.occurrences if o.moment.start is not None]
        more = " and more" if check.more_occurrences else ""
        facts.append(f"said at {', '.join(clock(second) for second in listed[:10])}{more}")
    facts += [f"{failed.check}: {clean(failed.message)}" for failed in check.failed_checks]
    if check.correction is not None:
        seconds = check.correction.seconds
        when = "" if seconds is None else f" at {seconds:g} s"
        facts.append(f"correct: \u201c{clean(check.correction.quote)}\u201d{when}")
    return facts


def _times(report: ItemReport) -> str:
    check = report.check
    claimed = f"claimed for {clock(check.claimed_seconds)}"
    if check.true_seconds is None:
        return claimed
    drift = "" if check.drift_seconds is None else f", {check.drift_seconds:.1f} s apart"
    return f"{claimed}, said at {clock(check.true_seconds)}{drift}"

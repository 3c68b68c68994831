"""`veridical speech check`: the quotes of an evaluation against the transcript."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from veridical.cli.choices import TABLE_OR_JSON, Form, by_suffix, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, about_option, with_exit_code
from veridical.cli.files import (
    check_inputs,
    check_outputs,
    encode,
    json_bytes,
    read_json,
    write_all,
)
from veridical.cli.options import (
    evaluation_argument,
    format_option,
    outputs_option,
    speech_span_options,
    speech_start_option,
    transcript_argument,
    verbose_option,
)
from veridical.cli.places import Kind, expect
from veridical.cli.terminal import clean, excerpt, out, out_data, warn
from veridical.cli.text_table import Look, text_table
from veridical.errors import OutputError
from veridical.reports.words import count
from veridical.sources.transcript import clock
from veridical.sources.transcripts.loader import load_transcript
from veridical.speech.checking import (
    EvaluationReport,
    ItemReport,
    check_evaluation,
    read_evaluation,
)
from veridical.speech.span import between, seconds_of
from veridical.speech.speakers import evaluated_speaker, require_label
from veridical.speech.start import from_speech_start
from veridical.validation.timed import DEFAULT_TIMED_POLICY, TimedQuotePolicy

_QUOTE_CHARS = 200
_BY_SUFFIX = by_suffix(".json .txt")


@click.command()
@transcript_argument
@evaluation_argument
@format_option("table", "json", help="Format of the result.", default=False)
@outputs_option("Write the result to this file.")
@click.option("--label", metavar="LABEL", help="The quotes must be words of this speaker.")
@speech_span_options
@speech_start_option
@click.option("--min-words", type=int, metavar="N", help="Least words of a quote; 6 by default.")
@click.option("--max-words", type=int, metavar="N", help="Most words of a quote; 15 by default.")
@click.option(
    "--tolerance",
    type=float,
    metavar="SECONDS",
    help="How far the claimed second may be off; 20 by default.",
)
@verbose_option
@with_exit_code
def check(
    transcript: str,
    evaluation: str,
    form: str | None,
    outputs: tuple[Path, ...],
    label: str | None,
    begin: str | None,
    end: str | None,
    speech_start: str | None,
    min_words: int | None,
    max_words: int | None,
    tolerance: float | None,
) -> int:
    """Check the quotes of an evaluation that some other program wrote.

    EVALUATION.json holds the items: type, evidence_quote and evidence_timestamp of each.

    Exit code 0: every item's evidence passes. 1: one fails. 2: the run could not be made.
    """
    wanted = _format(form, outputs)
    check_inputs([transcript], evaluation)
    expect(
        ("TRANSCRIPT", Kind.TRANSCRIPT, transcript),
        ("EVALUATION.json", Kind.EVALUATION, evaluation),
    )
    check_outputs(outputs, [transcript, evaluation])
    policy = _policy(min_words, max_words, tolerance)
    handed_in = read_evaluation(read_json(evaluation, what="evaluation"))
    said = load_transcript(transcript)
    require_label(said, label)
    if begin is not None or end is not None:
        evaluated = evaluated_speaker(said, label=label)
        said, evaluated = between(said, evaluated, *times_of(begin, end))
        label = evaluated.label
        warn(*filter(None, [evaluated.warning]))
    with about_option("--speech-start"):
        said = from_speech_start(said, speech_start, label)
    report = check_evaluation(handed_in, said, policy=policy, label=label)
    is_json = wanted is Form.JSON
    data = json_bytes(report.to_mapping()) if is_json else encode(render_table(report))
    write_all((path, data) for path in outputs)
    if not outputs and is_json:
        out_data(data)
    elif not outputs:
        out(render_table(report, Look.of_standard_output()).rstrip("\n"))
    warn(*said.warnings, *report.shape)
    return 0 if report.all_passed else NEGATIVE_RESULT


def times_of(begin: str | None, end: str | None) -> tuple[float | None, float | None]:
    """The seconds of `--from` and `--to`."""
    with about_option("--from"):
        low = None if begin is None else seconds_of(begin)
    with about_option("--to"):
        high = None if end is None else seconds_of(end)
    return low, high


def _format(name: str | None, outputs: Sequence[Path]) -> Form:
    """The form that was asked for, else that of the files' suffix."""
    if name is not None:
        return parse_choice(TABLE_OR_JSON, name)
    forms = {suffix_choice(_BY_SUFFIX, path) for path in outputs}
    if len(forms) > 1:
        raise OutputError("the files have different suffixes; say which --format they should have")
    return forms.pop() if forms else Form.TABLE


def _policy(
    min_words: int | None, max_words: int | None, tolerance: float | None
) -> TimedQuotePolicy:
    defaults = DEFAULT_TIMED_POLICY
    return TimedQuotePolicy(
        defaults.min_tokens if min_words is None else min_words,
        defaults.max_tokens if max_words is None else max_words,
        defaults.tolerance_seconds if tolerance is None else tolerance,
    )


def render_table(report: EvaluationReport, look: Look | None = None) -> str:
    """The items as a table, and a line that sums them up; by default plain."""
    from rich.text import Text

    signs = {True: Text("\u2713 passed", "green"), False: Text("\u2715 failed", "red")}
    rows = (
        (f"{number} {item.item.type}", signs[item.check.passed], "\n".join(_facts(item)))
        for number, item in enumerate(report.items, 1)
    )
    told = f"{report.passed} of {count(len(report.items), 'item')} pass"
    return text_table(("Item", "Evidence", "Quote, and when it was said"), rows, [told], look)


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

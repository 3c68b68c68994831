"""`veridical speech script`: an evaluation from a file as spoken text."""

from __future__ import annotations

from pathlib import Path

from veridical.cli import setup
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import check_outputs, encode, read_json, write_whole
from veridical.cli.names import Names
from veridical.cli.terminal import clean, err, out
from veridical.sources.transcripts.loader import load_transcript
from veridical.speech.checking import EvaluationReport, check_evaluation, read_evaluation
from veridical.speech.script import render_script
from veridical.speech.speakers import evaluated_speaker


def run(
    evaluation_path: str,
    transcript_path: str,
    *,
    speaker: str | None,
    label: str | None,
    seconds: float | None,
    names: Names,
    output: Path | None,
    verbose: bool,
) -> int:
    """Check an evaluation, print or write its script, and return the exit code."""
    setup.set_up_logging(verbose=verbose)
    setup.check_inputs([transcript_path], evaluation_path)
    check_outputs([] if output is None else [output], [transcript_path, evaluation_path])
    finder = names.finder()
    handed_in = read_evaluation(read_json(evaluation_path, what="evaluation"))
    transcript = load_transcript(transcript_path)
    evaluated = evaluated_speaker(transcript, name=speaker, label=label)
    report = check_evaluation(handed_in, transcript, label=evaluated.label)
    script = render_script(
        report.passing(speaker=evaluated.name),
        seconds=seconds,
        names=names.listed,
        finder=finder,
        phrase=names.phrase,
    )
    if not report.items:
        err("veridical: warning: the evaluation has no items")
    if output is None:
        out(clean_lines(script.text))
    else:
        write_whole(output, encode(script.text + "\n"))
        err(f"Written: {output}")
    if not script.fits:
        err(f"veridical: warning: the script is too long: {script.note}")
    return _tell_failures(report)


def clean_lines(text: str) -> str:
    """Text of several lines that is safe to print."""
    return "\n".join(clean(line) for line in text.splitlines())


def _tell_failures(report: EvaluationReport) -> int:
    """Say which items were left out, without a word of them: their words may name people."""
    for number, item in enumerate(report.items, 1):
        if not item.check.passed:
            checks = ", ".join(failed.check for failed in item.check.failed_checks)
            err(
                f"veridical: warning: item {number} was left out, it fails: {checks} "
                "(veridical speech check tells more)"
            )
    return 0 if report.all_passed else NEGATIVE_RESULT

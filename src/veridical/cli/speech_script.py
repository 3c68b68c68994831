"""`veridical speech script`: an evaluation from a file as spoken text."""

from __future__ import annotations

from pathlib import Path

from veridical.cli import run as shared
from veridical.cli.errors import NOT_ALL_VALIDATED
from veridical.cli.files import read_json, write_whole
from veridical.cli.formats import encode
from veridical.cli.speech_check import check_targets
from veridical.cli.speech_evaluate import Names
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
    shared.set_up_logging(verbose=verbose)
    shared.check_inputs([transcript_path], evaluation_path)
    outputs = [] if output is None else [output]
    check_targets(outputs, [transcript_path, evaluation_path])
    options = names.options()
    handed_in = read_evaluation(read_json(evaluation_path, what="evaluation"))
    transcript = load_transcript(transcript_path)
    label = evaluated_speaker(transcript, speaker=speaker, label=label).label
    report = check_evaluation(handed_in, transcript, label=label)
    script = render_script(report.passing(speaker=speaker), seconds=seconds, **options)
    if output is None:
        out(clean_lines(script.text))
    else:
        write_whole(output, encode(script.text + "\n"))
        err(f"Written: {output}")
    if not script.fits:
        err("veridical: warning: the script is longer than the limit; no whole item can go")
    return _tell_failures(report)


def clean_lines(text: str) -> str:
    """Text of several lines that is safe to print."""
    return "\n".join(clean(line) for line in text.splitlines())


def _tell_failures(report: EvaluationReport) -> int:
    for number, item in enumerate(report.items, 1):
        if not item.check.passed:
            reasons = "; ".join(failed.message for failed in item.check.failed_checks)
            err(f"veridical: warning: item {number} was left out: {clean(reasons)}")
    return 0 if report.all_passed else NOT_ALL_VALIDATED

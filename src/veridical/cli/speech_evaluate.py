"""`veridical speech evaluate` and `script`: an evaluation with its evidence, and spoken."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click

from veridical.cli.choices import Form, by_suffix, parse_choice, suffix_choice
from veridical.cli.errors import NEGATIVE_RESULT, about_option, with_exit_code
from veridical.cli.files import (
    check_inputs,
    check_outputs,
    encode,
    json_bytes,
    read_json,
    write_whole,
)
from veridical.cli.models import chosen_model
from veridical.cli.options import (
    evaluation_argument,
    format_option,
    model_options,
    outputs_option,
    recording_options,
    speech_span_options,
    speech_start_option,
    together,
    transcript_argument,
    verbose_option,
)
from veridical.cli.places import Kind, expect
from veridical.cli.speech_check import times_of
from veridical.cli.terminal import clean, err, out, out_data, warn
from veridical.cli.transcribe import Hearing
from veridical.errors import ConfigurationError
from veridical.models.deadline import DEFAULT_TIMEOUT_SECONDS
from veridical.reports.words import count
from veridical.sources.transcript import Precision, Transcript, clock
from veridical.sources.transcripts.loader import load_transcript
from veridical.speech.checking import EvaluationReport, check_evaluation, read_evaluation
from veridical.speech.generator import EvaluationGenerator
from veridical.speech.names.finders import AllNames, NameFinder, PatternNames, SpacyNames
from veridical.speech.results import DeliveryMetrics, PublicEvaluation, PublicItem
from veridical.speech.script import Script, render_script
from veridical.speech.span import Stretch, between, likely_stretch
from veridical.speech.speakers import Evaluated, evaluated_speaker
from veridical.speech.start import from_speech_start
from veridical.speech.tone import LACKS

_FORMS = (Form.TEXT, Form.JSON, Form.HTML)
_BY_SUFFIX = by_suffix(".json .html .htm .txt .pdf", text=Form.TEXT)
"""What a file holds. As text that is the script alone."""

_speaker_options = together(
    click.option(
        "--speaker",
        metavar="NAME",
        help="The speaker's name; it is kept where other names are not.",
    ),
    click.option(
        "--label",
        metavar="LABEL",
        help="The speaker's label in the transcript, if it is not the name.",
    ),
)
_script_options = together(
    click.option("--seconds", type=float, metavar="N", help="Time limit of the spoken script."),
    click.option(
        "--name",
        "names",
        multiple=True,
        metavar="NAME",
        help="A name to leave out, beside those that are found. May be given several times.",
    ),
    click.option(
        "--phrase",
        metavar="WORDS",
        help="What stands for a name; 'a fellow member' by default.",
    ),
    click.option(
        "--names-model", metavar="MODEL", help="Find names with this spaCy model as well."
    ),
)


@click.command()
@transcript_argument
@_speaker_options
@speech_span_options
@speech_start_option
@recording_options
@model_options
@click.option(
    "--timeout",
    type=float,
    metavar="SECONDS",
    help="Wait so long for a model in all, then fixed rules write; 60 by default.",
)
@_script_options
@click.option("--title", metavar="TEXT", help="Title of the evaluation.")
@format_option("text", "json", "html", help="Format of the result.", default=False)
@outputs_option("Write the result to this file.")
@click.option(
    "--with-names",
    metavar="FILE",
    help="Write the evaluation as it was before names were left out, not for the public.",
)
@verbose_option
@with_exit_code
def evaluate(
    transcript: str,
    speaker: str | None,
    label: str | None,
    begin: str | None,
    end: str | None,
    speech_start: str | None,
    hearing: Hearing,
    model: str | None,
    base_url: str | None,
    timeout: float | None,
    seconds: float | None,
    names: tuple[str, ...],
    phrase: str | None,
    names_model: str | None,
    title: str | None,
    form: str | None,
    outputs: tuple[Path, ...],
    with_names: str | None,
) -> int:
    """Evaluate a speech: what was done well, and what to try next time.

    TRANSCRIPT may be a recording, which is heard first (see: veridical transcribe).
    Every item quotes the speaker's own words, which are checked against the transcript. Without
    a model, fixed rules pick the moments; VERIDICAL_API_KEY holds the key of a model's server.
    Names of other people are left out of all that is written. The suffix of FILE decides what it
    holds: .json the evaluation, .html a page with a timeline, .pdf, .txt the spoken script.

    Exit code 0: 2-3 commendations and 1-2 recommendations came out, each with its evidence. 1:
    fewer. 2: the run could not be made.
    """
    wanted, kinds, private = _wanted(form, outputs, with_names)
    check_outputs([*outputs, *private, *hearing.outputs], [transcript])
    asked = chosen_model(model, base_url)
    finder = _finder(names_model)
    heard = hearing.transcript_or_file(transcript, outputs)
    evaluated = evaluated_speaker(heard, name=speaker, label=label)
    said, evaluated = _divided(heard, evaluated, begin, end, speech_start)
    with about_option("--timeout"):
        generator = EvaluationGenerator(
            asked, timeout_seconds=DEFAULT_TIMEOUT_SECONDS if timeout is None else timeout
        )
    result = generator.generate(said, speaker=evaluated.name, label=evaluated.label)
    told = filter(None, (*result.warnings, evaluated.warning, *result.unsure))
    result = replace(result, warnings=tuple(told))
    public = generator.publish(result, names=names, finder=finder, phrase=phrase, title=title)
    spoken = generator.render_script(
        result, seconds=seconds, names=names, finder=finder, phrase=phrase
    )
    # All are made before the first is written: either all of them are there afterwards or none.
    made = [_made(public, spoken, kind) for kind in kinds]
    made += [json_bytes(result.evaluation.to_mapping()) for _ in private]
    for path, data in zip([*outputs, *private], made, strict=True):
        write_whole(path, data)
    _print(public, spoken, wanted, [*outputs, *private])
    return NEGATIVE_RESULT if result.evaluation.shape_problems() else 0


def _wanted(
    form: str | None, outputs: Sequence[Path], with_names: str | None
) -> tuple[Form, list[Form], list[Path]]:
    """What is printed, what each output holds, and the file that keeps names, if any."""
    printed = parse_choice(_FORMS, form or Form.TEXT)
    kinds = [suffix_choice(_BY_SUFFIX, path) for path in outputs]
    private = [Path(with_names)] if with_names else []
    for path in private:
        suffix_choice({".json": Form.JSON}, path)
    return printed, kinds, private


def _divided(
    said: Transcript,
    evaluated: Evaluated,
    begin: str | None,
    end: str | None,
    start: str | None,
) -> tuple[Transcript, Evaluated]:
    """The transcript with what is not the speech set apart, and whose speech it is.

    Of an undivided recording, of which nothing is said, the likely stretch is shown and taken.
    """
    if begin is not None or end is not None:
        said, evaluated = between(said, evaluated, *times_of(begin, end))
    elif start is None and (likely := likely_stretch(said, evaluated.name)) is not None:
        _confirm(likely)
        said, evaluated = between(said, evaluated, likely.start, likely.end)
        how = "(--from and --to say otherwise, --from 0 takes all)"
        evaluated = replace(evaluated, warning=f"{likely.warning} {how}")
    with about_option("--speech-start"):
        return from_speech_start(said, start, evaluated.label), evaluated


def _confirm(likely: Stretch) -> None:
    """Ask at a terminal whether this is the speech. Raises ConfigurationError where it is not."""
    if not (sys.stdin and sys.stdin.isatty() and sys.stderr and sys.stderr.isatty()):
        return
    err(f"The speech seems to run from {likely.told} of the recording:")
    err(f"  it begins “{clean(likely.begins)} ...”")
    err(f"  it ends   “... {clean(likely.ends)}”")
    if not click.confirm("Evaluate this?", default=True, err=True):
        raise ConfigurationError("nothing was evaluated; say where the speech is: --from, --to")


def _made(public: PublicEvaluation, script: Script, kind: Form) -> bytes:
    if kind is Form.TEXT:
        return encode(script.text + "\n")
    if kind is Form.JSON:
        from veridical.speech.wire import to_wire

        return json_bytes(to_wire(public, script))
    if kind is Form.PDF:
        from veridical.speech.report.pdf import render_pdf

        made = render_pdf(public)
        warn(*made.warnings)
        return made.data
    from veridical.speech.report.html import render_speech_html

    return encode(render_speech_html(public))


def _print(public: PublicEvaluation, script: Script, form: Form, outputs: Sequence[Path]) -> None:
    if form is Form.TEXT:
        out("\n".join(lines(public, script)))
    elif not outputs:
        out_data(_made(public, script, form))
    for path in outputs:
        err(f"Written: {path}")
    warn(*public.warnings)


def lines(public: PublicEvaluation, script: Script) -> list[str]:
    """The evaluation for a reader at a terminal."""
    by = "fixed rules, no model" if public.rule_based else public.author
    told = [
        f"{clean(public.title)}: {_measured(public.metrics)}",
        *_by_third(public.metrics),
        f"Evaluated by {clean(by)}. {_first_try(public)}",
    ]
    if not public.items:
        told += ["", f"No evaluation came out: {clean(public.history.shortfall)}."]
    if public.opening:
        told += ["", clean(public.opening)]
    for number, item in enumerate(public.items, 1):
        told += ["", *_item(number, item)]
    if public.closing:
        told += ["", clean(public.closing)]
    if script.words:
        told += ["", _spoken(script)]
    return told + [f"tone: {v.rule} in {v.field}: {clean(v.sentence)}" for v in public.tone]


def _measured(metrics: DeliveryMetrics) -> str:
    words = count(metrics.words, "word")
    fillers = count(len(metrics.fillers), "filler")
    if metrics.precision is Precision.NONE:
        return f"{words}, {fillers}; no times"
    return (
        f"{clock(metrics.duration_seconds)} min, {words}, {metrics.words_per_minute:.0f} a minute, "
        f"{fillers}, {count(len(metrics.pauses), 'pause')}"
    )


def _by_third(metrics: DeliveryMetrics) -> list[str]:
    if not metrics.thirds:
        return []
    columns = [
        ", ".join(f"{getattr(third, name):.0f}" for third in metrics.thirds)
        for name in ("words_per_minute", "pauses", "fillers")
    ]
    return [f"By third: {columns[0]} words a minute; pauses {columns[1]}; fillers {columns[2]}"]


def _spoken(script: Script) -> str:
    told = f"Spoken: {count(script.words, 'word')}, {clock(script.estimated_seconds)} min"
    if script.dropped:
        told += f", {count(len(script.dropped), 'item')} left out"
    return told + ("" if script.fits else f"; too long: {script.note}")


def _first_try(public: PublicEvaluation) -> str:
    history = public.history
    if not history.first_try_items:
        return "Nothing came that could be checked."
    return f"{history.first_try_passed} of {history.first_try_items} items passed at first try" + (
        "; best effort." if history.best_effort else "."
    )


def _item(number: int, item: PublicItem) -> list[str]:
    when = "" if item.start is None else f" ({clock(item.start)})"
    return [
        f"{number}. {item.type.value.capitalize()}: {clean(item.summary)}",
        f"   \u201c{clean(item.evidence_quote)}\u201d{when}",
        *([f"   {clean(item.explanation)}"] if item.explanation else []),
    ]


@click.command()
@transcript_argument
@evaluation_argument
@_speaker_options
@speech_span_options
@speech_start_option
@_script_options
@click.option("-o", "--output", metavar="FILE", help="Write the script to this file.")
@verbose_option
@with_exit_code
def script(
    transcript: str,
    evaluation: str,
    speaker: str | None,
    label: str | None,
    begin: str | None,
    end: str | None,
    speech_start: str | None,
    seconds: float | None,
    names: tuple[str, ...],
    phrase: str | None,
    names_model: str | None,
    output: str | None,
) -> int:
    """Turn an evaluation into spoken text, without names of other people.

    The quotes are checked first; items that fail are left out, and named on standard error.

    Exit code 0: all items passed. 1: some were left out. 2: the run could not be made.
    """
    target = Path(output) if output else None
    check_inputs([transcript], evaluation)
    expect(
        ("TRANSCRIPT", Kind.TRANSCRIPT, transcript),
        ("EVALUATION.json", Kind.EVALUATION, evaluation),
    )
    check_outputs([] if target is None else [target], [transcript, evaluation])
    finder = _finder(names_model)
    handed_in = read_evaluation(read_json(evaluation, what="evaluation"))
    said = load_transcript(transcript)
    evaluated = evaluated_speaker(said, name=speaker, label=label)
    if begin is not None or end is not None:
        said, evaluated = between(said, evaluated, *times_of(begin, end))
    with about_option("--speech-start"):
        said = from_speech_start(said, speech_start, evaluated.label)
    report = check_evaluation(handed_in, said, label=evaluated.label)
    passing = report.passing(speaker=evaluated.name)
    spoken = render_script(
        passing,
        seconds=seconds,
        names=names,
        finder=finder,
        phrase=phrase,
    )
    if not report.items:
        err("veridical: warning: the evaluation has no items")
    if target is None:
        out("\n".join(map(clean, spoken.text.splitlines())))
    else:
        write_whole(target, encode(spoken.text + "\n"))
        err(f"Written: {target}")
    if not spoken.fits:
        warn(f"the script is too long: {spoken.note}")
    left_out = (each for each in passing.tone if each.rule not in LACKS)
    warn(*(f"a sentence was left out for its tone: {it.rule} in {it.field}" for it in left_out))
    return _tell_failures(report)


def _finder(model: str | None) -> NameFinder | None:
    """A finder of names with a spaCy model as well; None for the embedded one alone."""
    if model is None:
        return None
    return AllNames(PatternNames(), SpacyNames(model))


def _tell_failures(report: EvaluationReport) -> int:
    """Say which items were left out, without a word of them: their words may name people."""
    for number, item in enumerate(report.items, 1):
        if not item.check.passed:
            checks = ", ".join(failed.check for failed in item.check.failed_checks)
            warn(
                f"item {number} was left out, it fails: {checks} (veridical speech check tells "
                "more)"
            )
    return 0 if report.all_passed else NEGATIVE_RESULT

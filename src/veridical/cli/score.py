"""The `veridical score` commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from veridical.cli.errors import reported
from veridical.cli.options import model_options, recording_options, verbose_option

if TYPE_CHECKING:
    from veridical.cli.transcribe import Hearing

_rubric_argument = click.argument("rubric", metavar="RUBRIC")


@click.group()
def score() -> None:
    """Score a transcript against a rubric, every verdict on words that were said.

    TRANSCRIPT is JSON of Whisper (OpenAI, faster-whisper, WhisperX, whisper-timestamped,
    whisper.cpp), Deepgram or AssemblyAI, SRT, WebVTT, or lines with [mm:ss] and SPEAKER:. RUBRIC is
    a YAML or JSON file, or the name of one that is shipped (see: veridical score rubrics). Either
    may be - for standard input.
    """


@score.command()
@click.argument("transcript", metavar="TRANSCRIPT")
@_rubric_argument
@recording_options
@model_options
@click.option(
    "--concurrency",
    type=click.IntRange(1, 64),
    metavar="N",
    help="Sections asked for at once, in place of the rubric's.",
)
@click.option(
    "--supplemental",
    metavar="FILE",
    help="A document that the model is shown too, such as a policy; a folder for several.",
)
@click.option(
    "--context-tokens",
    type=click.IntRange(min=1),
    metavar="N",
    help="Tokens that the model can read; of longer transcripts it is shown parts.",
)
@click.option(
    "--tolerance",
    type=float,
    metavar="SECONDS",
    help="How far a quote may lie from the second that is given for it; 20 by default.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True, max=86_400),
    metavar="SECONDS",
    help="How long the model has for a section, all attempts together; 300 by default.",
)
@click.option(
    "--resume-id",
    metavar="ID",
    help="Keep what is finished under this name, and go on there after a stop.",
)
@click.option(
    "--database",
    metavar="FILE",
    help="The file that it is kept in; one below .veridical by default.",
)
@click.option("--title", metavar="TEXT", help="Title of the scorecard.")
@click.option(
    "--format",
    "form",
    metavar="[table|json|markdown|html]",
    help="What is printed, table by default; with -o the format of files whose suffix tells none.",
)
@click.option(
    "-o",
    "--output",
    multiple=True,
    metavar="FILE",
    help="Write the scorecard to this file, in the format of its suffix (.json .html .md .txt). "
    "May be given several times.",
)
@verbose_option
def run(
    transcript: str,
    rubric: str,
    hearing: Hearing,
    model: str | None,
    base_url: str | None,
    concurrency: int | None,
    supplemental: str | None,
    context_tokens: int | None,
    tolerance: float | None,
    timeout: float | None,
    resume_id: str | None,
    database: str | None,
    title: str | None,
    form: str | None,
    output: tuple[str, ...],
    verbose: bool,
) -> None:
    """Score a transcript, or a recording, which is heard first (see: veridical transcribe).

    With a model, each section of the rubric is one call, several at once; every quote in a reply is
    looked up in the transcript, and a verdict whose evidence is not there becomes not_observed.
    Without one, the rubric's cues are looked up: no cue, no verdict. Times are always computed
    here. VERIDICAL_API_KEY holds the key of a model's server.

    Exit code 0: all sections were scored. 1: one or more are incomplete. 2: the run could not be
    made.
    """
    with reported():
        from veridical.cli import score_run

        options = score_run.Options(
            model=model,
            base_url=base_url,
            concurrency=concurrency,
            supplemental=supplemental,
            context_tokens=context_tokens,
            tolerance=tolerance,
            timeout=timeout,
            resume_id=resume_id,
            database=database,
            hearing=hearing,
        )
        code = score_run.run(
            transcript,
            rubric,
            options,
            title=title,
            form=form,
            outputs=[Path(name) for name in output],
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@score.command()
@_rubric_argument
@click.option(
    "--format", "form", default="text", show_default=True, metavar="[text|json]", help="Format."
)
def lint(rubric: str, form: str) -> None:
    """Check a rubric, and name the line of each mistake.

    RUBRIC is a file, a shipped rubric's name, or - for standard input.

    Exit code 0: it can be used. 1: it has mistakes. 2: it could not be read.
    """
    with reported():
        from veridical.cli import score_lint

        code = score_lint.run(rubric, form=form)
    raise click.exceptions.Exit(code)


@score.command()
@click.argument("name", metavar="[NAME]", required=False)
def rubrics(name: str | None) -> None:
    """List the rubrics that are shipped, or print one, to be changed and used as a file."""
    with reported():
        from veridical.cli import score_rubrics

        score_rubrics.run(name)


@score.command()
@click.argument("before", metavar="A.json")
@click.argument("after", metavar="B.json")
@click.option(
    "--format",
    "form",
    default="table",
    show_default=True,
    metavar="[table|json|markdown]",
    help="Format.",
)
def diff(before: str, after: str, form: str) -> None:
    """Tell what changed between two scorecards, criterion by criterion.

    Exit code 0: nothing. 1: something. 2: they could not be read.
    """
    with reported():
        from veridical.cli import score_diff

        code = score_diff.run(before, after, form=form)
    raise click.exceptions.Exit(code)


@score.command()
@click.argument("scorecards", metavar="SCORECARDS...", nargs=-1, required=True)
@click.argument("human", metavar="HUMAN.csv")
@click.option(
    "--format", "form", default="text", show_default=True, metavar="[text|json]", help="Format."
)
def agreement(scorecards: tuple[str, ...], human: str, form: str) -> None:
    """Tell how far scorecards and a person agree, criterion by criterion.

    SCORECARDS are JSON files or folders of them. HUMAN.csv has the columns criterion_id and
    verdict, and transcript (a name, or the start of its SHA-256) where there are several; a score
    is optional. Percent agreement, Cohen's kappa and Krippendorff's alpha stand beside the counts.

    Exit code 0: compared. 2: they could not be read, or have nothing in common.
    """
    with reported():
        from veridical.cli import score_agreement

        code = score_agreement.run(scorecards, human, form=form)
    raise click.exceptions.Exit(code)

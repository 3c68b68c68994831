"""`veridical guard`: an answer passes; what its sources do not bear out is marked or dropped."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import reported
from veridical.cli.options import (
    calibration_option,
    documents_option,
    judge_options,
    verbose_option,
)


@click.command()
@documents_option
@click.option(
    "--on-fail",
    default="mark",
    show_default=True,
    metavar="[mark|drop|annotate|fail]",
    help="What becomes of a sentence that is not supported.",
)
@click.option("--query", default="", metavar="TEXT", help="The question that it answers.")
@judge_options
@calibration_option
@click.option(
    "--format",
    "form",
    default="text",
    show_default=True,
    metavar="[text|json]",
    help="Print the answer as it comes, or a report of it at its end.",
)
@click.option(
    "--report",
    multiple=True,
    metavar="FILE",
    help="Write the ledger of the answer: .json (with the seal), .md, .html or .pdf. May be given "
    "several times.",
)
@verbose_option
def guard(
    documents: tuple[str, ...],
    on_fail: str,
    query: str,
    judge: str | None,
    point: str,
    model: str | None,
    base_url: str | None,
    model_path: str | None,
    calibration: str | None,
    form: str,
    report: tuple[str, ...],
    verbose: bool,
) -> None:
    """Let an answer through, less what the documents do not bear out.

    Reads an answer (Markdown or plain text) on standard input and prints it, each sentence as soon
    as it is known where it ends, with unsupported sentences marked, left out, or followed by the
    verdict and the nearest words of a source. With --on-fail fail it ends before the first of them.

    Exit code 0: all claims are supported and all was checked, or the answer claims nothing, which
    is told. 1: otherwise. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import guard_run
        from veridical.cli.ledger_judges import JudgeChoice

        code = guard_run.run(
            documents,
            on_fail=on_fail,
            query=query,
            choice=JudgeChoice(judge, point, model, base_url, model_path, calibration),
            form=form,
            reports=[Path(name) for name in report],
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)

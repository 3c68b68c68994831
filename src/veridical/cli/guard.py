"""`veridical guard`: an answer passes; what its sources do not bear out is marked or dropped."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import reported


@click.command()
@click.option(
    "--documents",
    multiple=True,
    required=True,
    metavar="DIR",
    help="Sources: a folder or a file. May be given several times.",
)
@click.option(
    "--on-fail",
    default="mark",
    show_default=True,
    metavar="[mark|drop|annotate|fail]",
    help="What becomes of a sentence that is not supported.",
)
@click.option("--query", default="", metavar="TEXT", help="The question that it answers.")
@click.option(
    "--judge",
    metavar="[reader|nli|model]",
    help="Who judges: the embedded judge (the default), a local NLI model (--model-path), or a "
    "language model (the default with --model).",
)
@click.option(
    "--point",
    default="strict",
    show_default=True,
    metavar="[strict|balanced|lenient]",
    help="How much it takes for a claim to be supported.",
)
@click.option("--model", metavar="MODEL", help="Ask this language model; VERIDICAL_MODEL.")
@click.option(
    "--base-url", metavar="URL", help="OpenAI-compatible server of the model; VERIDICAL_BASE_URL."
)
@click.option("--model-path", metavar="DIR", help="Folder of the ONNX model for --judge nli.")
@click.option(
    "--calibration", metavar="FILE", help="What `ledger calibrate` wrote for your own data."
)
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
@click.option("--verbose", is_flag=True, help="Log to standard error.")
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

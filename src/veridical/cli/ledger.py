"""The `veridical ledger` commands."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import reported
from veridical.cli.ledger_calibrate import calibrate
from veridical.cli.ledger_citations import citations
from veridical.cli.ledger_evaluate import evaluate
from veridical.cli.ledger_export import export
from veridical.cli.ledger_verify import verify
from veridical.cli.options import (
    calibration_option,
    documents_option,
    judge_options,
    store_option,
    verbose_option,
    workspace_option,
)


@click.group()
def ledger() -> None:
    """Check an answer against its sources, claim by claim, and keep the record.

    A ledger lists the claims of an answer, the verdict on each, and the words of the sources that
    it rests on. It carries a seal, and can be checked again without a network or a database.
    """


@ledger.command()
@click.option(
    "--response",
    required=True,
    metavar="ANSWER.md",
    help="The answer, in Markdown or plain text; - for standard input.",
)
@click.option(
    "--response-format",
    default="text",
    show_default=True,
    metavar="[text|anthropic]",
    help="What the file of the answer is: text, or a reply as JSON, whose citations are checked.",
)
@documents_option
@click.option("--query", default="", metavar="TEXT", help="The question that it answers.")
@click.option(
    "--title",
    default="",
    metavar="TEXT",
    help="How the ledger is called; by default the question, else the answer's first heading, else "
    "the name of its file.",
)
@judge_options
@calibration_option
@click.option(
    "--store",
    metavar="URL",
    help="Also keep it in this database: a file, or postgresql://...; VERIDICAL_STORE. Without "
    "either it is not kept.",
)
@workspace_option
@click.option(
    "-o",
    "--output",
    multiple=True,
    metavar="FILE",
    help="Write the ledger: .json (with the seal), .md, .html or .pdf. May be given several times.",
)
@click.option(
    "--format",
    "form",
    default="table",
    show_default=True,
    metavar="[table|json|markdown]",
    help="What is printed.",
)
@verbose_option
def build(
    response: str,
    response_format: str,
    documents: tuple[str, ...],
    query: str,
    title: str,
    judge: str | None,
    point: str,
    model: str | None,
    base_url: str | None,
    model_path: str | None,
    calibration: str | None,
    store: str | None,
    workspace: str,
    output: tuple[str, ...],
    form: str,
    verbose: bool,
) -> None:
    """Build the ledger of an answer.

    Without a model, claims are found and judged by embedded means, offline. With --model a language
    model does both; what it says is believed only where its quotes stand in the sources.

    Exit code 0: all claims are supported. 1: some are not. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import ledger_build
        from veridical.cli.ledger_judges import JudgeChoice

        code = ledger_build.run(
            response,
            documents,
            response_format=response_format,
            query=query,
            title=title,
            choice=JudgeChoice(judge, point, model, base_url, model_path, calibration),
            store=store,
            workspace=workspace,
            outputs=[Path(name) for name in output],
            form=form,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@ledger.command()
@click.argument("source", metavar="LEDGER")
@click.option("--claim", type=int, metavar="N", help="Only claim N, with all its evidence.")
@store_option
@workspace_option
@verbose_option
def show(
    source: str,
    claim: int | None,
    store: str | None,
    workspace: str,
    verbose: bool,
) -> None:
    """Print a ledger as a table, or one of its claims in full.

    LEDGER is a ledger file (JSON), or the id of a ledger or session in the database, or enough of
    its beginning.

    Exit code 0: shown. 1: shown, but its seal is broken, so do not rely on it. 2: the run
    could not be made.
    """
    with reported():
        from veridical.cli import ledger_show

        code = ledger_show.show(
            source,
            claim=claim,
            store=store,
            workspace=workspace,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@ledger.command("list")
@store_option
@workspace_option
@click.option("--limit", default=50, show_default=True, metavar="N", help="How many, newest first.")
@click.option(
    "--format",
    "form",
    default="table",
    show_default=True,
    metavar="[table|json]",
    help="What is printed.",
)
@verbose_option
def list_ledgers(store: str | None, workspace: str, limit: int, form: str, verbose: bool) -> None:
    """List the ledgers of a database."""
    with reported():
        from veridical.cli import ledger_show

        ledger_show.list_ledgers(
            store=store, workspace=workspace, limit=limit, form=form, verbose=verbose
        )


ledger.add_command(calibrate)
ledger.add_command(citations)
ledger.add_command(evaluate)
ledger.add_command(export)
ledger.add_command(verify)

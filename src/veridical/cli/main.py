"""The `veridical` command."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.ask import ask
from veridical.cli.bulk import bulk
from veridical.cli.check import check
from veridical.cli.db import db
from veridical.cli.errors import reported
from veridical.cli.evaluation import evaluation
from veridical.cli.guard import guard
from veridical.cli.index import index
from veridical.cli.ledger import ledger
from veridical.cli.mcp import mcp
from veridical.cli.score import score
from veridical.cli.serve import serve
from veridical.cli.speech import speech
from veridical.cli.token import token

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}

config_option = click.option(
    "--config", metavar="FILE", help="Settings (see: veridical config); the defaults without it."
)
verbose_option = click.option("--verbose", is_flag=True, help="Log to standard error.")
sources_argument = click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)


def _version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from veridical import __version__

        click.echo(f"veridical {__version__}")
        context.exit()


@click.group(name="veridical", context_settings=_SETTINGS)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_version,
    help="Print the version.",
)
def app() -> None:
    """Check that what a language model wrote is really in its sources."""


@app.command()
@sources_argument
@click.option(
    "--claims",
    required=True,
    metavar="CLAIMS.json",
    help="The claims, or - for standard input.",
)
@click.option(
    "--output",
    multiple=True,
    metavar="FILE",
    help="Write the report to this file, in the format of its suffix (.json .html .xml .sarif "
    ".txt). May be given several times.",
)
@config_option
@click.option(
    "--format",
    "form",
    metavar="[table|json|junit|sarif|html]",
    help="Format of the report; table on the terminal by default.",
)
@click.option("--strict", is_flag=True, help="Count ambiguous and uncertain claims as failed.")
@click.option(
    "--fail-under",
    type=float,
    metavar="RATE",
    help="Exit with 0 if at least this share of the claims, 0 to 1, is validated.",
)
@verbose_option
def validate(
    sources: tuple[str, ...],
    claims: str,
    output: tuple[str, ...],
    config: str | None,
    form: str | None,
    strict: bool,
    fail_under: float | None,
    verbose: bool,
) -> None:
    """Check the quotes of a claims file against documents.

    SOURCE is a file (Markdown, HTML, plain text, PDF, DOCX), a folder of such files, or - for
    standard input.

    Exit code 0: all claims are validated (or --fail-under is met). 1: some are not. 2: the run
    could not be made.
    """
    with reported():
        from veridical.cli import run, setup
        from veridical.cli.formats import parse_format

        setup.set_up_logging(verbose=verbose)
        least = run.rate(fail_under)
        wanted = parse_format(form)
        outputs = [Path(name) for name in output]
        setup.check_inputs(sources, claims, config)
        forms = run.check_outputs(outputs, wanted, [*sources, claims, config])
        settings = run.read_config(config)
        report = run.run(sources, settings, claims, strict=strict)
        run.deliver(report, outputs, forms, wanted, None if claims == "-" else claims)
        code = run.exit_code(report, least)
    raise click.exceptions.Exit(code)


@app.command()
@click.argument("text", metavar="TEXT")
@sources_argument
@click.option(
    "--type",
    "evidence_type",
    default="direct_quote",
    show_default=True,
    metavar="TYPE",
    help="direct_quote, paraphrase, concept_reference or section_reference.",
)
@click.option("--section", metavar="TITLE", help="Section it should stand in.")
@click.option("--hint", metavar="WORDS", help="Words expected around it.")
@config_option
@verbose_option
def quote(
    text: str,
    sources: tuple[str, ...],
    evidence_type: str,
    section: str | None,
    hint: str | None,
    config: str | None,
    verbose: bool,
) -> None:
    """Look for one quote, and say where it stands and how faithful it is.

    SOURCE is a file (Markdown, HTML, plain text, PDF, DOCX), a folder of such files, or - for
    standard input.

    Exit code 0: validated. 1: not. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import quote as command

        code = command.run(
            text,
            sources,
            evidence_type=evidence_type,
            section=section,
            hint=hint,
            config_path=config,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)


@app.command("config")
def show_config() -> None:
    """Print all settings with their defaults, as JSON for --config."""
    with reported():
        import json

        from veridical.cli.terminal import out
        from veridical.validation.config import ValidationConfig

        out(json.dumps({"validation_config": ValidationConfig().to_mapping()}, indent=2))


@app.command()
@click.argument("name", metavar="NAME")
def schema(name: str) -> None:
    """Print one of the JSON Schemas.

    NAME is evidence_claims, evidence_validation or validation_config; of speeches,
    structured_evaluation, evaluation_to_check, speech_check or speech_evaluation; of scoring,
    rubric, section_reply or scorecard; of evaluations, evaluation_question, chat_response,
    evaluation_run or evaluation_result; of ledgers, evidence_ledger or ledger_verification; of
    checks of answers, answer_check.
    """
    with reported():
        import json

        from veridical.cli.formats import named_schema
        from veridical.cli.terminal import out

        out(json.dumps(named_schema(name), indent=2))


app.add_command(ask)
app.add_command(bulk)
app.add_command(check)
app.add_command(db)
app.add_command(evaluation)
app.add_command(guard)
app.add_command(index)
app.add_command(ledger)
app.add_command(mcp)
app.add_command(score)
app.add_command(serve)
app.add_command(speech)
app.add_command(token)


def main() -> None:
    """Run the command that the arguments name."""
    app(prog_name="veridical")

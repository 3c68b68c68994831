"""The `veridical` command."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import with_exit_code
from veridical.cli.group import Commands
from veridical.cli.options import (
    config_option,
    format_option,
    outputs_option,
    sources_argument,
    verbose_option,
)

_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _version(context: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        from veridical import __version__

        click.echo(f"veridical {__version__}")
        context.exit()


_COMMANDS = {
    "ask": "Answer a question from documents, with quotes and citations, or refuse it.",
    "bulk": "Check claims by the million: Parquet or JSONL in, Parquet out.",
    "check": "Check an answer against its sources: each claim, and each quote in it.",
    "db": "Look after the database that ledgers and the service are kept in.",
    "demo": "Show what Veridical does, on samples that come with it.",
    "eval": "Measure answers over questions with known outcomes, and compare the measurements.",
    "guard": "Let an answer through, less what the documents do not bear out.",
    "index": "Read documents and keep what is in them, for `ask` and `serve`.",
    "ledger": "Check an answer against its sources, claim by claim, and keep the record.",
    "mcp": "Serve the checks to an assistant: an MCP server over standard input and output.",
    "quote": "Look for one quote, and say where it stands and how faithful it is.",
    "score": "Score a transcript against a rubric, every verdict on words that were said.",
    "serve": "Serve pages for people and an API for programs, over one database.",
    "speech": "Evaluate a speech, or check an evaluation, against its transcript.",
    "token": "Let people and programs into a service that asks for tokens, and out again.",
    "transcribe": "Turn a recording into a transcript, its words with their seconds.",
}
_PLACES = {"check": "check_run:check", "eval": "evaluation:evaluation"}


@click.group(
    name="veridical", cls=Commands, elsewhere=_COMMANDS, places=_PLACES, context_settings=_SETTINGS
)
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
    metavar="CLAIMS.json",
    help="The claims, or - for standard input.",
)
@click.option(
    "--quotes", metavar="FILE.txt", help="Quotes instead, one a line, or - for standard input."
)
@click.option(
    "--quote",
    "single",
    multiple=True,
    metavar="TEXT",
    help="One quote; may be given several times.",
)
@outputs_option(
    "Write the report to this file, in the format of its suffix (.json .html .xml .sarif .txt). "
    "May be given several times."
)
@config_option
@format_option(
    *("table", "json", "junit", "sarif", "html"),
    help="Format of the report; table on the terminal by default.",
    default=False,
)
@click.option("--strict", is_flag=True, help="Count ambiguous and uncertain claims as failed.")
@click.option(
    "--fail-under",
    type=float,
    metavar="RATE",
    help="Exit with 0 if at least this share of the claims, 0 to 1, is validated.",
)
@verbose_option
@with_exit_code
def validate(
    sources: tuple[str, ...],
    claims: str | None,
    quotes: str | None,
    single: tuple[str, ...],
    outputs: tuple[Path, ...],
    config: str | None,
    form: str | None,
    strict: bool,
    fail_under: float | None,
) -> int:
    """Check quotes against documents: of a claims file, or bare ones, which are called Q001 and on.

    SOURCE is a file (Markdown, HTML, plain text, PDF, Word, Excel, PowerPoint, EPUB, e-mail, CSV,
    JSON, images of pages), a folder of such files (its JSON files and images are left out), or -
    for standard input.

    Exit code 0: all claims are validated (or --fail-under is met). 1: some are not. 2: the run
    could not be made.
    """
    from veridical.cli import formats, run
    from veridical.cli.files import check_inputs
    from veridical.cli.places import Kind, expect
    from veridical.errors import ValidationError

    least = run.rate(fail_under)
    wanted = formats.parse_format(form)
    if (claims is None) != bool(quotes is not None or single):
        raise ValidationError(
            "name the quotes to check: --claims CLAIMS.json, or else --quotes FILE.txt (one a "
            'line) and --quote "..."'
        )
    given = claims if claims is not None else quotes
    check_inputs(sources, given, config)
    if claims is not None:
        expect(("SOURCE", Kind.DOCUMENTS, sources), ("--claims", Kind.CLAIMS, claims))
    inputs = [name for name in (*sources, given, config) if name is not None]
    forms = formats.check_outputs(outputs, wanted, inputs)
    settings = run.read_config(config)
    checked = run.read_claims(claims, settings) if claims else run.read_quotes(quotes, single)
    report = run.run(sources, settings, checked, strict=strict)
    formats.deliver(report, outputs, forms, wanted, None if given == "-" else given)
    return run.exit_code(report, least)


@app.command("config")
@with_exit_code
def show_config() -> None:
    """Print all settings with their defaults, as JSON for --config."""
    import json

    from veridical.cli.terminal import out
    from veridical.validation.config import ValidationConfig

    out(json.dumps({"validation_config": ValidationConfig().to_mapping()}, indent=2))


@app.command()
@click.argument("name", metavar="NAME")
@with_exit_code
def schema(name: str) -> None:
    """Print one of the JSON Schemas.

    NAME is evidence_claims, evidence_validation or validation_config; of speeches,
    structured_evaluation, evaluation_to_check, speech_check or speech_evaluation; of scoring,
    rubric, section_reply or scorecard; of evaluations, evaluation_question, chat_response,
    evaluation_run or evaluation_result; of ledgers, evidence_ledger or ledger_verification; of
    checks of answers, answer_check.
    """
    import json

    from veridical.cli.formats import named_schema
    from veridical.cli.terminal import out

    out(json.dumps(named_schema(name), indent=2))


def main() -> None:
    """Run the command that the arguments name."""
    app(prog_name="veridical")

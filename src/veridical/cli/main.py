"""The `veridical` command."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.errors import reported

app = typer.Typer(
    name="veridical",
    help="Check that what a language model wrote is really in its sources.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Sources = Annotated[
    list[str],
    typer.Argument(
        metavar="SOURCE",
        help="Documents: files (Markdown, HTML, plain text, PDF, DOCX), folders, or - for standard "
        "input.",
    ),
]


def _version(wanted: bool) -> None:
    if wanted:
        from veridical import __version__

        typer.echo(f"veridical {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_version, is_eager=True, help="Print the version."),
    ] = False,
) -> None:
    """Check that what a language model wrote is really in its sources."""


@app.command()
def validate(
    sources: Sources,
    claims: Annotated[
        str,
        typer.Option(
            "--claims", metavar="CLAIMS.json", help="The claims, or - for standard input."
        ),
    ],
    output: Annotated[
        list[Path] | None,
        typer.Option(
            "--output",
            metavar="FILE",
            help="Write the report to this file, in the format of its suffix (.json .html .xml "
            ".sarif .txt). May be given several times.",
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="FILE", help="Settings (see: veridical config)."),
    ] = None,
    form: Annotated[
        str | None,
        typer.Option(
            "--format",
            metavar="[table|json|junit|sarif|html]",
            help="Format of the report; table on the terminal by default.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Count ambiguous and uncertain claims as failed.")
    ] = False,
    fail_under: Annotated[
        float | None,
        typer.Option(
            "--fail-under",
            metavar="RATE",
            help="Exit with 0 if at least this share of the claims, 0 to 1, is validated.",
        ),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log to standard error.")] = False,
) -> None:
    """Check the quotes of a claims file against documents.

    Exit code 0: all claims are validated (or --fail-under is met). 1: some are not. 2: the run
    could not be made.
    """
    with reported():
        from veridical.cli import run
        from veridical.cli.formats import parse_format

        run.set_up_logging(verbose=verbose)
        least = run.rate(fail_under)
        wanted = parse_format(form)
        outputs = output or []
        run.check_inputs(sources, claims, config)
        forms = run.check_outputs(outputs, wanted, [*sources, claims, config])
        settings = run.read_config(config)
        report = run.run(sources, settings, claims, strict=strict)
        run.deliver(report, outputs, forms, wanted, None if claims == "-" else claims)
        code = run.exit_code(report, least)
    raise typer.Exit(code)


@app.command()
def quote(
    text: Annotated[str, typer.Argument(metavar="TEXT", help="The quote to look for.")],
    sources: Sources,
    evidence_type: Annotated[
        str,
        typer.Option(
            "--type",
            metavar="TYPE",
            help="direct_quote, paraphrase, concept_reference or section_reference.",
        ),
    ] = "direct_quote",
    section: Annotated[
        str | None, typer.Option("--section", metavar="TITLE", help="Section it should stand in.")
    ] = None,
    hint: Annotated[
        str | None, typer.Option("--hint", metavar="WORDS", help="Words expected around it.")
    ] = None,
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="FILE", help="Settings (see: veridical config)."),
    ] = None,
    verbose: Annotated[bool, typer.Option("--verbose", help="Log to standard error.")] = False,
) -> None:
    """Look for one quote, and say where it stands and how faithful it is.

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
    raise typer.Exit(code)


@app.command("config")
def show_config() -> None:
    """Print all settings with their defaults, as JSON for --config."""
    with reported():
        import json

        from veridical.cli.terminal import out
        from veridical.validation.config import ValidationConfig

        out(json.dumps({"validation_config": ValidationConfig().to_mapping()}, indent=2))


@app.command()
def schema(
    name: Annotated[
        str,
        typer.Argument(
            metavar="NAME", help="evidence_claims, evidence_validation or validation_config."
        ),
    ],
) -> None:
    """Print one of the JSON Schemas."""
    with reported():
        import json

        from veridical.cli.formats import parse_schema
        from veridical.cli.terminal import out
        from veridical.validation.schemas import load_schema

        out(json.dumps(load_schema(parse_schema(name)), indent=2))


def main() -> None:
    """Entry point of the console script."""
    sys.exit(app())

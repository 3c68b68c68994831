"""The command line that the validator's specification names: `python -m evidence_validator`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from veridical.cli.errors import reported

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def evidence_validator(
    source: Annotated[
        str,
        typer.Option("--source", metavar="FILE", help="The document, or - for standard input."),
    ],
    evidence: Annotated[
        str,
        typer.Option(
            "--evidence", metavar="FILE", help="The claims (JSON), or - for standard input."
        ),
    ],
    output: Annotated[
        Path, typer.Option("--output", metavar="FILE", help="Where to write the result (JSON).")
    ],
    config: Annotated[
        str | None,
        typer.Option("--config", metavar="FILE", help="Settings (JSON); the defaults without it."),
    ] = None,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="Log to standard error and print a summary.")
    ] = False,
) -> None:
    """Check the quotes of a claims file against one document.

    Exit code 0: all claims are validated. 1: some are not. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import run
        from veridical.cli.files import write_whole
        from veridical.cli.formats import ReportFormat, encode, render
        from veridical.cli.table import terminal_table
        from veridical.cli.terminal import err

        run.set_up_logging(verbose=verbose)
        run.check_inputs([source], evidence, config)
        run.check_outputs([output], ReportFormat.JSON, [source, evidence, config])
        settings = run.read_config(config)
        report = run.run([source], settings, evidence, strict=False)
        write_whole(output, encode(render(report, ReportFormat.JSON)))
        if verbose:
            err(terminal_table(report))
        code = run.exit_code(report, None)
    raise typer.Exit(code)


def main() -> None:
    """Entry point of `python -m evidence_validator`."""
    sys.exit(app(prog_name="python -m evidence_validator"))

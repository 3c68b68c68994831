"""The command line that the validator's specification names: `python -m evidence_validator`."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import reported


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--source", required=True, metavar="FILE", help="The document, or - for standard input."
)
@click.option(
    "--evidence", required=True, metavar="FILE", help="The claims (JSON), or - for standard input."
)
@click.option("--output", required=True, metavar="FILE", help="Where to write the result (JSON).")
@click.option("--config", metavar="FILE", help="Settings (JSON); the defaults without it.")
@click.option("--verbose", is_flag=True, help="Log to standard error and print a summary.")
def app(source: str, evidence: str, output: str, config: str | None, verbose: bool) -> None:
    """Check the quotes of a claims file against one document.

    Exit code 0: all claims are validated. 1: some are not. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import run
        from veridical.cli.choices import Form
        from veridical.cli.files import check_inputs, encode, set_up_logging, write_whole
        from veridical.cli.formats import check_outputs, render, terminal_table
        from veridical.cli.terminal import err

        set_up_logging(verbose=verbose)
        check_inputs([source], evidence, config)
        target = Path(output)
        check_outputs([target], Form.JSON, [source, evidence, config])
        settings = run.read_config(config)
        report = run.run([source], settings, run.read_claims(evidence, settings), strict=False)
        write_whole(target, encode(render(report, Form.JSON)))
        if verbose:
            err(terminal_table(report))
        code = run.exit_code(report, None)
    raise click.exceptions.Exit(code)


def main() -> None:
    """Entry point of `python -m evidence_validator`."""
    app(prog_name="python -m evidence_validator")

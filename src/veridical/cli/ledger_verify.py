"""`veridical ledger verify`: the command. What it does is in `ledger_verify_run`."""

from __future__ import annotations

from pathlib import Path

import click

from veridical.cli.errors import reported
from veridical.cli.options import (
    store_option,
    verbose_option,
    workspace_option,
)


@click.command()
@click.argument("source", metavar="LEDGER")
@click.option(
    "--documents",
    multiple=True,
    metavar="DIR",
    help="The sources as they are now; not needed for a pack that holds them. May be given several "
    "times.",
)
@click.option(
    "--head",
    metavar="HASH",
    help="The head of the seal as it was noted: shows a ledger made anew.",
)
@click.option(
    "--format",
    "form",
    default="table",
    show_default=True,
    metavar="[table|json]",
    help="What is printed.",
)
@click.option("-o", "--output", metavar="FILE.json", help="Write the result to this file.")
@store_option
@workspace_option
@verbose_option
def verify(
    source: str,
    documents: tuple[str, ...],
    head: str | None,
    form: str,
    output: str | None,
    store: str | None,
    workspace: str,
    verbose: bool,
) -> None:
    """Check a ledger again, against its documents as they are now.

    Says of each piece of evidence whether it held, moved, was altered or is orphaned, and of the
    ledger whether a byte of it was changed. LEDGER is a ledger file (JSON), an evidence pack (zip),
    whose ledger is checked, or an id in the database.

    Exit code 0: nothing was changed and all evidence still stands. 1: not so. 2: the run could not
    be made.
    """
    with reported():
        from veridical.cli import ledger_verify_run

        code = ledger_verify_run.run(
            source,
            documents,
            head=head,
            form=form,
            output=Path(output) if output else None,
            store=store,
            workspace=workspace,
            verbose=verbose,
        )
    raise click.exceptions.Exit(code)

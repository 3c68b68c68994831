"""`veridical ledger export`: the command. What it does is in `ledger_export_run`."""

from __future__ import annotations

from typing import Any

import click

from veridical.cli.errors import with_exit_code
from veridical.cli.options import store_option, verbose_option, workspace_option


@click.command()
@click.argument("source", metavar="LEDGER")
@click.option(
    "--format",
    "form",
    metavar="FORM",
    help="markdown, json, pdf or html; pack, annotated-pdf, web-annotations, text-fragments or "
    "anthropic. By default what the file's suffix says.",
)
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    help="Where to write it; standard output without. A folder for several annotated PDFs.",
)
@click.option(
    "--documents",
    multiple=True,
    metavar="DIR",
    help="The sources as they were: forms that mark places in them need them.",
)
@click.option(
    "--base-url", metavar="URL", help="Where the sources stand on the web, for links to them."
)
@click.option(
    "--with-sources", is_flag=True, help="Put the files of --documents into the pack as well."
)
@store_option
@workspace_option
@verbose_option
@with_exit_code
def export(**given: Any) -> None:
    """Export a ledger as a report, as an evidence pack, or what it cites for other programs.

    Markdown, JSON (with the seal), PDF and HTML hold the whole ledger. A pack is a zip of it with
    its report and tables. The other forms mark the quoted places.

    LEDGER is a ledger file (JSON), or the id of a ledger or session in the database. A file whose
    seal is broken is not exported.
    """
    from veridical.cli import ledger_export_run

    ledger_export_run.run(**given)

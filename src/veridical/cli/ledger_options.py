"""Options that several `veridical ledger` commands have."""

from __future__ import annotations

import click

documents_option = click.option(
    "--documents",
    multiple=True,
    required=True,
    metavar="DIR",
    help="Sources: a folder or a file. May be given several times.",
)
store_option = click.option(
    "--store",
    metavar="URL",
    help="Database: a file (SQLite) or a postgresql:// address; VERIDICAL_STORE, or veridical.db.",
)
workspace_option = click.option(
    "--workspace", default="default", show_default=True, metavar="NAME", help="Workspace in it."
)
verbose_option = click.option("--verbose", is_flag=True, help="Log to standard error.")

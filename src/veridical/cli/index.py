"""`veridical index`: read a folder of documents once, so that later starts are quick."""

from __future__ import annotations

import click

from veridical.cli.errors import reported
from veridical.cli.options import verbose_option


@click.command()
@click.argument("documents", metavar="DIR...", nargs=-1, required=True)
@click.option(
    "--database",
    metavar="URL",
    help="Keep it in this database, a file (SQLite) or postgresql://..., instead of the cache.",
)
@verbose_option
def index(documents: tuple[str, ...], database: str | None, verbose: bool) -> None:
    """Read documents and keep what is in them, for `ask` and `serve`.

    DIR is a folder of documents (Markdown, HTML, plain text, PDF, DOCX), or a file. Done again, it
    reads only the files that changed. Nothing is written into DIR: without --database the index is
    a file in the user's cache folder ($XDG_CACHE_HOME or ~/.cache, in veridical/), which may be
    deleted at any time.

    Exit code 0: all files were read. 1: some could not be. 2: the run could not be made.
    """
    with reported():
        from veridical.cli import index_run

        code = index_run.run(documents, database=database, verbose=verbose)
    raise click.exceptions.Exit(code)

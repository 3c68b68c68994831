"""`veridical serve`: the service over a folder of documents."""

from __future__ import annotations

import click

from veridical.cli.answering_options import answering_options
from veridical.cli.errors import reported
from veridical.service.settings import REFRESH_SECONDS


@click.command()
@answering_options("Folder or file to answer from; by default the current folder.")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
@click.option(
    "--database",
    metavar="URL",
    help="Where the index is kept, in place of the user's cache; without --documents it is served "
    "as it is kept.",
)
@click.option(
    "--refresh",
    type=click.FloatRange(min=0),
    default=REFRESH_SECONDS,
    show_default=True,
    metavar="SECONDS",
    help="How often to look for changed documents; 0 for never.",
)
def serve(
    documents: tuple[str, ...],
    host: str,
    port: int,
    database: str | None,
    model: str | None,
    base_url: str | None,
    refresh: float,
    verbose: bool,
) -> None:
    """Answer questions over HTTP: a page for people at /, POST /chat for programs.

    Without --documents and --database they are answered from the documents of the current folder.
    GET /health answers 200 once questions are answered. Documents that change are read again while
    it runs. Needs: pip install 'veridical[serve]'.

    Exit code 0: stopped by Ctrl-C. 2: it could not be started.
    """
    with reported():
        from veridical.cli import serve_run

        serve_run.run(
            documents,
            host=host,
            port=port,
            database=database,
            model=model,
            base_url=base_url,
            refresh_seconds=refresh,
            verbose=verbose,
        )

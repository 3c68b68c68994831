"""`veridical mcp`: the checks as tools of an assistant."""

from __future__ import annotations

import click

from veridical.cli.answering_options import answering_options
from veridical.cli.errors import reported


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1)
@answering_options("Folder of documents, the same as DIR.")
def mcp(
    folders: tuple[str, ...],
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
    verbose: bool,
) -> None:
    """Serve the checks to an assistant: an MCP server over standard input and output.

    The client sees the documents in the folders DIR and nothing else. Nothing is written: an index
    that `veridical index` made is used, and files that change are read again. Assistants start it
    themselves; how to tell them is in docs/mcp.md. Needs: pip install 'veridical[mcp]'.

    Exit code 0: the client went away, or SIGTERM came. 2: it could not be started.
    """
    with reported():
        from veridical.cli import mcp_run

        mcp_run.run((*folders, *documents), model=model, base_url=base_url, verbose=verbose)

"""`veridical mcp`: the checks as tools of an assistant."""

from __future__ import annotations

import os

import click

from veridical.cli.errors import with_exit_code
from veridical.cli.options import answering_options
from veridical.errors import ConfigurationError, require_package


@click.command()
@click.argument("folders", metavar="DIR...", nargs=-1)
@answering_options("Folder of documents, the same as DIR.")
@with_exit_code
def mcp(
    folders: tuple[str, ...],
    documents: tuple[str, ...],
    model: str | None,
    base_url: str | None,
) -> None:
    """Serve the checks to an assistant: an MCP server over standard input and output.

    The client sees the documents in the folders DIR and nothing else. Nothing is written: an index
    that `veridical index` made is used, and files that change are read again. Assistants start it
    themselves; how to tell them is in docs/mcp.md. Needs: pip install 'veridical[mcp]'.

    Exit code 0: the client went away, or SIGTERM came. 2: it could not be started.
    """
    from veridical.cli.models import chosen_model

    named = (*folders, *documents)
    require_package("mcp", "The MCP server", "mcp")
    if not named:
        raise ConfigurationError("no documents were named. Give a folder: veridical mcp DIR")
    for folder in named:
        if not os.path.isdir(folder):  # noqa: PTH112  # takes what Path refuses, a NUL
            raise ConfigurationError(
                f"{folder}: not a folder. Name folders: the client sees what stands in them, and "
                "nothing else."
            )
    author = chosen_model(model, base_url)
    from veridical.integrations.mcp.stdio import serve

    serve(named, model=author)

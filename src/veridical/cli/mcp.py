"""`veridical mcp`: the checks as tools of an assistant."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec

import click

from veridical.cli.errors import reported
from veridical.cli.models import chosen_model
from veridical.cli.options import answering_options
from veridical.cli.setup import set_up_logging
from veridical.errors import ConfigurationError, MissingExtraError

# Runs the MCP server until its client goes away.


def run(folders: Sequence[str], *, model: str | None, base_url: str | None, verbose: bool) -> None:
    """Serve. It does not return: the process ends with the client.

    Raises MissingExtraError without the SDK, ConfigurationError where no folder is named, or what
    is named is none.
    """
    set_up_logging(verbose=verbose)
    if find_spec("mcp") is None:
        raise MissingExtraError("The MCP server", "mcp")
    if not folders:
        raise ConfigurationError("no documents were named. Give a folder: veridical mcp DIR")
    for folder in folders:
        if not os.path.isdir(folder):  # noqa: PTH112  # takes what Path refuses, a NUL
            raise ConfigurationError(
                f"{folder}: not a folder. Name folders: the client sees what stands in them, and "
                "nothing else."
            )
    author = chosen_model(model, base_url)
    from veridical.integrations.mcp.stdio import serve

    serve(folders, model=author)


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
        run((*folders, *documents), model=model, base_url=base_url, verbose=verbose)

"""Runs the MCP server until its client goes away."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib.util import find_spec

from veridical.cli.models import chosen_model
from veridical.cli.setup import set_up_logging
from veridical.errors import ConfigurationError, MissingExtraError


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

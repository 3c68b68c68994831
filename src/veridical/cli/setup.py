"""What every command does first. Light: no command waits for a library that it does not use."""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence

from veridical.cli.files import STANDARD_INPUT
from veridical.errors import ValidationError


def set_up_logging(*, verbose: bool) -> None:
    """Log to standard error, with `verbose` all that Veridical has to say.

    Otherwise only errors: what a user must know, the commands say themselves. Other libraries stay
    at warnings: what they log is not ours to vouch for.
    """
    logging.basicConfig(
        stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s"
    )
    logging.getLogger("veridical").setLevel(logging.DEBUG if verbose else logging.ERROR)


def check_inputs(sources: Sequence[str], *files: str | None) -> None:
    """Raises ValidationError where a source has an empty name, which would be the current folder,
    and where standard input is asked for more than one thing.
    """
    if "" in sources:
        raise ValidationError(
            "the name of a source is empty, as that of a variable that is not set. Name a file or "
            "a folder."
        )
    if [*dict.fromkeys(sources), *files].count(STANDARD_INPUT) > 1:
        raise ValidationError(
            "standard input (-) can be read for one thing only; give the others as files"
        )

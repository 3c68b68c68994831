"""The sources that an index is asked to keep, before any is looked into. Imports nothing heavy: the
service looks at them before it starts.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from veridical.errors import ConfigurationError, NoDocumentsError
from veridical.sources.loader import STANDARD_INPUT


def check_sources(sources: Sequence[str]) -> None:
    """Raises where a source is not there, or cannot be looked at a second time."""
    for source in sources:
        if source == STANDARD_INPUT:
            raise ConfigurationError(
                "standard input cannot be looked at again for changes: give files and folders"
            )
        if not os.path.exists(source):  # noqa: PTH110  # takes what Path refuses, a NUL
            raise NoDocumentsError(f"{source}: there is no such file or folder. Check the path.")

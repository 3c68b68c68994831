"""Regular expressions that are compiled when they are first used.

A command that checks one quote in a small file should not wait for the patterns of every format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache


def lazy(source: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """A function that returns the compiled pattern, always the same one."""

    def compiled() -> re.Pattern[str]:
        return re.compile(source, flags)

    return cache(compiled)

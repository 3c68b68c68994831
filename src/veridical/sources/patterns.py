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


UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces (Thai, Lao, Burmese, Khmer, Chinese, Japanese), as a regex class."""

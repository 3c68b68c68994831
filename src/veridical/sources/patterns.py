"""Regular expressions that are compiled when they are first used, and lists of words as files.

A command that checks one quote in a small file should not wait for the patterns of every format.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path


def lazy(source: str, flags: int = 0) -> Callable[[], re.Pattern[str]]:
    """A function that returns the compiled pattern, always the same one."""

    def compiled() -> re.Pattern[str]:
        return re.compile(source, flags)

    return cache(compiled)


def word_lists(path: Path) -> dict[str, list[str]]:
    """The lists in a file of ours: each is a line, its name before a colon."""
    lines = (line.partition(": ") for line in path.read_text("utf-8").splitlines())
    return {name: words.split() for name, _, words in lines}


UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u312f\u31a0-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Scripts without spaces (Thai, Lao, Burmese, Khmer, Chinese, Japanese), as a regex class."""

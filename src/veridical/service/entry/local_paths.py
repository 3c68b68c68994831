"""Addresses within the service: where a log-in may lead to."""

from __future__ import annotations

import re

_LOCAL = re.compile(r"/(?![/\\])[^\\\x00-\x20\x7f-\xa0]*")
_MOST_CHARS = 2_000


def local_path(given: str) -> str:
    """The path, query included, if it leads nowhere but to this service; else the first page."""
    return given if len(given) <= _MOST_CHARS and _LOCAL.fullmatch(given) else "/"

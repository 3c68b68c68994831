"""How pages and reports look: one style sheet for the service and for what is read from a file."""

from __future__ import annotations

from functools import cache
from importlib import resources

STYLES = ("base.css",)
"""The style sheets there are, in the order in which a page takes them."""


@cache
def stylesheet(name: str) -> str:
    """The text of a style sheet, for a report that carries its own. KeyError for no such one."""
    if name not in STYLES:
        raise KeyError(name)
    return resources.files(__package__).joinpath(name).read_text("utf-8")

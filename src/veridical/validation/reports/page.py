"""The frame of a page that is complete in itself: its style and script inside it, nothing else."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources

from veridical.look import stylesheet
from veridical.validation.reports.markup import label


@dataclass(frozen=True, slots=True)
class ReportParts:
    """A report apart from its page, for pages that bring their own frame and `look/base.css`.

    `body` goes into an element of the class `report`, which all rules of `style` are bound to;
    `script` runs after it. Neither style nor script stands in `body`.
    """

    body: str
    style: str
    script: str


@lru_cache
def asset(package: str, name: str) -> str:
    """A file of a package's `assets` folder, its lines ending in line feeds."""
    folder = resources.files(package).joinpath("assets")
    return folder.joinpath(name).read_text("utf-8").replace("\r\n", "\n")


@lru_cache
def report_style(package: str, name: str) -> str:
    """The style of a report beyond `look/base.css`: its own, and what all reports share."""
    return f".report {{\n{asset(__package__, 'page.css')}\n{asset(package, name)}}}\n"


def page(title: str, body: str, *, style: str, script: str = "") -> str:
    """A page that carries its style and script, and may use them and load nothing.

    `style` is a report's own; the style sheet of every page goes before it.
    """
    whole = stylesheet("base.css") + style
    run = f"<script>{script}</script>" if script else ""
    return f'{_head(title, whole, script)}<body class="report">{body}{run}</body></html>\n'


def _head(title: str, style: str, script: str) -> str:
    policy = (
        f"default-src 'none'; style-src 'sha256-{_digest(style)}'; "
        f"script-src 'sha256-{_digest(script)}'; base-uri 'none'; form-action 'none'"
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        '<meta name="color-scheme" content="light dark">'
        '<meta name="referrer" content="no-referrer">'
        f"<title>{label(title)}</title><style>{style}</style></head>"
    )


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

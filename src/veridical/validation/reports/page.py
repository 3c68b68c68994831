"""The frame of a page that is complete in itself: its style and script inside it, nothing else."""

from __future__ import annotations

import base64
import hashlib
from functools import lru_cache
from importlib import resources

from veridical.validation.reports.markup import label


@lru_cache
def asset(package: str, name: str) -> str:
    """A file of a package's `assets` folder, its lines ending in line feeds."""
    folder = resources.files(package).joinpath("assets")
    return folder.joinpath(name).read_text("utf-8").replace("\r\n", "\n")


def head(title: str, style: str, script: str) -> str:
    """The start of a page that may use this style and this script, and load nothing."""
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

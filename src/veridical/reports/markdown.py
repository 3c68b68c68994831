"""Reports as Markdown, from templates too.

Text of answers, sources, transcripts and models is never markup here: whatever a template puts out
is escaped, so that CommonMark and GitHub's dialect render it as it was written, on one line; all
but what is `|ours`, which are signs and numbers of our own.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from jinja2 import Environment
from markupsafe import Markup

from veridical.reports.page import engine
from veridical.reports.texts import one_line

_MARKUP = re.compile(
    r"""[\\`*\[\]|~$]                  # always
    | (?<![^\W_]) _+ | _+ (?![^\W_])   # emphasis cannot start or end inside a word
    | \A \#+ | (?<!\S) \#+ \Z          # the start and the end of a heading
    | :(?=//) | (?<=[wW]{3}) \.        # links that some dialects make of addresses
    | (?<=\S) @ | @ (?=\S)             # addresses, people
    | \A (?: [-+=:] | (?<!\d)\d{1,9}[.)] ) # what opens a list, or underlines a heading
    """,
    re.VERBOSE,
)
_SIGN = re.compile(r"(\D)")
_HTML = re.compile(r"[<>]|&(?=\#?\w{1,40};)")
_HTML_NAMES = {"<": "&lt;", ">": "&gt;", "&": "&amp;"}


def literal(text: str) -> str:
    """Text as Markdown that renders as this very text, on one line, wherever it stands in a line.

    White space is collapsed, as rendering does; invisible controls are shown by their names.
    """
    escaped = _MARKUP.sub(_escape, one_line(text))
    return _HTML.sub(lambda found: _HTML_NAMES[found[0]], escaped)


def _escape(found: re.Match[str]) -> str:
    """A backslash before each sign; a number that would open a list keeps its digits."""
    signs = found[0]
    return f"\\{signs}" if len(signs) == 1 else _SIGN.sub(r"\\\1", signs)


def render_markdown(template: str, **context: Any) -> str:
    """A document of the kind `template`: `templates/<kind>.md`."""
    made = _environment().get_template(f"{template}.md").render(context)
    return made.strip("\n") + "\n"


@cache
def _environment() -> Environment:
    made = engine(_shown, trim_blocks=True, lstrip_blocks=True)
    made.filters["ours"] = Markup
    return made


def _shown(value: Any) -> str:
    return value if type(value) is Markup else literal(str(value))

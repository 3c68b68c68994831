"""The page of `--grounded-report`: every answer and every quote that a run of pytest checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from veridical.validation.reports.markup import isolated, visible
from veridical.validation.reports.page import page
from veridical.validation.reports.wording import count

_TITLE = "Grounded report"
_STYLE = """
.report { max-width: 80rem; margin: 0 auto; padding: 1.5rem; }
.report section { margin-top: 2rem; border-top: 1px solid var(--line); padding-top: 1rem; }
.report article { margin: 1rem 0; padding: 0.8rem 1rem; border-left: 4px solid var(--ok-line);
  background: var(--surface); }
.report article.failed { border-left-color: var(--bad-line); }
.report .verdict { font-weight: 600; color: var(--ok); }
.report .failed .verdict { color: var(--bad); }
.report pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0.5rem 0; }
.report h2 { overflow-wrap: anywhere; }
"""


def render_page(checks: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The checks of a run as a self-contained HTML page, tests in the order of their names.

    Each check is a test's name and the fields of a `veridical.testing.Checked`.
    """
    ordered = sorted(checks, key=lambda check: check[0])
    failed = sum(not check["passed"] for _, check in checks)
    sections = [
        f"<section><h2>{isolated(test)}</h2>{''.join(_article(c) for _, c in group)}</section>"
        for test, group in groupby(ordered, key=lambda check: check[0])
    ]
    told = f"{count(len(checks), 'check')}, {failed:,} failed"
    none = "" if checks else "<p>No answer and no quote was checked: nothing was verified.</p>"
    body = f'<main><h1>{_TITLE}</h1><p class="soft">{told}</p>{none}{"".join(sections)}</main>'
    return page(_TITLE, body, style=_STYLE)


def _article(check: Mapping[str, Any]) -> str:
    failed = not check["passed"]
    verdict = "✗ failed" if failed else "✓ passed"
    units = "claims supported" if check["what"] == "answer" else "quotes found"
    numbers = f"{check['borne_out']:,} of {check['total']:,} {units}"
    problems = "".join(f"<pre><bdi>{visible(told)}</bdi></pre>" for told in check["problems"])
    name = "Answer" if check["what"] == "answer" else "Quotes"
    return (
        f'<article class="{"failed" if failed else "passed"}">'
        f'<p><span class="verdict">{verdict}</span> · {numbers}</p>{problems}'
        f"<details><summary>{name}</summary>"
        f"<pre><bdi>{visible(check['text'])}</bdi></pre></details></article>"
    )

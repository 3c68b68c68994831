"""The page of `--grounded-report`: every answer and every quote that a run of pytest checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Any

from veridical.reports.page import asset, page


def render_page(checks: Sequence[tuple[str, Mapping[str, Any]]]) -> str:
    """The checks of a run as a self-contained HTML page, tests in the order of their names.

    Each check is a test's name and the fields of a `veridical.testing.Checked`.
    """
    ordered = sorted(checks, key=lambda check: check[0])
    return page(
        "grounded",
        "Grounded report",
        style=asset("grounded.css"),
        checks=checks,
        failed=sum(not check["passed"] for _, check in checks),
        tests=[
            (test, [check for _, check in group])
            for test, group in groupby(ordered, key=lambda check: check[0])
        ],
    )

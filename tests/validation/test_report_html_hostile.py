"""The HTML report: what hostile text reads as."""

from __future__ import annotations

import pytest
from tests.reports.hostile import hostile_report
from tests.validation.report_page import HOSTILE, highlighted, lost, parse, report

from veridical.validation.reports.html import render_html


@pytest.mark.parametrize("text", HOSTILE[:8])
def test_hostile_text_reads_as_it_was_written(text: str) -> None:
    page = parse(render_html(hostile_report(text), title=text))
    assert page.all("blockquote")[0].text == text
    assert highlighted(page, 2) == text or text in highlighted(page, 2) + highlighted(page, 1)
    assert page.all("h1")[0].text == text


@pytest.mark.parametrize(
    ("quote", "marker"),
    [
        ("pay \u202eevil", "[RLO]"),
        ("\u2066a\u2069", "[LRI]a[PDI]"),
        ("a\u200bb", "a[ZWSP]b"),
        ("a\U000e0041b", "a[U+E0041]b"),
    ],
)
def test_invisible_controls_of_a_quote_are_made_visible(quote: str, marker: str) -> None:
    page = parse(render_html(report(lost("EV1", quote))))
    (shown,) = page.all("blockquote")
    assert marker in shown.text
    assert shown.all("bdi")

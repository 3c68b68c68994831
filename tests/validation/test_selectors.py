"""W3C selectors: another tool must find the passage with them."""

from __future__ import annotations

from typing import Any

import pytest
from tests.validation.report_page import parse

from veridical import Document, Format, Match, Validator, document_from_text
from veridical.validation.wire import CONTEXT_CHARS, selectors


def found(document: Document, quote: str) -> Match:
    match = Validator([document]).check(quote).match
    assert match is not None
    return match


def pair(document: Document, match: Match) -> tuple[dict[str, Any], dict[str, Any]]:
    quote, position = selectors(document, match.span)
    assert (quote["type"], position["type"]) == ("TextQuoteSelector", "TextPositionSelector")
    return quote, position


@pytest.mark.parametrize("format", [Format.PLAIN_TEXT, Format.MARKDOWN])
@pytest.mark.parametrize(
    "text",
    [
        "Staff get twenty-five days of leave.",
        "# Größe\r\n\r\n\U0001f600 é é Staff get *twenty-five* days of leave. שלום",
        "x" * 100 + " Staff get twenty-five days of leave " + "y" * 100,
    ],
)
def test_text_and_markdown_count_in_the_document_as_written(text: str, format: Format) -> None:
    document = document_from_text(text, "doc", format)
    if format is Format.PLAIN_TEXT:
        document = document_from_text(text.replace("*", ""), "doc", format)
    match = found(document, "get twenty-five days")
    quote, position = pair(document, match)
    start, end = position["start"], position["end"]
    assert quote["exact"] == document.text[start:end] == match.text
    assert quote["prefix"] == document.text[max(0, start - CONTEXT_CHARS) : start]
    assert quote["suffix"] == document.text[end : end + CONTEXT_CHARS]


HTML = (
    "<html><body><h1>Leave &amp; more</h1><p>Staff&nbsp;get <b>twenty&#8209;five</b> days\n"
    "of <a href='x'>leave</a> &lt;a year&gt;.</p></body></html>"
)


def test_html_counts_in_the_text_content() -> None:
    document = document_from_text(HTML, "page.html", Format.HTML)
    quote, position = pair(document, found(document, "Staff get twenty-five days of leave"))
    content = parse(HTML).text  # independent of ours
    start, end = position["start"], position["end"]
    assert content[start:end] == quote["exact"]
    assert quote["exact"] == "Staff\xa0get twenty\u2011five days\nof leave"
    assert quote["prefix"] == content[max(0, start - CONTEXT_CHARS) : start]
    assert quote["suffix"] == content[end : end + CONTEXT_CHARS]
    assert "<b>" not in quote["exact"] + quote["prefix"] + quote["suffix"]

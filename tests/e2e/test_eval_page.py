"""The page of an evaluation in a browser: from a number to the words that it is about."""

from __future__ import annotations

from tests.e2e.pages import OpenPage
from tests.evaluation.runs import (
    FAILED,
    MISQUOTED,
    QUOTE,
    REFUSAL,
    UNCITED,
    WRONG,
    answer,
    ask,
    result,
    run,
)

from veridical.evaluation.report.html import render_html

RESPONSES = (answer(), MISQUOTED, UNCITED, WRONG, REFUSAL, FAILED)
RUN = run(
    *(
        result(ask(f"q{number}", topic=f"topic {number % 3}"), response, 7.0 + number)
        for number, response in enumerate(RESPONSES)
    )
)


def test_from_a_number_to_the_answer_and_its_marked_words(open_html: OpenPage) -> None:
    page = open_html(render_html(RUN))
    page.get_by_role("listitem").filter(has_text="Not quoted").get_by_role("link").click()
    shown = page.locator("article:target")
    assert "does not stand in source 1" in (shown.text_content() or "")
    passing = page.locator("#passing details").first
    assert not passing.locator("mark").is_visible()
    passing.locator("summary").click()
    assert passing.locator("mark").text_content() == QUOTE.replace("days of", "days\nof")

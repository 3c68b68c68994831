"""The page of an evaluation in a browser: readable anywhere, and nothing in it is run.

Needs Chromium; `scripts/ensure_chromium.sh` installs it where it may.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.e2e.pages import OpenPage, launched, needs_chromium, watched
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
from veridical.evaluation.run import ChatError, ChatResponse

pytestmark = needs_chromium

ATTACK = (
    "</script></title></style><script>document.title='owned'; alert(1)</script>"
    "<img src='https://example.com/x' onerror='alert(2)'><a href='javascript:alert(3)'>x</a>"
)
HOSTILE = answer(f"{ATTACK} [1]", ATTACK, text=f"{'long' * 200} {ATTACK} {QUOTE}")
RESPONSES: list[ChatResponse | ChatError] = [
    answer(),
    HOSTILE,
    MISQUOTED,
    UNCITED,
    WRONG,
    REFUSAL,
    FAILED,
]
RUN = run(
    *(
        result(ask(f"q{number}", topic=f"topic {number % 3}"), response, 7.0 + number)
        for number, response in enumerate(RESPONSES)
    ),
    result(ask(ATTACK, topic=ATTACK), HOSTILE, 900.0),
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """At the end no script may have run, and nothing may have been asked of a network."""
    with watched(browser, tmp_path / "evaluation.html") as opened:
        yield opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_hostile_answers_are_shown_as_text_at_any_width(show: OpenPage, scheme: str) -> None:
    page = show(render_html(RUN, ATTACK), color_scheme=scheme)
    assert page.title().startswith("</script>")
    assert page.locator("script, img, [href^='javascript']").count() == 0
    assert ATTACK in (page.locator(".answer", has_text="owned").first.text_content() or "")
    for width in (375, 768, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_from_a_number_to_the_answer_and_its_marked_words(show: OpenPage) -> None:
    page = show(render_html(RUN))
    page.get_by_role("listitem").filter(has_text="Not quoted").get_by_role("link").click()
    shown = page.locator("article:target")
    assert "does not stand in source 1" in (shown.text_content() or "")
    passing = page.locator("#passing details").first
    assert not passing.locator("mark").is_visible()
    passing.locator("summary").click()
    assert passing.locator("mark").text_content() == QUOTE.replace("days of", "days\nof")

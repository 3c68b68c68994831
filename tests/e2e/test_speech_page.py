"""The page of a speech evaluation in a browser: what a speaker and an evaluator do with it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.pages import OpenPage, assert_drawn_apart
from tests.speech.public import RECOMMENDATION, TALK, filler, item, public

from veridical.reports.axis import MOST_LANES
from veridical.speech.report.html import render_speech_html
from veridical.speech.results import DeliveryMetrics, PaceWindow, Pause, PublicEvaluation


@pytest.fixture
def show(open_html: OpenPage) -> OpenPage:
    def open_page(evaluation: PublicEvaluation = TALK, **more: Any) -> Page:
        return open_html(render_speech_html(evaluation), **{"width": 1180, "height": 700, **more})

    return open_page


def in_view(page: Page, selector: str) -> bool:
    """Whether an element, or its upper part where it is long, is inside the window."""
    found = page.locator(selector).first.evaluate(
        """(element) => {
            const box = element.getBoundingClientRect();
            const seen = Math.min(box.bottom, box.top + 60);
            return box.height > 0 && box.top >= 0 && seen <= innerHeight;
        }"""
    )
    return bool(found)


def focused(page: Page) -> str:
    return str(page.evaluate("() => document.activeElement.id"))


def marked(page: Page) -> list[str]:
    return page.locator(".on").evaluate_all("nodes => nodes.map(node => node.id)")


# --- from flag to item and back ------------------------------------------------------------------


def test_a_click_on_a_flag_shows_marks_and_focuses_its_item(show: OpenPage) -> None:
    page = show(fragment="#item-5")
    assert in_view(page, "#item-5")
    assert marked(page) == ["flag-5", "item-5"]
    for number in (1, 3, 5):
        page.click(f"#flag-{number} .body")
        assert in_view(page, f"#item-{number}")
        assert focused(page) == f"item-{number}"
        assert marked(page) == [f"flag-{number}", f"item-{number}"]
        assert page.url.endswith(f"#item-{number}")
    page.focus("header a")
    for number in (1, 2, 3, 4):
        page.keyboard.press("Tab")
        assert focused(page) == f"flag-{number}"
    page.keyboard.press("Enter")
    assert focused(page) == "item-4"
    page.click("#item-4 .when a")
    assert focused(page) == "flag-4"
    assert in_view(page, "#flag-4")
    assert marked(page) == ["flag-4", "item-4"]
    page.go_back()
    expect(page.locator("#item-4")).to_be_focused()
    url = page.url.partition("#")[0]
    for fragment in ("#item-77", "#%E0%A4%A", "#help", "#"):
        page.goto("about:blank")
        page.goto(url + fragment)
        assert marked(page) == []


def test_keys(show: OpenPage) -> None:
    page = show()
    before = page.evaluate("history.length")
    for key, number in (("k", 1), ("j", 2), ("j", 3), ("k", 2), ("k", 1), ("k", 1)):
        page.keyboard.press(key)
        assert focused(page) == f"item-{number}"
        assert marked(page) == [f"flag-{number}", f"item-{number}"]
        assert in_view(page, f"#item-{number}")
    page.keyboard.press("t")
    assert focused(page) == "flag-1"
    assert in_view(page, "#flag-1")
    page.keyboard.press("j")
    assert focused(page) == "item-2"
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("j")
    assert page.url.endswith("#item-2")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")
    page.click("#help-button")
    page.click("#help-close")
    assert not page.is_visible("#help")
    assert page.evaluate("history.length") == before


def test_a_key_is_obeyed_before_the_browser_tells_of_the_step_before(show: OpenPage) -> None:
    page = show()
    page.evaluate(
        """() => {
            const key = () => new KeyboardEvent("keydown", { key: "j", bubbles: true });
            for (let n = 0; n < 3; n++) document.body.dispatchEvent(key());
        }"""
    )
    assert focused(page) == "item-3"
    assert marked(page) == ["flag-3", "item-3"]
    assert page.url.endswith("#item-3")


# --- the picture ---------------------------------------------------------------------------------


def day() -> PublicEvaluation:
    """Eight hours, drawn with as much of everything as there may be."""
    times = range(0, 28_800, 9)
    return public(
        *(item(at * 3000.0, RECOMMENDATION if at % 3 else item().type) for at in range(10)),
        metrics=DeliveryMetrics(
            0,
            28_800,
            70_000,
            146.0,
            fillers=tuple(map(filler, times)),
            pauses=tuple(Pause(at, at + 2.0) for at in times),
            pace=tuple(PaceWindow(at, at + 9.0, 100.0 + at % 120) for at in times),
        ),
    )


CROWD = public(*[item(50 + n / 10, RECOMMENDATION) for n in range(MOST_LANES)], item(99), item(97))


@pytest.mark.parametrize("speech", [TALK, CROWD, day()], ids=["talk", "crowd", "day"])
def test_flags_and_labels_never_overlap_or_leave_the_page(
    show: OpenPage, speech: PublicEvaluation
) -> None:
    page = show(speech)
    for width in (360, 640, 939, 940, 1600):
        page.set_viewport_size({"width": width, "height": 700})
        assert_drawn_apart(page, ".flag .body", ".axis text.time:visible", ".axis text.name")


# --- other ways to read it -----------------------------------------------------------------------


@pytest.mark.parametrize("width", [1180, 390])
def test_it_can_be_read_without_scripts(show: OpenPage, width: int) -> None:
    page = show(width=width, java_script_enabled=False)
    assert not page.is_visible("#help-button")
    page.click("#flag-4 .body")
    assert page.url.endswith("#item-4")
    assert page.locator("#item-4:target").count() == 1
    box = page.locator("#item-4").bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 640
    page.click("#item-4 .when a")
    assert page.url.endswith("#flag-4")
    page.click("#history summary")
    assert page.is_visible("#history li >> nth=0")
    page.click("#timeline-text summary")
    assert page.is_visible("#timeline-text table >> nth=0")


@pytest.mark.parametrize("evaluation", [public(), public(metrics=DeliveryMetrics(words=9))])
def test_an_empty_evaluation_is_a_whole_page(show: OpenPage, evaluation: PublicEvaluation) -> None:
    page = show(evaluation)
    assert "No item is left." in page.inner_text("main")
    for key in ("j", "k", "t", "Escape"):
        page.keyboard.press(key)
    assert marked(page) == []

"""The page of a scorecard in a browser: what a trainer does with it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from tests.e2e.pages import OpenPage, assert_drawn_apart
from tests.scoring.report.incidents import (
    INCIDENT,
    MET,
    MISSED,
    PARTIAL,
    RADIO,
    card,
    criterion,
    event,
    quote,
    section,
    timed,
)
from tests.speech.transcripts import from_sentences

from veridical.scoring.report.html import render_html
from veridical.scoring.scorecard import Scorecard
from veridical.sources.transcript import Transcript


@pytest.fixture
def show(open_html: OpenPage) -> OpenPage:
    def open_card(made: Scorecard = INCIDENT, transcript: Transcript = RADIO, **more: Any) -> Page:
        return open_html(render_html(made, transcript), **more)

    return open_card


def picked(page: Page) -> list[str]:
    return page.locator(".criterion.on").evaluate_all("nodes => nodes.map(node => node.id)")


def lit(page: Page) -> list[str]:
    """The words that are picked out in the transcript."""
    return page.locator("mark.on").all_text_contents()


def is_seen(page: Page, selector: str) -> bool:
    """Whether an element is in the window, and under nothing that scrolls over it."""
    found = page.locator(selector).first.evaluate(
        """(element) => {
            const box = element.getBoundingClientRect();
            const down = box.y + Math.min(10, box.height / 2);
            const at = document.elementFromPoint(box.x + box.width / 2, down);
            return at !== null && (element.contains(at) || at.contains(element));
        }"""
    )
    return bool(found)


def marker(page: Page) -> str | None:
    """The time at the marker of the axis, if it is shown."""
    if page.get_attribute("#now", "visibility") == "hidden":
        return None
    return page.text_content("#now-time")


def words_of(name: str) -> str:
    """The selector of the first quote of a criterion."""
    return f"[id='{name}'] a.quote >> nth=0"


# --- from a quote to its words and back ----------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 375])
def test_a_click_on_a_quote_lands_on_the_highlighted_words(show: OpenPage, width: int) -> None:
    page = show(width=width)
    page.click(words_of("c.attack.transfer"))
    assert lit(page) == ["assuming Elm Street command from Engine 25"]
    assert is_seen(page, "mark.on")
    assert picked(page) == ["c.attack.transfer"]
    assert marker(page) == "5:02"
    place = quote("assuming Elm Street command from Engine 25").span
    assert place is not None
    assert page.url.endswith(f"#t{place.start}-{place.end}")
    page.click(".line:has(mark.on) .rests a")
    assert page.url.endswith("#c.attack.transfer")
    assert is_seen(page, "[id='c.attack.transfer']")


def test_beside_the_transcript_the_criterion_stays_and_a_click_can_be_taken_back(
    show: OpenPage,
) -> None:
    page = show(fragment="#c.attack.first-water")
    color = "element => getComputedStyle(element).backgroundColor"
    named = page.locator("[id='c.attack.first-water']")
    before = named.evaluate(color)
    page.click("#review a >> nth=1")
    assert picked(page) == ["c.attack.transfer"]
    # What the address named is not marked beside it.
    assert page.locator(".criterion.on").evaluate(color) == before != named.evaluate(color)
    page.click(words_of("c.attack.search"))
    assert picked(page) == ["c.attack.search"]
    at = page.evaluate("scrollY")
    page.click("[id='c.attack.search'] a.quote >> nth=2")
    assert lit(page) == ["primary all clear"]
    assert is_seen(page, "mark.on")
    assert is_seen(page, "[id='c.attack.search'] a.quote >> nth=2")
    assert page.evaluate("scrollY") == at
    page.go_back()
    page.go_back()
    expect(page.locator(".criterion.on")).to_have_id("c.attack.transfer")
    # Words inside quoted words are picked out alone.
    page.click("[id='c.arrival.announce-command'] a.quote >> nth=1")
    assert lit(page) == ["Elm Street command"]
    page.click(words_of("c.arrival.announce-command"))
    assert "".join(lit(page)) == "Engine 25 assuming Elm Street command on tac 5"


def test_links_are_permanent_and_those_that_lead_nowhere_do_nothing(show: OpenPage) -> None:
    page = show()
    url = page.url
    for fragment, criteria, time in (
        ("#c.attack.first-water", ["c.attack.first-water"], "1:28"),
        ("#u3", [], "0:13"),
        ("#t99999-9", [], None),
        ("#%E0%A4%A", [], None),
    ):
        page.goto("about:blank")
        page.goto(url + fragment)
        assert picked(page) == criteria
        assert marker(page) == time


# --- the axis ------------------------------------------------------------------------------------


def test_a_click_on_a_moment_shows_its_words_and_what_rests_on_them(show: OpenPage) -> None:
    page = show()
    page.click(".flag >> nth=3")
    assert lit(page) == ["water on the fire"]
    assert page.locator(".line:has(mark.on) .rests a").count() == 1
    assert picked(page) == ["c.attack.first-water"]
    page.click(".row.speaker:nth-of-type(5) .pin:visible >> nth=0")
    assert lit(page) == ["assuming Elm Street command from Engine 25"]
    page.click(".utterance >> nth=2", force=True)
    assert lit(page) == []
    assert marker(page) == "10:55"
    page.click(".bar >> nth=2")
    assert picked(page) == ["c.attack.transfer"]
    assert is_seen(page, "[id='c.attack.transfer']")
    assert is_seen(page, "#now-time")  # the ruler stays in sight


def test_everything_stands_at_its_second_at_any_width(show: OpenPage) -> None:
    radio = from_sentences([(0.0, 100.0, "all of it", None)])
    made = card(section("s", timed("t", MET, 25.0, 50.0, target=50.0, most=None)))
    page = show(made, radio)
    for width in (375, 800, 1280):
        page.set_viewport_size({"width": width, "height": 800})
        ruler = page.locator(".ruler .line").bounding_box()
        bar, target = (page.locator(each).first.bounding_box() for each in (".bar rect", ".target"))
        assert ruler is not None
        assert bar is not None
        assert target is not None
        for share, at in ((0.25, bar["x"]), (0.5, bar["x"] + bar["width"]), (0.75, target["x"])):
            assert at == pytest.approx(ruler["x"] + share * ruler["width"], abs=1.5)


VERDICTS = (MET, PARTIAL, MISSED)
CROWD = card(
    section(
        "s",
        *[
            criterion(
                f"c{number}",
                VERDICTS[number % 3],
                quote(RADIO.text[segment.span.start : segment.span.end]),
                events=[event(f"a_very_long_event_name_{number}", 60.0 * number)],
            )
            for number, segment in enumerate(RADIO.segments)
        ],
    )
)


def test_flags_pins_and_times_never_overlap_or_leave_the_page(show: OpenPage) -> None:
    page = show(CROWD)
    for width in (360, 640, 1100, 1600):
        page.set_viewport_size({"width": width, "height": 800})
        assert_drawn_apart(page, ".flag .body", "a.pin:visible", ".ruler text.time:visible")


# --- keys ----------------------------------------------------------------------------------------


def test_keys(show: OpenPage) -> None:
    page = show()
    before = page.evaluate("history.length")
    order = [f"c.{part.section_id}.{score.review.criterion_id}"
             for part in INCIDENT.sections for score in part.criteria]  # fmt: skip
    for key, number in (("k", 0), ("j", 1), ("j", 2), ("j", 3), ("k", 2), ("j", 3)):
        page.keyboard.press(key)
        assert picked(page) == [order[number]]
        assert is_seen(page, f"[id='{order[number]}'] h3")
    assert marker(page) == "1:28"
    assert lit(page) == ["Engine 25 on scene, ", "two story wood frame", "water on the fire"]
    for time, words in (("1:28", "two story wood frame"), ("3:41", "water on the fire")):
        page.keyboard.press("t")
        assert marker(page) == time
        assert lit(page)[-1] == words
        assert is_seen(page, "mark.on")
        assert picked(page) == [order[3]]
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("j")
    assert picked(page) == [order[3]]
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")
    page.click("#help-button")
    page.click("#help-close")
    assert not page.is_visible("#help")
    assert page.evaluate("history.length") == before


# --- other ways to read it -----------------------------------------------------------------------


def test_it_can_be_read_without_scripts(show: OpenPage) -> None:
    page = show(width=375, java_script_enabled=False)
    assert not page.is_visible("#help-button")
    page.click(words_of("c.attack.first-water"))
    words = page.locator("mark:visible", has_text="two story wood frame").bounding_box()
    assert words is not None
    assert 0 <= words["y"] <= 760
    assert page.locator(".place:target").count() == 1
    page.click(".line:has(.place:target) .rests a >> nth=0")
    assert page.locator("[id='c.attack.first-water']:target").count() == 1


def test_print_shows_everything(show: OpenPage) -> None:
    page = show(fragment="#c.attack.transfer")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.is_visible("#warnings li >> nth=0")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.is_visible("#warnings li >> nth=0")
    assert page.locator(".criterion:visible").count() == 8
    assert page.evaluate("getComputedStyle(document.getElementById('transcript')).overflowY") == (
        "visible"
    )
    assert len(page.pdf()) > 1000


def test_a_screen_reader_hears_names_and_not_drawings(show: OpenPage) -> None:
    tree = show().locator(".picture").aria_snapshot()
    assert 'link "3:40, event water"' in tree
    assert 'link "5:02, quote for 2.3 Transfers command to the first chief, missed"' in tree
    assert "0:13" not in tree  # when Ladder 7 speaks

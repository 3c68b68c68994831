"""Validations, scorecards, speech evaluations and evaluation runs in a browser, over the demo."""

from __future__ import annotations

import io
import re
import wave
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.accessibility import violations
from tests.e2e.service_pages import Site, runs_over_the_edge, served, visiting
from tests.service.test_records_api import CHAIRED

from veridical.service import demo
from veridical.store.records import RecordKind

TALK, CHECKED = "Eleven broken things", "A colleague's evaluation of the talk"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with served(tmp_path_factory.mktemp("records")) as site:
        demo.load(site.store, "default")
        yield site


def address(site: Site, kind: RecordKind, title: str = "") -> str:
    """Where the page of a demo's record is."""
    places = {"validation": "validations", "scorecard": "scorecards", "evaluation": "evaluations"}
    records = site.shelf.records.page(kind).items
    record = next(each for each in records if not title or each.title == title)
    return f"/{places.get(kind.value, kind.value)}/{record.id}"


def lit(page: Page) -> list[str]:
    return page.locator("mark.on").all_text_contents()


def in_view(page: Page, selector: str) -> bool:
    box = page.locator(selector).first.bounding_box()
    size = page.viewport_size
    assert box
    assert size
    return 0 <= box["y"] <= size["height"]


_FEWER = """
    document.querySelectorAll("#transcript .line:nth-child(n+12), .criterion:nth-child(n+3), "
      + ".result:nth-of-type(n+4)").forEach((each) => each.remove())
"""
"""Takes away what is like what stays, for axe looks at every pair of targets."""


def pages(site: Site) -> dict[str, str]:
    return {
        "validations": "/validations",
        "validation": address(site, RecordKind.VALIDATION),
        "scorecards": "/scorecards",
        "scorecard": address(site, RecordKind.SCORECARD),
        "speech-evaluations": "/speech",
        "speech": address(site, RecordKind.SPEECH, TALK),
        "speech-check": address(site, RecordKind.SPEECH, CHECKED),
        "trend": "/scorecards/trend",
        "rubrics": "/rubrics",
        "evaluations": "/evaluations",
        "evaluation": address(site, RecordKind.EVALUATION),
    }


def test_every_page_is_accessible_and_fits_a_phone(site: Site, browser: Browser) -> None:
    with visiting(site, browser) as page:
        for name, where in pages(site).items():
            page.set_viewport_size({"width": 375, "height": 800})
            page.goto(where)
            assert not runs_over_the_edge(page), name
            page.set_viewport_size({"width": 1280, "height": 800})
            assert not runs_over_the_edge(page), name
            page.evaluate(_FEWER)
            assert not violations(page), name
        # The colours of both schemes are those of all pages; where there are most of them, both.
        page.emulate_media(color_scheme="dark")
        page.goto(address(site, RecordKind.VALIDATION))
        assert not violations(page)


def test_quotes_are_checked_from_the_page_and_lead_into_the_document(
    site: Site, browser: Browser
) -> None:
    with visiting(site, browser) as page:
        page.goto("/validations")
        page.get_by_label("Quotes", exact=True).fill(
            "Up to 5 unused days may be carried into the following year.\n"
            "Up to 9 unused days may be carried into the following year."
        )
        page.get_by_role("button", name="Check them").click()
        expect(page.get_by_text("1 of 2 quotes validated")).to_be_visible()
        worst = page.locator(".quote-row").first
        expect(worst).to_contain_text("Failed")
        expect(worst.locator(".became")).to_contain_text("9")
        expect(worst.locator(".was")).to_contain_text("5")
        page.locator(".quote-row").last.get_by_text("View in document").click()
        expect(page).to_have_url(re.compile(r"/documents/.*start="))


def test_a_criterion_moves_axis_and_transcript_and_a_moment_shows_its_criteria(
    site: Site, browser: Browser
) -> None:
    with visiting(site, browser, height=900) as page:
        page.goto(address(site, RecordKind.SCORECARD))
        assert page.locator("#now").get_attribute("visibility") == "hidden"
        page.locator(".row.timing .name a").first.click()
        criterion = page.locator(".criterion.on")
        expect(criterion).to_have_count(1)
        expect(page.locator("#now")).to_have_attribute("visibility", "visible")
        assert lit(page)
        assert in_view(page, "mark.on")
        page.locator("a.pin:visible").first.click()
        expect(page.locator(".criterion.on")).to_have_count(1)
        (words,) = set(lit(page))
        assert words in page.locator(".criterion.on").inner_text()


def test_an_item_of_a_speech_moves_axis_and_transcript(site: Site, browser: Browser) -> None:
    with visiting(site, browser, height=900) as page:
        page.goto(address(site, RecordKind.SPEECH, TALK))
        assert page.locator("#now").get_attribute("visibility") == "hidden"
        page.locator("#flag-2").click()
        expect(page.locator("#item-2")).to_have_class("item com on")
        expect(page.locator("#now")).to_have_attribute("visibility", "visible")
        assert "not a broken kettle" in "".join(lit(page))
        assert in_view(page, "mark.on")
        page.locator(".line .rests a").last.click()
        expect(page.locator(".item.on")).to_have_count(1)


def test_the_speech_that_was_found_is_shown_and_can_be_put_right(
    site: Site, browser: Browser
) -> None:
    with visiting(site, browser) as page:
        page.goto("/speech")
        page.locator("#transcript").fill(CHAIRED)
        page.get_by_role("button", name="Evaluate").click()
        stretch = page.locator("details.stretch")
        expect(stretch).to_contain_text(
            "found from 0:12 to 0:41.9 of the recording", timeout=60_000
        )
        said = page.locator("#transcript .line")
        expect(said.nth(0)).to_contain_text("outside the speech")
        expect(said.nth(1)).to_contain_text("speakerThank you.")
        assert not runs_over_the_edge(page)
        assert not violations(page)
        stretch.get_by_label("From").fill("0:18")
        stretch.get_by_role("button", name="Evaluate this stretch").click()
        expect(stretch).to_contain_text("as it was asked for: from 0:18 to", timeout=60_000)
        expect(said.nth(2)).to_contain_text("speakerIt was not broken")
        stretch.locator("summary").click()
        stretch.get_by_label("From").fill("0")
        stretch.get_by_label("to").fill("")
        stretch.get_by_role("button", name="Evaluate this stretch").click()
        expect(stretch).to_contain_text("as it was asked for: from 0:00 of", timeout=60_000)
        expect(page.locator("#transcript")).not_to_contain_text("outside the speech")


def test_runs_are_seen_over_time(site: Site, browser: Browser) -> None:
    with visiting(site, browser) as page:
        page.goto("/evaluations")
        expect(page.locator(".chart")).to_have_count(2)
        page.locator(".chart a").first.click()
        expect(page.get_by_role("button", name="Run again")).to_be_visible()
        assert not violations(page)


def test_without_scripts_everything_is_there_to_read(site: Site, browser: Browser) -> None:
    with visiting(site, browser, java_script_enabled=False) as page:
        page.goto(address(site, RecordKind.SCORECARD))
        assert page.locator(".criterion:visible").count() == page.locator(".criterion").count() > 0
        assert page.locator("#transcript .line:visible").count() > 10
        page.goto(address(site, RecordKind.SPEECH, TALK))
        assert page.locator(".item:visible").count() == 4


def test_a_click_on_a_quote_plays_the_recording_from_there(site: Site, browser: Browser) -> None:
    examples = Path(__file__).parents[2] / "examples"
    with visiting(site, browser, height=900) as page:
        for form, transcript, quote, fields in (
            ("/scorecards", "scoring/fireground.vtt", "a.quote", {"rubric": "fireground"}),
            ("/speech", "speech/talk.vtt", ".item blockquote", {}),
        ):
            page.goto(form)
            page.set_input_files("#transcript_file", examples / transcript)
            page.set_input_files(
                "#recording_file", {"name": "a.wav", "mimeType": "audio/wav", "buffer": silence()}
            )
            for name, value in fields.items():
                page.locator(f"#{name}").select_option(value)
            page.locator(".new-form button.primary").click()
            player = page.locator("#player")
            expect(player).to_be_visible(timeout=60_000)
            page.wait_for_function("() => document.getElementById('player').readyState >= 1")
            page.locator(quote).nth(1).click()
            page.wait_for_function("() => document.getElementById('player').currentTime > 1")
            told = page.locator("#now-time").text_content() or ""
            minutes, seconds = map(int, told.split(":"))
            at = float(player.evaluate("player => player.currentTime"))
            assert abs(at - (60 * minutes + seconds)) < 30, (form, told)
        page.evaluate(_FEWER)
        assert not violations(page)


def silence() -> bytes:
    """Half an hour of it, as sound."""
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(1)
        file.setframerate(4_000)
        file.writeframes(b"\x80" * 4_000 * 1_800)
    return out.getvalue()

"""The HTML report in a browser: what a reviewer does with it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page
from tests.e2e.pages import OpenPage

from veridical.sources.document import Document, Format, Span
from veridical.sources.document import Page as DocumentPage
from veridical.sources.markdown import read_markdown
from veridical.validation.claims import Claim
from veridical.validation.config import ValidationConfig
from veridical.validation.reports.html import render_html
from veridical.validation.results import (
    ClaimResult,
    FailureReason,
    Fidelity,
    Match,
    MatchType,
    Status,
    ValidationReport,
)

FILLER = "".join(
    f"\n\nParagraph {n} says what it says, and no more than that.\n" for n in range(80)
)
POLICY = read_markdown(
    f"# Leave\n{FILLER}\n\n## Days\n\nLeave is **27 days** &amp; no more. It is paid.\n{FILLER}"
    "\n\n## End\n\nNotice is given in writing.\n",
    "policy.md",
    size_bytes=1,
)
HANDBOOK = Document(
    "handbook.pdf",
    "Costs are repaid\nwithin 30 days.\n\nNotice is given in writing.",
    Format.PDF,
    pages=(DocumentPage(1, Span(0, 33)), DocumentPage(2, Span(34, 62))),
)


def place(document: Document, words: str) -> Match:
    start = document.text.index(words)
    return Match(document, Span(start, start + len(words)), MatchType.EXACT, 0.9, 0.9)


LEAVE = place(POLICY, "Leave is **27 days** &amp; no more")
PAID = place(POLICY, "no more. It is paid.")
NOTICE = place(POLICY, "Notice is given in writing.")
NOTICE_TOO = place(HANDBOOK, "Notice is given in writing.")
COSTS = place(HANDBOOK, "Costs are repaid\nwithin 30 days.")
RESULTS = (
    ClaimResult(
        Claim("EV001", "Costs are repaid within 30 days."),
        Status.VALIDATED,
        1.0,
        fidelity=Fidelity.NORMALISED,
        match=COSTS,
    ),
    ClaimResult(
        Claim("EV002", "Notice is given in writing."),
        Status.AMBIGUOUS,
        0.9,
        fidelity=Fidelity.VERBATIM,
        match=NOTICE,
        alternatives=(NOTICE_TOO,),
    ),
    ClaimResult(Claim("EV003", "It is paid"), Status.LOW_CONFIDENCE, 0.6, match=PAID),
    ClaimResult(
        Claim("EV004", "Leave is 72 days & no more"),
        Status.FAILED,
        0.0,
        reason=FailureReason.NOT_FOUND,
        fidelity=Fidelity.ALTERED,
        found_at=LEAVE,
    ),
    ClaimResult(
        Claim("EV005", "Coffee is free"), Status.FAILED, 0.0, reason=FailureReason.NOT_FOUND
    ),
)
REPORT = ValidationReport(RESULTS, (POLICY, HANDBOOK), ValidationConfig())


@pytest.fixture
def show(open_html: OpenPage) -> OpenPage:
    def open_page(report: ValidationReport = REPORT, **more: Any) -> Page:
        return open_html(render_html(report), **more)

    return open_page


def lit(page: Page) -> str:
    """The text of the highlight that is picked out, over all its parts."""
    return "".join(page.locator("mark.on").all_text_contents())


def in_view(page: Page, selector: str) -> bool:
    """Whether the middle of an element is what the reader sees at that point of the window."""
    found = page.locator(selector).first.evaluate(
        """(element) => {
            const box = element.getClientRects()[0];
            if (!box) return false;
            const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
            return element.contains(top) || (top !== null && top.contains(element));
        }"""
    )
    return bool(found)


def focused(page: Page) -> str:
    """What the focus is on: an anchor of a place or of a claim."""
    near = "document.activeElement.closest('.chips, .claim, input, body')"
    return str(page.evaluate(f"() => {near}.id || 'body'"))


def shown_rows(page: Page) -> list[str]:
    return page.locator(".claim:visible").evaluate_all("rows => rows.map(row => row.id)")


# --- from claim to source and back ---------------------------------------------------------------


def test_a_click_on_a_claim_shows_and_focuses_exactly_its_words(show: OpenPage) -> None:
    page = show()
    for claim, match in (("EV001", COSTS), ("EV002", NOTICE), ("EV003", PAID), ("EV004", LEAVE)):
        page.click(f"#{claim} .quote")
        assert lit(page) == match.shown
        assert in_view(page, "mark.on")
        assert focused(page).startswith("m:")
        assert page.url.endswith(f"#{claim}")
        assert page.locator(".claim.on").get_attribute("id") == claim
    # Those of EV003 overlap them, and go back to it.
    page.click("mark.low")
    assert page.locator(".claim.on").get_attribute("id") == focused(page) == "EV003"
    assert in_view(page, "#EV003 .quote")
    assert page.locator("mark.on").count() == 2
    page.click("#EV005 .quote")
    assert "Nothing close enough" in page.inner_text("#EV005")
    assert page.locator(".claim.on").get_attribute("id") == "EV005"


def test_a_link_to_a_claim_is_permanent_and_its_places_are_walked_through(show: OpenPage) -> None:
    page = show(fragment="#EV002")
    assert page.locator(".claim.on").get_attribute("id") == "EV002"
    assert in_view(page, "#EV002 .quote")
    assert lit(page) == NOTICE.shown
    assert page.locator(".doc:visible h2").inner_text() == "policy.md"
    page.click("#EV002 details .place")
    assert page.locator(".doc:visible h2").inner_text() == "handbook.pdf"
    assert lit(page) == NOTICE_TOO.shown
    assert in_view(page, "mark.on")
    assert page.locator('.tab[aria-current="true"]').inner_text().startswith("handbook.pdf")
    page.click("#EV004 .quote")
    for step, claim in (("next", "EV003"), ("previous", "EV004")):
        page.click(f"#p\\:{step}")
        assert page.locator(".claim.on").get_attribute("id") == claim


# --- filters, search, order and keys -------------------------------------------------------------


def test_rows_are_ordered_filtered_and_searched(show: OpenPage) -> None:
    page = show()
    worst = ["EV004", "EV005", "EV003", "EV002", "EV001"]
    assert shown_rows(page) == worst
    for order, rows in (
        ("document", ["EV004", "EV003", "EV002", "EV001", "EV005"]),
        ("claims", sorted(worst)),
        ("worst", worst),
    ):
        page.select_option("#p\\:order", order)
        assert shown_rows(page) == rows
    page.click(".filter.fail")
    assert shown_rows(page) == ["EV004", "EV005"]
    assert page.inner_text("#p\\:count") == "2 of 5 shown"
    page.fill("#p\\:search", "COFFEE")
    assert shown_rows(page) == ["EV005"]
    page.fill("#p\\:search", "no such words")
    assert shown_rows(page) == []
    assert page.is_visible("#p\\:nothing")
    page.click("#p\\:clear")
    assert len(shown_rows(page)) == 5


def test_keys(show: OpenPage) -> None:
    page = show()
    assert page.locator(".claim.on").get_attribute("id") == "EV004"
    for key, expected in (("j", "EV005"), ("j", "EV003"), ("k", "EV005"), ("j", "EV003")):
        page.keyboard.press(key)
        assert page.locator(".claim.on").get_attribute("id") == expected
    page.keyboard.press("o")
    assert focused(page).startswith("m:")
    page.keyboard.press("Enter")
    assert focused(page) == "EV003"
    page.focus("#EV002 .go")
    page.keyboard.press("Enter")
    assert lit(page) == NOTICE.shown
    page.keyboard.press("/")
    assert focused(page) == "p:search"
    page.keyboard.type("jk?")
    assert page.input_value("#p\\:search") == "jk?"
    page.keyboard.press("Escape")
    assert page.input_value("#p\\:search") == ""
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.is_visible("#p\\:help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#p\\:help")


# --- other ways to read it -----------------------------------------------------------------------


def test_on_a_phone_the_panes_become_tabs(show: OpenPage) -> None:
    page = show(width=375)
    assert page.is_visible("#p\\:claims")
    assert not page.is_visible("#p\\:source")
    page.click("#EV002 .quote")
    assert not page.is_visible("#p\\:claims")
    assert lit(page) == NOTICE.shown
    assert in_view(page, "mark.on")
    page.click("#p\\:back")
    assert page.is_visible("#p\\:claims")
    assert in_view(page, "#EV002 .quote")
    page.click("#p\\:show-source")
    assert in_view(page, "mark.on")
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    assert wider <= 0


@pytest.mark.parametrize("width", [1280, 375])
def test_it_can_be_read_without_scripts(show: OpenPage, width: int) -> None:
    page = show(width=width, java_script_enabled=False)
    for selector in ("#EV004 .quote", "#EV001 .where"):
        assert page.locator(selector).is_visible()
    assert page.locator(".doc:visible").count() == 2
    assert not page.locator("#p\\:search").is_visible()
    page.click("#EV001 .go")
    assert page.url.endswith("#m:4")
    mark = page.locator(".chips:target + mark")
    assert mark.text_content() == COSTS.shown
    box = mark.bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 800
    page.click(".chips:target .chip")
    assert page.url.endswith("#EV001")


def test_print_shows_all_claims_and_the_passages_they_rest_on(show: OpenPage) -> None:
    page = show(fragment="#EV004")
    page.emulate_media(media="print")
    assert len(shown_rows(page)) == 5
    assert page.locator("mark:visible").count() == page.locator("mark").count()
    assert not page.locator("text=Paragraph 7 says").first.is_visible()
    assert not page.is_visible("#p\\:search")
    assert len(page.pdf()) > 1000

"""The HTML report in a browser: what a reviewer does with it.

Needs Chromium; `scripts/ensure_chromium.sh` installs it where it may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.e2e.pages import launched, needs_chromium, watched

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

pytestmark = needs_chromium

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

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    with watched(browser, tmp_path / "report.html") as open_html:

        def open_page(report: ValidationReport = REPORT, **more: Any) -> Page:
            return open_html(render_html(report), **more)

        yield open_page


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


@pytest.mark.parametrize(
    ("claim", "match"),
    [("EV001", COSTS), ("EV002", NOTICE), ("EV003", PAID), ("EV004", LEAVE)],
)
def test_a_click_on_a_claim_shows_and_focuses_exactly_its_words(
    show: Open, claim: str, match: Match
) -> None:
    page = show()
    page.click(f"#{claim} .quote")
    assert lit(page) == match.shown
    assert in_view(page, "mark.on")
    assert focused(page).startswith("m:")
    assert page.url.endswith(f"#{claim}")
    assert page.locator(f"#{claim}.on").count() == 1


def test_enter_on_a_claim_does_the_same_and_enter_goes_back(show: Open) -> None:
    page = show()
    page.focus("#EV002 .go")
    page.keyboard.press("Enter")
    assert lit(page) == NOTICE.shown
    assert in_view(page, "mark.on")
    page.keyboard.press("Enter")
    assert focused(page) == "EV002"


def test_a_click_on_a_highlight_goes_back_to_its_claim(show: Open) -> None:
    page = show(fragment="#EV004")
    page.click("mark.low")
    assert page.locator(".claim.on").get_attribute("id") == "EV003"
    assert focused(page) == "EV003"
    assert in_view(page, "#EV003 .quote")


def test_overlapping_highlights_are_each_lit_as_a_whole(show: Open) -> None:
    page = show(fragment="#EV003")
    assert lit(page) == "no more. It is paid."
    assert page.locator("mark.on").count() == 2
    page.click("#EV004 .quote")
    assert lit(page) == "Leave is 27 days & no more"


def test_another_place_in_another_document_opens_its_tab(show: Open) -> None:
    page = show(fragment="#EV002")
    assert page.locator(".doc:visible h2").inner_text() == "policy.md"
    page.click("#EV002 details .place")
    assert page.locator(".doc:visible h2").inner_text() == "handbook.pdf"
    assert lit(page) == NOTICE_TOO.shown
    assert in_view(page, "mark.on")
    assert page.locator('.tab[aria-current="true"]').inner_text().startswith("handbook.pdf")


def test_a_link_to_a_claim_is_permanent(show: Open) -> None:
    page = show(fragment="#EV002")
    assert page.locator(".claim.on").get_attribute("id") == "EV002"
    assert in_view(page, "#EV002 .quote")
    assert lit(page) == NOTICE.shown


def test_a_claim_that_stands_nowhere_says_so_and_lights_nothing(show: Open) -> None:
    page = show()
    page.click("#EV005 .quote")
    assert "Nothing close enough" in page.inner_text("#EV005")
    assert page.locator("#EV005.on").count() == 1


def test_previous_and_next_walk_through_the_places(show: Open) -> None:
    page = show(fragment="#EV004")
    page.click("#p\\:next")
    assert page.locator(".claim.on").get_attribute("id") == "EV003"
    page.click("#p\\:previous")
    assert page.locator(".claim.on").get_attribute("id") == "EV004"


# --- filters, search, order and keys -------------------------------------------------------------


def test_worst_first_and_other_orders(show: Open) -> None:
    page = show()
    assert shown_rows(page) == ["EV004", "EV005", "EV003", "EV002", "EV001"]
    page.select_option("#p\\:order", "document")
    assert shown_rows(page) == ["EV004", "EV003", "EV002", "EV001", "EV005"]
    page.select_option("#p\\:order", "claims")
    assert shown_rows(page) == ["EV001", "EV002", "EV003", "EV004", "EV005"]
    page.select_option("#p\\:order", "worst")
    assert shown_rows(page) == ["EV004", "EV005", "EV003", "EV002", "EV001"]


def test_a_count_filters_its_rows_and_the_search_narrows_them(show: Open) -> None:
    page = show()
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


def test_keys(show: Open) -> None:
    page = show()
    assert page.locator(".claim.on").get_attribute("id") == "EV004"
    for key, expected in (("j", "EV005"), ("j", "EV003"), ("k", "EV005"), ("j", "EV003")):
        page.keyboard.press(key)
        assert page.locator(".claim.on").get_attribute("id") == expected
    page.keyboard.press("o")
    assert focused(page).startswith("m:")
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


def test_on_a_phone_the_panes_become_tabs(show: Open) -> None:
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
def test_it_can_be_read_without_scripts(show: Open, width: int) -> None:
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


def test_print_shows_all_claims_and_the_passages_they_rest_on(show: Open) -> None:
    page = show(fragment="#EV004")
    page.emulate_media(media="print")
    assert len(shown_rows(page)) == 5
    assert page.locator("mark:visible").count() == page.locator("mark").count()
    assert not page.locator("text=Paragraph 7 says").first.is_visible()
    assert not page.is_visible("#p\\:search")
    assert len(page.pdf()) > 1000


@pytest.mark.parametrize("documents", [(), (HANDBOOK,)])
def test_an_empty_report_is_a_whole_page(show: Open, documents: tuple[Document, ...]) -> None:
    page = show(ValidationReport((), documents, ValidationConfig()))
    assert "No claim was checked." in page.inner_text("header.report-head")
    for key in ("j", "o", "/", "Escape"):
        page.keyboard.press(key)
    assert shown_rows(page) == []


# --- hostile text --------------------------------------------------------------------------------

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>"
    "<style>*{display:none}</style><a href='javascript:alert(4)'>x</a>\"' onmouseover=alert(5) "
    "<!--"
)


@pytest.mark.parametrize("bidi", ["", "\u202e"])
def test_hostile_text_does_nothing(show: Open, bidi: str) -> None:
    words = HOSTILE + bidi
    document = Document(words, f"before {words} after", warnings=(words,))
    results = (
        ClaimResult(
            Claim(words, words, source=words, context_hint=words),
            Status.VALIDATED,
            1.0,
            fidelity=Fidelity.VERBATIM,
            match=place(document, words),
            suggestions=(words,),
        ),
    )
    page = show(ValidationReport(results, (document,), ValidationConfig()))
    page.locator(".quote").first.click()
    page.hover("mark.on")
    assert lit(page) == words
    assert page.locator("script").count() == 1
    assert page.locator("style").count() == 1
    assert page.locator("img, svg[onload], [onmouseover], a[href^=javascript]").count() == 0
    assert page.locator("h2 bdi").first.inner_text().startswith(HOSTILE[:40])


def test_the_policy_stops_what_would_slip_through(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    file.write_text(render_html(REPORT), encoding="utf-8")
    with browser.new_page() as page:
        page.goto(file.as_uri())
        page.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "document.title = 'broken'";
                document.body.append(script);
            }"""
        )
        assert page.title() == "Quote validation"

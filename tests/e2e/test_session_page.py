"""What a reviewer does with the page of a session, in a browser, over a real server."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.accessibility import assert_accessible
from tests.e2e.service_pages import Site, runs_over_the_edge, visiting
from tests.service.seeding import Seeded, add_ledger, long_ledger, seed

from veridical.service.demo import DEMO

PHONE = 375


@pytest.fixture(scope="module")
def seeded(site: Site) -> Seeded:
    return seed(site.store)


@pytest.fixture
def fresh(site: Site) -> str:
    """The address of a session about which nobody decided yet."""
    seeded = seed(site.store, sources=("leave-policy.md", "remote-work.html"))
    return f"/sessions/{seeded.session_id}"


@pytest.fixture(scope="module")
def address(seeded: Seeded) -> str:
    return f"/sessions/{seeded.session_id}"


@pytest.fixture
def page(site: Site, browser: Browser) -> Iterator[Page]:
    with visiting(site, browser) as page:
        yield page


def focused(page: Page) -> str:
    """The id of the claim that has the focus."""
    return str(page.evaluate("document.activeElement.closest('tbody')?.id ?? ''"))


PAGES = {
    "home": "/",
    "verify": "/?mode=verify",
    "library": "/library",
    "session": "{}",
    "claim": "{}/claims/6",
    "help": "/help",
    "error": "/nowhere",
}


@pytest.mark.parametrize("width", [1280, PHONE])
def test_pages_are_accessible_and_fit(
    site: Site, browser: Browser, address: str, width: int
) -> None:
    with visiting(site, browser, width=width, allowed=("404",)) as page:
        for name, path in PAGES.items():
            page.emulate_media(color_scheme="light")
            page.goto(path.format(address))
            if name == "session":
                page.locator("#claim-1 .go").click()
                expect(page.locator("#claim-1 .detail")).to_be_visible()
            assert not runs_over_the_edge(page), name
            if width > PHONE or name == "session":
                assert_accessible(page)


def test_a_claim_opens_in_place_and_closes(page: Page, address: str) -> None:
    page.goto(address)
    go = page.locator("#claim-5 .go")
    go.click()
    expect(page.locator("#claim-5 .detail")).to_be_visible()
    expect(go).to_have_attribute("aria-expanded", "true")
    assert page.url.endswith(f"{address}#claim-5")
    expect(page.locator("#claim-5 blockquote").first).to_contain_text("Once a year, in February")
    go.click()
    expect(page.locator("#claim-5 .detail")).to_be_hidden()
    assert page.url.endswith(address)
    page.goto("about:blank")
    page.goto(f"{address}#claim-9")
    expect(page.locator("#claim-9 .detail")).to_be_visible()
    expect(page.locator("#claim-9 .go")).to_be_in_viewport()


def test_words_and_row_of_a_claim_are_tied(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#said-7").hover()
    expect(page.locator("#claim-7")).to_have_class(re.compile("tied"))
    page.locator("#claim-2 .t").hover()
    expect(page.locator("#said-2")).to_have_class(re.compile("tied"))
    expect(page.locator("#claim-7")).not_to_have_class(re.compile("tied"))
    page.locator("#said-8").focus()
    expect(page.locator("#claim-8")).to_have_class(re.compile("tied"))
    page.locator("#said-9").click()
    expect(page.locator("#claim-9 .detail")).to_be_visible()
    expect(page.locator("#claim-9 .go")).to_be_focused()
    assert page.url.endswith("#claim-9")
    page.get_by_role("link", name="Show in the answer").last.click()
    assert page.evaluate("document.activeElement.id") == "said-9"


def test_filter_and_search_work_at_once_and_stand_in_the_address(page: Page, address: str) -> None:
    page.goto(address)
    shown = page.locator("tbody.claim:visible")
    page.get_by_role("link", name="Weak 3").click()
    expect(shown).to_have_count(3)
    expect(page.get_by_role("link", name="Weak 3")).to_have_attribute("aria-current", "true")
    assert page.url.endswith(f"{address}?verdict=weak")
    page.keyboard.press("/")
    page.keyboard.type("manager")
    expect(shown).to_have_count(1)
    assert page.url.endswith("?verdict=weak&q=manager")
    page.reload()
    expect(shown).to_have_count(1)
    page.get_by_label("Search the claims").fill("nobody says this")
    expect(page.get_by_text("No claim fits.")).to_be_visible()
    page.get_by_role("link", name="Show all of them").click()
    expect(shown).to_have_count(9)
    page.get_by_role("link", name="#", exact=True).click()
    expect(page.locator("tbody.claim").first).to_have_id("claim-1")
    expect(page.locator("tbody.claim").nth(1)).to_have_id("claim-2")


def test_the_keys(page: Page, fresh: str) -> None:
    page.goto(fresh)
    for expected in ("claim-1", "claim-6", "claim-5"):
        page.keyboard.press("j")
        assert focused(page) == expected
    page.keyboard.press("k")
    assert focused(page) == "claim-6"
    page.keyboard.press("o")
    expect(page.locator("#claim-6 .detail")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#claim-6 .detail")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("jjkoard?")
    assert page.get_by_label("Search the claims").input_value() == "jjkoard?"
    page.get_by_label("Search the claims").fill("")
    page.keyboard.press("Escape")
    assert focused(page) == "claim-6"
    page.keyboard.press("k")
    page.keyboard.press("a")
    expect(page.locator("#claim-1[data-done]")).to_be_visible()
    expect(page.locator("#claim-1 .decided")).to_contain_text("Accepted by local")
    expect(page.locator("#claim-1 .go")).to_be_focused()
    expect(page.get_by_role("link", name="1 of 9 decided")).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("r")
    expect(page.locator("#claim-6").get_by_label("Your verdict")).to_be_focused()


def test_a_verdict_is_overruled_in_place(page: Page, fresh: str) -> None:
    page.goto(f"{fresh}#claim-6")
    claim = page.locator("#claim-6")
    # The button stands at the lower edge of the window, and the form opens below it.
    claim.get_by_text("Overrule…").evaluate("button => button.scrollIntoView({block: 'end'})")
    claim.get_by_text("Overrule…").click()
    expect(claim.get_by_label("Your verdict")).to_be_focused()
    expect(claim.get_by_role("button", name="Overrule")).to_be_in_viewport(ratio=1)
    claim.get_by_label("Your verdict").select_option("supported")
    claim.get_by_label("Why").fill("The handbook says so, <b>page 3</b>.")
    assert_accessible(page, within="#claim-6")
    claim.get_by_role("button", name="Overrule").click()
    # The detail begins with what the reviewer says, and the machine's verdict stands behind it.
    expect(claim.locator(".claim-parts > p").first).to_contain_text("✓Supported says local")
    expect(claim.locator(".judged")).to_contain_text("where the machine says ○Not Found")
    expect(claim.locator(".row .v")).to_contain_text("machine: ○Not Found")
    expect(claim).to_contain_text("<b>page 3</b>")
    # What stands is counted at once, as it is when the page is loaded again.
    for _ in range(2):
        expect(page.locator(".figures")).to_contain_text("5 of 9 supported")
        expect(page.locator(".figures")).to_contain_text("88% covered")
        expect(page.get_by_role("link", name="Supported 5")).to_be_visible()
        expect(page.locator("#follows")).not_to_contain_text("Upload documents that cover")
        expect(page.locator("#said-6")).to_have_class(re.compile("said-supported"))
        expect(page.locator("#said-6")).to_have_attribute(
            "title", "Claim 6: Supported (reviewer; machine: Not Found)"
        )
        page.reload()
        expect(claim.locator(".detail")).to_be_visible()
    assert_accessible(page, within="#claim-6")
    claim.get_by_role("button", name="Take the decision back").click()
    expect(claim.get_by_role("button", name="Accept")).to_be_visible()
    expect(claim.get_by_text("2 decisions")).to_be_visible()


def test_somebody_else_was_faster(site: Site, browser: Browser, fresh: str) -> None:
    with visiting(site, browser, allowed=("409",)) as page, visiting(site, browser) as other:
        for each in (page, other):
            each.goto(f"{fresh}#claim-2")
            expect(each.locator("#claim-2 .detail")).to_be_visible()
        other.locator("#claim-2").get_by_role("button", name="Accept").click()
        expect(other.locator("#claim-2 .decided")).to_be_visible()
        page.locator("#claim-2").get_by_role("button", name="Accept").click()
        expect(page.locator("#claim-2").get_by_role("alert")).to_contain_text(
            "Somebody else reviewed"
        )
        expect(page.locator("#claim-2 .decided")).to_contain_text("Accepted by local")


def test_the_document_opens_beside_the_claim(page: Page, address: str) -> None:
    page.goto(address)
    page.keyboard.press("j")
    page.keyboard.press("d")
    mark = page.locator("#document-body mark").first
    expect(mark).to_be_visible()
    expect(page.locator("#claim-1 .go")).to_be_in_viewport()
    link = page.locator("#claim-1 a.view").first.get_attribute("href")
    expect(page.get_by_role("link", name="Open alone")).to_have_attribute(
        "href", re.compile(re.escape(str(link)))
    )
    page.keyboard.press("Escape")
    expect(page.locator("#document")).to_be_hidden()
    expect(page.locator("#claim-1 .go")).to_be_focused()
    assert page.url.endswith(f"{address}#claim-1")


def test_back_closes_the_document_and_its_address_opens_it_again(
    site: Site, browser: Browser, page: Page, address: str
) -> None:
    page.goto("/library")
    page.goto(f"{address}?verdict=contradicted&verdict=weak")
    page.locator("#claim-1 .go").click()
    dock, claim = page.locator("#document"), page.locator("#claim-1")
    claim.get_by_role("link", name="View in document").first.click()
    expect(dock.locator("mark").first).to_be_visible()
    words = dock.locator("mark").first.inner_text()
    named = page.url
    assert re.search(
        r"verdict=contradicted&verdict=weak&document=.*&start=\d+&end=\d+#claim-1$", named
    )
    page.go_back()
    expect(dock).to_be_hidden()
    expect(claim.locator(".detail")).to_be_visible()
    assert page.url.endswith("?verdict=contradicted&verdict=weak#claim-1")
    page.go_forward()
    expect(dock.locator("mark").first).to_have_text(words)
    page.locator("#document-close").click()
    expect(dock).to_be_hidden()
    page.go_back()
    page.wait_for_url("**/library")
    with visiting(site, browser) as other:
        other.goto(named)
        expect(other.locator("#claim-1 .detail")).to_be_visible()
        expect(other.locator("#document mark").first).to_have_text(words)
        expect(other.locator("#document .from-claim")).to_contain_text("Contradicted")
        # Nothing was there before it: to close it is no step back.
        other.keyboard.press("Escape")
        expect(other.locator("#document")).to_be_hidden()
        assert other.url.endswith("?verdict=contradicted&verdict=weak#claim-1")


def test_what_is_followed_in_the_document_is_one_step(page: Page, address: str) -> None:
    page.goto(f"{address}#claim-1")
    expect(page.locator("#claim-1 .detail")).to_be_visible()
    page.keyboard.press("d")
    dock = page.locator("#document")
    expect(dock.locator("mark").first).to_be_visible()
    first = before = page.evaluate("location.href")
    while "#claim-2" not in before:
        dock.get_by_role("link", name=re.compile("Next evidence|Claim 2")).last.click()
        page.wait_for_function("before => location.href !== before", arg=before)
        before = page.evaluate("location.href")
    assert before != first
    expect(page.locator("#claim-2 .detail")).to_be_visible()
    page.reload()
    expect(dock.locator(".from-claim")).to_contain_text("Claim 2")
    page.go_back()
    expect(dock).to_be_hidden()
    assert "document=" not in page.url


def test_what_a_claim_rests_on_is_shown_where_the_pointer_rests(page: Page, address: str) -> None:
    page.goto(address)
    words = page.locator("#words")
    expect(words).to_be_hidden()
    page.locator("#said-2").hover()
    expect(words.locator("mark")).to_contain_text("Public holidays")
    box, column = words.bounding_box(), page.locator("#answer").bounding_box()
    assert box is not None
    assert column is not None  # what decides stands beside it, uncovered
    assert box["x"] >= column["x"] - 1
    assert box["x"] + box["width"] <= column["x"] + column["width"] + 1
    expect(words).to_contain_text("leave-policy.md")
    words.hover()  # it can be read, and selected
    page.wait_for_timeout(600)
    expect(words).to_be_visible()
    page.keyboard.press("Escape")
    expect(words).to_be_hidden()
    page.locator("#said-3").focus()
    expect(words.locator("mark")).to_be_visible()
    assert page.evaluate("document.activeElement.getAttribute('aria-describedby')") == "words"


def test_a_claim_in_the_answer_opens_its_document(page: Page, address: str) -> None:
    page.goto(address)
    page.locator("#said-2").click()
    expect(page.locator("#claim-2 .detail")).to_be_visible()
    expect(page.locator("#document mark").first).to_contain_text("Public holidays")
    page.locator("#document-close").click()
    page.locator("#answer a.cited").first.click()
    expect(page.locator("#document mark").first).to_be_visible()


WORDS_STAY = """
const later = setTimeout;
window.setTimeout = (work, time, ...more) => time === 2_000 ? 0 : later(work, time, ...more);
"""
"""A button says for two seconds that it copied: here as long as it is looked at."""


def test_a_link_to_a_claim_opens_it_with_its_evidence(
    site: Site, browser: Browser, address: str
) -> None:
    permissions = ["clipboard-read", "clipboard-write"]
    with visiting(site, browser, permissions=permissions) as page:
        page.add_init_script(WORDS_STAY)
        page.goto(f"{address}#claim-2")
        claim = page.locator("#claim-2")
        claim.get_by_role("button", name="Copy quote").click()
        expect(claim.get_by_role("button", name="Copied")).to_be_visible()
        told = page.evaluate("navigator.clipboard.readText()")
        assert re.fullmatch(r"“.+” \(leave-policy\.md.*\) http://\S+", told)
        claim.get_by_role("button", name="Copy link").click()
        expect(claim.get_by_role("button", name="Copied")).to_have_count(2)
        link = page.evaluate("navigator.clipboard.readText()")
        assert told.endswith(link)
    with visiting(site, browser) as page:
        page.goto(link)
        expect(page.locator("#claim-2 .detail")).to_be_visible()
        expect(page.locator("#document mark").first).to_contain_text("Public holidays")


@pytest.mark.parametrize("width", [1440, 1700])
def test_what_a_link_names_lies_below_the_heads_and_the_answer_follows(
    site: Site, browser: Browser, seeded: Seeded, width: int
) -> None:
    made_id = add_ledger(site.store, seeded.shelf, long_ledger(seeded, 60), f"Sixty {width}")
    with visiting(site, browser, width=width, height=700) as page:
        page.goto(f"/sessions/{made_id}#claim-41")
        expect(page.locator("#said-41")).to_be_in_viewport()
        page.locator("#claim-41").get_by_role("button", name="Copy link").wait_for()
        link = page.locator("#claim-41 [data-link]").first.get_attribute("data-link")
        page.goto("about:blank")
        page.goto(str(link))
        expect(page.locator("#document mark").first).to_be_visible()
        page.wait_for_function(
            "() => document.querySelector('#claim-41').getBoundingClientRect().top"
            " >= document.querySelector('.ledger thead').getBoundingClientRect().bottom - 1"
        )
        expect(page.locator("#claim-41 .go")).to_be_in_viewport(ratio=1)


def test_every_claim_that_something_is_to_be_done_about_is_a_link(
    site: Site, page: Page, seeded: Seeded
) -> None:
    page.goto(f"/sessions/{add_ledger(site.store, seeded.shelf, long_ledger(seeded, 60))}")
    review = page.locator("#follows li").filter(has_text="Review claims")
    links = review.get_by_role("link")
    expect(links).to_have_count(8)
    rest = review.locator("summary")
    more = int(rest.inner_text().split()[1])
    rest.press("Enter")
    expect(links).to_have_count(8 + more)
    assert_accessible(page, within="#follows")
    links.last.click()
    expect(page.locator("#claim-59 .detail")).to_be_visible()
    expect(page.locator("#claim-59 .go")).to_be_focused()


def test_hints_lead_through_the_session_of_the_demo(
    site: Site, browser: Browser, seeded: Seeded
) -> None:
    shown = add_ledger(site.store, seeded.shelf, long_ledger(seeded, 3), by=DEMO)
    with visiting(site, browser, width=1280) as page:
        page.goto(f"/sessions/{shown}")
        hints = page.locator("#hints")
        for at in range(1, 5):
            expect(hints).to_contain_text(f"{at} of 4")
            assert_accessible(page)
            hints.locator("[data-hint=next]").press("Enter")
        expect(hints).to_be_hidden()
        page.reload()
        expect(page.locator("#claim-1")).to_be_visible()
        expect(hints).to_be_hidden()


def test_without_a_script_everything_can_be_read_and_decided(
    site: Site, browser: Browser, fresh: str
) -> None:
    with visiting(site, browser, width=PHONE, java_script_enabled=False) as page:
        page.goto(fresh)
        expect(page.get_by_role("button", name="Copy citation")).to_have_count(0)
        expect(page.locator("#answer")).to_be_visible()
        page.get_by_role("link", name="Contradicted 1").click()
        expect(page.locator("tbody.claim:visible")).to_have_count(1)
        page.locator("#claim-1 .go").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("28 days of annual leave")
        page.get_by_role("button", name="Accept").click()
        expect(page.locator(".decided")).to_contain_text("Accepted by local")
        page.get_by_role("link", name="Next").click()
        expect(page.get_by_text("Claim 2 of 9")).to_be_visible()
        page.goto(f"{fresh}?expanded=1")
        expect(page.locator("tbody.open")).to_have_count(9)


def test_on_a_phone_answer_and_claims_are_tabs(site: Site, browser: Browser, address: str) -> None:
    with visiting(site, browser, width=PHONE, color_scheme="dark") as page:
        page.goto(address)
        expect(page.locator("#ledger")).to_be_visible()
        expect(page.locator("#answer")).to_be_hidden()
        page.get_by_role("button", name="Answer").click()
        expect(page.locator("#ledger")).to_be_hidden()
        page.locator("#said-3").click()
        expect(page.locator("#claim-3 .detail")).to_be_visible()
        expect(page.locator("#answer")).to_be_hidden()
        page.locator("#claim-3").get_by_role("link", name="View in document").first.click()
        page.wait_for_url("**/documents/**")
        page.go_back()
        expect(page.locator("#claim-3 .detail")).to_be_visible()
        assert page.url.endswith("#claim-3")


@pytest.mark.parametrize("width", [PHONE, 700])
def test_menus_open_within_the_screen(
    site: Site, browser: Browser, address: str, width: int
) -> None:
    with visiting(site, browser, width=width, height=844) as page:
        page.goto(address)
        for name in ("Export", "More"):
            page.locator(".head-actions summary", has_text=name).click()
            box = page.locator(".head-actions [open] .menu-body").bounding_box()
            assert box is not None
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width


def test_a_thousand_claims(site: Site, seeded: Seeded, page: Page) -> None:
    made_id = add_ledger(site.store, seeded.shelf, long_ledger(seeded, 1_000), "A thousand")
    page.goto(f"/sessions/{made_id}")
    page.keyboard.press("j")
    page.keyboard.press("o")
    expect(page.locator("#claim-1 .detail")).to_be_visible()
    page.get_by_label("Search the claims").fill("(777)")
    expect(page.locator("tbody.claim:visible")).to_have_count(1)
    page.goto(f"/sessions/{made_id}#claim-998")
    expect(page.locator("#claim-998 .detail")).to_be_visible()
    expect(page.locator("#claim-998 .go")).to_be_in_viewport()
    # Opened while others are on their way.
    page.route("**/claims/*", lambda route: (time.sleep(0.3), route.continue_())[1])
    page.goto(f"/sessions/{made_id}?sort=number")
    page.evaluate(
        "() => [...document.querySelectorAll('tbody.claim .go')].slice(0, 3)"
        ".forEach((claim) => claim.click())"
    )
    expect(page.locator("tbody.claim.open .detail")).to_have_count(3)


def test_a_form_of_an_old_page_is_refused_in_words(
    site: Site, browser: Browser, address: str
) -> None:
    with visiting(site, browser, allowed=("403",)) as page:
        page.goto(f"{address}#claim-2")
        expect(page.locator("#claim-2 .detail")).to_be_visible()
        page.context.clear_cookies()
        page.locator("#claim-2").get_by_role("button", name="Accept").click()
        expect(page.locator("#trouble")).to_contain_text("Load the page again")

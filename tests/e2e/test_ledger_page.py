"""The page of a ledger in a browser: what a reviewer does with it.

Needs Chromium; `scripts/ensure_chromium.sh` installs it where it may.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from tests.e2e.pages import launched, needs_chromium, watched
from tests.ledger.export.samples import LEAVE, entry, evidence, ledger, of_texts

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.html import SHOWN_AT_FIRST, render_ledger_html

pytestmark = needs_chromium

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def show(browser: Browser, tmp_path: Path) -> Iterator[Open]:
    with watched(browser, tmp_path / "ledger.html") as open_html:

        def open_page(made: EvidenceLedger = LEAVE, **more: Any) -> Page:
            return open_html(render_ledger_html(made), **more)

        yield open_page


def shown(page: Page) -> list[int]:
    """The numbers of the claims whose rows can be seen, from the top."""
    numbers = page.locator(".row:visible .number").all_inner_texts()
    return [int(number) for number in numbers]


def focused(page: Page) -> str:
    """The number of the row that has the focus."""
    return str(
        page.evaluate(
            "() => { const row = document.activeElement.closest('.row'); "
            "return row ? row.dataset.n : document.activeElement.id; }"
        )
    )


# --- filter, search and order --------------------------------------------------------------------


def test_the_worst_come_first_and_a_filter_leaves_one_verdict(show: Open) -> None:
    page = show()
    assert shown(page) == [4, 3, 1, 2]
    page.click("a.filter.ok")
    assert shown(page) == [1, 2]
    assert page.inner_text("#count") == "2 of 4 claims"
    assert page.get_attribute("a.filter.ok", "aria-current") == "true"
    page.click("a.filter.low")
    assert shown(page) == [3]
    page.click("a.filter.low")
    assert shown(page) == [4, 3, 1, 2]
    assert page.inner_text("#count") == ""


def test_search_finds_words_of_claims_and_of_evidence(show: Open) -> None:
    page = show()
    page.fill("#search", "CARRYOVER")
    assert shown(page) == [4, 3]
    page.fill("#search", "calendar year permanent")
    assert shown(page) == [1]
    page.fill("#search", "nothing of the kind")
    assert shown(page) == []
    page.click("#clear")
    assert shown(page) == [4, 3, 1, 2]


@pytest.mark.parametrize(
    ("column", "up", "down"),
    [
        ("number", [1, 2, 3, 4], [4, 3, 2, 1]),
        ("claim", [1, 2, 4, 3], [3, 4, 2, 1]),
        ("type", [4, 1, 2, 3], [1, 2, 3, 4]),
        ("source", [4, 1, 3, 2], [2, 3, 1, 4]),
    ],
)
def test_a_click_on_a_column_sorts_and_another_turns_it_round(
    show: Open, column: str, up: list[int], down: list[int]
) -> None:
    page = show()
    head = f'thead th[data-key="{column}"]'
    page.click(f"{head} button")
    assert shown(page) == up
    assert page.get_attribute(head, "aria-sort") == "ascending"
    assert page.locator("[aria-sort]").count() == 1
    page.click(f"{head} button")
    assert page.get_attribute(head, "aria-sort") == "descending"
    assert shown(page) == down


def test_an_opened_entry_stays_under_its_row_when_rows_move(show: Open) -> None:
    page = show(fragment="#claim-3")
    page.click('thead th[data-key="number"] button')
    assert (
        page.evaluate("document.getElementById('row-3').nextElementSibling.className") == "detail"
    )
    page.click("a.filter.ok")
    assert not page.is_visible("#claim-3")
    page.click("a.filter.all")
    assert page.is_visible("#claim-3")


# --- open, close, and the way from answer to entry -----------------------------------------------


def test_a_click_opens_the_entry_in_place_and_another_closes_it(show: Open) -> None:
    page = show()
    assert not page.is_visible("#claim-3")
    page.click("#row-3 .type")
    assert page.is_visible("#claim-3 blockquote")
    assert page.get_attribute("#row-3 .go", "aria-expanded") == "true"
    assert page.url.endswith("#claim-3")
    page.click("#row-3 .go")
    assert not page.is_visible("#claim-3")
    assert page.get_attribute("#row-3 .go", "aria-expanded") == "false"


def test_a_claim_of_the_answer_opens_its_entry_and_leads_back(show: Open) -> None:
    page = show()
    page.click("#said-2")
    assert page.is_visible("#claim-2")
    assert focused(page) == "2"
    page.click("#claim-2 .back a")
    assert page.evaluate("document.activeElement.id") == "said-2"
    assert page.locator("#row-2.on, #said-2.on").count() == 2


def test_risks_lead_to_their_claims_and_links_are_permanent(show: Open) -> None:
    page = show()
    page.click("#risks a")
    assert page.is_visible("#claim-4")
    assert show(fragment="#claim-1").is_visible("#claim-1")
    for fragment in ("#claim-77", "#%E0%A4%A", "#help", "#"):
        assert show(fragment=fragment).locator(".opened").count() == 0


def test_keys(show: Open) -> None:
    page = show()
    for key, number in (("k", "4"), ("j", "3"), ("j", "1"), ("k", "3")):
        page.keyboard.press(key)
        assert focused(page) == number
    page.keyboard.press("o")
    assert page.is_visible("#claim-3")
    page.keyboard.press("Enter")
    assert not page.is_visible("#claim-3")
    page.keyboard.press("a")
    assert focused(page) == "said-3"
    page.keyboard.press("/")
    page.keyboard.type("weeks")
    assert shown(page) == [2]
    page.keyboard.press("Escape")
    assert shown(page) == [4, 3, 1, 2]
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    assert page.is_visible("#help")
    page.keyboard.press("Escape")
    assert not page.is_visible("#help")


def test_a_citation_is_copied(show: Open) -> None:
    page = show(fragment="#claim-1", permissions=["clipboard-read", "clipboard-write"])
    page.click("#claim-1 .copy")
    page.wait_for_function("document.getElementById('said').textContent")
    copied = page.inner_text("#said") == "Citation copied"
    kept = "navigator.clipboard.readText()" if copied else "String(getSelection())"
    assert page.evaluate(kept) == "[cite:a1b2c3d4]"


def test_all_are_opened_and_closed_at_once(show: Open) -> None:
    page = show()
    page.click("#open-all")
    assert page.locator(".entry:visible").count() == 4
    page.click("#open-all")
    assert page.locator(".entry:visible").count() == 0


# --- other ways to read it -----------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 375])
def test_it_can_be_read_without_scripts(show: Open, width: int) -> None:
    page = show(width=width, java_script_enabled=False)
    assert page.locator(".row:visible").count() == 4
    assert page.locator(".entry:visible").count() == 4
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
    page.click("#said-3")
    assert page.locator("#claim-3:target").count() == 1


LONG = of_texts("unbreakable" * 40, "Z" * 300, verdict=Verdict.WEAK, title="W" * 200)


@pytest.mark.parametrize("made", [LEAVE, LONG, ledger()], ids=["leave", "long", "empty"])
def test_nothing_scrolls_sideways(show: Open, made: EvidenceLedger) -> None:
    page = show(made)
    if made.entries:
        page.click("#open-all")
    for width in (320, 375, 641, 1079, 1080):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0


def test_on_a_phone_the_sides_are_tabs(show: Open) -> None:
    page = show(width=375)
    assert page.is_visible("#ledger")
    assert not page.is_visible("#answer")
    page.click('.switch button[data-pane="answer"]')
    page.click("#said-3")
    assert page.is_visible("#claim-3")
    assert not page.is_visible("#answer")


def test_print_shows_every_entry_and_puts_all_back(show: Open) -> None:
    page = show(fragment="#claim-3")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    names = page.locator("#entries .entry:visible").evaluate_all("nodes => nodes.map(n => n.id)")
    assert names == ["claim-1", "claim-2", "claim-3", "claim-4"]
    assert len(page.pdf()) > 1000
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    assert page.is_visible(".detail #claim-3")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_follows_the_scheme_of_the_reader(show: Open, scheme: str) -> None:
    page = show(color_scheme=scheme)
    red = page.evaluate("getComputedStyle(document.body).backgroundColor").split("(")[1]
    assert (int(red.split(",")[0]) > 127) is (scheme == "light")


def test_text_from_the_right_has_its_own_side(show: Open) -> None:
    text = "يحق للموظفين الحصول على إجازة"
    page = show(of_texts(text, "And this one runs from the left."), fragment="#claim-1")
    assert page.evaluate("getComputedStyle(document.querySelector('#claim-1 bdi')).direction")
    right = page.evaluate(
        """() => {
            const range = document.createRange();
            range.selectNodeContents(document.querySelector('#row-1 .go bdi'));
            const cell = document.querySelector('#row-1 .go').getBoundingClientRect();
            return cell.right - range.getBoundingClientRect().right;
        }"""
    )
    assert abs(right) <= 1


def test_a_long_ledger_shows_its_rows_in_steps(show: Open) -> None:
    total = 2 * SHOWN_AT_FIRST + 20
    page = show(of_texts(*[f"Claim with the number {n}." for n in range(total)]))
    assert page.locator(".row:visible").count() == SHOWN_AT_FIRST
    assert page.inner_text("#more-button") == f"Show more: {SHOWN_AT_FIRST + 20} are left"
    page.fill("#search", f"{total - 1}.")
    assert shown(page) == [total]
    page.fill("#search", "")
    page.click("#more-button")
    assert page.locator(".row:visible").count() == 2 * SHOWN_AT_FIRST
    page.evaluate(f"location.hash = '#claim-{total}'")
    page.wait_for_selector(f"#claim-{total}")


# --- hostile text --------------------------------------------------------------------------------

HOSTILE = (
    "</script><script>alert(1)</script><img src=x onerror=alert(2)></title><svg "
    "onload=alert(3)><style>*{display:none}</style><a href='javascript:alert(4)'>x</a>\"' "
    "onmouseover=alert(5) <!-- \u202e"
)


def test_hostile_text_does_nothing(show: Open) -> None:
    piece = evidence(HOSTILE, heading_path=(HOSTILE,), anchor=HOSTILE)
    each = entry(HOSTILE, evidence=(piece, piece), near=(piece,), notes=HOSTILE)
    made = ledger(each, title=HOSTILE, query=HOSTILE + "?", actions=(HOSTILE,), warnings=(HOSTILE,))
    page = show(made)
    page.hover("#said-1")
    page.click("#said-1")
    page.fill("#search", "<script>")
    page.click('thead th[data-key="claim"] button')
    assert page.is_visible("#claim-1")
    assert page.locator("script").count() == 1
    assert page.locator("style").count() == 1
    assert page.locator("img, svg[onload], [onmouseover], a[href^=javascript]").count() == 0
    assert page.locator("h1 bdi").inner_text().startswith(HOSTILE[:40])


def test_the_policy_stops_what_would_slip_through(browser: Browser, tmp_path: Path) -> None:
    file = tmp_path / "ledger.html"
    file.write_text(render_ledger_html(LEAVE), encoding="utf-8")
    with browser.new_page() as page:
        page.goto(file.as_uri())
        page.evaluate(
            """() => {
                const script = document.createElement("script");
                script.textContent = "document.title = 'broken'";
                document.body.append(script);
            }"""
        )
        assert page.title() == "Leave Policy Q&A"

"""The page of a ledger in a browser: what a reviewer does with it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page
from tests.e2e.pages import OpenPage
from tests.ledger.export.samples import LEAVE, of_texts

from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.export.forms import SHOWN_AT_FIRST, render_ledger_html


@pytest.fixture
def show(open_html: OpenPage) -> OpenPage:
    def open_page(made: EvidenceLedger = LEAVE, **more: Any) -> Page:
        return open_html(render_ledger_html(made), **more)

    return open_page


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


def test_the_worst_come_first_and_filters_and_words_leave_some(show: OpenPage) -> None:
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
    for words, found in (
        ("CARRYOVER", [4, 3]),
        ("calendar year permanent", [1]),
        ("none of it", []),
    ):
        page.fill("#search", words)
        assert shown(page) == found
    page.click("#clear")
    assert shown(page) == [4, 3, 1, 2]


def test_a_click_on_a_column_sorts_and_another_turns_it_round(show: OpenPage) -> None:
    page = show(fragment="#claim-3")
    for column, up, down in (
        ("number", [1, 2, 3, 4], [4, 3, 2, 1]),
        ("claim", [1, 2, 4, 3], [3, 4, 2, 1]),
        ("type", [4, 1, 2, 3], [1, 2, 3, 4]),
        ("source", [4, 1, 3, 2], [2, 3, 1, 4]),
    ):
        head = f'thead th[data-key="{column}"]'
        for order, direction in ((up, "ascending"), (down, "descending")):
            page.click(f"{head} button")
            assert shown(page) == order
            assert page.get_attribute(head, "aria-sort") == direction
            assert page.locator("[aria-sort]").count() == 1
    # An entry that was opened stays under its row.
    after = "document.getElementById('row-3').nextElementSibling.className"
    assert page.evaluate(after) == "detail"
    page.click("a.filter.ok")
    assert not page.is_visible("#claim-3")
    page.click("a.filter.all")
    assert page.is_visible("#claim-3")


# --- open, close, and the way from answer to entry -----------------------------------------------


def test_a_click_opens_the_entry_in_place_and_another_closes_it(show: OpenPage) -> None:
    page = show()
    assert not page.is_visible("#claim-3")
    page.click("#row-3 .type")
    assert page.is_visible("#claim-3 blockquote")
    assert page.get_attribute("#row-3 .go", "aria-expanded") == "true"
    assert page.url.endswith("#claim-3")
    page.click("#row-3 .go")
    assert not page.is_visible("#claim-3")
    assert page.get_attribute("#row-3 .go", "aria-expanded") == "false"
    page.click("#risks a")
    assert page.is_visible("#claim-4")
    for number in (4, 0):
        page.click("#open-all")
        assert page.locator(".entry:visible").count() == number


def test_links_are_permanent_and_those_that_lead_nowhere_do_nothing(show: OpenPage) -> None:
    page = show(fragment="#claim-1")
    assert page.is_visible("#claim-1")
    url = page.url.partition("#")[0]
    for fragment in ("#claim-77", "#%E0%A4%A", "#help", "#"):
        page.goto("about:blank")
        page.goto(url + fragment)
        assert page.locator(".opened").count() == 0


def test_a_claim_of_the_answer_opens_its_entry_and_leads_back(show: OpenPage) -> None:
    page = show()
    page.click("#said-2")
    assert page.is_visible("#claim-2")
    assert focused(page) == "2"
    page.click("#claim-2 .back a")
    assert page.evaluate("document.activeElement.id") == "said-2"
    assert page.locator("#row-2.on, #said-2.on").count() == 2


def test_keys(show: OpenPage) -> None:
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


# --- other ways to read it -----------------------------------------------------------------------


@pytest.mark.parametrize("width", [1280, 375])
def test_it_can_be_read_without_scripts(show: OpenPage, width: int) -> None:
    page = show(width=width, java_script_enabled=False)
    assert page.locator(".row:visible").count() == 4
    assert page.locator(".entry:visible").count() == 4
    assert page.locator("button:visible, input:visible, select:visible").count() == 0
    page.click("#said-3")
    assert page.locator("#claim-3:target").count() == 1


def test_on_a_phone_the_sides_are_tabs(show: OpenPage) -> None:
    page = show(width=375)
    assert page.is_visible("#ledger")
    assert not page.is_visible("#answer")
    page.click('.switch button[data-pane="answer"]')
    page.click("#said-3")
    assert page.is_visible("#claim-3")
    assert not page.is_visible("#answer")


def test_a_long_ledger_shows_its_rows_in_steps(show: OpenPage) -> None:
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

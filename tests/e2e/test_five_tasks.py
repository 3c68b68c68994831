"""The five tasks of a reviewer, by the keyboard alone."""

from __future__ import annotations

import re

from playwright.sync_api import Browser, Page, expect
from tests.e2e.service_pages import Site, visiting
from tests.service.seeding import add_ledger, long_ledger, seed


def tab_to(page: Page, name: str) -> None:
    """Go on with the tabulator until what has the focus is called so."""
    script = "() => (document.activeElement.innerText || document.activeElement.name || '').trim()"
    for _ in range(80):
        if page.evaluate(script).startswith(name):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{name!r} was not reached")


def test_five_tasks_by_the_keyboard_alone(site: Site, browser: Browser) -> None:
    seeded = seed(site.store)
    address = f"/sessions/{add_ledger(site.store, seeded.shelf, long_ledger(seeded, 40))}"
    permissions = ["clipboard-read", "clipboard-write"]
    with visiting(site, browser, permissions=permissions) as page:
        # What is wrong in an answer of forty claims? The worst stand first.
        page.goto(address)
        page.keyboard.press("j")
        first = page.evaluate("document.activeElement.closest('tbody').dataset.v")
        assert first == "contradicted"
        # Three are decided.
        for number in range(3):
            if number:
                page.keyboard.press("j")
            page.keyboard.press("a")
            expect(page.locator(".decided-count")).to_have_text(str(number + 1))
        # The passage for a cited claim.
        page.keyboard.press("d")
        expect(page.locator("#document mark").first).to_contain_text("27 days")
        page.keyboard.press("Escape")
        # It is handed on.
        tab_to(page, "Copy link")
        page.keyboard.press("Enter")
        expect(page.locator("#said")).to_have_text("Copied")
        shared = page.evaluate("navigator.clipboard.readText()")
        assert re.search(r"/sessions/.*start=\d+.*#claim-\d+$", shared)
        with visiting(site, browser) as other:
            other.goto(shared)
            expect(other.locator("#document mark").first).to_contain_text("27 days")
        # Ask, and doubt.
        page.goto("/")
        page.wait_for_load_state()
        tab_to(page, "query")
        page.keyboard.type("How much annual leave do full-time staff get?")
        tab_to(page, "Ask")
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", name="Claims", exact=True)).to_be_visible()
        page.wait_for_load_state()
        page.keyboard.press("j")
        page.keyboard.press("r")
        expect(page.locator("select[name=verdict]").first).to_be_focused()
        page.keyboard.press("n")  # not found
        page.keyboard.press("Tab")
        page.keyboard.type("It holds for one office only.")
        tab_to(page, "Overrule")
        page.keyboard.press("Enter")
        expect(page.locator(".judged").first).to_contain_text("where the machine says")

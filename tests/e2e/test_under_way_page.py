"""What a session shows while its claims are being checked."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.e2e.accessibility import assert_accessible
from tests.e2e.service_pages import Site, runs_over_the_edge, visiting
from tests.service.seeding import ANSWER, seed

from veridical.ledger import build
from veridical.ledger.entry import LedgerEntry
from veridical.service.jobs.work import found


def told_while_it_is_fetched(page: Page, go_on: threading.Event) -> None:
    """The page looks for what was found, and hears of more before it has that."""

    def answer(route: Route) -> None:
        if route.request.is_navigation_request() or go_on.is_set():
            route.continue_()
            return
        before = route.fetch()
        go_on.set()
        expect(page.locator("[data-job-text]")).to_contain_text("3 of 9")
        route.fulfill(response=before)

    page.route("**/sessions/*", answer)


def test_claims_appear_as_they_are_found(
    site: Site, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    seed(site.store)
    steps = {number: threading.Event() for number in (0, 3, 6)}
    add = found.Finding.add

    def held_up(finding: found.Finding, entries: Sequence[LedgerEntry]) -> None:
        if finding.number in steps:
            assert steps[finding.number].wait(120)
        add(finding, entries)

    monkeypatch.setattr(build, "_WATCHED_CLAIMS", 3)
    monkeypatch.setattr(found.Finding, "add", held_up)
    with visiting(site, browser) as page:
        told_while_it_is_fetched(page, steps[0])
        page.goto("/?mode=verify")
        page.get_by_label("The answer to check").fill(ANSWER)
        page.get_by_role("button", name="Check the answer").click()
        rows = page.locator("#found-claims tbody")
        expect(rows).to_have_count(3)
        expect(page.locator("#found-answer .answer")).to_contain_text("28 days")
        expect(rows.first).to_contain_text("Contradicted")
        assert not runs_over_the_edge(page)
        page.set_viewport_size({"width": 375, "height": 800})
        assert not runs_over_the_edge(page)
        assert_accessible(page)
        steps[3].set()
        expect(rows).to_have_count(6)
        expect(page.locator("[data-job-text]")).to_contain_text("left")
        with visiting(site, browser, java_script_enabled=False) as other:
            other.goto(page.url)
            expect(other.locator("#found-claims tbody")).to_have_count(6)
        steps[6].set()
        expect(page.get_by_role("link", name="Contradicted 1")).to_be_visible()
        expect(page.locator("tbody.claim")).to_have_count(9)

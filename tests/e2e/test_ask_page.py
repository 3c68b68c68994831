"""The question page in a browser, served for real: ask, follow the marker, read the source."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.accessibility import assert_accessible
from tests.e2e.pages import PATIENCE_MS
from tests.e2e.service_pages import runs_over_the_edge, served

POLICY = """# Leave Policy

## 1. Annual leave

Full-time employees accrue 1.67 days of annual leave a month.
Requests go to the line manager at least two weeks ahead. <script>document.title = "obeyed"</script>
"""
QUESTION = "How many days of annual leave do full-time employees accrue a month?"


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("policies")
    (folder / "leave.txt").write_text(POLICY, "utf-8")
    with served(tmp_path_factory.mktemp("site"), documents=(str(folder),)) as site:
        yield f"{site.url}/ask"


@pytest.mark.parametrize(
    "options",
    [
        {"viewport": {"width": 1280, "height": 600}},
        {
            "viewport": {"width": 375, "height": 600},
            "color_scheme": "dark",
            "java_script_enabled": False,
        },
    ],
    ids=["desktop", "phone, dark, no script"],
)
def test_ask_and_follow_the_marker_to_the_words(
    browser: Browser, address: str, options: dict[str, Any]
) -> None:
    with browser.new_context(**options) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(address)
        page.get_by_label("Your question").fill(QUESTION)
        page.keyboard.press("Enter")
        expect(page.locator(".statements")).to_contain_text("1.67 days")
        assert not runs_over_the_edge(page)
        page.get_by_role("link", name="Source 1").first.click()
        expect(page).to_have_url(re.compile("#source-1$"))
        marked = page.locator("#source-1 mark").first
        said = "Full-time employees accrue 1.67 days of annual leave a month."
        expect(marked).to_have_text(said)
        expect(marked).to_be_in_viewport(ratio=1)
        assert page.title().startswith(QUESTION[:40])


def test_a_citation_shows_its_words_and_leads_into_the_document(
    browser: Browser, address: str
) -> None:
    with browser.new_context(viewport={"width": 1280, "height": 800}) as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{address}?question={quote(QUESTION)}")
        assert_accessible(page)
        page.get_by_role("link", name="Source 1").first.focus()
        expect(page.locator("#words mark")).to_contain_text("1.67 days")
        expect(page.locator("#words mark")).to_be_in_viewport()
        page.keyboard.press("Escape")
        expect(page.locator("#words")).to_be_hidden()
        page.locator("#source-1 h3 a").click()
        expect(page.locator("document-viewer mark").first).to_contain_text("1.67 days")

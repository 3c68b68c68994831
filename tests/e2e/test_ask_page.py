"""The question page in a browser, served for real: ask, follow the marker, read the source.

Needs Chromium; `scripts/ensure_chromium.sh` installs it where it may.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tests.e2e.pages import PATIENCE_MS, launched, needs_chromium
from tests.e2e.service_pages import served

pytestmark = needs_chromium

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


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with launched() as browser:
        yield browser


@pytest.fixture(params=["desktop", "phone, dark, no script"])
def page(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Page]:
    options = (
        {"viewport": {"width": 1280, "height": 600}}
        if request.param == "desktop"
        else {
            "viewport": {"width": 375, "height": 600},
            "color_scheme": "dark",
            "java_script_enabled": False,
        }
    )
    context = browser.new_context(**options)
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    yield page
    context.close()


def test_ask_and_follow_the_marker_to_the_words(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Your question").fill(QUESTION)
    page.keyboard.press("Enter")
    answer = page.locator(".statements")
    assert "1.67 days" in answer.inner_text()
    page.get_by_role("link", name="Source 1").first.click()
    assert page.url.endswith("#source-1")
    marked = page.locator("#source-1 mark").first
    assert marked.inner_text() == "Full-time employees accrue 1.67 days of annual leave a month."
    box = marked.bounding_box()
    assert box is not None
    assert 0 <= box["y"] <= 600 - box["height"]
    assert page.title().startswith(QUESTION[:40])


def test_nothing_runs_over_the_edge(page: Page, address: str) -> None:
    page.goto(f"{address}?question={QUESTION}")
    width = page.viewport_size["width"]
    for locator in (
        page.locator("main"),
        page.get_by_role("search"),
        page.locator(".source").first,
    ):
        box = locator.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width

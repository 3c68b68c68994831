"""Pages in a browser, for the tests that do with them what a reader does.

Needs Chromium; `scripts/ensure_chromium.sh` installs it where it may.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

PATIENCE_MS = 60_000
"""How long anything on a page may take to come. What comes ends the wait; the bound is for machines
that do much else besides."""

expect.set_options(timeout=PATIENCE_MS)

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)

OpenPage = Callable[..., Page]


@contextmanager
def launched() -> Iterator[Browser]:
    """A browser without a window."""
    assert CHROMIUM, "Chromium is missing: run scripts/ensure_chromium.sh"
    arguments = ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
    with (
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=arguments) as browser,
    ):
        yield browser


def noting(page: Page, troubles: list[str], *ours: str) -> Page:
    """A page that notes script errors, what is written to the console, dialogs, and requests of
    other addresses than those that begin as ours."""
    page.set_default_timeout(PATIENCE_MS)
    page.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
    page.on("console", lambda message: troubles.append(f"console: {message.text}"))
    page.on("dialog", lambda dialog: (troubles.append("dialog"), dialog.dismiss()))
    page.on(
        "request",
        lambda request: (
            None
            if request.url.startswith(ours)
            else troubles.append(f"asked elsewhere: {request.url}")
        ),
    )
    return page


@contextmanager
def watched(browser: Browser, file: Path) -> Iterator[OpenPage]:
    """Opens HTML from a file. At the end nothing may have been asked of a network, no script may
    have failed, the policy may not have been broken, and no dialog may have been opened."""
    troubles: list[str] = []
    contexts: list[BrowserContext] = []

    def open_page(
        html: str, fragment: str = "", width: int = 1280, height: int = 800, **options: Any
    ) -> Page:
        file.write_text(html, encoding="utf-8")
        context = browser.new_context(viewport={"width": width, "height": height}, **options)
        contexts.append(context)
        page = noting(context.new_page(), troubles, file.as_uri())
        page.goto(file.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not troubles


def assert_drawn_apart(page: Page, *selectors: str) -> None:
    """Fails where things of a picture overlap, leave the page, or words leave their flags."""
    width = page.evaluate("innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    for selector in selectors:
        boxes = page.locator(selector).evaluate_all(
            """nodes => nodes.map(node => node.getBoundingClientRect())
                .map(box => [box.x, box.y, box.right, box.bottom])"""
        )
        assert boxes
        assert all(left >= 0 and right <= width for left, _, right, _ in boxes)
        for one, other in combinations(boxes, 2):
            across = one[2] <= other[0] or other[2] <= one[0]
            assert across or one[3] <= other[1] or other[3] <= one[1], (width, selector)
    assert page.locator(".flag .body").evaluate_all(
        """nodes => nodes.every(node => node.querySelector("text").getBoundingClientRect().right
            <= node.querySelector("rect").getBoundingClientRect().right)"""
    )

"""Pages in a browser, for the tests that do with them what a reader does.

Needs Chromium; `scripts/ensure_chromium.sh` installs it where it may.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

PATIENCE_MS = 60_000
"""How long anything on a page may take to come. What comes ends the wait; the bound is for machines
that do much else besides."""

expect.set_options(timeout=PATIENCE_MS)

CHROMIUM = (
    os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
)
needs_chromium = pytest.mark.skipif(
    CHROMIUM is None and not os.environ.get("CI") and not os.environ.get("REQUIRE_CHROMIUM"),
    reason="Chromium is missing: run scripts/ensure_chromium.sh, or set CHROMIUM to its path",
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
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("pageerror", lambda error: troubles.append(f"script error: {error}"))
        page.on("console", lambda message: troubles.append(f"console: {message.text}"))
        page.on("dialog", lambda dialog: (troubles.append("dialog"), dialog.dismiss()))
        page.on(
            "request",
            lambda request: (
                None if request.url.startswith(file.as_uri()) else troubles.append(request.url)
            ),
        )
        page.goto(file.as_uri() + fragment)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not troubles

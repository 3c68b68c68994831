"""A browser for all tests here, and pages that are opened in it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser
from tests.e2e.pages import CHROMIUM, OpenPage, launched, watched
from tests.e2e.service_pages import Site, served


# While it is there its thread has an event loop, so it goes before the tests of other folders come:
# not with the session but with the package, which this folder is for that.
@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Where there must be one, its absence is a failure."""
    if CHROMIUM is None and not os.environ.get("CI") and not os.environ.get("REQUIRE_CHROMIUM"):
        pytest.skip("Chromium is missing: run scripts/ensure_chromium.sh, or set CHROMIUM")
    with launched() as found:
        yield found


@pytest.fixture
def open_html(browser: Browser, tmp_path: Path) -> Iterator[OpenPage]:
    """Opens HTML, which must behave to the end of the test."""
    with watched(browser, tmp_path / "page.html") as opened:
        yield opened


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A service in which there is nothing yet."""
    with served(tmp_path_factory.mktemp("site")) as site:
        yield site

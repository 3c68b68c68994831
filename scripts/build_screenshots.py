"""Makes the pictures of the service's pages in docs/images, from what `veridical serve` shows of
the samples and of the policies of `examples/`.

Needs Chromium (scripts/ensure_chromium.sh installs it where it may).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import Page, ViewportSize, sync_playwright

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
CHROMIUM = os.environ.get("CHROMIUM") or shutil.which("chromium") or "chromium-browser"
DESK: ViewportSize = {"width": 1280, "height": 860}

_WAIT_SECONDS = 60.0
_LAST_SAMPLES = "/api/v1/evaluations"
_SAMPLES = 2
_CHECKED = "An assistant"
"""How the title of the session begins whose answer was given to be checked."""

_QUESTION = "How many days a week may I work from home?"


def main() -> None:
    """Take all pictures."""
    with (
        _served("--demo") as url,
        _served("--documents", "examples/policies") as asked,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"]) as browser,
    ):
        _until(lambda: _has_samples(url))
        session = f"{url}/sessions/{_session(url)}"
        for name, show, address in (
            ("session", _show_session, session),
            ("document", _show_document, session),
            ("ask", _show_answer, f"{asked}/ask"),
        ):
            with browser.new_context(viewport=DESK, color_scheme="light") as context:
                page = context.new_page()
                page.goto(address)
                show(page)
                page.wait_for_load_state("networkidle")
                page.screenshot(path=IMAGES / f"{name}.png")
            print(f"{name}.png: {(IMAGES / f'{name}.png').stat().st_size:,} bytes")


def _show_session(page: Page) -> None:
    """The claims with the overruled one open."""
    overruled = page.locator("tbody.claim", has=page.locator(".was .verdict")).first
    overruled.locator(".go").click()
    overruled.locator(".decided").wait_for()
    page.locator("#ledger").evaluate("element => element.scrollIntoView()")


def _show_document(page: Page) -> None:
    """A claim with the document beside it, at the words that it rests on."""
    claim = page.locator("tbody.claim").first
    claim.locator(".go").click()
    claim.locator("a.view").first.click()
    page.locator("#document-body mark").first.wait_for()
    claim.evaluate("element => element.scrollIntoView()")


def _show_answer(page: Page) -> None:
    """An answer with its quotes and sources."""
    page.get_by_label("Your question").fill(_QUESTION)
    page.get_by_role("button", name="Ask").click()
    page.locator("mark").first.wait_for()


def _session(url: str) -> str:
    """The session of the demo whose answer was given to be checked."""
    items = _get(f"{url}/api/v1/sessions")["items"]
    return next(str(item["id"]) for item in items if item["title"].startswith(_CHECKED))


@contextmanager
def _served(*options: str) -> Iterator[str]:
    """The address of a server."""
    command = [sys.executable, "-m", "veridical", "serve", *options, "--port", "0"]
    with (
        tempfile.TemporaryFile() as log,
        subprocess.Popen(command, stderr=log) as server,
    ):
        try:
            yield _until(lambda: _address(os.pread(log.fileno(), 65_536, 0)))
        finally:
            server.terminate()


def _address(log: bytes) -> str:
    found = re.search(rb"http://[\d.:]+", log)
    return found[0].decode() if found else ""


def _has_samples(url: str) -> bool:
    try:
        items = _get(url + _LAST_SAMPLES)["items"]
    except OSError:
        return False
    return len(items) >= _SAMPLES and all(item["state"] == "ready" for item in items)


def _until(look: Any) -> Any:
    deadline = time.monotonic() + _WAIT_SECONDS
    while not (seen := look()):
        if time.monotonic() > deadline:
            sys.exit(f"the server was not there within {_WAIT_SECONDS:g} seconds")
        time.sleep(0.2)
    return seen


def _get(url: str) -> Any:
    with urlopen(url, timeout=30) as reply:  # noqa: S310  # our own server
        return json.load(reply)


if __name__ == "__main__":
    main()

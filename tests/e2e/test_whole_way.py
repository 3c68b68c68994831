"""The whole way of a reviewer: upload, ask, read, look at the words, decide, and hand it on.

With nothing prepared: a real server, its jobs, its files.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pypdfium2
import pytest
from playwright.sync_api import Browser, Page, expect
from tests.e2e.service_pages import Site, served, visiting
from tests.service.seeding import ANSWER, EXAMPLES


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    with served(tmp_path) as site:
        yield site


def download(page: Page, format: str, folder: Path) -> bytes:
    """What comes of a choice of the export menu."""
    page.locator("summary", has_text="Export").click()
    with page.expect_download() as coming:
        page.get_by_role("button", name=format, exact=True).click()
    file = folder / coming.value.suggested_filename
    coming.value.save_as(file)
    return file.read_bytes()


def upload(page: Page, *names: str) -> None:
    """Add files to the documents, on the page of documents, until they are read."""
    for name in names:
        page.locator('input[type="file"]').first.set_input_files(EXAMPLES / "sources" / name)
        page.locator('form[enctype="multipart/form-data"] button').first.click()
        row = page.locator("tr", has=page.get_by_role("link", name=name))
        expect(row.get_by_text("ready")).to_be_visible()
        page.goto("/documents")


def test_from_a_file_to_a_report(site: Site, browser: Browser, tmp_path: Path) -> None:
    with visiting(site, browser) as page:
        page.goto("/")
        expect(page.get_by_text("How to begin")).to_be_visible()
        page.get_by_role("link", name="Add the documents").click()
        upload(page, "leave-policy.md", "expense-handbook.pdf")

        page.goto("/?mode=verify")
        page.get_by_label("The answer to check").fill(ANSWER)
        page.get_by_role("button", name="Check the answer").click()
        expect(page.get_by_role("heading", name="Claims")).to_be_visible()
        expect(page.get_by_role("link", name="Contradicted 1")).to_be_visible()
        page.wait_for_load_state()

        page.keyboard.press("j")
        page.keyboard.press("d")
        expect(page.locator("#document-body mark").first).to_contain_text("27 days")
        page.keyboard.press("Escape")
        page.keyboard.press("a")
        expect(page.locator("#claim-1 .decided")).to_contain_text("Accepted")

        pdf = pypdfium2.PdfDocument(download(page, "PDF", tmp_path))
        text = " ".join(page.get_textpage().get_text_bounded() for page in pdf)
        assert "28 days of annual leave" in " ".join(text.split())
        made = json.loads(download(page, "JSON", tmp_path))
        assert "28 days of annual leave" in json.dumps(made)
        assert re.search(r"\*\*.*Contradicted", download(page, "Markdown", tmp_path).decode())


def test_a_question_is_answered_with_its_claims(site: Site, browser: Browser) -> None:
    with visiting(site, browser) as page:
        page.goto("/documents")
        upload(page, "leave-policy.md")
        page.goto("/")
        page.get_by_label("Your question").fill("How much annual leave do full-time staff get?")
        page.get_by_role("button", name="Ask", exact=True).click()
        expect(page.get_by_role("heading", name="Claims")).to_be_visible()
        expect(page.locator(".answer")).to_contain_text("27 days")
        page.goto("/library")
        expect(page.get_by_role("link", name="How much annual leave do full-time")).to_be_visible()

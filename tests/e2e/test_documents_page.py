"""The list of documents in a browser: files are given, read, opened, replaced."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from tests.e2e.accessibility import assert_accessible
from tests.e2e.service_pages import Site, runs_over_the_edge, visiting
from tests.service.serving import until
from tests.sources.builders import simple_pdf

OLD = "# Leave\n\nStaff get 25 days of leave a year.\n\nUnused leave is lost at the end of March.\n"
NEW = "# Leave\n\nUnused leave is lost at the end of March.\n\nStaff get 30 days of leave a year.\n"
PDF = simple_pdf(["Report of the year", "The notice period is thirty days."])


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("files")
    (folder / "report.pdf").write_bytes(PDF)
    (folder / "leave.md").write_text(OLD, "utf-8")
    (folder / "next.md").write_text(NEW, "utf-8")
    (folder / "picture.gif").write_bytes(b"GIF89a" + bytes(50))
    return folder


def test_from_upload_to_the_highlight(site: Site, browser: Browser, files: Path) -> None:
    options = {"reduced_motion": "reduce", "allowed": ("415",)}
    with visiting(site, browser, **options) as page:  # type: ignore[arg-type]
        page.goto("/documents")
        assert_accessible(page)
        names = ("report.pdf", "leave.md", "picture.gif")
        page.set_input_files("#file", [files / name for name in names])
        page.click("form.upload button")
        expect(page.locator(".upload-count")).to_have_text(
            "2 of 3 read, 1 could not be taken or read"
        )
        expect(page.locator(".upload-progress li").first).to_contain_text("picture.gif")
        page.wait_for_selector("#documents-table >> text=leave.md")
        assert page.locator(".upload-progress .problem").count() == 1
        page.goto("/documents")
        page.wait_for_function(
            "() => document.querySelectorAll('#documents-table .badge.ok').length === 2",
        )
        assert_accessible(page)
        page.click("text=report.pdf")
        page.wait_for_url("**/documents/*")
        address = page.url
        document = site.shelf.documents.read(address.rsplit("/", 1)[1])
        assert document is not None
        start = document.text.index("thirty days")
        page.goto(f"{address}?start={start}&end={start + 11}#span")
        page.wait_for_selector(".marks i")
        assert page.locator(".marks i").count() == 1


SHOWN_MEANWHILE = """
const real = fetch;
window.fetch = async (address, options) => {
  if (!String(address).endsWith("/api/v1/jobs/x")) return real(address, options);
  document.querySelector("[data-job=x]").remove();
  return new Response(JSON.stringify({ id: "x", state: "done" }));
};
"""
"""What came of job x is shown while it is being asked for, as it is where two jobs end at once."""


def test_a_page_that_shows_all_is_not_loaded_again(site: Site, browser: Browser) -> None:
    """A reader loses the place, and a check of the page is cut off."""
    with visiting(site, browser) as page:
        page.add_init_script(SHOWN_MEANWHILE)
        page.goto("/documents")
        page.evaluate(
            "() => { window.kept = true;"
            " document.body.insertAdjacentHTML('beforeend', '<p data-job=x></p>');"
            " document.dispatchEvent(new Event('htmx:after:swap')); }"
        )
        expect(page.locator("#said")).to_have_text("Done.")
        page.wait_for_timeout(500)
        assert page.evaluate("() => window.kept === true")


def test_a_folder_is_dropped(site: Site, browser: Browser, tmp_path: Path) -> None:
    for name in ("handbook/rules.md", "handbook/deep/pay.md", "handbook/deep/rules.md"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(OLD, "utf-8")
    (tmp_path / "handbook/.hidden").write_text("x", "utf-8")
    (tmp_path / "handbook/torn.pdf").write_bytes(b"%PDF-1.7 torn")
    with visiting(site, browser) as page:
        page.goto("/documents")
        box = page.locator("form.upload").bounding_box()
        assert box
        data = {"items": [], "files": [str(tmp_path / "handbook")], "dragOperationsMask": 1}
        place = {"x": box["x"] + 20, "y": box["y"] + 20, "data": data}
        browser_itself = page.context.new_cdp_session(page)
        for step in ("dragEnter", "dragOver", "drop"):
            browser_itself.send("Input.dispatchDragEvent", {"type": step, **place})
        lines = page.locator(".upload-progress li")
        expect(lines).to_have_count(4)
        # In place: what was read, with the way to it, and before it what was not, and why.
        expect(page.locator(".upload-count")).to_have_text(
            "2 of 4 read, 2 could not be taken or read"
        )
        problems = page.locator(".upload-progress .problem").all_inner_texts()
        assert "Another file given here has this name. Rename it, and send it again." in problems
        expect(lines.filter(has_text="torn.pdf").locator(".problem")).to_contain_text("PDF")
        assert lines.nth(0).locator(".problem").count() == lines.nth(1).locator(".problem").count()
        # It is told once; when the page is loaded again, in the list of documents.
        page.wait_for_selector("#documents-table .badge.bad")
        expect(page.locator("#documents-table .why")).to_be_hidden()
        assert not runs_over_the_edge(page)
        assert_accessible(page)
        page.set_viewport_size({"width": 375, "height": 800})
        assert not runs_over_the_edge(page)
        page.reload()
        expect(page.locator("#documents-table .why")).to_be_visible()
        page.locator("#documents-table").get_by_role("link", name="pay.md").click()
        expect(page.locator("document-viewer")).to_contain_text("25 days")


def test_a_new_version_is_dropped(site: Site, browser: Browser, files: Path) -> None:
    with visiting(site, browser, width=375, reduced_motion="reduce") as page:
        page.goto("/documents")
        page.set_input_files("#file", files / "leave.md")
        page.click("form.upload button")
        page.wait_for_selector("tr:has-text('leave.md') .badge.ok")
        assert not runs_over_the_edge(page)
        page.click("#documents-table >> text=leave.md")
        page.wait_for_url("**/documents/*")
        page.goto(f"{page.url}/versions")
        drop = page.evaluate_handle(
            "text => { const data = new DataTransfer(); "
            "data.items.add(new File([text], 'next.md', {type: 'text/markdown'})); return data; }",
            NEW,
        )
        with page.expect_navigation():
            page.dispatch_event("form.upload", "drop", {"dataTransfer": drop})
        # The page takes in by itself what its job has read.
        page.wait_for_selector("text=Version 2")
        assert not runs_over_the_edge(page)
        assert_accessible(page)


def test_all_of_it_works_without_scripts(site: Site, browser: Browser, files: Path) -> None:
    with visiting(site, browser, java_script_enabled=False) as page:
        page.goto("/documents")
        ready = page.locator("tr:has-text('next.md') .badge.ok")
        page.set_input_files("#file", files / "next.md")
        page.click("form.upload button")
        until(lambda: page.goto("/documents") and ready.count(), bool)
        page.click("text=next.md")
        expect(page.locator("document-viewer")).to_contain_text("Unused leave is lost")
        page.goto(f"{page.url}/delete")
        page.click("text=Delete it")
        expect(page).to_have_url(f"{site.url}/documents")
        expect(page.locator("text=next.md")).to_have_count(0)

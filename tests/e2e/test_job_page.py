"""A page left open shows how far a job is, outlives the server, and shows what came of it."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Browser, expect
from tests.e2e.accessibility import assert_accessible
from tests.service.job_servers import ALL, RUBRIC, TRANSCRIPT, counting_model, sqlite_url, started
from tests.service.serving import keep_port

LOST = "Connection lost, trying again"
CARD = {"transcript": {"text": TRANSCRIPT}, "rubric": RUBRIC}


def test_a_page_left_open_recovers_after_a_restart(browser: Browser, tmp_path: Path) -> None:
    url, troubles, size = sqlite_url(tmp_path), [], {"width": 375, "height": 800}
    with counting_model() as model, browser.new_context(viewport=size) as context:
        with started(url, model) as first:
            job_id = first.job_about(first.post("/scorecards", CARD)["id"])
            page = context.new_page()
            page.on("pageerror", lambda error: troubles.append(str(error)))
            page.goto(f"{first.address}/jobs/{job_id}")
            expect(page.locator("[data-job-text]")).to_contain_text(" of 6")
            assert_accessible(page)
            listed = context.new_page()
            listed.goto(f"{first.address}/jobs")
            expect(listed.locator("tbody tr")).to_contain_text(" of 6")
            first.kill()
            for left in (page, listed):
                expect(left.locator("[data-job-text]")).to_have_text(LOST)
            expect(page.locator("#said")).to_have_text(f"{LOST}.")
            kept = keep_port(first.port)
        model.answered = ALL  # over only after the restart, however slow the pages are
        with kept, started(url, model, port=first.port) as second:
            second.until_over(job_id)
            expect(page.locator(".notice.ok")).to_have_text("This is done.")
            expect(page.locator("#said")).to_have_text("Done.")
            expect(listed.locator("tbody tr")).to_contain_text("✓ done")
            context.close()
    assert troubles == []

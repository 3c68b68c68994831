"""Pages of the service in Chromium: a session of a thousand claims, and a long PDF at a claim."""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typst
from playwright.sync_api import Browser, Page, ViewportSize
from tests.e2e.pages import launched

from benchmarks.measure import progress
from benchmarks.report import Line, goal
from benchmarks.served import checked, served, session, upload
from veridical.ledger.entry import EvidenceLedger

OURS = "**Veridical**"
PAGES = 500
WANTED_PAGE = 400
_VIEWPORT: ViewportSize = {"width": 1280, "height": 800}
_DEADLINE_SECONDS = 30.0

_MARK_IS_SEEN = """() => {
  const mark = document.querySelector(".pdf-page .marks i");
  const place = mark?.getBoundingClientRect();
  const isDrawn = mark?.closest(".pdf-page").querySelector("canvas");
  return Boolean(isDrawn && place.height && place.top >= 0 && place.bottom <= innerHeight);
}"""
_HAS_FOCUS = "document.activeElement?.matches('tbody.claim .go') ?? false"


def session_lines(port: int, ledger: EvidenceLedger, runs: int) -> list[Line]:
    """Row o: from the address to a page that is whole and answers to a key."""
    url = f"http://127.0.0.1:{port}/sessions/{ledger.session_id}"
    rows = 0

    def usable(page: Page) -> None:
        nonlocal rows
        page.goto(url, wait_until="domcontentloaded")
        _until(lambda: _answers_to_j(page))
        rows = page.locator("table.ledger tbody.claim").count()

    with launched() as browser:
        took = _timed(browser, usable, runs, "o")
    return [
        Line(
            "o",
            f"open the session of {len(ledger.entries):,} claims: all rows, and keys work",
            OURS,
            _shown(took),
            located=f"{rows:,} rows",
            must=goal("1.0 s", met=statistics.median(took) <= 1.0),
            aim=goal("0.5 s", met=statistics.median(took) <= 0.5),
        )
    ]


def viewer_lines(runs: int) -> list[Line]:
    """Row p: from the link of a claim to the page of the PDF with its words marked, in view."""
    with tempfile.TemporaryDirectory() as folder, served(f"sqlite:///{folder}/pdf.db") as server:
        with server.client() as client:
            pdf = _long_pdf()
            progress(f"p, a PDF of {PAGES} pages, {len(pdf) / 1e6:.1f} MB")
            upload(client, "manual.pdf", pdf, "application/pdf")
            asked = session(client, mode="verify", answer=_rule(WANTED_PAGE))
            ledger = checked(client.get(f"/api/v1/sessions/{asked}/ledger"))
        evidence = ledger["ledger"]["entries"][0]["evidence"]
        assert evidence[0]["page_number"] == WANTED_PAGE, evidence[0]
        with launched() as browser:
            link = _link(browser, f"{server.url}/sessions/{asked}/claims/1")
            took = _timed(browser, lambda page: _marked(page, server.url + link), runs, "p")
    return [
        Line(
            "p",
            f"open a PDF of {PAGES} pages at the words on page {WANTED_PAGE}",
            OURS,
            _shown(took),
            must=goal("2.0 s", met=statistics.median(took) <= 2.0),
            aim=goal("1.0 s", met=statistics.median(took) <= 1.0),
        )
    ]


def _timed(browser: Browser, work: Callable[[Page], None], runs: int, row: str) -> list[float]:
    """Seconds of each run, with a browser that knows nothing of the service, after a warm-up."""
    took = []
    for run in range(runs + 1):
        with _fresh(browser) as page:
            began = time.perf_counter()
            work(page)
            spent = time.perf_counter() - began
        progress(f"{row}, run {run} of {runs}: {spent:.2f} s")
        if run:
            took.append(spent)
    return took


def _answers_to_j(page: Page) -> bool:
    page.keyboard.press("j")
    return bool(page.evaluate(_HAS_FOCUS))


@contextmanager
def _fresh(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(viewport=_VIEWPORT)
    try:
        yield context.new_page()
    finally:
        context.close()


def _until(is_so: Callable[[], bool]) -> None:
    deadline = time.monotonic() + _DEADLINE_SECONDS
    while not is_so():
        if time.monotonic() > deadline:
            raise RuntimeError(f"the page was not usable within {_DEADLINE_SECONDS:g} s")


def _link(browser: Browser, url: str) -> str:
    """Where the claim's own link to its document leads."""
    with _fresh(browser) as page:
        page.goto(url)
        link = page.locator("a.view").first.get_attribute("href")
    assert link, "the claim has no link to its document"
    return link


def _shown(took: list[float]) -> str:
    return f"{statistics.median(took):.2f} s ({min(took):.2f}), longest {max(took):.2f} s"


def _rule(number: int) -> str:
    return f"Rule {number} grants {number} days of leave for long service on station {number}."


def _long_pdf() -> bytes:
    """A manual with a rule of its own on each page, and text around it."""
    filler = "Further notes on how records are kept and who may see them stand here. " * 12
    pages = (f"= Rule {n}\n\n{_rule(n)}\n\n{filler}" for n in range(1, PAGES + 1))
    pdf = typst.compile("#pagebreak()\n".join(pages).encode())
    assert isinstance(pdf, bytes)
    return pdf


def _marked(page: Page, url: str) -> None:
    """Open a viewer and wait until the words are marked on the drawn page, inside the window."""
    page.goto(url, wait_until="commit")
    _until(lambda: bool(page.evaluate(_MARK_IS_SEEN)))

"""The service in a browser: a real server over a store of its own, and pages that are watched.

Nothing may be asked of another host, no script may fail, nothing may be written to the console (a
broken content policy is), and no dialog may be opened.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Error, Page
from tests.e2e.pages import noting
from tests.service.serving import serving, until

from veridical.service.app import create_app
from veridical.service.settings import ServiceSettings
from veridical.store.store import Shelf, Store


@dataclass(frozen=True)
class Site:
    """A service that is running at `url`."""

    url: str
    store: Store
    shelf: Shelf


@contextmanager
def served(folder: Path, **settings: Any) -> Iterator[Site]:
    """A service over a new SQLite database in a folder, until the block ends. The `documents` that
    it is given are read when it begins."""
    url = f"sqlite:///{folder / 'site.db'}"
    with Store.open(url) as store:
        app = create_app(ServiceSettings(database=url, **settings), store=store)
        with serving(app, wait_until_ready=bool(settings.get("documents"))) as client:
            until(lambda: client.get("/ready").status_code, lambda status: status == 200)
            yield Site(str(client.base_url).rstrip("/"), store, store.shelf("default"))


@contextmanager
def visiting(
    site: Site,
    browser: Browser,
    *,
    width: int = 1280,
    height: int = 800,
    allowed: tuple[str, ...] = (),
    **options: Any,
) -> Iterator[Page]:
    """A page whose addresses may be given without the host. At the end it must have behaved.

    `allowed` are words of console messages that the test brings about, such as "409" for a reply
    that a browser reports by itself.
    """
    troubles: list[str] = []
    context = browser.new_context(
        base_url=site.url, viewport={"width": width, "height": height}, **options
    )
    try:
        yield noting(context.new_page(), troubles, site.url, "blob:", "data:")
    finally:
        context.close()
    wrong = [trouble for trouble in troubles if not any(word in trouble for word in allowed)]
    assert not wrong, "\n".join(wrong)


def runs_over_the_edge(page: Page) -> bool:
    """Whether the page can be scrolled sideways, once it stands: it may be loading itself anew."""
    # Asked again from here: within a page whose scripts are off, no timer would ask twice.
    return bool(until(lambda: _over_the_edge(page), lambda over: over is not None))


def _over_the_edge(page: Page) -> bool | None:
    try:
        found: bool | None = page.evaluate(
            "() => { const root = document.documentElement;"
            " return root && document.readyState === 'complete'"
            " ? root.scrollWidth > root.clientWidth : null; }"
        )
    except Error:  # the page was left meanwhile
        return None
    return found

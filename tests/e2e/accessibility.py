"""What axe finds wrong with a page, in the words of a test that fails."""

from __future__ import annotations

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
_ALL = {"runOnly": {"type": "tag", "values": TAGS}}
_COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}


def violations(page: Page, *, within: str = "", options: dict[str, Any] = _ALL) -> list[str]:
    """One line a violation: the rule, what it says, and the first elements that break it."""
    page.wait_for_load_state()  # what a click led to may be seen before all of it is there
    results = Axe().run(page, context=within or None, options=options)
    return [
        f"{found['id']}: {found['help']} — "
        + "; ".join(node["html"][:160] for node in found["nodes"][:3])
        for found in results.response["violations"]
    ]


def assert_accessible(page: Page, *, within: str = "") -> None:
    """Fails with what axe finds on the page (or in what a selector finds) as it is now, and with
    what is wrong with its colours in the other scheme. The page is left in the dark one."""
    for scheme, options in (("light", _ALL), ("dark", _COLOURS)):
        # Without motion, for a colour that is on its way to another has no contrast of its own.
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = violations(page, within=within, options=options)
        assert not found, f"{page.url} ({scheme}):\n" + "\n".join(found)

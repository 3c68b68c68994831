"""The one list of all work."""

from __future__ import annotations

import re
from html import unescape

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import BROWSER, Place

from veridical.store.inquiries import Mode
from veridical.store.records import RecordKind

KINDS = (None, RecordKind.VALIDATION, RecordKind.SPEECH, None, RecordKind.EVALUATION)
MANY = 60


@pytest.fixture
def browser(place: Place, request: pytest.FixtureRequest) -> TestClient:
    return place.client(**{**BROWSER, "Veridical-Workspace": request.node.name[:100]})


def fill(place: Place, browser: TestClient) -> list[str]:
    """Work of all kinds; their titles, the newest first."""
    shelf = place.store.shelf(browser.headers["Veridical-Workspace"])
    titles = [f"Work {number:02}" for number in range(MANY)]
    for number, title in enumerate(titles):
        kind = KINDS[number % len(KINDS)]
        if kind is None:
            shelf.inquiries.add(Mode.VERIFY, "", answer="Dogs bark.", title=title)
        else:
            shelf.records.add(kind, title, {})
    return titles[::-1]


def walked(browser: TestClient, address: str) -> list[str]:
    """The titles that a list has, on all its pages."""
    found: list[str] = []
    for _ in range(MANY):
        page = browser.get(address).text
        found += re.findall(r"Work \d\d", page)
        following = re.search(r'rel="next" href="([^"]*)"', page)
        if following is None:
            break
        address = unescape(following[1])
    return found


def test_all_kinds_are_in_one_list_in_the_order_of_time(place: Place, browser: TestClient) -> None:
    titles = fill(place, browser)
    assert walked(browser, "/library") == titles
    assert walked(browser, "/library?kind=nothing") == titles
    sessions = walked(browser, "/library?kind=session")
    assert sessions == [t for n, t in enumerate(titles[::-1]) if KINDS[n % 5] is None][::-1]
    speeches = walked(browser, "/library?kind=speech")
    assert len(speeches) == MANY // 5
    assert walked(browser, "/library?q=work+1") == [t for t in titles if t.startswith("Work 1")]
    assert walked(browser, "/library?kind=speech&q=work+1") == ["Work 17", "Work 12"]


def test_an_empty_library_says_what_to_do_first(browser: TestClient) -> None:
    page = browser.get("/library").text
    assert 'href="/documents"' in page
    assert "Begin with a sample document" in page
    assert "Nothing here has" in browser.get("/library?q=x").text


def test_the_list_of_sessions_leads_to_the_library(browser: TestClient) -> None:
    reply = browser.get("/sessions?q=a+b", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (307, "/library?kind=session&q=a+b")

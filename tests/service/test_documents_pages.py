"""The documents of a workspace as pages: listed, given, replaced, taken away without a script."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import Place, a_place, csrf_of
from tests.service.working import work_off

LEAVE = b"# Leave\n\nStaff get 25 days of leave a year.\n"


@pytest.fixture
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    with a_place(tmp_path_factory.mktemp("place"), max_upload_bytes=50_000) as place:
        yield place


def send(browser: TestClient, path: str, *files: tuple[str, bytes], at: str = "") -> Any:
    """What is replied to a form with files."""
    token = csrf_of(browser.get(at or path).text)
    return browser.post(
        path, data={"csrf_token": token}, files=[("file", (name, data)) for name, data in files]
    )


def give(place: Place, browser: TestClient, *files: tuple[str, bytes]) -> dict[str, str]:
    """Give files and have them read; the addresses of the documents by name."""
    reply = send(browser, "/documents", *files)
    assert (reply.status_code, reply.headers["location"]) == (303, "/documents")
    work_off(place)
    page = browser.get("/documents").text
    links = re.findall(r'<a href="(/documents/[0-9a-f-]{36})"><bdi>([^<]+)</bdi>', page)
    return {name: address for address, name in links}


def test_a_sample_is_there_to_begin_with(place: Place) -> None:
    browser = place.browser()
    assert "sample document" in browser.get("/").text
    token = csrf_of(browser.get("/documents").text)
    reply = browser.post("/documents/sample", data={"csrf_token": token})
    assert reply.status_code == 303
    assert "unused vacation days" in browser.get(reply.headers["location"]).text
    work_off(place)
    page = browser.get("/documents").text
    assert "pto-policy.md" in page
    assert "sample document" not in page


def test_files_are_given_by_a_form_and_listed(place: Place) -> None:
    browser = place.browser()
    assert "There is no document yet" in browser.get("/documents").text
    reply = send(browser, "/documents", ("leave.md", LEAVE), ("rules.txt", b"One rule.\n"))
    assert reply.status_code == 303
    waiting = browser.get("/documents").text
    assert waiting.count("Waiting for its turn") == 2
    assert "Load this page again" in waiting
    work_off(place)
    ready = browser.get("/documents").text
    assert ready.count("✓ ready") == 2
    assert "leave.md" in browser.get("/documents?q=LEAVE").text
    assert "rules.txt" not in browser.get("/documents?q=LEAVE").text
    assert "No document has" in browser.get("/documents?q=nothing").text


def test_what_cannot_be_taken_is_said_and_the_rest_is_kept(place: Place) -> None:
    browser = place.browser()
    reply = send(
        browser, "/documents",
        ("good.md", LEAVE), ("empty.md", b""), ("picture.gif", b"GIF89a" + bytes(99)),
    )  # fmt: skip
    assert reply.status_code == 422
    page = reply.text
    assert page.count('class="notice bad" role="alert"') == 2
    for name in ("empty.md", "picture.gif"):
        assert f"<bdi>{name}</bdi></strong>" in page
    assert page.count('<th scope="row">') == 1
    large = send(browser, "/documents", ("large.md", b"words " * 10_000))
    assert large.status_code == 413
    token = csrf_of(browser.get("/documents").text)
    nothing = browser.post("/documents", data={"csrf_token": token})
    assert "No file was chosen" in nothing.text


def test_a_file_that_cannot_be_read_is_listed_with_the_reason(place: Place) -> None:
    browser, name = place.browser(), "<img src=x onerror=alert(1)> \u202efdp.pdf"
    (address,) = give(place, browser, (name, b"%PDF-1.7\n1 0 obj\nno more")).values()
    page = browser.get("/documents").text
    assert "✕ not read" in page
    assert "damaged" in page
    assert "<img" not in page
    assert "\u202e" not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page
    alone = browser.get(address)
    assert alone.status_code == 200
    assert "could not be read" in alone.text

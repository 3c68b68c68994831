"""What pages and exports say once a reviewer decided, a source changed, or it was checked again."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient
from markupsafe import Markup
from tests.ledger.export.samples import ledger as sample
from tests.service.seeding import add_document, add_ledger, seed
from tests.service.test_pages import review, said, shown
from tests.service.visiting import BROWSER, Place, csrf_of
from tests.service.working import API, ask, upload, work_off
from tests.validation.report_page import parse

from veridical.ledger.seal import check_seal
from veridical.ledger.wire import ledger_from_bytes
from veridical.service.inquiring import asking as exporting
from veridical.service.pages import claims
from veridical.service.pages.rendering import part
from veridical.store.inquiries import Mode

PLACE = {"rate_per_minute": 0}


@pytest.fixture
def workspace(request: pytest.FixtureRequest) -> str:
    """One for each test."""
    return str(request.node.name).split("[")[0][:100]


@pytest.fixture
def browser(place: Place, workspace: str) -> TestClient:
    return place.client(**{**BROWSER, "Veridical-Workspace": workspace})


def program_in(place: Place, browser: TestClient) -> TestClient:
    """A program in the workspace of a browser."""
    return place.client(**{"Veridical-Workspace": browser.headers["Veridical-Workspace"]})


def overrule(browser: TestClient, session_id: str, number: int, verdict: str) -> None:
    address = f"/sessions/{session_id}/claims/{number}"
    reply = review(browser, address, decision="overrule", verdict=verdict, reason="I know it.")
    assert reply.status_code == 303


# --- counts ---------------------------------------------------------------------------------------


def test_lists_count_what_stands_and_say_so_where_a_reviewer_decided(
    place: Place, browser: TestClient, workspace: str
) -> None:
    seeded = seed(place.store, workspace)
    for path in ("/", "/library"):
        plain = said(browser.get(path).text)
        assert "4 supported" in plain
        assert "by review" not in plain
    overrule(browser, seeded.session_id, 6, "supported")
    for path in ("/", "/library"):
        page = browser.get(path).text
        assert "5 supported" in said(page)
        assert "some by review" in said(page)
        assert "not found" not in said(page)
        assert f'href="/sessions/{seeded.session_id}?verdict=supported#ledger"' in page


def test_the_headline_leads_with_what_stands(
    place: Place, browser: TestClient, workspace: str
) -> None:
    seeded = seed(place.store, workspace)
    address = f"/sessions/{seeded.session_id}"
    figures = parse(browser.get(address).text).all("p", "figures")[0]
    words = " ".join(figures.text.split())
    assert words.startswith("4 of 9 supported 1 contradicted 1 not found 3 weak")
    assert "0 of 9 decided 77% covered" in words
    assert "contradicts the source documents" in said(browser.get(address).text)
    overrule(browser, seeded.session_id, 1, "supported")
    page = browser.get(address).text
    assert "contradicts the source documents" not in said(page)
    assert "the sources say otherwise" not in said(page)
    assert re.search(r'Review claims <a href="#claim-\d">#\d</a>, <a', page)
    figures = parse(browser.get(address).text).all("p", "figures")[0]
    words = " ".join(figures.text.split())
    assert words.startswith("5 of 9 supported 0 contradicted 1 not found 3 weak")
    assert "1 of 9 decided 88% covered" in words
    assert shown(browser.get(f"{address}?decided=done").text) == [1]
    assert 1 in shown(browser.get(f"{address}?verdict=supported").text)
    assert shown(browser.get(f"{address}?verdict=contradicted").text) == []


# --- what is said of a session --------------------------------------------------------------------


def test_an_answer_without_a_title_is_called_by_its_heading(
    place: Place, browser: TestClient, workspace: str
) -> None:
    shelf = place.store.shelf(workspace)
    answer = "## Leave for staff\n\nStaff get **25 days** of leave in a year."
    name = "Leave for staff"
    made = sample(answer=answer, query="", title="")
    ready = add_ledger(place.store, shelf, made)
    waiting, _ = shelf.inquiries.add(Mode.VERIFY, "", answer=answer)
    bare, _ = shelf.inquiries.add(Mode.VERIFY, "", answer="**")
    for path in ("/", "/library"):
        page = said(browser.get(path).text)
        assert page.count(name) == 2
        assert page.count("An answer to be checked") == 1
    for address in (f"/sessions/{ready}", f"/sessions/{waiting.id}"):
        page = browser.get(address).text
        assert said(re.findall(r"<h1.*?</h1>", page, re.DOTALL)[0]) == name
        assert f"<title>{name}" in page
        assert name in said(browser.get(f"{address}/delete").text)
    assert "An answer to be checked" in said(browser.get(f"/sessions/{bare.id}").text)
    assert name in said(browser.get("/jobs").text)
    found = exported(place, browser, ready, "markdown")
    assert found["filename"].startswith("Leave-for-staff")
    assert f"**Session:** {name}" in found["content"].decode()


def test_that_the_sources_disagree_reaches_the_page(
    place: Place, browser: TestClient, workspace: str
) -> None:
    shelf = place.store.shelf(workspace)
    inquiry, _ = shelf.inquiries.add(Mode.ANSWER, "How many days?")
    told = "leave.md says “25 days”, old.md <b>says</b> “20 days”."
    shelf.inquiries.keep_answer(inquiry.id, "25 days. [1]", {"disagreement": told})
    ledger = replace(sample(answer="25 days. [1]"), session_id=inquiry.id)
    shelf.inquiries.finish(inquiry.id, ledger)
    page = browser.get(f"/sessions/{inquiry.id}").text
    assert f"The sources disagree. {told}" in said(page)
    assert "<b>says</b>" not in page


@pytest.mark.parametrize(
    ("path", "told"),
    [
        ("/documents/x?start=abc", "In the address, “start” must be a whole number."),
        ("/documents/x?view=aaaaaaaaaaaa", "“view” must have 10 characters or fewer."),
        ("/sessions/x/claims/two", "“number” must be a whole number."),
    ],
)
def test_an_address_that_cannot_be_read_is_told_in_our_words(
    browser: TestClient, path: str, told: str
) -> None:
    reply = browser.get(path)
    assert reply.status_code == 422
    assert told in said(reply.text)
    assert "parse" not in reply.text


# --- sources with newer versions ------------------------------------------------------------------


def exported(place: Place, browser: TestClient, session_id: str, form: str) -> dict[str, Any]:
    """An export that was made, with its bytes."""
    browser = program_in(place, browser)
    wait, exporting.WAIT_SECONDS = exporting.WAIT_SECONDS, 0.0
    try:
        reply = browser.post(f"{API}/sessions/{session_id}/ledger/export", json={"format": form})
    finally:
        exporting.WAIT_SECONDS = wait
    work_off(place)
    made = dict(browser.get(reply.headers["location"]).json())
    assert made["status"] == "done", made
    return {**made, "content": browser.get(made["download_url"]).content}


def test_exports_of_a_stale_session_say_so_though_one_was_made_before(
    place: Place, browser: TestClient, workspace: str, tmp_path: Path
) -> None:
    seeded = seed(place.store, workspace)
    before = exported(place, browser, seeded.session_id, "markdown")
    assert b"Newer version" not in before["content"]
    again = exported(place, browser, seeded.session_id, "markdown")
    assert again["id"] == before["id"]
    file = tmp_path / "leave-policy.md"
    file.write_text("# Leave Policy\n\nFull-time staff are entitled to 30 days.\n", "utf-8")
    made_id = add_document(place.store, seeded.shelf, file)
    said_there = re.compile(
        r"Newer version 2 of leave-policy\.md was added on \d{4}-\d\d-\d\d \d\d:\d\d UTC; "
        r"the claims were checked against version 1\."
    )
    for form in ("markdown", "html"):
        content = exported(place, browser, seeded.session_id, form)["content"].decode()
        assert len(said_there.findall(content)) == 1
    data = exported(place, browser, seeded.session_id, "json")["content"]
    (noted,) = json.loads(data)["newer_versions"]
    assert (noted["document_id"], noted["newer_version"]) == (made_id, 2)
    assert check_seal(data).intact
    assert ledger_from_bytes(data).session_id == seeded.session_id


# --- checked again --------------------------------------------------------------------------------

POLICY = "# Leave\n\nStaff are entitled to 28 days of annual leave per year.\n"
CLAIMS = "Staff are entitled to 28 days of annual leave per year. Lunch is free on Fridays."


@pytest.fixture
def twice(place: Place, browser: TestClient) -> tuple[str, str]:
    """A session, its claims overruled and accepted; and another one that checks it again, after
    the document said something else.
    """
    program = program_in(place, browser)
    upload(place, program, "leave.md", POLICY)
    first = ask(place, program, mode="verify", answer=CLAIMS)["id"]
    overrule(browser, first, 2, "weak")
    upload(place, program, "leave.md", POLICY.replace("28", "20"))
    form = {"csrf_token": csrf_of(browser.get(f"/sessions/{first}").text)}
    reply = browser.post(f"/sessions/{first}/again", data=form)
    second = reply.headers["location"].removeprefix("/sessions/")
    assert f'href="/sessions/{first}"' in browser.get(f"/sessions/{second}").text
    work_off(place)
    return first, second


def test_a_session_and_its_check_lead_to_each_other(
    browser: TestClient, twice: tuple[str, str]
) -> None:
    first, second = twice
    old, new = (browser.get(f"/sessions/{each}").text for each in twice)
    assert f'<a href="/sessions/{second}">' in old
    for page in (old, new):  # called by its first words, now that it has a ledger
        assert said(re.findall(r"<h1.*?</h1>", page, re.DOTALL)[0]).startswith("Staff are entitled")
    assert "Checked again:" in said(old)
    assert f'<a href="/sessions/{first}">' in new
    assert "1 claim comes out otherwise than there." in said(new)
    wire = browser.get(f"{API}/sessions/{second}").json()
    assert (wire["earlier_session_id"], wire["details"]) == (first, None)
    assert browser.get(f"{API}/sessions/{first}").json()["earlier_session_id"] is None


def test_a_claim_that_is_checked_again_shows_what_was_said_before(
    browser: TestClient, twice: tuple[str, str]
) -> None:
    first, second = twice
    page = parse(browser.get(f"/sessions/{second}").text)
    (cell,) = page.by_id("claim-1").all("td", "v")
    assert "earlier check: ✓Supported" in " ".join(cell.text.split())
    (cell,) = page.by_id("claim-2").all("td", "v")
    assert "earlier" not in cell.text
    alone = said(browser.get(f"/sessions/{second}/claims/1").text)
    assert re.search(r"On the earlier check .* UTC ✓ Supported", alone)
    # The decision is shown and said to be another's; nothing is decided here.
    decided = said(browser.get(f"/sessions/{second}/claims/2").text)
    assert "where local said ? Weak" in decided
    assert "That decision is about the earlier check, and is not taken over." in decided
    assert "I know it." in decided
    assert "0 of 2 decided" in said(browser.get(f"/sessions/{second}").text)
    part = browser.get(f"/sessions/{second}/claims/2", headers={"HX-Request": "true"}).text
    assert f'href="/sessions/{first}/claims/2"' in part


def test_rows_are_written_once_until_the_earlier_check_is_decided_otherwise(
    browser: TestClient, twice: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    first, second = twice
    written: list[str] = []

    def writing(template: str, **context: Any) -> Markup:
        written.append(template)
        return part(template, **context)

    monkeypatch.setattr(claims, "part", writing)
    page, again = (browser.get(f"/sessions/{second}").text for _ in range(2))
    assert said(page) == said(again)
    assert written == ["_row.html"] * 2
    assert "accepted there" not in said(again)
    assert review(browser, f"/sessions/{first}/claims/1", decision="accept").status_code == 303
    assert "accepted there by local" in said(browser.get(f"/sessions/{second}").text)


def test_a_check_of_what_was_deleted_is_one_of_its_own(
    place: Place, browser: TestClient, twice: tuple[str, str]
) -> None:
    first, second = twice
    assert program_in(place, browser).delete(f"{API}/sessions/{first}").status_code == 204
    page = said(browser.get(f"/sessions/{second}").text)
    assert "the session of" not in page
    assert "earlier check" not in page

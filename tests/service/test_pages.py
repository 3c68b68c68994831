"""The pages of sessions by HTTP, as somebody without scripts has them."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.ledger.export.samples import evidence, ledger, of_texts
from tests.service.seeding import (
    ANSWER,
    QUESTION,
    Seeded,
    add_ledger,
    seed,
)
from tests.service.visiting import Place, a_place, csrf_of
from tests.store.shelves import built_anew, there

from veridical.judging.verdict import Verdict
from veridical.ledger.ids import content_id
from veridical.service.settings import Auth
from veridical.store.inquiries import Mode
from veridical.store.jobs import JobState
from veridical.store.workspaces import Role

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "<svg/onload=alert(3)>",
    "</title></textarea><iframe src=javascript:alert(4)>",
    "right\u202eleft\u202c",
    "{{ 7 * 7 }}{% raw %}",
)


@pytest.fixture(scope="module")
def seeded(place: Place) -> Seeded:
    return seed(place.store)


@pytest.fixture
def browser(place: Place) -> TestClient:
    return place.browser()


def said(html: str) -> str:
    """What a page says, its tags left out."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", html)).split())


def shown(html: str) -> list[int]:
    """The numbers of the claims that a table shows, in its order."""
    rows = re.findall(r'<tbody id="claim-(\d+)"([^>]*)>', html)
    return [int(number) for number, more in rows if not more.endswith(" hidden")]


@pytest.mark.parametrize("path", ["/", "/library", "/help", "/library?q=leave", "/?mode=verify"])
def test_a_page_needs_no_script(browser: TestClient, seeded: Seeded, path: str) -> None:
    page = browser.get(path)
    assert page.status_code == 200
    assert '<html lang="en">' in page.text
    assert page.text.count("<h1") == 1
    assert "style=" not in page.text
    assert not re.search(r"<script(?![^>]*\bsrc=)", page.text)


@pytest.mark.parametrize(
    ("mode", "query", "answer", "kept"),
    [("answer", QUESTION, "", ""), ("verify", "", "One.\r\n\r\n- Two.", "One.\n\n- Two.")],
)
def test_what_is_asked_is_kept_as_it_was_typed(
    browser: TestClient, seeded: Seeded, mode: str, query: str, answer: str, kept: str
) -> None:
    form = {"mode": mode, "query": query, "answer": answer}
    token = csrf_of(browser.get("/").text)
    reply = browser.post("/sessions", data={"csrf_token": token, **form})
    assert reply.status_code == 303
    address = reply.headers["location"]
    inquiry = there(seeded.shelf.inquiries.get(address.removeprefix("/sessions/")))
    assert (inquiry.mode, inquiry.query, inquiry.answer) == (mode, query, kept)
    page = browser.get(address)
    assert page.status_code == 200
    assert "Waiting for its turn" in said(page.text)


@pytest.mark.parametrize(
    ("state", "message", "expected"),
    [
        (JobState.FAILED, "The model could not be reached.", "The model could not be reached."),
        (JobState.FAILED, "", "The work on it failed."),
        (JobState.CANCELLED, "", "This was cancelled before it was done."),
    ],
)
def test_what_was_not_done_says_why_and_can_be_tried_again(
    place: Place, seeded: Seeded, state: JobState, message: str, expected: str
) -> None:
    inquiry, job = seeded.shelf.inquiries.add(Mode.VERIFY, "", answer="Some <b>answer</b>.")
    place.store.job_board.begin(job.id)
    place.store.job_board.end(job.id, state, message)
    page = place.browser().get(f"/sessions/{inquiry.id}")
    assert page.status_code == 200
    assert expected in said(page.text)
    assert f'action="/sessions/{inquiry.id}/again"' in page.text
    assert "Some &lt;b&gt;answer&lt;/b&gt;." in page.text


@pytest.mark.parametrize(
    "form",
    [
        {"mode": "answer", "query": "  "},
        {"mode": "answer", "query": "why " * 1_000},
        {"mode": "verify", "query": "q", "answer": " \n"},
    ],
)
def test_what_cannot_be_used_is_explained_and_kept(
    browser: TestClient, seeded: Seeded, form: dict[str, str]
) -> None:
    reply = browser.post("/sessions", data={"csrf_token": csrf_of(browser.get("/").text), **form})
    assert reply.status_code == 422
    assert 'role="alert"' in reply.text
    assert unescape(form["query"]).strip() in unescape(reply.text)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [1, 6, 5, 7, 9, 2, 3, 4, 8]),
        ("?verdict=weak", [5, 7, 9]),
        ("?verdict=nonsense&sort=nonsense", [1, 6, 5, 7, 9, 2, 3, 4, 8]),
        ("?sort=number", [1, 2, 3, 4, 5, 6, 7, 8, 9]),
        ("?q=BIRTHDAY", [6]),
        ("?q=leave+year", [1, 3]),
        ("?q=remote-work", [9]),
        ("?decided=open&q=manager", [7]),
    ],
)
def test_an_address_says_what_is_shown(
    browser: TestClient, seeded: Seeded, query: str, expected: list[int]
) -> None:
    page = browser.get(f"/sessions/{seeded.session_id}{query}")
    assert shown(page.text) == expected
    assert f"{len(expected)} of 9 shown" in said(page.text)
    assert ('id="nothing" hidden' in page.text) == bool(expected)


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/sessions/nobody", 404),
        ("/sessions/{}/claims/0", 404),
        ("/sessions/{}/claims/10", 404),
        ("/sessions/{}/exports/no", 404),
        ("/sessions/%00", 422),
        ("/sessions/..%2F..%2Fetc", 404),
        ("/sessions/{}/claims/99999999999999999999999", 404),
        ("/sessions/{}/claims/two", 422),
        ("/sessions/{}?first=-5&q=%E2%80%AE%07", 200),
        ("/sessions/{}?first=99999999999999999999999", 200),
        ("/sessions/{}?q=" + "a" * 201, 422),
        ("/library?after=nonsense", 422),
        ("/library?q=%00", 422),
        ("/?query=%E2%80%AE%07", 200),
    ],
)
def test_an_address_that_makes_no_sense_does_no_harm(
    browser: TestClient, seeded: Seeded, path: str, status: int
) -> None:
    reply = browser.get(path.format(seeded.session_id))
    assert reply.status_code == status
    assert reply.headers["content-type"].startswith("text/html")


def review(browser: TestClient, address: str, **form: str) -> Any:
    page = browser.get(address).text
    return browser.post(f"{address}/review", data={**looked_at(page), **form})


def looked_at(page: str) -> dict[str, str]:
    """What the forms of a claim's page say that the reviewer saw."""
    seen, ledger = (
        re.search(rf'name="{name}" value="([^"]*)"', page) for name in ("seen", "ledger")
    )
    assert seen
    assert ledger
    return {"csrf_token": csrf_of(page), "seen": seen[1], "ledger": ledger[1]}


def test_nobody_decides_unseen_and_a_decision_about_another_verdict_is_history(
    place: Place,
) -> None:
    seeded = seed(place.store, "anew")
    browser = place.client(**{"Accept": "text/html", "Veridical-Workspace": "anew"})
    address = f"/sessions/{seeded.session_id}/claims/1"
    unseen = browser.get(address).text
    review(browser, address, decision="accept")
    form = {**looked_at(unseen), "decision": "overrule", "verdict": "weak", "reason": "no"}
    late = browser.post(f"{address}/review", data=form)
    assert late.status_code == 409
    assert "Somebody else reviewed this claim" in said(late.text)
    assert "no</textarea>" in late.text
    old = browser.get(address).text
    assert "Accepted by" in said(old)
    built_anew(place.store, seeded.shelf, seeded.session_id, Verdict.NOT_FOUND)
    page = browser.get(address).text
    assert "Accepted by" not in said(page)
    assert "made on another verdict (was ✗ Contradicted )" in said(page)
    assert "0 of 9 decided" in said(browser.get(f"/sessions/{seeded.session_id}").text)
    late = browser.post(f"{address}/review", data={**looked_at(old), "decision": "withdraw"})
    assert late.status_code == 409
    assert "built anew meanwhile" in said(late.text)
    assert review(browser, address, decision="accept").status_code == 303
    assert "Accepted by" in said(browser.get(address).text)


@pytest.mark.parametrize(
    "form",
    [
        {"decision": "overrule", "verdict": "", "reason": "because"},
        {"decision": "overrule", "verdict": "supported", "reason": "  "},
        {"decision": "overrule", "verdict": "lies", "reason": "because"},
        {"decision": "burn"},
    ],
)
def test_a_decision_that_says_too_little_is_refused(
    browser: TestClient, seeded: Seeded, form: dict[str, str]
) -> None:
    reply = review(browser, f"/sessions/{seeded.session_id}/claims/6", **form)
    assert reply.status_code == 422
    assert 'role="alert"' in reply.text


def test_a_reader_is_offered_nothing_to_write(tmp_path_factory: pytest.TempPathFactory) -> None:
    with a_place(tmp_path_factory.mktemp("roles"), auth=Auth.TOKEN) as place:
        seeded = seed(place.store, sources=("leave-policy.md",))
        reader = place.client(place.token(Role.READER), Accept="text/html")
        address = f"/sessions/{seeded.session_id}"
        for path in ("/", address, f"{address}/claims/1"):
            page = reader.get(path).text
            forms = re.findall(r'<form[^>]*method="post"[^>]*action="([^"]*)"', page)
            assert set(forms) <= {"/logout", f"{address}/export"}
        assert reader.get(f"{address}/delete").status_code == 403
        reviewer = place.client(place.token(Role.REVIEWER), Accept="text/html")
        assert "Accept</button>" in reviewer.get(address).text
        assert "Delete this session" not in reviewer.get(address).text


def test_an_admin_deletes_after_being_asked(place: Place) -> None:
    seeded = seed(place.store, "deleted", sources=("leave-policy.md",))
    browser = place.client(**{"Accept": "text/html", "Veridical-Workspace": "deleted"})
    address = f"/sessions/{seeded.session_id}/delete"
    page = browser.get(address)
    assert "cannot be brought back" in said(page.text)
    assert browser.post(address, data={"csrf_token": csrf_of(page.text)}).status_code == 303
    assert browser.get(f"/sessions/{seeded.session_id}").status_code == 404


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_that_was_given_acts(place: Place, text: str) -> None:
    source = replace(ledger().sources[0], id=content_id("document", text), filename=text)
    made = of_texts(text, verdict=Verdict.WEAK)
    piece = evidence(text, source, heading_path=(text,), chunk_id=content_id("chunk", text))
    entry = replace(
        made.entries[0], id=content_id("entry", text), evidence=(piece,), notes=text,
        claim=replace(made.entries[0].claim, id=content_id("claim", text), context=text),
    )  # fmt: skip
    made = replace(
        made, id=content_id("ledger", text), entries=(entry,), sources=(source,), query=text,
        title=text, warnings=(text,), actions=(text,), follow_up_questions=(text,),
    )  # fmt: skip
    browser = place.client(**{"Accept": "text/html", "Veridical-Workspace": "hostile"})
    made_id = add_ledger(place.store, place.store.shelf("hostile"), made, title=text)
    for path in (
        f"/sessions/{made_id}",
        f"/sessions/{made_id}/claims/1",
        "/library",
        "/",
        f"/sessions/{made_id}?q=a",
    ):
        page = browser.get(path)
        assert page.status_code == 200
        scripts = re.findall(r"<script[^>]*>", page.text)
        assert all('src="/static/' in script for script in scripts)
        assert not re.search(r"<(img|iframe|svg/)", page.text)
        assert "\u202e" not in page.text


def test_a_long_page_is_sent_compressed(browser: TestClient, seeded: Seeded) -> None:
    address = f"/sessions/{seeded.session_id}"
    packed = browser.get(address, headers={"Accept-Encoding": "gzip"})
    plain = browser.get(address, headers={"Accept-Encoding": "identity"})
    assert packed.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert said(packed.text) == said(plain.text)
    assert ANSWER.splitlines()[0] in said(packed.text)

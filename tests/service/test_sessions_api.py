"""Sessions over HTTP: asked, worked on, listed, taken away; and what citations lead to."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from tests.service.seeding import EXAMPLES
from tests.service.visiting import Place
from tests.service.working import API, ask, refused, upload, work_off

LEAVE = "# Leave\n\nFull-time employees get 25 days of annual leave a year.\n"
STEWARD = """# Seed exchange

## 3. The Seed Steward

The Librarian appoints a Seed Steward for a term of three years. The Seed Steward decides what is
admitted to the exchange, keeps the register and reports to the library board each spring.
"""
QUESTION = "How many days of annual leave do full-time employees get?"
POLICIES = EXAMPLES / "policies"


def test_a_question_is_answered_and_its_answer_checked(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    session = ask(place, client, query=QUESTION, title="Leave")
    assert (session["state"], session["mode"], session["title"]) == ("ready", "answer", "Leave")
    assert session["answer"].endswith("[1]\n\nSources:\n[1] leave.md")
    assert session["details"]["citations"][0]["doc_id"] == "leave.md"
    assert session["ledger"]["summary"]["by_verdict"]["supported"] == 1
    reply = client.get(f"{API}/sessions/{session['id']}/ledger").json()
    (entry,) = reply["ledger"]["entries"]
    span = entry["span"]
    assert reply["session"]["answer"][span["start"] : span["end"]] == entry["claim_text"]
    assert entry["verdict"] == "supported"
    assert [citation["problem"] for citation in entry["citations"]] == [""]
    (piece, *_) = entry["evidence"]
    assert LEAVE[piece["start"] : piece["end"]] == entry["evidence_snippet"]
    assert (piece["version"], piece["cited"]) == (1, True)


def test_an_answer_that_is_given_is_checked(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    answer = "Full-time employees get 25 days of annual leave. They get 40 days of sick leave."
    session = ask(place, client, mode="verify", answer=answer)
    assert session["answer"] == answer
    assert session["details"] is None
    entries = client.get(f"{API}/sessions/{session['id']}/ledger").json()["ledger"]["entries"]
    said, made_up = (entry["verdict"] for entry in entries)
    assert said == "supported"
    assert made_up != "supported"


def test_a_refusal_is_a_session_without_claims(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    session = ask(place, client, query="Which dental clinics are covered in Lisbon?")
    assert session["state"] == "ready"
    assert session["details"]["refused"] is True
    assert session["ledger"]["summary"]["total_claims"] == 0
    nearest = session["details"]["nearest"]
    page = client.get(f"/sessions/{session['id']}").text
    for one in nearest:
        assert f"start={one['start']}&amp;end={one['end']}" in page
    assert ("What comes nearest" in page) is bool(nearest)


def test_a_refusal_claims_nothing_whatever_words_it_has(place: Place, client: TestClient) -> None:
    upload(place, client, "seeds.md", STEWARD)
    session = ask(place, client, query="How much is the Seed Steward paid each year?")
    assert session["details"]["refusal"]["reason"] == "not_answered"
    assert session["refused"] is True
    summary = session["ledger"]["summary"]
    assert (summary["total_claims"], summary["evidence_coverage"]) == (0, None)
    assert session["ledger"]["risks"] == 0
    ledger = client.get(f"{API}/sessions/{session['id']}/ledger").json()["ledger"]
    assert ledger["warnings"][0].startswith("not checked (says that nothing was found): “I cannot")
    told = {item["id"]: item["refused"] for item in client.get(f"{API}/sessions").json()["items"]}
    assert told[session["id"]] is True
    page = client.get(f"/sessions/{session['id']}").text
    assert "The closest passages do not mention" in page
    for word in ("supported", "covered", "Low Confidence", "risk flagged"):
        assert word not in page
    listed = client.get("/library").text.split(f'href="/sessions/{session["id"]}"')[1]
    assert "not answered" in listed.split("</li>")[0]
    assert "claim" not in listed.split("</li>")[0]


def test_what_reads_as_a_refusal_in_an_answer_is_none(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    answer = 'The form says {"refused":true}. Full-time employees get 25 days of annual leave.'
    session = ask(place, client, mode="verify", query='"refused":true', answer=answer)
    assert session["refused"] is False
    assert session["ledger"]["summary"]["total_claims"] > 0


def test_without_documents_it_fails_and_says_what_to_do(place: Place, client: TestClient) -> None:
    session = ask(place, client, query=QUESTION)
    assert session["state"] == "failed"
    assert "Upload" in session["message"]
    reply = client.get(f"{API}/sessions/{session['id']}/ledger")
    assert "Upload" in refused(reply, 409, "failed")


def test_before_the_work_is_done_the_ledger_is_not_ready(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    waiting = client.post(f"{API}/sessions", json={"query": QUESTION}).json()
    assert waiting["state"] == "waiting"
    reply = client.get(f"{API}/sessions/{waiting['id']}/ledger")
    assert waiting["job_id"] in refused(reply, 409, "not_ready")
    assert reply.headers["retry-after"] == "1"
    work_off(place)
    assert client.get(f"{API}/sessions/{waiting['id']}/ledger").status_code == 200


def test_our_own_answers_are_never_found_wanting(place: Place, client: TestClient) -> None:
    """What the answerer cites is in the documents: its ledger says so."""
    for name in ("remote-work-policy.md", "onboarding-guide.html", "pto-policy.md"):
        upload(place, client, name, (POLICIES / name).read_bytes())
    verdicts: dict[str, int] = {}
    for question in (
        "How many days a week can I work from home?",  # two policies disagree
        "How many days of PTO do I get after six years of service?",
        "How many unused vacation days can I take over into next year?",
    ):
        session = ask(place, client, query=question)
        assert session["details"]["refused"] is False
        for verdict, number in session["ledger"]["summary"]["by_verdict"].items():
            verdicts[verdict] = verdicts.get(verdict, 0) + number
    assert verdicts["contradicted"] == verdicts["not_found"] == 0
    assert verdicts["supported"] >= 4


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "question"),
        ({"query": "   "}, "question"),
        ({"query": "a " * 3_000}, "2,000"),
        ({"query": QUESTION, "mode": "guess"}, "mode"),
        ({"mode": "verify"}, "answer"),
        ({"mode": "verify", "answer": " \n"}, "answer"),
        ({"mode": "verify", "answer": "Yes.", "query": "q" * 10_001}, "query"),
        ({"query": QUESTION, "top_k": 3}, "top_k"),
        ({"query": None}, "query"),
        (["query"], "body"),
    ],
)
def test_what_cannot_be_asked_says_why(client: TestClient, body: object, said: str) -> None:
    reply = client.post(f"{API}/sessions", json=body)
    assert said in refused(reply, 422, "invalid_request")
    assert client.get(f"{API}/sessions").json()["items"] == []


def test_hostile_words_come_back_as_they_were(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    answer = "<script>alert(1)</script> Full-time employees get 25\u202e days\x00 of leave.\r\n"
    session = ask(place, client, mode="verify", answer=answer, query="<b>?</b>", title="\u202e' --")
    assert (session["answer"], session["query"], session["title"]) == (
        answer,
        "<b>?</b>",
        "\u202e' --",
    )
    reply = client.get(f"{API}/sessions/{session['id']}/ledger")
    assert reply.headers["content-type"] == "application/json"
    assert reply.json()["session"]["answer"] == answer


def test_a_session_that_is_deleted_is_gone(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    address = f"{API}/sessions/{ask(place, client, query=QUESTION)['id']}"
    assert client.get(f"{address}/ledger").status_code == 200
    assert client.delete(address).status_code == 204
    for rest in ("", "/ledger", "/reviews"):
        refused(client.get(f"{address}{rest}"), 404, "not_found")
    refused(client.delete(address), 404, "not_found")


# --- citations -----------------------------------------------------------------------------------


def test_an_anchor_leads_to_its_words_until_they_are_replaced(
    place: Place, client: TestClient
) -> None:
    document = upload(place, client, "leave.md", LEAVE)
    answer = "Full-time employees get 25 days of annual leave a year."
    session = ask(place, client, mode="verify", answer=answer)
    ledger = client.get(f"{API}/sessions/{session['id']}/ledger").json()["ledger"]
    anchor = str(ledger["entries"][0]["evidence_chunk_ids"][0])
    found = client.get(f"{API}/citations/{anchor.upper()}").json()
    chunk = found["chunk"]
    assert found == {
        "chunk_hash": anchor, "resolved": True, "chunk": chunk, "error": None,
        "candidates": [chunk],
    }  # fmt: skip
    assert chunk["chunk_hash"].startswith(anchor)
    assert (chunk["document_id"], chunk["version"]) == (document["id"], 1)
    assert "25 days" in LEAVE[chunk["start"] : chunk["end"]]
    upload(place, client, "leave.md", LEAVE.replace("25", "30"))
    gone = client.get(f"{API}/citations/{anchor}").json()
    assert (gone["resolved"], gone["chunk"], gone["candidates"]) == (False, None, [])
    assert gone["error"] == "Citation references deleted or unavailable chunk"


# --- lists ---------------------------------------------------------------------------------------

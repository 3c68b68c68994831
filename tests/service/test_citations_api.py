"""Citations over HTTP: an anchor leads to the words, or says why it does not."""

from __future__ import annotations

import pytest
from fastapi.testclient import TestClient
from tests.service.visiting import Place
from tests.service.working import API, ask, in_new_workspace, refused, upload

LEAVE = "# Leave\n\nFull-time employees get 25 days of annual leave a year.\n"


def anchor_of(place: Place, client: TestClient) -> str:
    answer = "Full-time employees get 25 days of annual leave a year."
    session = ask(place, client, mode="verify", answer=answer)
    ledger = client.get(f"{API}/sessions/{session['id']}/ledger").json()["ledger"]
    return str(ledger["entries"][0]["evidence_chunk_ids"][0])


def test_an_anchor_of_a_ledger_leads_to_its_words(place: Place, client: TestClient) -> None:
    document = upload(place, client, "leave.md", LEAVE)
    anchor = anchor_of(place, client)
    found = client.get(f"{API}/citations/{anchor.upper()}").json()
    assert found["resolved"] is True
    assert found["chunk_hash"] == anchor
    assert found["error"] is None
    chunk = found["chunk"]
    assert chunk["chunk_hash"].startswith(anchor)
    assert (chunk["document_id"], chunk["version"]) == (document["id"], 1)
    assert "25 days" in LEAVE[chunk["start"] : chunk["end"]]
    assert found["candidates"] == [chunk]


def test_what_was_replaced_or_deleted_does_not_resolve(place: Place, client: TestClient) -> None:
    document = upload(place, client, "leave.md", LEAVE)
    anchor = anchor_of(place, client)
    upload(place, client, "leave.md", LEAVE.replace("25", "30"))
    found = client.get(f"{API}/citations/{anchor}").json()
    assert (found["resolved"], found["chunk"], found["candidates"]) == (False, None, [])
    assert found["error"] == "Citation references deleted or unavailable chunk"
    client.delete(f"{API}/documents/{document['id']}")
    assert client.get(f"{API}/citations/{anchor}").json() == found


def test_an_anchor_of_another_workspace_does_not_resolve(place: Place, client: TestClient) -> None:
    upload(place, client, "leave.md", LEAVE)
    anchor = anchor_of(place, client)
    assert in_new_workspace(place).get(f"{API}/citations/{anchor}").json()["resolved"] is False


@pytest.mark.parametrize("anchor", ["a1b2c3d", "xyzxyzxyz", "a" * 65, "a1b2c3d4 ", "%27--12345"])
def test_what_is_no_anchor_is_refused(client: TestClient, anchor: str) -> None:
    refused(client.get(f"{API}/citations/{anchor}"), 422, "invalid_request")

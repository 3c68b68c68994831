"""The ledger of a session over HTTP, whole and in parts, and what reviewers say of it."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.service.seeding import Seeded, seed
from tests.service.visiting import Place
from tests.service.working import API, refused
from tests.store.shelves import built_anew, ledger_in, there

from veridical.judging.verdict import Verdict
from veridical.ledger.confidence import confidence_band
from veridical.service.api.ledger_wire import LedgerReply
from veridical.service.api.sessions import ledger_reply
from veridical.service.inquiring.ledger_view import LedgerViews

ON_BOTH = True


@pytest.fixture(scope="module")
def seeded(place: Place) -> Seeded:
    return seed(place.store)


@pytest.fixture(scope="module")
def client(place: Place) -> TestClient:
    return place.client(**{"accept-encoding": "identity"})


@pytest.fixture
def address(seeded: Seeded) -> str:
    return f"{API}/sessions/{seeded.session_id}/ledger"


def entries_of(reply: Any) -> list[dict[str, Any]]:
    assert reply.status_code == 200, reply.text
    return list(reply.json()["ledger"]["entries"])


def test_every_place_is_where_it_says(client: TestClient, seeded: Seeded, address: str) -> None:
    data = client.get(address).json()
    texts = {
        one: client.get(f"{API}/documents/{one}/text").json()["text"]
        for one in seeded.documents.values()
    }
    looked = 0
    for entry in data["ledger"]["entries"]:
        span = entry["span"]
        assert data["session"]["answer"][span["start"] : span["end"]] == entry["claim_text"]
        assert entry["band"] == confidence_band(entry["confidence_score"])
        for piece in (*entry["evidence"], *entry["near"]):
            stands = texts[piece["document_id"]][piece["start"] : piece["end"]]
            assert set(piece["snippet"].split()) & set(stands.split())
            assert piece["version"] == 1
            looked += 1
        if entry["evidence"]:
            assert entry["source_document"]["id"] == entry["evidence"][0]["document_id"]
            assert entry["evidence_snippet"] == entry["evidence"][0]["snippet"]
        else:
            assert entry["source_document"] is None
            assert entry["evidence_snippet"] == ""
    assert looked > 5


def test_a_ledger_that_was_deleted_and_built_anew_is_the_one_that_is_shown(place: Place) -> None:
    """Its session, id and revision are as before, and so is the number of decisions."""
    fresh = seed(place.store, "anew", sources=("leave-policy.md",))
    theirs = place.client(**{"Veridical-Workspace": "anew", "accept-encoding": "identity"})
    address = f"{API}/sessions/{fresh.session_id}/ledger"
    ledger = ledger_in(fresh.shelf, fresh.session_id)
    before = theirs.get(address)
    assert entries_of(before)[0]["verdict"] == "contradicted"
    assert theirs.delete(f"{API}/sessions/{fresh.session_id}").status_code == 204
    first = replace(ledger.entries[0], verdict=Verdict.WEAK)
    place.store.save(replace(ledger, entries=(first, *ledger.entries[1:])), "anew")
    after = theirs.get(address, headers={"if-none-match": before.headers["etag"]})
    assert after.json()["ledger"]["revision"] == before.json()["ledger"]["revision"] == 1
    assert entries_of(after)[0]["verdict"] == "weak"
    assert entries_of(theirs.get(address, params={"limit": 1}))[0]["verdict"] == "weak"


def test_a_document_that_is_deleted_is_named_no_more(place: Place) -> None:
    fresh = seed(place.store, "without", sources=("leave-policy.md",))
    theirs = place.client(**{"Veridical-Workspace": "without", "accept-encoding": "identity"})
    address = f"{API}/sessions/{fresh.session_id}/ledger"
    before = theirs.get(address)
    assert versions_in(before) == {1}
    (document,) = fresh.documents.values()
    assert theirs.delete(f"{API}/documents/{document}").status_code == 204
    after = theirs.get(address, headers={"if-none-match": before.headers["etag"]})
    assert versions_in(after) == {None}
    page = theirs.get(f"/sessions/{fresh.session_id}/claims/1", headers={"accept": "text/html"})
    assert page.status_code == 200
    assert f"/documents/{document}" not in page.text


def versions_in(reply: Any) -> set[object]:
    pieces = [piece for entry in entries_of(reply) for piece in entry["evidence"]]
    return {piece["version"] for piece in pieces}


def test_some_entries_can_be_asked_for(client: TestClient, address: str) -> None:
    everything = entries_of(client.get(address))
    for verdict in ("supported", "weak", "contradicted", "not_found"):
        wanted = [entry for entry in everything if entry["verdict"] == verdict]
        assert entries_of(client.get(address, params={"verdict": verdict})) == wanted
    seen: list[object] = []
    given: dict[str, str | int] = {"limit": 2}
    while True:
        reply = client.get(address, params=given)
        assert reply.json()["ledger"]["summary"]["total_claims"] == len(everything)
        seen += entries_of(reply)
        if reply.json()["next"] is None:
            break
        given["after"] = reply.json()["next"]
    assert seen == everything


def test_the_plain_form_is_what_the_model_describes(seeded: Seeded) -> None:
    view = there(LedgerViews().find(seeded.shelf, seeded.session_id))
    plain = json.loads(json.dumps(ledger_reply(view)))
    modelled = LedgerReply.model_validate(plain).model_dump(mode="json", exclude_unset=True)
    assert modelled == plain


# --- reviews -------------------------------------------------------------------------------------


_WORKSPACES = count(1)


class Session:
    """A session with a ledger, and what can be done about it."""

    def __init__(self, place: Place) -> None:
        self.workspace = f"reviews-{next(_WORKSPACES)}"
        seeded = seed(place.store, self.workspace, sources=("leave-policy.md",))
        self.id = seeded.session_id
        self.client: TestClient = place.client(**{"Veridical-Workspace": self.workspace})
        self.address = f"{API}/sessions/{seeded.session_id}"
        self.entries: list[dict[str, Any]] = self.client.get(f"{self.address}/ledger").json()[
            "ledger"
        ]["entries"]

    def review(self, at: int = 0, **given: Any) -> Any:
        entry = self.entries[at]["id"]
        return self.client.post(f"{self.address}/entries/{entry}/reviews", json=given)

    def history(self, **given: Any) -> dict[str, Any]:
        return dict(self.client.get(f"{self.address}/reviews", params=given).json())

    def shown(self, at: int = 0) -> dict[str, Any]:
        ledger = self.client.get(f"{self.address}/ledger").json()["ledger"]
        return dict(ledger["entries"][at])


@pytest.fixture
def session(place: Place) -> Session:
    return Session(place)


def test_a_verdict_is_accepted_overruled_and_given_back(session: Session) -> None:
    machine = session.entries[0]["verdict"]
    accepted = session.review(decision="accept")
    assert accepted.status_code == 201
    assert accepted.json()["verdict"] == machine
    overruled = session.review(decision="overrule", verdict="not_found", reason="An old version.")
    assert overruled.json()["machine_verdict"] == machine
    assert overruled.json()["verdict"] == "not_found"
    assert overruled.json()["reviewer"] == "local"
    shown = session.shown()
    assert shown["verdict"] == machine
    assert shown["review"]["verdict"] == "not_found"
    assert shown["review"]["reason"] == "An old version."
    assert session.review(decision="withdraw").status_code == 201
    assert session.shown()["review"] is None
    assert [one["decision"] for one in session.history()["items"]] == [
        "accept",
        "overrule",
        "withdraw",
    ]


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"decision": "maybe"},
        {"decision": "overrule"},
        {"decision": "overrule", "verdict": "weak"},
        {"decision": "overrule", "verdict": "weak", "reason": "  "},
        {"decision": "overrule", "reason": "Because."},
        {"decision": "overrule", "verdict": "true", "reason": "Because."},
        {"decision": "accept", "reason": "r" * 4_001},
        {"decision": "accept", "by": "somebody else"},
        {"decision": "accept", "expected_revision": 0},
        {"decision": "accept", "expected_revision": 2**31},
    ],
)
def test_a_decision_that_is_none_is_refused(session: Session, given: dict[str, str]) -> None:
    refused(session.review(**given), 422, "invalid_request")
    assert session.history()["items"] == []


def test_nobody_overrules_what_they_have_not_seen(place: Place, session: Session) -> None:
    overruled = {"decision": "overrule", "verdict": "weak", "reason": "Hm."}
    first = session.review(decision="accept", expected_last="").json()["id"]
    refused(session.review(**overruled, expected_last=""), 409, "conflict")
    seen = session.review(**overruled, expected_last=first, expected_revision=1)
    assert seen.status_code == 201
    built_anew(place.store, place.store.shelf(session.workspace), session.id, Verdict.WEAK)
    assert (session.shown()["verdict"], session.shown()["review"]) == ("weak", None)
    refused(session.review(decision="accept", expected_revision=1), 409, "conflict")
    again = session.review(decision="accept", expected_revision=2)
    assert again.json()["verdict"] == "weak"
    one = session.history(limit=2)
    two = session.history(limit=2, after=one["next"])
    ids = [first, seen.json()["id"], again.json()["id"]]
    assert [each["id"] for each in (*one["items"], *two["items"])] == ids
    assert two["next"] is None
    reply = session.client.get(f"{session.address}/reviews", params={"after": "nobody"})
    refused(reply, 422, "invalid_request")

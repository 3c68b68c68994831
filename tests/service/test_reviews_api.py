"""Reviews over HTTP: both verdicts stay, nobody overrules unseen."""

from __future__ import annotations

from dataclasses import replace
from itertools import count
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.service.seeding import seed
from tests.service.visiting import Place
from tests.service.working import API, refused

from veridical.judging.verdict import Verdict

NOBODY = "00000000-0000-4000-8000-000000000000"
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


def test_the_history_comes_in_pages(session: Session) -> None:
    for at in range(3):
        session.review(at, decision="accept")
    first = session.history(limit=2)
    rest = session.history(limit=2, after=first["next"])
    assert [one["entry_id"] for one in (*first["items"], *rest["items"])] == [
        entry["id"] for entry in session.entries[:3]
    ]
    assert rest["next"] is None
    reply = session.client.get(f"{session.address}/reviews", params={"after": "nobody"})
    refused(reply, 422, "invalid_request")


def test_nobody_overrules_what_they_have_not_seen(session: Session) -> None:
    first = session.review(decision="accept", expected_last="").json()["id"]
    late = session.review(decision="overrule", verdict="weak", reason="Hm.", expected_last="")
    refused(late, 409, "conflict")
    seen = session.review(decision="overrule", verdict="weak", reason="Hm.", expected_last=first)
    assert seen.status_code == 201


def test_a_decision_about_a_ledger_that_was_built_anew_is_refused(
    place: Place, session: Session
) -> None:
    accepted = session.review(decision="accept", expected_revision=1)
    assert accepted.status_code == 201
    built_anew(place, session)
    shown = session.shown()
    assert (shown["verdict"], shown["review"]) == ("weak", None)
    assert session.entries[0]["verdict"] != "weak"
    refused(session.review(decision="accept", expected_revision=1), 409, "conflict")
    assert [one["id"] for one in session.history()["items"]] == [accepted.json()["id"]]
    assert session.review(decision="accept", expected_revision=2).json()["verdict"] == "weak"


def built_anew(place: Place, session: Session) -> None:
    """Save the ledger of a session with another verdict on its first claim."""
    shelf = place.store.shelf(session.workspace)
    mark = shelf.ledgers.mark(session.id)
    assert mark is not None
    ledger = shelf.ledgers.load(mark).ledger
    first = replace(ledger.entries[0], verdict=Verdict.WEAK)
    anew = replace(ledger, entries=(first, *ledger.entries[1:]))
    place.store.save(anew, session.workspace)


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


def test_what_is_not_there_cannot_be_reviewed(session: Session) -> None:
    for path in (
        f"{session.address}/entries/{NOBODY}/reviews",
        f"{API}/sessions/{NOBODY}/entries/{session.entries[0]['id']}/reviews",
        f"{session.address}/entries/nonsense/reviews",
    ):
        refused(session.client.post(path, json={"decision": "accept"}), 404, "not_found")
    refused(session.client.get(f"{API}/sessions/{NOBODY}/reviews"), 404, "not_found")

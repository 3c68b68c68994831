"""Hours' worth of requests at full speed, and what the server's process holds on to."""

from __future__ import annotations

import itertools
import json
import tempfile
from collections.abc import Iterator, Sequence
from urllib.parse import urlencode

import httpx2

from benchmarks.http_load import Call, Replies, call, load
from benchmarks.measure import progress
from benchmarks.report import Line, goal, mebibytes
from benchmarks.served import Served, checked, served, session, upload

OURS = "**Veridical**"
CLIENTS = 8
SESSIONS = 6
MOST_GROWTH = 50 * 1024**2
_STEPS = 10
_JSON = {"Content_Type": "application/json"}

POLICY = """# Leave

Full-time staff are entitled to {days} days of annual leave in each leave year.

Up to five days may be carried over into the next leave year, with the consent of the department.

## Requests

Requests must be sent to the team leader fourteen days ahead. Late requests are not accepted.
"""
ANSWER = """Full-time staff get {days} days of annual leave. Up to five days may be carried over.
Late requests are accepted. Unused leave is paid out in December.
"""


def lines(requests: int) -> list[Line]:
    """Row r."""
    with tempfile.TemporaryDirectory() as folder, served(f"sqlite:///{folder}/soak.db") as server:
        with server.client() as client:
            calls = mix(client)
        before, after, replies = soak(server, calls, requests)
        handles = f"{server.threads()} threads, {server.files()} files and sockets open at the end"
    grown = after - before
    progress(f"r: {before / 1e6:.0f} MB grew to {after / 1e6:.0f} MB; {replies.failures or ''}")
    return [
        Line(
            "r",
            f"{requests:,} requests of a reviewer's kind, {CLIENTS} clients",
            OURS,
            f"memory grew by {mebibytes(grown)} to {mebibytes(after)}, "
            f"{replies.errors} errors, {requests / replies.elapsed:,.0f} a second",
            located=handles,
            must=goal("50 MB", met=grown <= MOST_GROWTH and not replies.errors),
        )
    ]


def soak(server: Served, calls: Sequence[Call], requests: int) -> tuple[int, int, Replies]:
    """Memory after the first tenth, and at the end, of so many requests; and all replies."""
    turns = itertools.cycle(calls)
    whole = Replies()
    before = 0
    for step in range(_STEPS + 1):
        replies = load(server.port, turns, CLIENTS, requests // _STEPS)
        whole.failures.update(replies.failures)
        if step:
            whole.seconds += replies.seconds
            whole.elapsed += replies.elapsed
            whole.bytes += replies.bytes
        else:
            before = server.resident()
        progress(f"soak, {step} of {_STEPS}: {server.resident() / 1e6:.0f} MB")
    return before, server.resident(), whole


def mix(client: httpx2.Client) -> list[Call]:
    """What reviewers ask for, in the order in which they do: mostly pages and ledgers, at times a
    question, a decision, a search, a list. Fills the server with what the requests are about.
    """
    documents = [
        upload(client, f"leave-{n}.md", POLICY.format(days=20 + n).encode()) for n in range(3)
    ]
    calls: list[Call] = []
    for number in range(SESSIONS):
        days = 20 + number
        asked = session(client, mode="verify", answer=ANSWER.format(days=days), query="Leave?")
        document = documents[number % len(documents)]
        calls += _of_session(client, asked, document, is_reviewed=number == 0)
    calls += [
        call("question", "POST", "/chat", _body(question="How many days of leave?"), **_JSON),
        call("documents", "GET", "/documents"),
        call("search", "GET", "/sessions?" + urlencode({"q": "leave"})),
        call("list", "GET", "/api/v1/sessions?limit=5"),
    ]
    return calls


def _of_session(
    client: httpx2.Client, asked: str, document: str, *, is_reviewed: bool
) -> Iterator[Call]:
    entries = checked(client.get(f"/api/v1/sessions/{asked}/ledger"))["ledger"]["entries"]
    api, page = f"/api/v1/sessions/{asked}", f"/sessions/{asked}"
    yield call("home", "GET", "/")
    yield call("session", "GET", page, Accept="text/html")
    yield call("ledger", "GET", f"{api}/ledger", Accept_Encoding="gzip")
    for number in range(1, len(entries) + 1):
        yield call("claim", "GET", f"{page}/claims/{number}", Accept="text/html")
        yield call("document", "GET", f"/documents/{document}?start=10&end=60")
        yield call("text", "GET", f"/api/v1/documents/{document}/text")
    if is_reviewed:
        path = f"{api}/entries/{entries[0]['id']}/reviews"
        yield call("accept", "POST", path, _body(decision="accept"), **_JSON)
    yield call("reviews", "GET", f"{api}/reviews")
    yield call("ledger", "GET", f"{api}/ledger")
    yield call("filtered", "GET", f"{page}?verdict=weak&sort=number", Accept="text/html")
    anchors = [anchor for entry in entries for anchor in entry["evidence_chunk_ids"]]
    if anchors:
        yield call("citation", "GET", f"/api/v1/citations/{anchors[0]}")


def _body(**given: str) -> bytes:
    return json.dumps(given).encode()

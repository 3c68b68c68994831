"""The service: its description, and what it replies to every kind of request over the samples."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
from fastapi.testclient import TestClient
from tests.outside.recorded import as_json, brief, compare, normalised, shown
from tests.service.visiting import Place, a_place, log_in

from veridical.service.demo import load
from veridical.service.settings import Auth
from veridical.store.workspaces import Role

API = "/api/v1"
QUOTE = "Full-time staff are entitled to 27 days of annual leave"
CLAIM = {"id": "EV1", "task_id": "T1", "quote": QUOTE, "evidence_type": "direct_quote"}
VARYING = re.compile(r"latency|_ms$|^request_id$|^(chain|seal)_|^head$")
POSTED: tuple[tuple[str, str, Any], ...] = (
    ("post", "/chat", {"question": "May I carry unused PTO over into next year?"}),
    ("post", "/chat", {"question": ""}),
    ("post", "/chat", {"query": 1}),
    ("post", f"{API}/sessions", {"query": "How much leave is there?"}),
    ("post", f"{API}/sessions", {"query": "How much leave?", "answer": "27 days.", "more": 1}),
    ("post", f"{API}/validations", {"title": "Leave", "claims": [CLAIM]}),
    ("post", f"{API}/validations", {"title": "Leave", "claims": [{}]}),
    ("post", f"{API}/nothing", {}),
    ("delete", f"{API}/documents/00000000-0000-4000-8000-000000000000", None),
)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A service over the samples, whose questions took no time."""
    with a_place(tmp_path_factory.mktemp("outside"), auth=Auth.TOKEN) as found:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(time, "perf_counter", lambda: 0.0)
            load(found.store, "default")
        yield found


def steady(value: Any) -> Any:
    """JSON without what each run measures or makes up."""
    if isinstance(value, dict):
        return {k: "<>" if VARYING.search(k) else steady(v) for k, v in value.items()}
    return [steady(one) for one in value] if isinstance(value, list) else value


def told(client: TestClient, method: str, address: str, sent: Any = None) -> tuple[str, Any]:
    """A request and its reply as text, and the reply's JSON where it is that."""
    reply = client.request(method, address, json=sent)
    kind = reply.headers.get("content-type", "")
    body = json.loads(reply.content) if "json" in kind and reply.content else None
    text = shown(address, reply.content) if body is None else as_json(steady(body))
    text = "(figures)" if address == "/metrics" else brief(normalised(text))
    sending = "" if sent is None else f" {json.dumps(sent)}"
    return f"{method.upper()} {address}{sending}\n{reply.status_code} {kind}\n{text}\n", body


def asked_for(client: TestClient, paths: list[str]) -> Iterator[str]:
    """The replies to all GET requests; an address below a list asks for the first thing of it."""
    firsts: dict[str, str] = {}
    for path in sorted(paths, key=lambda path: (path.count("{"), path)):
        address = re.sub(
            r"(/[^{]*?)/{\w+}", lambda found: f"{found[1]}/{firsts.get(found[1], '1')}", path
        )
        text, body = told(client, "get", address)
        yield text
        items = body.get("items") if isinstance(body, dict) else None
        if items:
            found = (v for k, v in items[0].items() if k in ("id", "name") or k.endswith("_id"))
            firsts[address] = str(next(found, "1"))


def test_description(place: Place) -> None:
    compare("openapi.json", normalised(as_json(place.app.openapi())))


def test_replies_and_pages(place: Place) -> None:
    """One request of each kind, and one page of each kind that links lead to, by its words."""
    token = place.token(Role.ADMIN)
    client, browser = place.client(token), place.browser()
    log_in(browser, token)
    described = place.app.openapi()["paths"].items()
    replies = list(asked_for(client, [path for path, item in described if "get" in item]))
    pages = list(pages_from("/", browser))
    replies += [told(client, *one)[0] for one in POSTED]
    replies += [told(place.client(), "get", f"{API}/documents")[0]]
    compare("replies.txt", normalised("\n".join(replies)))
    compare("pages.txt", normalised("\n".join(pages)))


def pages_from(address: str, browser: TestClient) -> Iterator[str]:
    """The pages that links lead to, one of each kind of address."""
    seen, ahead = set[str](), [address]
    while ahead:
        address = ahead.pop(0)
        kind = normalised(address.partition("?")[0])
        if kind in seen:
            continue
        seen.add(kind)
        reply = browser.get(address)
        if reply.headers.get("content-type", "").startswith("text/html"):
            yield f"GET {address}\n{reply.status_code}\n{brief(normalised(words(reply.text)))}\n"
            ahead += re.findall(r'href="(/(?!api/|static/)[^"#]*)', reply.text)


def words(page: str) -> str:
    """What a page shows, a line for each piece of text."""
    body = re.sub(r"(?s)<(script|style|svg)\b.*?</\1>", "", page)
    lines = (" ".join(line.split()) for line in re.sub(r"<[^>]*>", "\n", body).splitlines())
    return unescape("\n".join(filter(None, lines)))

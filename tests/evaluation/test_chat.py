"""Servers that do as they should, and servers that lie, stall and flood."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.evaluation.responses import ASKED, GOOD, REFUSED, wire
from tests.evaluation.runs import result
from tests.models.faulty_server import (
    Act,
    answer,
    cut_at_once,
    cut_in_the_body,
    dripping_body,
    dripping_error,
    endless_headers,
    flood,
    not_http,
    serve,
    silence,
)

from veridical.answering.answer import Citation, PolicyAnswer, Refusal, RefusalReason
from veridical.errors import ConfigurationError, ValidationError
from veridical.evaluation.chat import MAX_REPLY_BYTES, InProcessChat, Unreachable
from veridical.evaluation.http_chat import HttpChat
from veridical.evaluation.report.answers import nearest_passages
from veridical.evaluation.run import ChatError, ChatResponse
from veridical.sources.document import Span

FINE = wire(GOOD)


def asked(act: Act, seconds: float = 10.0) -> ChatResponse | ChatError:
    with serve(act) as server, HttpChat(f"http://127.0.0.1:{server.port}/", timeout_seconds=seconds) as chat:  # noqa: E501 # fmt: skip
        return chat.ask("How many?")


def test_a_question_is_posted_and_the_response_read() -> None:
    extra = {"refused": False, "notes": ["a"]}
    with serve(answer(FINE | extra)) as server, HttpChat(f"http://127.0.0.1:{server.port}") as chat:
        given = chat.ask("Wie viele Tage, café?")
    assert given == ChatResponse(GOOD.answer, GOOD.citations, GOOD.snippets, 12.5, extra)
    (received,) = server.received
    assert (received.path, received.json) == ("/chat", {"question": "Wie viele Tage, café?"})
    assert received.headers["content-type"] == "application/json"


def changed(**fields: Any) -> dict[str, Any]:
    return FINE | fields


@pytest.mark.parametrize(
    ("act", "told"),
    [
        (answer("<html>Welcome</html>", content_type="text/html"), "is not JSON"),
        (answer([FINE]), "is not a JSON object"),
        (answer(b'{"answer": "\xff"}'), "is not UTF-8"),
        (answer('{"latency_ms": NaN}'), "has NaN"),
        (answer({"detail": "no"}), "is not a chat response"),
        (answer(changed(answer=None)), "answer:"),
        (answer(changed(citations={})), "citations:"),
        (answer(changed(citations=[{"doc_id": "a"}])), "citations[0]"),
        (answer(changed(citations=FINE["citations"] * 201)), "citations:"),
        (answer(changed(snippets=[1])), "snippets[0]"),
        (answer(changed(latency_ms=-1)), "latency_ms:"),
        (answer(changed(extra=json.loads("[" * 40 + "]" * 40))), "nested more than 32 levels"),
        (answer(FINE, 500), "HTTP 500"),
        (answer(FINE, 404), "HTTP 404); check the address"),
        (answer(FINE, 201), "HTTP 201"),
        (answer(FINE, 307, {"Location": "http://127.0.0.1:9/chat"}), "redirects"),
        (answer(FINE, headers={"Content-Encoding": "gzip"}), "compresses its reply unasked"),
        (flood, f"more than {MAX_REPLY_BYTES:,} bytes"),
        (cut_at_once, "broke off its reply"),
        (cut_in_the_body, "broke off its reply"),
        (not_http, "broke off its reply"),
    ],
)
def test_a_reply_that_cannot_be_used_is_an_error_that_says_why(act: Act, told: str) -> None:
    given = asked(act)
    assert isinstance(given, ChatError)
    assert told in given.reason
    assert not isinstance(given, Unreachable)


@pytest.mark.parametrize("act", [silence, dripping_body, endless_headers, dripping_error])
def test_a_server_that_never_ends_is_left(act: Act) -> None:
    given = asked(act, seconds=0.15)
    assert isinstance(given, ChatError)
    assert "no whole reply within 0.15 s" in given.reason or "HTTP 500" in given.reason


def test_proxies_of_the_environment_are_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    assert asked(answer(FINE)) == GOOD


@pytest.mark.parametrize(
    "address",
    ["", "127.0.0.1:8000", "ftp://host", "http://", "http://a:b@host", "http://host:x",
     "http://host?x=1", "http://host#x", "file:///etc/passwd", "http://[::1"],
)  # fmt: skip
def test_what_is_no_address(address: str) -> None:
    with pytest.raises(ConfigurationError, match="must be like http://"):
        HttpChat(address)


@pytest.mark.parametrize("seconds", [0.0, -1.0, float("nan"), float("inf"), 4_000.0])
def test_what_is_no_time_out(seconds: float) -> None:
    with pytest.raises(ConfigurationError, match="time-out"):
        HttpChat("http://127.0.0.1:8000", timeout_seconds=seconds)


# --- in this process ------------------------------------------------------------------------------

LEAVE = Citation("pto.md", "Leave", "Leave > Accrual", "1.67 days", "It is 1.67 days.", 1, None, Span(0, 16), "abcd1234")  # noqa: E501 # fmt: skip


class Scripted:
    def __init__(self, outcome: PolicyAnswer | Exception) -> None:
        self._outcome = outcome

    def answer(self, question: str) -> PolicyAnswer:
        if isinstance(self._outcome, Exception):
            raise self._outcome
        return self._outcome


def test_a_refusal_in_this_process_names_what_comes_nearest_and_cites_nothing() -> None:
    refusal = Refusal(RefusalReason.NOT_ANSWERED)
    refused = PolicyAnswer(
        "How?", REFUSED.answer, (), (), (), refusal, "extractive", 0.1, nearest=(LEAVE,)
    )
    given = InProcessChat(Scripted(refused)).ask("How?")
    assert isinstance(given, ChatResponse)
    assert (given.citations, given.snippets) == ((), ())
    (near,) = nearest_passages(result(ASKED, given))
    assert (near.citation.doc_id, near.citation.text) == ("pto.md", "It is 1.67 days.")
    assert near.answers


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (ValidationError("the question is empty"), "the question is empty"),
        (ZeroDivisionError("secret words"), "the answerer failed: an unexpected ZeroDivisionError"),
    ],
)
def test_an_answerer_that_fails_is_an_error(error: Exception, told: str) -> None:
    assert InProcessChat(Scripted(error)).ask("How?") == ChatError(told)

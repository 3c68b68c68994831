"""A server that is slow, broken or hostile: every call ends in time, with a clear outcome.

`HANG_SECONDS` is no measure of speed: a call that is not bounded would run into it.
"""

from __future__ import annotations

import gzip
import logging
import time
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from tests.models import faulty_server as faulty
from tests.models.faulty_server import FINE, Act, answer, completion, error, serve
from tests.models.test_openai_compatible import FREE, KEY, model_at

from veridical.errors import ModelError, ModelUnavailable
from veridical.models.protocol import Message, ModelRequest, Role

HANG_SECONDS = 10.0
PROMPT = ModelRequest((Message(Role.USER, "Maria Papadopoulou said a word in confidence"),))


ENDLESS = [
    faulty.silence,
    faulty.dripping_status_line,
    faulty.endless_headers,
    faulty.endless_informational,
    faulty.dripping_body,
    faulty.endless_stream,
]


@pytest.mark.parametrize("act", ENDLESS, ids=lambda act: act.__name__)
def test_an_endless_answer_ends_with_the_attempts_and_with_the_time_in_all(act: Act) -> None:
    started = time.monotonic()
    with serve(act) as server, pytest.raises(ModelUnavailable, match=r"no whole .* 2 attempts"):
        model_at(server.url, timeout_seconds=0.3, max_retries=1).complete(FREE)
    # On a busy machine an attempt may end before the server has read what was asked.
    assert len(server.received) <= 2
    with serve(act) as server, pytest.raises(ModelUnavailable, match="no whole answer"):
        model_at(server.url, timeout_seconds=60, total_seconds=0.4, max_retries=9).complete(FREE)
    assert time.monotonic() - started < 2 * HANG_SECONDS


def test_many_short_attempts_end_with_the_time_in_all() -> None:
    started = time.monotonic()
    with serve(faulty.cut_at_once) as server, pytest.raises(ModelUnavailable):
        model_at(server.url, total_seconds=0.5, max_retries=10**6, backoff_seconds=0.001).complete(
            FREE
        )
    assert time.monotonic() - started < HANG_SECONDS
    assert len(server.received) < 20, "the waits between them grow"


@pytest.mark.parametrize(
    "act",
    [
        *map(error, (500, 502, 503, 429, 408, 409, 529)),
        faulty.cut_at_once,
        faulty.cut_in_the_body,
        faulty.not_http,
        answer(b'{"choices": [{"message": {"content": "ha'),
        answer(b"nothing of the kind"),
        answer(b"[" * 200_000),
        answer(b"9" * 10_000),
        answer(b"\xff\xfe\x00"),
        answer(completion(), headers={"Content-Length": "999"}),
    ],
)
def test_a_passing_fault_is_tried_again(act: Act) -> None:
    with serve(act, act, FINE) as server:
        assert model_at(server.url, max_retries=2).complete(FREE).text == "fine"
    assert len(server.received) == 3
    assert len({received.body for received in server.received}) == 1, "nothing is lost"

    with serve(act) as server, pytest.raises(ModelUnavailable):
        model_at(server.url, max_retries=2).complete(FREE)
    assert len(server.received) == 3, "and no more often than allowed"


def test_a_server_that_is_not_there() -> None:
    with serve(FINE) as server:
        gone = server.url
    with pytest.raises(ModelUnavailable, match=r"cannot be reached .* gave up after 3 attempts"):
        model_at(gone).complete(FREE)


@pytest.mark.parametrize("form", ["seconds", "date"])
def test_the_wait_that_a_server_asks_for_is_kept(form: str) -> None:
    def asks_to_wait(client: faulty.Client) -> None:
        soon = datetime.now(UTC) + timedelta(seconds=2.5)
        wait = "1" if form == "seconds" else format_datetime(soon, usegmt=True)
        error(429, headers={"Retry-After": wait})(client)

    with serve(asks_to_wait, FINE) as server:
        model_at(server.url).complete(FREE)
    first, second = server.received
    assert second.at - first.at >= 0.9


@pytest.mark.parametrize("wait", ["120", "9" * 400, "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_a_wait_that_is_longer_than_the_time_left_is_not_begun(wait: str) -> None:
    started = time.monotonic()
    with (
        serve(error(429, headers={"Retry-After": wait}), FINE) as server,
        pytest.raises(ModelUnavailable, match=r"asks for a wait of .* no time left"),
    ):
        model_at(server.url).complete(FREE)
    assert time.monotonic() - started < HANG_SECONDS
    assert len(server.received) == 1


@pytest.mark.parametrize("act", [faulty.flood, answer(completion("x" * 10_000_000))])
def test_a_reply_without_measure_is_not_read_to_its_end(act: Act) -> None:
    with serve(act) as server, pytest.raises(ModelUnavailable, match="more than 1,000,000 bytes"):
        model_at(server.url, max_reply_bytes=1_000_000).complete(FREE)
    assert len(server.received) == 1
    with serve(answer(completion("x" * 10_000))) as server:
        assert len(model_at(server.url, max_reply_bytes=20_000).complete(FREE).text) == 10_000


@pytest.mark.parametrize("status", [200, 500])
def test_an_answer_that_would_blow_up_is_not_unpacked(status: int) -> None:
    bomb = gzip.compress(b"x" * 50_000_000)
    act = answer(bomb, status, {"Content-Encoding": "gzip"})
    with serve(act) as server, pytest.raises(ModelError):
        model_at(server.url, max_retries=0).complete(FREE)
    assert server.received[0].headers["accept-encoding"] == "identity"


def test_an_error_with_an_endless_body_is_still_an_error() -> None:
    with serve(faulty.dripping_error) as server, pytest.raises(ModelUnavailable):
        model_at(server.url, timeout_seconds=0.5, max_retries=0).complete(FREE)


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (error(400, {"code": "context_length_exceeded"}), "too long .* larger context"),
        (error(413), "too long"),
        (error(400, {"type": "invalid_request_error"}), "refuses the request .*invalid_request"),
        (error(401), "refuses the key .* check VERIDICAL_API_KEY"),
        (error(403), "denies the access .* 'tiny'"),
        (error(404), "no such model or address .* base URL"),
        (error(405), "base URL"),
        (error(418, ["odd"]), "refuses the request .418"),
        (error(429, {"code": "insufficient_quota"}), "quota is used up"),
        (error(501), "refuses the request"),
        (
            answer("<html>Sign in</html>", content_type="text/html"),
            "a web page; check the base URL",
        ),
        (answer("<!doctype html>", 404, content_type="text/html"), "no such model or address"),
        (answer(b"\xff\xfe", 400), "refuses the request"),
        (answer("[" * 60_000, 400), "refuses the request"),
        (answer("", 304), "redirects"),
        (answer(b"\x1f\x8b", headers={"Content-Encoding": "gzip"}), "compresses"),
    ],
)
def test_what_waiting_does_not_cure_is_told_at_once(act: Act, message: str) -> None:
    with serve(act) as server, pytest.raises(ModelError, match=message) as caught:
        model_at(server.url).complete(FREE)
    assert not isinstance(caught.value, ModelUnavailable)
    assert len(server.received) == 1


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_takes_neither_key_nor_prompt_along(status: int) -> None:
    with serve(FINE) as other, serve(answer("", status, {"Location": other.url})) as server:
        with pytest.raises(ModelError, match=r"redirects to 127\.0\.0\.1"):
            model_at(server.url).complete(FREE)
        assert other.received == []
    for nowhere in ("http://[", "//", "http://a b/", "http://" + "x" * 500):
        act = answer("", status, {"Location": nowhere})
        with serve(act) as server, pytest.raises(ModelError, match=rf"redirects \({status}\)"):
            model_at(server.url).complete(FREE)


def echo(status: int, **headers: str) -> Act:
    """An answer that gives back everything that came."""

    def act(client: faulty.Client) -> None:
        key = client.received.headers["authorization"]
        prompt = client.received.json["messages"][-1]["content"]
        said = {"message": f"{key} {prompt}", "code": prompt, "type": f"x_{KEY}", "param": prompt}
        given = dict.fromkeys(headers, f"{key} {prompt}")
        answer({"error": said, "detail": prompt}, status, {"X-Echo": f"{key} {prompt}"} | given)(
            client
        )

    return act


@pytest.mark.parametrize("status", [200, 302, 400, 401, 403, 404, 422, 429, 500, 503])
def test_key_and_prompt_stay_out_of_errors_and_logs(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    act = echo(status, Location="", **{"Retry-After": "", "Content-Type": "", "X-Request-Id": ""})
    with serve(act) as server, pytest.raises(ModelError) as caught:
        model_at(server.url, max_retries=1).complete(PROMPT)
    shown = [str(caught.value), repr(caught.value), caplog.text]
    chained: BaseException | None = caught.value
    while (chained := chained.__cause__ or chained.__context__) is not None:
        shown.append(repr(chained))
    for text in shown:
        assert KEY not in text
        assert "Maria" not in text
        assert "confidence" not in text


def test_the_key_stays_out_of_results() -> None:
    body = completion(f"your key is {KEY}") | {"model": f"tiny {KEY}"}
    with serve(answer(body)) as server:
        model = model_at(server.url)
        reply = model.complete(FREE)
    assert reply.text == "your key is [key]"
    assert KEY not in repr(reply)
    assert KEY not in repr(model)

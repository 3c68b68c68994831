"""The MCP server and clients that break the rules, go away, or want it to end."""

# ruff: noqa: E402 - what follows needs the tool

from __future__ import annotations

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.integrations.conftest import needs

needs("mcp")

from tests.integrations.mcp_desk import HELLO, PATIENCE, Lines, command, lines

from veridical.integrations.mcp import limits

TEXT = "# Fees\n\nThe fee is 14 euros a month. It is due on the first day of the month.\n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("lines") / "docs"
    folder.mkdir()
    (folder / "fees.md").write_text(TEXT, encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Lines]:
    with lines(str(folder)) as running:
        assert running.hello()["result"]["serverInfo"]["name"] == "veridical"
        yield running


def alive(server: Lines, id: int) -> bool:
    server.call(id, "list_documents", {})
    return bool(server.reply(id)["result"]["structuredContent"]["total"] == 1)


def request(id: object, arguments: str) -> bytes:
    params = f'{{"name":"ask","arguments":{arguments}}}'
    given = json.dumps(id)
    return f'{{"jsonrpc":"2.0","id":{given},"method":"tools/call","params":{params}}}'.encode()


DEEP = "[" * 100_000
LONG = '{"question":"' + "x" * (limits.MAX_MESSAGE_BYTES + 10) + '"}'

UNREADABLE = [
    pytest.param(request(11, r'{"question":"\ud800 lone"}'), 11, "surrogate", id="lone surrogate"),
    pytest.param(request("a-b", r'{"question":"\udc00"}'), "a-b", "surrogate", id="id of letters"),
    pytest.param(request(12, '{"question":' + DEEP), None, "nested", id="deep"),
    pytest.param(request(13, LONG), 13, "4,194,304 bytes", id="long"),
    pytest.param(b'{"id":14,' + b" " * limits.MAX_MESSAGE_BYTES + b"}", 14, "4,194", id="padded"),
    pytest.param(b"x" * (3 * limits.MAX_MESSAGE_BYTES), None, "4,194", id="long nonsense"),
    pytest.param(b'{"id":15,"method":"caf\xe9"}', 15, "UTF-8", id="latin-1"),
    pytest.param(b"GET / HTTP/1.1", None, "JSON", id="http"),
    pytest.param(b"", None, "JSON", id="nothing"),
    pytest.param(b"[]", None, "JSON", id="batch"),
    pytest.param(b'{"id": true}', None, "JSON", id="id of the wrong type"),
    pytest.param(b'{"jsonrpc":"1.0","id":16,"method":"ping"}', 16, "JSON", id="another version"),
    pytest.param(b'{"id":' + b"9" * 5000 + b"}", None, "JSON", id="a number without end"),
    pytest.param(b'{"id":' + b"9" * 80 + b"}", int("9" * 80), "JSON", id="a long number"),
]


@pytest.mark.parametrize(("line", "id", "told"), UNREADABLE)
def test_a_message_that_cannot_be_read_is_answered(
    server: Lines, line: bytes, id: int | None, told: str
) -> None:
    server.write(line)
    error = server.reply(id)["error"]
    assert error["code"] == -32700
    assert told in error["message"]
    assert alive(server, 900)


WRONG: list[tuple[str, object]] = [
    ("tools/call", None),
    ("tools/call", {"name": 5}),
    ("tools/call", {"name": "ask", "arguments": []}),
    ("tools/call", {"name": "ask", "arguments": "question"}),
    ("tools/call", {"name": "ask", "arguments": {"question": {"a": [[[]]] * 9}}}),
    ("tools/call", {"name": "ask", "arguments": {"": 1}, "_meta": {"progressToken": []}}),
    ("tools/explode", {}),
    ("resources/read", {"uri": "file:///etc/passwd"}),
]


@pytest.mark.parametrize(("method", "params"), WRONG)
def test_a_wrong_call_is_an_error_and_no_end(server: Lines, method: str, params: object) -> None:
    server.send(21, method, params)
    reply = server.reply(21)
    assert "error" in reply or reply["result"].get("isError") or reply["result"].get("content")
    assert len(json.dumps(reply)) < 5_000
    assert alive(server, 901)


@pytest.fixture
def pair(tmp_path: Path) -> list[str]:
    """Two folders with files of one name."""
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "fees.md").write_text(f"The fee of {name} is 14 euros.\n", "utf-8")
    return [str(tmp_path / "one"), "--documents", str(tmp_path / "two")]


def test_names_hold_no_path_and_logs_no_text_and_nothing_is_written(
    pair: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`Lines` reads each line of standard output as JSON: nothing else is written there."""
    home = tmp_path / "home"
    home.mkdir()
    for name in ("HOME", "XDG_CACHE_HOME", "TMPDIR"):
        monkeypatch.setenv(name, str(home))
    with lines(*pair, "--verbose") as running:
        running.hello()
        running.call(1, "list_documents", {}, progressToken="p1")
        found = running.reply(1)["result"]["structuredContent"]
        assert [each["name"] for each in found["documents"]] == ["one/fees.md", "two/fees.md"]
        assert str(tmp_path) not in json.dumps(found)
        told = [m for m in running.passed if m.get("method") == "notifications/progress"]
        assert all(message["params"]["progressToken"] == "p1" for message in told)
        running.call(2, "validate_quotes", {"quotes": [{"quote": "The fee is 99 zlotys"}]})
        running.call(3, "ask", {"question": "What is the fee in zlotys?", "wrong": "zlotys"})
        running.call(4, "open_span", {"document": "zlotys", "start": 0, "end": 1})
        for number in (2, 3, 4):
            running.reply(number)
        # The end of standard input ends it, also at work.
        running.call(5, "check_answer", {"answer": "The fee is 15 euros a month. " * 190})
        assert running.close() == 0
        for word in (b"zlotys", b"euros", b"Traceback"):
            assert word not in running.errors
    assert not [path for path in home.rglob("*") if path.is_file()]
    assert len(list(tmp_path.rglob("*.*"))) == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signals_end_it_and_it_says_hello_while_documents_are_read(
    tmp_path: Path, number: int
) -> None:
    for each in range(60):
        (tmp_path / f"{each}.md").write_text(TEXT * 40, encoding="utf-8")
    with lines(str(tmp_path)) as running:
        running.hello()
        running.call(2, "list_documents", {})
        running.send(1, "tools/list")
        assert len(running.reply(1)["result"]["tools"]) == 6
        running.process.send_signal(number)
        assert running.ended() == 0
        assert running.errors == b""


def test_a_client_that_reads_no_more(folder: Path) -> None:
    with subprocess.Popen(
        command(str(folder)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin
        assert process.stdout
        process.stdout.close()
        line = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}
        process.stdin.write(json.dumps(line).encode() + b"\n")
        process.stdin.flush()
        assert process.wait(PATIENCE) == 0
        assert process.stderr
        assert b"Traceback" not in process.stderr.read()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "no documents were named"),
        (["nowhere"], "not a folder"),
        (["fees.md"], "not a folder"),
        (["."], ""),
    ],
)
def test_how_it_is_started(folder: Path, arguments: list[str], told: str) -> None:
    done = subprocess.run(
        command(*arguments), cwd=folder, input=b"", capture_output=True, timeout=PATIENCE,
        env={**os.environ, "PYTHONWARNINGS": "error"} if not told else None, check=False,
    )  # fmt: skip
    assert done.returncode == (2 if told else 0)
    assert told in done.stderr.decode()
    assert done.stdout == b""

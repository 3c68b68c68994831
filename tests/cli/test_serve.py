"""`veridical serve` and `uvicorn app.main:app`, each as a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import signature
from pathlib import Path

import httpx2
import pytest

from veridical.cli.serve_run import _listening
from veridical.service.app import create_app
from veridical.service.settings import REFRESH_SECONDS

ROOT = Path(__file__).parents[2]
SECONDS = 60.0


@contextmanager
def running(arguments: list[str], cache: Path, cwd: Path = ROOT) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=cwd,
        env={**os.environ, "XDG_CACHE_HOME": str(cache), "VERIDICAL_MODEL": ""},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def address_of(process: subprocess.Popen[str]) -> str:
    """The first address that it names."""
    assert process.stderr is not None
    for line in process.stderr:
        found = re.search(r"http://\S+", line)
        if found:
            return found[0]
    raise AssertionError("it names no address")


def until_ready(url: str) -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            if httpx2.get(f"{url}/health").status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"not ready in {SECONDS} s")


def ask(url: str, question: str) -> dict[str, object]:
    return dict(httpx2.post(f"{url}/chat", json={"question": question}).json())


def test_it_answers_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "leave.md").write_text("# Leave\n\nStaff get 25 days of leave a year.\n", "utf-8")
    serve = ["veridical", "serve", "--documents", str(folder), "--port", "0"]
    with running(serve, tmp_path / "cache") as process:
        url = address_of(process)
        until_ready(url)
        assert "25 days" in str(ask(url, "How many days of leave do staff get?")["answer"])
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert "Stopped." in told
    assert "Traceback" not in told
    assert list((tmp_path / "cache").rglob("*.db")), "the index is kept for the next start"
    assert sorted(path.name for path in folder.iterdir()) == ["leave.md"]


def test_the_sample_policies_by_the_command_of_the_specification(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with running(["uvicorn", "app.main:app", "--port", str(port)], tmp_path):
        url = f"http://127.0.0.1:{port}"
        until_ready(url)
        reply = ask(url, "May I carry unused PTO over into next year?")
    assert "Up to 5 unused days" in str(reply["answer"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "no documents in the current folder"),
        (["--documents", "missing"], "missing: there is no such file or folder"),
        (["--documents", ""], "there is no such file or folder"),
        (["--database", "missing.db"], "There is no database missing.db"),
        (["--documents", "examples/policies", "--port", "{taken}"], "Choose another"),
        (["--documents", "examples/policies", "--host", "no.such.host.invalid"], "cannot listen"),
        (["--documents", "examples/policies", "--base-url", "http://localhost:1"], "--model"),
    ],
)
def test_what_keeps_it_from_starting_is_told(
    tmp_path: Path, arguments: list[str], told: str
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        given = [argument.format(taken=port) for argument in arguments]
        empty = tmp_path / "empty"
        empty.mkdir()
        given = [str(ROOT / one) if one == "examples/policies" else one for one in given]
        with running(["veridical", "serve", *given], tmp_path, empty) as process:
            _, said = process.communicate(timeout=SECONDS)
    assert process.returncode == 2
    assert told in said
    assert "Serving on" not in said
    assert "Traceback" not in said


def test_what_is_looked_at_how_often_is_said_in_one_place() -> None:
    assert signature(create_app).parameters["refresh_seconds"].default == REFRESH_SECONDS


def test_replies_do_not_wait_for_acknowledgements() -> None:
    with _listening("127.0.0.1", 0) as listener:
        assert listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)

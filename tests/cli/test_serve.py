"""`veridical serve` and `uvicorn app.main:app`, each as a process of its own."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
import yaml
from tests.cli.harness import invoke

from veridical.cli.serve import serve as serve_command
from veridical.service.settings import ServiceSettings
from veridical.store.store import Store
from veridical.store.workspaces import Role

ROOT = Path(__file__).parents[2]
SECONDS = 60.0
EVERYWHERE = "0.0.0.0"  # noqa: S104


@contextmanager
def running(arguments: list[str], cwd: Path = ROOT) -> Iterator[subprocess.Popen[str]]:
    """A process that ends with the block."""
    process = subprocess.Popen(
        [sys.executable, "-m", *arguments],
        cwd=cwd,
        env={**os.environ, "VERIDICAL_MODEL": "", "VERIDICAL_STORE": ""},
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.kill()
        process.communicate()


def told_at_start(process: subprocess.Popen[str]) -> tuple[str, str]:
    """What it says until it names its address, and that."""
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if found := re.search(r"http://[\d.:]+", line):
            return said, found[0]
    raise AssertionError(f"it names no address: {said}")


def until_ready(url: str, path: str = "/health") -> None:
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        try:
            if httpx2.get(f"{url}{path}", timeout=SECONDS).status_code == 200:
                return
        except httpx2.TransportError:
            pass
        time.sleep(0.05)
    raise AssertionError(f"not ready in {SECONDS} s")


def ask(url: str, question: str) -> dict[str, object]:
    return dict(httpx2.post(f"{url}/chat", json={"question": question}, timeout=SECONDS).json())


def test_it_answers_and_stops_on_ctrl_c(tmp_path: Path) -> None:
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "leave.md").write_text("# Leave\n\nStaff get 25 days of leave a year.\n", "utf-8")
    (tmp_path / "diary.md").write_text("# Mine\n\nNobody asked for this to be read.\n", "utf-8")
    serve = ["veridical", "serve", "--documents", "policies", "--port", "0"]
    with running(serve, tmp_path) as process:
        said, url = told_at_start(process)
        assert "veridical.db" in said
        until_ready(url)
        until_ready(url, "/ready")
        assert "25 days" in str(ask(url, "How many days of leave do staff get?")["answer"])
        listed = httpx2.get(f"{url}/api/v1/documents", timeout=SECONDS).json()["items"]
        assert [document["filename"] for document in listed] == ["leave.md"]
        process.send_signal(signal.SIGINT)
        _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    assert told.strip() == "Stopped."
    assert (tmp_path / "veridical.db").exists()
    assert sorted(path.name for path in folder.iterdir()) == ["leave.md"]


def test_with_tokens_and_samples_until_it_is_told_to_stop(tmp_path: Path) -> None:
    """On all addresses, logging, in a database that is named."""
    database = tmp_path / "kept.db"
    with Store.open(database) as store:
        secret = store.tokens.create("default", "Ana", Role.READER)[1]
    serve = [
        "veridical", "serve", "--port", "0", "--host", EVERYWHERE, "--auth", "token", "--demo",
        "--database", str(database), "--log-format", "json", "--rate", "0",
    ]  # fmt: skip
    with running(serve, tmp_path) as process:
        _, url = told_at_start(process)
        url = url.replace(EVERYWHERE, "127.0.0.1")
        assert httpx2.get(f"{url}/api/v1/sessions", timeout=SECONDS).status_code == 401
        bearer = {"Authorization": f"Bearer {secret}"}
        with httpx2.Client(base_url=url, headers=bearer, timeout=SECONDS) as client:
            deadline = time.monotonic() + SECONDS
            while not client.get("/api/v1/sessions").json()["items"]:
                assert time.monotonic() < deadline, "the samples do not come"
                # Each call is a line of a log that nobody reads yet: a full pipe would stop it.
                time.sleep(0.5)
            process.send_signal(signal.SIGTERM)
            _, told = process.communicate(timeout=SECONDS)
    assert process.returncode == 0
    *lines, last = told.strip().splitlines()
    assert last == "Stopped."
    assert all(line.startswith("{") for line in lines), told
    entries = [json.loads(line) for line in lines]
    assert any({"route", "status", "ms", "request_id"} <= entry.keys() for entry in entries)
    assert secret not in told
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".md"] == []


def test_the_sample_policies_by_the_command_of_the_specification() -> None:
    with running(["uvicorn", "app.main:app", "--port", "0"]) as process:
        _, url = told_at_start(process)
        until_ready(url)
        reply = ask(url, "May I carry unused PTO over into next year?")
    assert "Up to 5 unused days" in str(reply["answer"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--host", EVERYWHERE], "veridical token create"),
        (["--host", "192.0.2.1", "--auth", "open"], "--auth token"),
        (["--documents", "missing"], "missing: there is no such file or folder"),
        (["--documents", ""], "there is no such file or folder"),
        (["--database", "no/such/folder/x.db"], "cannot be opened"),
        (["--database", "postgresql://ana:hidden@127.0.0.1:1/x"], "cannot be reached"),
        (["--database", "mysql://x"], "postgresql://"),
        (["--port", "{taken}"], "Choose another"),
        (["--host", "no.such.host.invalid", "--auth", "token"], "cannot listen"),
        (["--base-url", "http://localhost:1"], "--model"),
        (["--auth", "everyone"], "'everyone' is not one of"),
    ],
)
def test_what_keeps_it_from_starting_is_told(
    folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], told: str
) -> None:
    for name in ("VERIDICAL_MODEL", "VERIDICAL_STORE"):
        monkeypatch.setenv(name, "")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = invoke("serve", *(argument.format(taken=port) for argument in arguments))
    assert result.exit_code == 2
    assert told in result.stderr
    assert "Serving on" not in result.stderr
    assert "hidden" not in result.stderr


def test_the_help_and_the_settings_say_the_same() -> None:
    usual = {option.name: option.default for option in serve_command.params}
    settings = ServiceSettings()
    assert usual["refresh"] == settings.refresh_seconds
    assert usual["rate"] == settings.rate_per_minute
    assert usual["workers"] == settings.workers
    assert usual["auth"] == settings.auth
    assert usual["workspace"] == settings.workspace


# --- the container: no engine runs here, so what can be read is held to be right -----------------


def dockerfile() -> list[tuple[str, str]]:
    joined = re.sub(r"\\\n\s*", "", (ROOT / "Dockerfile").read_text("utf-8"))
    lines = [line for line in joined.splitlines() if line and not line.startswith("#")]
    return [(line.split(" ", 1)[0], line.split(" ", 1)[1]) for line in lines]


def of_dockerfile(instruction: str) -> list[str]:
    return [rest for name, rest in dockerfile() if name == instruction]


def test_the_image_is_made_of_what_is_there_and_runs_as_nobody_special() -> None:
    sources = [word for rest in of_dockerfile("COPY") for word in rest.split()[:-1]]
    kept = {line[1:].rstrip("/") for line in (ROOT / ".dockerignore").read_text().splitlines()}
    for source in sources:
        if not source.startswith(("--from", "/")):
            assert (ROOT / source).exists(), source
            assert source.split("/")[0] in kept, f".dockerignore leaves out {source}"
    for rest in of_dockerfile("RUN"):
        for install in re.findall(r"pip install ([^&]*)", rest):
            assert "--require-hashes" in install or install.startswith("--no-deps /wheels/")
    instructions = [name for name, _ in dockerfile()]
    last_stage = len(instructions) - instructions[::-1].index("FROM")
    assert "USER" in instructions[last_stage:]
    assert of_dockerfile("USER") == ["veridical"]
    assert all(":" in image for image in of_dockerfile("FROM"))


def test_the_image_and_the_compose_file_run_commands_that_there_are() -> None:
    service = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))["services"]["service"]
    (entry,) = of_dockerfile("ENTRYPOINT")
    (command,) = of_dockerfile("CMD")
    assert json.loads(entry) == ["veridical"]
    for arguments in (json.loads(command), service["command"]):
        name, *options = arguments
        assert name == "serve"
        context = serve_command.make_context(name, list(options))
        assert (context.params["host"], context.params["auth"]) == (EVERYWHERE, "token")
    (health,) = of_dockerfile("HEALTHCHECK")
    assert "/ready" in health


def test_no_password_of_the_compose_file_works() -> None:
    text = (ROOT / "compose.yaml").read_text("utf-8")
    compose = yaml.safe_load(text)
    passwords = [
        value
        for service in compose["services"].values()
        for name, value in service["environment"].items()
        if "PASSWORD" in name
    ]
    assert len(passwords) == 2
    assert all(re.fullmatch(r"\$\{POSTGRES_PASSWORD:\?.+\}", value) for value in passwords)
    for service in compose["services"].values():
        for volume in service["volumes"]:
            assert volume.split(":")[0] in compose["volumes"]
    assert all(port.startswith("127.0.0.1:") for port in compose["services"]["service"]["ports"])
    assert "healthcheck" in compose["services"]["database"]


def test_the_packages_of_the_image_are_those_that_are_tested() -> None:
    def pins(name: str) -> dict[str, str]:
        text = (ROOT / "requirements" / name).read_text("utf-8")
        return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))

    tested, installed = pins("dev.lock") | pins("runtime.lock"), pins("serve.lock")
    assert {"fastapi", "psycopg-binary", "typst"} <= installed.keys()
    assert {name: tested.get(name) for name in installed} == installed

"""What reaches a terminal, a pipe, and other encodings; and what happens when it goes away."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import time
from pathlib import Path

import pytest
from tests.cli.harness import (
    FALSE,
    QUOTE,
    TRUE,
    command,
    complaint,
    invoke,
    run,
    shell,
    write_claims,
)

ARGUMENTS = ("validate", "policy.md", "--claims", "claims.json")


def on_a_terminal(*arguments: str, **env: str) -> tuple[int, str]:
    """Exit code and output, standard error included, of a run on a pseudo-terminal."""
    leader, follower = pty.openpty()
    with subprocess.Popen(
        command(*arguments),
        stdin=follower,
        stdout=follower,
        stderr=follower,
        env={**os.environ, "TERM": "xterm-256color", **env},
    ) as process:
        os.close(follower)
        shown = b""
        while True:
            try:
                data = os.read(leader, 65536)
            except OSError:  # the last reader of the other side is gone
                break
            if not data:
                break
            shown += data
    os.close(leader)
    return process.returncode, shown.decode()


def test_a_terminal_gets_colours_and_a_progress_bar(folder: Path) -> None:
    code, shown = on_a_terminal(*ARGUMENTS)
    assert code == 0
    assert "checking claims" in shown
    assert "\x1b[32m✓ VALIDATED" in shown


def test_no_color_is_respected(folder: Path) -> None:
    _, table = on_a_terminal(*ARGUMENTS, NO_COLOR="1")
    assert "\x1b[32m" not in table
    assert "✓ VALIDATED" in table
    _, quote = on_a_terminal("quote", QUOTE, "policy.md", NO_COLOR="1")
    assert quote.startswith("VALIDATED")
    _, quote = on_a_terminal("quote", QUOTE, "policy.md")
    assert quote.startswith("\x1b[32mVALIDATED")


HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\u202etxet\u202c\u2066\r\x00\x7f\x85"


def test_control_characters_of_a_hostile_source_are_not_printed(folder: Path) -> None:
    name = "evil\x1b[31m\u202e.txt"
    Path(name).write_text(
        f"{HOSTILE.replace(chr(0), '')} {QUOTE} {HOSTILE.replace(chr(0), '')}", encoding="utf-8"
    )
    Path("bad\x1b[7m.pdf").write_bytes(b"%PDF-1.4 no")
    claims = [
        {**TRUE, "quote": QUOTE.replace("of leave", f"{HOSTILE} of leave")},
        {**FALSE, "source": f"gone{HOSTILE}"},
        {**TRUE, "id": "EV9", "expected_section": f"Se{HOSTILE}"},
    ]
    write_claims(folder / "c.json", claims)
    for done in (
        invoke("validate", ".", "--claims", "c.json", "--verbose"),
        invoke("quote", f"staff are {HOSTILE.replace(chr(0), '')}entitled", name),
        invoke("quote", "staff are entitled", name),
        invoke("validate", "bad\x1b[7m.pdf", "--claims", "c.json"),
        invoke("validate", "policy.md", "--claims", "gone\x1b[7m.json"),
    ):
        for text in (done.stdout, done.stderr):
            assert not set(text) & set(HOSTILE) - set("\rtxeowned0;]312Jm["), text
            assert "\r" not in text


@pytest.mark.parametrize(
    "env", [{"PYTHONIOENCODING": "ascii"}, {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}]
)
def test_other_encodings_of_the_terminal(folder: Path, env: dict[str, str]) -> None:
    text = "Jede Größe ist für €5 zu haben – überall"
    Path("policy.md").write_text(f"# Größen\n\n{text}\n", encoding="utf-8")
    write_claims(folder / "claims.json", [{**TRUE, "quote": text}])
    env = {**env, "PYTHONUTF8": "0"}
    table = run(*ARGUMENTS, env=env)
    assert table.returncode == 0
    assert table.stdout.decode("ascii").count("|")
    assert "+ VALIDATED" in table.stdout.decode("ascii")
    assert complaint(run("quote", "x", "größe.md", env=env).stderr)
    report = json.loads(run(*ARGUMENTS, "--format", "json", env=env).stdout.decode("utf-8"))
    assert report["validated_claims"][0]["match_details"]["matched_text"] == text


@pytest.mark.parametrize("arguments", [ARGUMENTS, ("quote", QUOTE, "policy.md")])
def test_a_closed_pipe_is_no_error_to_shout_about(folder: Path, arguments: tuple[str, ...]) -> None:
    done = shell(*arguments, tail="| true; exit ${PIPESTATUS[0]}")
    assert done.stderr == b""
    assert done.returncode in (0, 2)  # 0 where the pipe was still open


def test_a_reader_that_stops_early(folder: Path) -> None:
    write_claims(folder / "claims.json", [{**TRUE, "id": f"EV{n}"} for n in range(300)])
    done = shell(*ARGUMENTS, "--format", "json", tail="| head -c 1; exit ${PIPESTATUS[0]}")
    assert done.stderr == b""
    assert done.stdout == b"{"
    assert done.returncode == 2


def test_closed_standard_output(folder: Path) -> None:
    done = shell(*ARGUMENTS, tail=">&-")
    assert done.returncode == 2
    assert complaint(done.stderr) == "veridical: cannot write to standard output: it is closed"
    assert shell(*ARGUMENTS, "--output", "r.json", "--format", "json", tail=">&-").returncode == 0


def test_interrupted(folder: Path) -> None:
    os.mkfifo("slow.md")  # a document that never comes
    with subprocess.Popen(
        command("validate", "slow.md", "--claims", "claims.json", "--output", "r.json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        writer = os.open("slow.md", os.O_WRONLY)  # waits until the run reads
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
        os.close(writer)
    assert (process.returncode, out) == (2, b"")
    assert complaint(err) == "veridical: interrupted before the run was finished"
    assert not Path("r.json").exists()

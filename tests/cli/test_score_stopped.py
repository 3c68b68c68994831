"""`veridical score run --resume-id`, killed and interrupted: the next one goes on where it was."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event

import pytest
from tests.cli.harness import command, complaint, invoke
from tests.cli.score_desk import asked, desk, write_model_rubric
from tests.scoring.model_server import ScoringServer, scoring_server
from tests.scoring.samples import sections

__all__ = ["desk"]

COUNT, AT_ONCE = 9, 3
JOURNAL = Path(".veridical", "scoring", "run.jsonl")
KEPT = ("--resume-id", "run", "--format", "json")
SECONDS = 60


class Gate:
    """Which sections are answered: whoever asks for another waits until it is, or is sent away."""

    def __init__(self) -> None:
        self._answered = 0
        self._sent_away = Event()

    def open(self, count: int) -> None:
        """The first so many sections are answered."""
        self._answered = count

    def send_away(self) -> None:
        """Nobody waits any longer."""
        self._sent_away.set()
        self._sent_away = Event()

    def seconds(self, section_id: str) -> float:
        """What an answer takes once it may be given."""
        sent_away = self._sent_away
        while int(section_id.rpartition("-")[2]) >= self._answered and not sent_away.wait(0.02):
            pass
        return 0.0


@pytest.fixture
def gate() -> Gate:
    return Gate()


@pytest.fixture
def scoring(desk: Path, gate: Gate) -> Iterator[ScoringServer]:
    write_model_rubric(desk / "nine.json", COUNT, concurrency=AT_ONCE)
    with scoring_server(sections(COUNT), seconds=gate.seconds) as running:
        yield running
        gate.send_away()


@contextmanager
def started(scoring: ScoringServer, *options: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command as a process of its own; killed at the end if it still runs."""
    named = ("--model", "tiny", "--base-url", scoring.server.url)
    process = subprocess.Popen(
        command("score", "run", "assumed.vtt", "nine.json", *named, *options),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate(timeout=SECONDS)


def kept_lines() -> int:
    return JOURNAL.read_bytes().count(b"\n") if JOURNAL.exists() else 0


def until(wished: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SECONDS
    while not wished():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def wait_for_answers(count: int) -> None:
    until(lambda: kept_lines() >= 1 + count)


def test_what_was_answered_is_not_asked_again(
    scoring: ScoringServer, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    for answers, stop in ((2, signal.SIGKILL), (5, signal.SIGINT), (7, signal.SIGKILL)):
        gate.open(answers)
        with started(scoring, *KEPT) as process:
            wait_for_answers(answers)
            process.send_signal(stop)
            _, said = process.communicate(timeout=SECONDS)
        gate.send_away()
        until(lambda: scoring.in_flight == 0)
        if stop is signal.SIGINT:
            assert process.returncode == 2
            assert "interrupted before the run was finished" in complaint(said)
        else:
            assert (process.returncode, said) == (-stop, b"")
    gate.open(COUNT)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1800000000")
    left, before = 1 + COUNT - kept_lines(), scoring.asked.total()
    whole = asked(scoring.server, *KEPT, rubric="nine.json")
    assert whole.exit_code == 0
    assert scoring.asked.total() == before + left
    # What was under way at a stop may be asked again.
    assert before + left <= COUNT + 3 * AT_ONCE
    assert scoring.most_in_flight <= AT_ONCE

    # As if it had never been stopped, and made when it was begun.
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    undisturbed = asked(scoring.server, "--format", "json", rubric="nine.json")
    assert whole.stdout_bytes == undisturbed.stdout_bytes


def test_two_at_once_do_not_work_on_one_run(scoring: ScoringServer, gate: Gate) -> None:
    gate.open(1)
    with started(scoring, *KEPT, "--concurrency", "1") as process:
        wait_for_answers(1)
        process.send_signal(signal.SIGSTOP)
        second = asked(scoring.server, *KEPT, rubric="nine.json")
        before = JOURNAL.read_bytes()
        other_file = invoke("score", "run", "radio.vtt", "cues.yaml", "--resume-id", "another")
        gate.open(COUNT)
        process.send_signal(signal.SIGCONT)
        assert process.wait(SECONDS) == 0
    assert second.exit_code == 2
    assert "another process is working on run 'run'" in complaint(second.stderr)
    assert other_file.exit_code == 0
    assert JOURNAL.read_bytes().startswith(before)
    assert set(scoring.asked.values()) == {1}

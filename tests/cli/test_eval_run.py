"""`veridical eval run` and `python -m eval.run_eval`, against servers on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.harness import complaint, invoke
from tests.evaluation.responses import GOOD, LEAVE, REFUSED, wire
from tests.models.faulty_server import Act, answer, cut_at_once, serve

from veridical.evaluation.results import run_from_bytes

ROOT = Path(__file__).parents[2]
QUESTIONS: list[dict[str, Any]] = [
    {"id": "q1", "question": "How many days?", "answerable": True, "expected": ["1.67 days"]},
    {"id": "q2", "question": "What of Mars?", "answerable": False},
]
RIGHT = (answer(wire(GOOD)), answer(wire(GOOD)), answer(wire(REFUSED)))
WRONG = (*RIGHT[:2], answer(wire(GOOD)))
BROKEN = (*RIGHT[:2], answer("no", 500))


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: two questions, and a policy; no model in the environment."""
    for name in ("VERIDICAL_MODEL", "VERIDICAL_BASE_URL", "VERIDICAL_API_KEY", "SOURCE_DATE_EPOCH"):
        monkeypatch.delenv(name, raising=False)
    lines = "".join(json.dumps(question) + "\n" for question in QUESTIONS)
    (tmp_path / "questions.jsonl").write_text(lines, encoding="utf-8")
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "pto.md").write_text(f"# Leave\n\n{LEAVE}\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@contextmanager
def chat(*acts: Act) -> Iterator[str]:
    with serve(*acts) as server:
        yield f"http://127.0.0.1:{server.port}"


def run(acts: tuple[Act, ...], *options: str) -> Result:
    with chat(*acts) as url:
        return invoke("eval", "run", "questions.jsonl", "--url", url, *options)


def test_an_error_is_exit_code_1() -> None:
    done = run(BROKEN, "--no-judge")
    assert done.exit_code == 1
    assert "✕ q2: error: http://127.0.0.1:" in done.stdout
    assert "replied HTTP 500" in done.stdout


@pytest.mark.parametrize(
    ("gates", "code", "told"),
    [
        ("groundedness=50,citation=50,p95=60000", 0, "✓ groundedness: 50.0 % (1 of 2), at least"),
        ("groundedness=95", 1, "✕ groundedness: 50.0 % (1 of 2), at least 95 %"),
        ("p50=0", 1, "✕ p50: "),
        ("precision=10", 1, "✕ precision: nothing was measured"),
    ],
)
def test_gates_decide_the_exit_code(gates: str, code: int, told: str) -> None:
    done = run(WRONG, "--no-judge", "--fail-under", gates)
    assert done.exit_code == code
    assert told in done.stdout


def test_all_forms_are_written_and_not_overwritten_unasked(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    names = ("out/results.jsonl", "report.html", "junit.xml", "table.txt")
    options = [part for name in names for part in ("-o", name)]
    done = run(WRONG, *options)
    assert done.exit_code == 0
    assert done.stderr.splitlines() == [f"Written: {name}" for name in names]
    made = run_from_bytes((desk / "out/results.jsonl").read_bytes())
    assert [result.question.id for result in made.results] == ["q1", "q2"]
    assert made.started_at == "2023-11-14T22:13:20+00:00"
    assert made.target.endswith("/chat")
    assert "<html" in (desk / "report.html").read_text("utf-8")
    assert 'failures="1"' in (desk / "junit.xml").read_text("utf-8")
    assert "Groundedness" in (desk / "table.txt").read_text("utf-8")
    before = {name: (desk / name).read_bytes() for name in names}
    refused = run(RIGHT, *options)
    assert refused.exit_code == 2
    assert "out/results.jsonl is there already; give --overwrite" in complaint(refused.stderr)
    assert {name: (desk / name).read_bytes() for name in names} == before
    assert run(RIGHT, *options, "--overwrite").exit_code == 0
    assert all((desk / name).read_bytes() != before[name] for name in names)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ([], "nothing to ask: give the address of a server as --url, or the documents"),
        (["--url", "http://h", "--documents", "policies"], "--documents is for answers in this"),
        (["--url", "nowhere"], "the server's address must be like http://127.0.0.1:8000"),
        (["--documents", "policies", "--timeout", "5"], "--timeout is for the replies"),
        (["--url", "http://h", "--timeout", "0"], "the time-out must be above 0"),
        (["--url", "http://h", "--fail-under", "x=1"], "--fail-under: no metric 'x'; there"),
        (["--url", "http://h", "-o", "r.csv"], "known are .jsonl, .html, .htm, .xml, .txt"),
        (["--documents", "empty"], "empty: no documents here"),
    ],
)
def test_what_cannot_be_run_is_said_in_a_line(options: list[str], told: str) -> None:
    Path("empty").mkdir()
    done = invoke("eval", "run", "questions.jsonl", *options)
    assert (done.exit_code, done.stdout) == (2, "")
    assert told in complaint(done.stderr)


def test_where_no_server_is_running_it_says_how_to_start_it() -> None:
    with chat(cut_at_once) as url:
        pass
    done = invoke("eval", "run", "questions.jsonl", "--url", url, "-o", "r.jsonl")
    assert done.exit_code == 2
    assert "Start it with: veridical serve" in complaint(done.stderr)
    assert not Path("r.jsonl").exists()


def test_documents_are_answered_from_in_this_process(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that was named and cannot be read is told and left out, and nothing is kept."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(desk / "cache"))
    (desk / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    options = ("--documents", "policies", "--documents", "broken.pdf", "-o", "r.jsonl")
    done = invoke("eval", "run", "questions.jsonl", *options, "--no-judge")
    assert done.exit_code == 0
    assert "warning: broken.pdf" in done.stderr
    assert not (desk / "cache").exists()
    made = run_from_bytes(Path("r.jsonl").read_bytes())
    assert made.target.startswith("in process: ")
    assert [result.scores is not None for result in made.results] == [True, True]


# --- the specification's own command --------------------------------------------------------------


def run_eval(*options: str) -> subprocess.CompletedProcess[bytes]:
    command = [sys.executable, "-m", "eval.run_eval", *options]
    return subprocess.run(command, capture_output=True, cwd=ROOT, timeout=60, check=False)


def test_the_specified_command_asks_a_running_server(desk: Path) -> None:
    options = ("--questions", str(desk / "questions.jsonl"), "-o", str(desk / "results.jsonl"))
    with chat(*RIGHT) as url:
        done = run_eval("--url", url, *options)
    assert done.returncode == 0, done.stderr
    assert b"Groundedness" in done.stdout
    made = run_from_bytes((desk / "results.jsonl").read_bytes())
    assert all(result.scores and result.scores.citation_ok for result in made.results)
    gone = run_eval("--url", url, "--overwrite", *options)
    assert gone.returncode == 2
    assert "Start it with: veridical serve" in complaint(gone.stderr)

"""`veridical eval review`, `agreement` and `compare`, and the script of the specification."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke, run
from tests.evaluation.runs import FAILED, MISQUOTED, REFUSAL, answer, run_of

from veridical.evaluation.results import run_to_bytes
from veridical.evaluation.run import ChatError, ChatResponse

call = partial(invoke, "eval")
ROOT = Path(__file__).parents[2]
"""The reviewer's four empty cells."""


@pytest.fixture
def results(tmp_path: Path) -> Path:
    path = tmp_path / "results.jsonl"
    path.write_bytes(run_to_bytes(run_of([answer(), MISQUOTED, FAILED, REFUSAL])))
    return path


@pytest.fixture
def exported(results: Path, tmp_path: Path) -> Path:
    path = tmp_path / "review.csv"
    assert call("review", results, "-o", path).exit_code == 0
    return path


def test_the_script_and_the_command_write_the_same_file(
    results: Path, exported: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other.csv"
    ran = run(
        "--sample-size", "10", "--seed", "42", "--results", results, "-o", other,
        module="eval.export_manual_review", cwd=ROOT,
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr
    assert b"3 answers of 4; 1 question without a response left out" in ran.stderr
    assert other.read_bytes() == exported.read_bytes()


def test_a_review_is_never_written_over_unasked(results: Path, exported: Path) -> None:
    exported.write_text("my review")
    ran = call("review", results, "-o", exported)
    assert ran.exit_code == 2
    assert "--overwrite" in complaint(ran.stderr)
    assert exported.read_text() == "my review"
    assert call("review", results, "-o", exported, "--overwrite").exit_code == 0
    assert exported.read_text("utf-8-sig").startswith('"id"')


def test_sizes_that_make_no_sample_are_told(results: Path, tmp_path: Path) -> None:
    ran = call("review", results, "-o", tmp_path / "x.csv", "--sample-size", "0")
    assert ran.exit_code == 2
    assert "--sample-size: a sample has at least 1 answer, not 0" in complaint(ran.stderr)
    assert not (tmp_path / "x.csv").exists()


# --- compare --------------------------------------------------------------------------------------


compare = partial(invoke, "eval", "compare")
RIGHT = answer()


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    return tmp_path / "a.jsonl", tmp_path / "b.jsonl"


def write(path: Path, *responses: ChatResponse | ChatError) -> Path:
    path.write_bytes(run_to_bytes(run_of(responses)))
    return path


@pytest.mark.parametrize(
    ("after", "code"), [((RIGHT, RIGHT), 0), ((RIGHT, MISQUOTED), 1), ((FAILED, RIGHT), 1)]
)
def test_the_exit_code_says_whether_anything_got_worse(
    files: tuple[Path, Path], after: tuple[ChatResponse, ...], code: int
) -> None:
    a, b = write(files[0], RIGHT, RIGHT), write(files[1], *after)
    assert compare(a, b).exit_code == code
    assert compare(b, a).exit_code == 0


def test_runs_over_other_questions_are_compared_only_on_demand(files: tuple[Path, Path]) -> None:
    a, b = write(files[0], RIGHT, RIGHT), write(files[1], RIGHT)
    ran = compare(a, b)
    assert ran.exit_code == 2
    assert "1 only in the first" in complaint(ran.stderr)
    assert "Compare what both have with --common" in ran.stderr
    shared = compare(a, b, "--common")
    assert shared.exit_code == 0
    assert "left out, only in the first run: 1 question" in shared.stdout


def test_a_sample_never_replaces_the_results(results: Path) -> None:
    ran = call("review", results, "-o", results, "--overwrite")
    assert ran.exit_code == 2
    assert "input" in complaint(ran.stderr)

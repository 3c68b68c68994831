"""`veridical eval review`, `agreement` and `compare`, and the script of the specification."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke, run
from tests.evaluation.runs import FAILED, MISQUOTED, REFUSAL, answer, run_of

from veridical.evaluation.results import run_to_bytes
from veridical.evaluation.run import ChatError, ChatResponse

call = partial(invoke, "eval")
ROOT = Path(__file__).parents[2]
JUDGED = '"","","",""'
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


def judge(exported: Path, *cells: str, name: str) -> Path:
    """The file with one row after the other judged."""
    text = exported.read_bytes().decode("utf-8")
    for cell in cells:
        text = text.replace(JUDGED, cell, 1)
    path = exported.with_name(name)
    path.write_bytes(text.encode())
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


def test_a_sample_never_replaces_the_results(results: Path) -> None:
    ran = call("review", results, "-o", results, "--overwrite")
    assert ran.exit_code == 2
    assert "input" in complaint(ran.stderr)


def test_what_people_said_is_set_against_the_scores(exported: Path) -> None:
    path = judge(exported, '"yes","yes","yes","fine"', '"No","partly","no",""', name="a.csv")
    told = call("agreement", path)
    assert told.exit_code == 0
    assert "groundedness" in told.stdout
    data = json.loads(call("agreement", path, "--format", "json").stdout)
    assert [aspect["left_out"] for aspect in data["aspects"]] == [1, 1, 1]
    assert [aspect["agreement"]["of"] for aspect in data["aspects"]] == [2, 2, 2]
    differing = [(found["id"], found["aspect"]) for found in data["disagreements"]]
    assert all(f"{name}, {aspect}: " in told.stdout for name, aspect in differing)


def test_two_reviewers_are_set_against_each_other(exported: Path) -> None:
    a = judge(exported, '"yes","yes","yes",""', '"no","no","no",""', name="a.csv")
    b = judge(exported, '"yes","partly","yes",""', '"no","no","no",""', name="b.csv")
    told = call("agreement", a, b).stdout
    assert "50.0 % (1 of 2)" in told
    assert "citation: yes against partly" in told


def test_what_cannot_be_measured_is_told(exported: Path) -> None:
    odd = judge(exported, '"perhaps","","",""', name="odd.csv")
    for arguments, told in (
        ((exported,), "nothing was reviewed yet"),
        ((odd,), 'column groundedness: "perhaps" is not one of yes, partly, no'),
        ((exported.with_name("none.csv"),), "cannot read"),
        ((odd, "--format", "xml"), "text, json"),
    ):
        ran = call("agreement", *arguments)
        assert ran.exit_code == 2
        assert told in complaint(ran.stderr)


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


def test_what_turned_is_told_once_a_question_with_its_reasons(files: tuple[Path, Path]) -> None:
    a = write(files[0], RIGHT, RIGHT, MISQUOTED, RIGHT)
    told = compare(a, write(files[1], RIGHT, REFUSAL, RIGHT, FAILED)).stdout
    assert "4 questions compared, 3 with a response in both runs" in told
    (lost,) = [line for line in told.splitlines() if "q2" in line]
    assert lost.startswith("worse, grounded, citation, correct, refused: q2: How much leave")
    assert "it refuses a question that the documents answer" in lost
    assert "better, citation: q3" in told
    assert "worse, no response any more: q4" in told


def test_for_programs_there_is_json(files: tuple[Path, Path]) -> None:
    a, b = write(files[0], RIGHT, RIGHT), write(files[1], RIGHT, MISQUOTED)
    ran = compare(a, b, "--format", "json")
    found = json.loads(ran.stdout)
    assert ran.exit_code == 1
    assert found["worse"] is True
    assert [(turn["id"], turn["measure"], turn["turned"]) for turn in found["turns"]] == [
        ("q2", "citation", "worse")
    ]
    (citation,) = [each for each in found["measures"] if each["measure"] == "citation"]
    assert (citation["before"]["count"], citation["after"]["count"]) == (2, 1)
    assert citation["p_value"] == 1.0


def test_runs_over_other_questions_are_compared_only_on_demand(files: tuple[Path, Path]) -> None:
    a, b = write(files[0], RIGHT, RIGHT), write(files[1], RIGHT)
    ran = compare(a, b)
    assert ran.exit_code == 2
    assert "1 only in the first" in complaint(ran.stderr)
    assert "Compare what both have with --common" in ran.stderr
    shared = compare(a, b, "--common")
    assert shared.exit_code == 0
    assert "left out, only in the first run: 1 question" in shared.stdout


def test_what_cannot_be_compared_is_told(files: tuple[Path, Path]) -> None:
    a, b = write(files[0], RIGHT), files[1]
    for arguments, told in (
        ((a, b), f"cannot read {b}"),
        (("-", "-"), "standard input"),
        ((a, a, "--format", "xml"), "text, json"),
    ):
        ran = compare(*arguments)
        assert ran.exit_code == 2
        assert told in complaint(ran.stderr)
    b.write_text("nothing")
    ran = compare(a, b)
    assert (ran.exit_code, str(b) in complaint(ran.stderr)) == (2, True)


def test_a_run_can_come_from_standard_input(files: tuple[Path, Path]) -> None:
    a = write(files[0], RIGHT)
    assert compare("-", a, stdin=a.read_bytes()).exit_code == 0

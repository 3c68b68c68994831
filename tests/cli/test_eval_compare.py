"""`veridical eval compare`, as a user runs it."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke
from tests.evaluation.runs import FAILED, MISQUOTED, REFUSAL, answer, run_of

from veridical.evaluation.results import run_to_bytes
from veridical.evaluation.run import ChatError, ChatResponse

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

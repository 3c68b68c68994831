"""`veridical guard`: an answer in, an answer out, while it is being written."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from tests.cli.harness import command
from tests.guarding.answers import LATE, POLICY, RIGHT, UNKNOWN, WRONG

from veridical.cli.main import app

MARK = f"\u27e6contradicted; leave.md says: \u201c{RIGHT}\u201d\u27e7"


@pytest.fixture
def documents(tmp_path: Path) -> Path:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "leave.md").write_text(POLICY, encoding="utf-8")
    return tmp_path / "docs"


def guard(documents: Path, answer: str | bytes, *options: str | Path) -> Result:
    arguments = ["guard", "--documents", str(documents), *map(str, options)]
    return CliRunner().invoke(app, arguments, input=answer)


@pytest.mark.parametrize(
    ("options", "code", "expected"),
    [
        ([], 1, f"{RIGHT} {WRONG} \u27e6contradicted\u27e7 {LATE}\n"),
        (
            ["--on-fail", "annotate"],
            1,
            f"{RIGHT} {WRONG} {MARK} {LATE}\n",
        ),
        (["--on-fail", "fail"], 1, RIGHT),
    ],
)
def test_what_is_printed(documents: Path, options: Sequence[str], code: int, expected: str) -> None:
    done = guard(documents, f"{RIGHT} {WRONG} {LATE}\n", *options)
    assert (done.exit_code, done.stdout) == (code, expected)


def test_what_is_supported_passes_and_the_code_is_0(documents: Path) -> None:
    for options in ([], ["--on-fail", "drop"], ["--on-fail", "fail"]):
        done = guard(documents, f"# Leave\n\n{RIGHT}\n\n- {LATE}\n", *options)
        assert (done.exit_code, done.stdout) == (0, f"# Leave\n\n{RIGHT}\n\n- {LATE}\n")
        assert done.stderr == ""


def test_a_file_that_is_too_long_is_refused_before_its_beginning_is_judged(
    documents: Path, tmp_path: Path
) -> None:
    (tmp_path / "long.md").write_text(f"{RIGHT}\n\n" + "x" * 4_000_000)
    with (tmp_path / "long.md").open() as answer:
        done = subprocess.run(
            [*command(), "guard", "--documents", str(documents)],
            stdin=answer,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert (done.returncode, done.stdout) == (2, "")
    assert "the limit is 4,000,000" in done.stderr


def test_sentences_come_out_while_the_answer_goes_in(documents: Path) -> None:
    """Over real pipes: the first sentence is read before the last is written."""
    process = subprocess.Popen(
        command("guard", "--documents", documents),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        process.stdin.write(f"{RIGHT} {WRONG[:36]}".encode())
        process.stdin.flush()
        out = process.stdout.fileno()
        assert os.read(out, 10_000).decode() == RIGHT
        process.stdin.write(f"{WRONG[36:]} {LATE}\n".encode())
        process.stdin.close()
        rest = process.stdout.read().decode()
        assert rest == f" {WRONG} \u27e6contradicted\u27e7 {LATE}\n"
        assert process.stderr.read() == b""
    assert process.returncode == 1


def test_a_reader_that_goes_away_ends_the_run(documents: Path) -> None:
    process = subprocess.Popen(
        command("guard", "--documents", documents),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    process.stdout.close()
    process.stdout = None
    _, said = process.communicate(f"{RIGHT} {LATE}\n".encode(), timeout=120)
    assert (process.returncode, said) == (2, b"")


@pytest.mark.parametrize(
    ("answer", "options", "said"),
    [
        (b"", [], "standard input is empty"),
        (b"Staff \xff get leave.", [], "not UTF-8: byte 0xff at offset 6"),
        (b"Staff get \xe2\x82", [], "not UTF-8: byte 0xe2 at offset 10"),
        (b"x", ["--documents", "-"], "standard input (-) can be read for one thing only"),
        (b"x", ["--judge", "nli"], "--model-path"),
    ],
)
def test_what_cannot_be_used(
    documents: Path, answer: bytes, options: Sequence[str], said: str
) -> None:
    done = guard(documents, answer, *options)
    assert done.exit_code == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_terminal_obeys_nothing_in_an_answer(documents: Path) -> None:
    hostile = f"{LATE} \x1b]0;owned\x07 \x9b2J\rOver \u202ewritten?\r\n\r"
    done = guard(documents, hostile.encode())
    shown = done.stdout_bytes.decode()
    assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(shown)
    assert "\r" not in shown.replace("\r\n", "")
    assert shown.count("\ufffd") == 6


def test_an_answer_among_the_documents_proves_nothing(documents: Path) -> None:
    (documents / "answer.md").write_text(f"{UNKNOWN}\n", encoding="utf-8")
    done = guard(documents, f"{UNKNOWN}\n")
    assert done.exit_code == 1
    assert "answer.md is the answer itself" in done.stderr


@pytest.mark.parametrize(
    ("answer", "code", "told"),
    [
        ("Hello!\n", 0, "makes no claim that could be checked"),
        ("Yes.\n", 1, "not checked (an answer in a word"),
        ("## Dogs are allowed at every desk\n", 1, ""),
    ],
)
def test_an_answer_without_a_claim_is_told(
    documents: Path, answer: str, code: int, told: str
) -> None:
    done = guard(documents, answer)
    assert (done.exit_code, told in done.stderr) == (code, True)

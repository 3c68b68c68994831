"""`veridical ask`: an answer with its sources, or a refusal, and what it exits with."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke

from veridical.answering.answerer import MOST_NEAREST

run = partial(invoke, "ask")
POLICIES = Path(__file__).parents[2] / "examples/policies/pto-policy.md"
ANSWERED = "How many unused days may be carried over into the following year?"
REFUSED = "What is the capital of Mongolia?"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for name in ("VERIDICAL_MODEL", "VERIDICAL_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path / "cache"


def test_a_refusal_shows_what_comes_nearest() -> None:
    nearest, none = (
        json.loads(run(question, "--documents", POLICIES, "--format", "json").stdout)["nearest"]
        for question in (REFUSED, ANSWERED)
    )
    assert 1 <= len(nearest) <= MOST_NEAREST
    assert none == []
    said = run(REFUSED, "--documents", POLICIES).stdout
    assert said.index("cannot") < said.index("What comes nearest:")
    for one in nearest:
        assert one["snippet"] in said
        assert one["snippet"] in " ".join(one["text"].split())


def test_the_question_on_standard_input(cache: Path) -> None:
    typed = run(ANSWERED, "--documents", POLICIES)
    piped = run("-", "--documents", POLICIES, stdin=f"{ANSWERED}\n".encode())
    assert (piped.exit_code, piped.stdout) == (0, typed.stdout)
    assert not cache.exists()


def test_the_current_folder_is_answered_from_unless_another_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(POLICIES.parent)
    here = run(ANSWERED)
    assert here.exit_code == 0
    assert here.stderr == "Answering from the documents of this folder.\n"
    assert here.stdout == run(ANSWERED, "--documents", ".").stdout
    assert "documents of this folder" not in run(ANSWERED, "--documents", ".").stderr


def test_files_that_cannot_be_read_are_told_and_do_not_stop_it(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    result = run(ANSWERED, "--documents", POLICIES, "--documents", tmp_path / "broken.pdf")
    assert result.exit_code == 0
    assert "broken.pdf" in complaint(result.stderr)


def test_no_control_characters_reach_the_terminal(tmp_path: Path) -> None:
    text = "# Leave\n\nStaff have 25 days\x1b[31m\u202e of annual leave a year.\n"
    (tmp_path / "leave\x1b[0m.md").write_text(text, encoding="utf-8")
    result = run("How many days of annual leave do staff have?", "--documents", tmp_path)
    assert result.exit_code in (0, 1)
    assert not set("\x1b\u202e") & set(result.output)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([ANSWERED], "no documents in the current folder. Name a folder"),
        ([ANSWERED, "--documents", "empty"], "empty: no documents here"),
        ([ANSWERED, "--documents", "-"], "standard input cannot be looked at again"),
        ([ANSWERED, "--database", "none.db"], "There is no database none.db"),
        ([" ", "--documents", "empty"], "question"),
        (["x" * 10_000, "--documents", "empty"], "question"),
        ([ANSWERED, "--documents", "empty", "--base-url", "http://x"], "no model is named"),
    ],
)
def test_what_cannot_be_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in complaint(result.stderr)
    assert result.stdout == ""


def test_no_file_that_can_be_read_is_no_answer(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 and no more")
    result = run(ANSWERED, "--documents", tmp_path)
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith(
        "none of the files can be read, so nothing can be answered."
    )

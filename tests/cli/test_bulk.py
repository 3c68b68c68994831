"""`veridical bulk`: what it writes, prints and exits with."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from click.testing import Result
from tests.cli.harness import invoke

run = partial(invoke, "bulk")
SENTENCE = "Late requests are not accepted."
GOOD = {"claim_id": "a", "document_id": "fees.txt", "quote": "The fee is 5 euros."}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder: two documents, and three claims about them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources/leave.txt").write_text(f"# Leave\n\n{SENTENCE}\n")
    (tmp_path / "sources/fees.txt").write_text("The fee is 5 euros.\n")
    write(
        tmp_path / "claims.jsonl",
        {"claim_id": "a", "document_id": "leave.txt", "quote": SENTENCE},
        {"claim_id": "b", "document_id": "fees.txt", "quote": "The fee is 6 euros."},
    )
    return tmp_path


def write(path: Path, *rows: dict[str, str]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


def complaint(result: Result) -> str:
    assert result.exit_code == 2
    (line,) = result.stderr.splitlines()
    return line.removeprefix("veridical: ")


def test_rows_that_cannot_be_checked_are_told_apart_and_exit_with_1(place: Path) -> None:
    write(place / "claims.jsonl", {"claim_id": "a", "document_id": "nix.txt", "quote": "words"})
    made = run("validate", "claims.jsonl", "out", "--documents", "sources", "--workers", "1")
    assert made.exit_code == 1
    assert made.stdout.startswith("1 row in ")
    assert made.stdout.splitlines()[1:3] == [
        "1 could not be checked (failures.parquet):",
        "  no_document                 1",
    ]


def test_statements_are_judged_and_columns_mapped(place: Path) -> None:
    write(place / "claims.jsonl", {"id": "a", "document_id": "leave.txt", "said": SENTENCE})
    named = ("--column", "claim_id=id", "--column", "claim=said", "--workers", "1")
    made = run("judge", "claims.jsonl", "out", "--documents", "sources", *named)
    assert made.exit_code == 0, made.output
    (row,) = pq.read_table(place / "out/part-00000.parquet").to_pylist()
    assert (row["claim_id"], row["verdict"], row["matched_text"]) == ("a", "supported", SENTENCE)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("claims.jsonl", "out", "--documents", "nix"), "nix: there is no such file or folder."),
        (("nix.jsonl", "out", "--documents", "sources"), "nix.jsonl: there is no such file"),
        (("claims.jsonl", "sources", "--documents", "sources"), "sources exists and is not empty"),
        (("claims.jsonl", "out", "--documents", "sources", "--engine", "spark"), "--engine"),
        (("claims.jsonl", "out", "--documents", "sources", "--workers", "0"), "workers: 0 does"),
        (("claims.jsonl", "out", "--documents", "sources", "--address", "x"), "--address"),
        (("claims.jsonl", "out", "--documents", "sources", "--column", "quote"), "--column"),
        (("claims.jsonl", "out", "--documents", "sources", "--column", "a=b"), "no column 'a'"),
        (("claims.jsonl", "out", "--documents", "sources", "--memory", "1"), "at least 256 MB"),
    ],
)
@pytest.mark.usefixtures("place")
def test_what_cannot_be_run_is_said(arguments: tuple[str, ...], message: str) -> None:
    assert message in complaint(run("validate", *arguments))


def test_a_plan_as_json_writes_nothing(place: Path) -> None:
    before = sorted(place.rglob("*"))
    told = run("plan", "claims.jsonl", "--documents", "sources", "--json", "--workers", "1")
    plan = json.loads(told.stdout)
    assert (plan["rows"], plan["sampled_claims"], plan["workers"]) == (2, 2, 1)
    assert plan["seconds"] > 0
    assert sorted(place.rglob("*")) == before
    refused = run("plan", "claims.jsonl", "--documents", "sources", "--sample", "0")
    assert complaint(refused) == "--sample: give at least 1"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_run_that_is_told_to_stop_can_go_on(place: Path, number: signal.Signals) -> None:
    rows = [{"claim_id": f"{n}", "document_id": "leave.txt", "quote": SENTENCE} for n in range(80)]
    write(place / "claims.jsonl", *rows)
    command = ["validate", "claims.jsonl", "out", "--documents", "sources", "--workers", "1",
               "--shard-rows", "1"]  # fmt: skip
    with subprocess.Popen(
        [sys.executable, "-m", "veridical", "bulk", *command], stderr=subprocess.PIPE, text=True
    ) as started:
        while not list(place.glob("out/part-*.parquet")):
            assert started.poll() is None
            time.sleep(0.02)
        started.send_signal(number)
        _, said = started.communicate(timeout=60)
    assert started.returncode == 2
    assert said.splitlines()[-1].endswith("give the same command with --resume to go on")
    resumed = run(*command, "--resume")
    assert resumed.exit_code == 0, resumed.output
    assert sum(pq.read_metadata(p).num_rows for p in place.glob("out/part-*.parquet")) == 80


# --- what is said beside the results --------------------------------------------------------------


def validate_one(place: Path, row: dict[str, str]) -> Result:
    write(place / "claims.jsonl", row)
    return run("validate", "claims.jsonl", "out", "--documents", "sources", "--workers", "1")


def test_a_run_that_was_over_says_that_nothing_was_checked(place: Path) -> None:
    first = validate_one(place, GOOD)
    assert (first.exit_code, first.stderr) == (0, "")
    arguments = ("validate", "claims.jsonl", "out", "--documents", "sources")
    told = run(*arguments, "--resume").stdout.splitlines()
    assert told[0] == "1 row: the run was over already; nothing was checked"
    assert told[1:] == first.stdout.splitlines()[1:]
    (place / "sources/fees.txt").write_text("The fee is 6 euros.\n", "utf-8")
    assert "the documents have changed since" in complaint(run(*arguments, "--resume"))


def test_ids_that_no_document_has_are_told_of(place: Path) -> None:
    told = validate_one(place, GOOD | {"document_id": "sources/fees.txt"})
    assert told.exit_code == 1
    assert told.stderr.startswith(
        "veridical: no claim has a document: they name 'sources/fees.txt', and the documents are "
        "called 'fees.txt'"
    )

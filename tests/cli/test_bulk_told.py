"""What `veridical bulk` says beside its results: how far it is, and what is probably not meant."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from veridical.bulk import State
from veridical.cli.bulk import bulk
from veridical.cli.bulk_run import LINE_SECONDS, lines

GOOD = {"claim_id": "a", "document_id": "fees.txt", "quote": "The fee is 5 euros."}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder, with one document."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sources").mkdir()
    (tmp_path / "sources/fees.txt").write_text("The fee is 5 euros.\n", "utf-8")
    return tmp_path


def run(place: Path, row: dict[str, str], *more: str) -> Result:
    (place / "claims.jsonl").write_text(f"{json.dumps(row)}\n", "utf-8")
    where = ["claims.jsonl", "out", "--documents", "sources", "--workers", "1"]
    return CliRunner().invoke(bulk, ["validate", *where, *more])


def test_there_is_a_line_a_minute_and_none_before() -> None:
    now, said = 0.0, list[str]()
    shown = lines(lambda: now, said.append)
    for second, state in (
        (1, State(0, 0, 0)),
        (LINE_SECONDS, State(0, 0, 0)),
        (LINE_SECONDS + 10, State(0, 4_000, 0)),
        (2 * LINE_SECONDS + 10, State(1_200, 4_000, 3)),
        (2 * LINE_SECONDS + 11, State(1_300, 4_000, 3)),
    ):
        now = second
        shown(state)
    assert said == [
        "veridical: reading the input",
        "veridical: 1,200 of 4,000 rows, 3 not checked, 20 a second",
    ]


def test_a_run_that_was_over_says_that_nothing_was_checked(place: Path) -> None:
    first = run(place, GOOD)
    assert (first.exit_code, first.stderr) == (0, "")
    for option in ("--resume", "--retry-failed"):
        again = CliRunner().invoke(
            bulk,
            ["validate", "claims.jsonl", "out", "--documents", "sources", option],
        )
        told = again.stdout.splitlines()
        assert told[0] == "1 row: the run was over already; nothing was checked"
        assert told[1:] == first.stdout.splitlines()[1:]
    (place / "sources/fees.txt").write_text("The fee is 6 euros.\n", "utf-8")
    refused = CliRunner().invoke(
        bulk, ["validate", "claims.jsonl", "out", "--documents", "sources", "--resume"]
    )
    assert refused.exit_code == 2
    assert "the documents have changed since" in refused.stderr


def test_ids_that_no_document_has_are_told_of(place: Path) -> None:
    told = run(place, GOOD | {"document_id": "sources/fees.txt"})
    assert told.exit_code == 1
    assert told.stderr == (
        "veridical: no claim has a document: they name 'sources/fees.txt', and the documents are "
        "called 'fees.txt'\n"
    )

"""What goes into `veridical ledger` stays as it is, and only sources are evidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke
from tests.cli.ledger_desk import ANSWER, build, contents, read, set_up, verify

BUILD = ("ledger", "build", "--response", "answer.md", "--documents", "docs")


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return set_up(tmp_path, monkeypatch)


def test_an_answer_over_the_limit_is_refused_before_documents_are_read(desk: Path) -> None:
    (desk / "long.md").write_text("x" * 4_000_001, "utf-8")
    done = build(answer="long.md", documents="nowhere")
    assert (done.exit_code, "the limit is 4,000,000" in complaint(done.stderr)) == (2, True)


def test_a_ledger_that_an_editor_saved_with_a_byte_order_mark_is_read(desk: Path) -> None:
    assert build("-o", "ledger.json").exit_code == 0
    ledger = desk / "ledger.json"
    as_made = invoke("ledger", "show", "ledger.json").stdout
    ledger.write_bytes(b"\xef\xbb\xbf" + ledger.read_bytes())
    assert invoke("ledger", "show", "ledger.json").stdout == as_made


# --- outputs --------------------------------------------------------------------------------------


@pytest.fixture
def full_desk(desk: Path) -> Path:
    """Beside the documents, one input of every kind, named so that any output could be meant."""
    (desk / "calibration.json").write_text("{}", "utf-8")
    (desk / "model").mkdir()
    (desk / "model" / "config.json").write_text("{}", "utf-8")
    (desk / "rows.json").write_text("{}\n", "utf-8")
    (desk / "link.md").symlink_to("docs/leave.md")
    assert build("--store", "kept.json").exit_code == 0
    assert build("-o", "ledger.json", "--store", "veridical.db").exit_code == 0
    (desk / "kept.json-wal").write_text("", "utf-8")
    return desk


@pytest.mark.parametrize(
    ("command", "output"),
    [
        (BUILD, "docs/leave.md"),
        (BUILD, "link.md"),
        (BUILD, "answer.md"),
        ((*BUILD, "--calibration", "calibration.json"), "calibration.json"),
        ((*BUILD, "--model-path", "model"), "model/config.json"),
        ((*BUILD, "--store", "kept.json"), "kept.json"),
        ((*BUILD, "--store", "sqlite:///kept.json"), "kept.json"),
        ((*BUILD, "--store", "new.json"), "new.json"),
        (("ledger", "verify", "ledger.json", "--documents", "docs"), "docs/leave.md"),
        (("ledger", "verify", "ledger.json", "--documents", "docs"), "ledger.json"),
        (("ledger", "verify", "ledger.json", "--documents", "docs"), "veridical.db"),
        (
            ("ledger", "verify", "abcd", "--documents", "docs", "--store", "kept.json"),
            "kept.json-wal",
        ),
        (("ledger", "export", "ledger.json"), "ledger.json"),
        (("ledger", "export", "abcd", "--store", "kept.json"), "kept.json"),
        (("ledger", "evaluate", "rows.json"), "rows.json"),
        (
            ("ledger", "evaluate", "rows.json", "--calibration", "calibration.json"),
            "calibration.json",
        ),
        (("ledger", "calibrate", "rows.json", "--model-path", "model"), "model/config.json"),
    ],
)
def test_no_output_takes_the_place_of_an_input(
    full_desk: Path, command: tuple[str, ...], output: str
) -> None:
    before = contents(full_desk)
    done = invoke(*command, "-o", output)
    assert done.exit_code == 2, done.output
    told = f"cannot write {output}: it is an input of this run; name another file"
    assert told in complaint(done.stderr)
    assert contents(full_desk) == before


@pytest.mark.parametrize("command", [BUILD, ("ledger", "calibrate", "rows.json")])
def test_a_database_that_the_environment_names_is_an_input(
    full_desk: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    monkeypatch.setenv("VERIDICAL_STORE", "kept.json")
    before = contents(full_desk)
    assert "it is an input of this run" in complaint(invoke(*command, "-o", "kept.json").stderr)
    assert contents(full_desk) == before


def test_an_output_among_the_documents_is_told(desk: Path) -> None:
    told = "docs/ledger.md is written into docs, where the documents are"
    assert told in build("-o", "docs/ledger.md").stderr
    assert "is written into" not in build("-o", "docs/ledger.json", "-o", "ledger.md").stderr


# --- what is no evidence --------------------------------------------------------------------------


def test_the_answer_bears_nothing_out(desk: Path) -> None:
    (desk / "answer.md").write_text(ANSWER.replace("27", "99"), "utf-8")
    (desk / "answer.md").rename(desk / "docs" / "answer.md")
    (desk / "docs" / "copy.txt").write_text("\n" + ANSWER.replace("27", "99"), "utf-8")
    done = build("-o", "ledger.json", answer="docs/answer.md")
    assert done.exit_code == 1, done.output
    for name in ("answer.md", "copy.txt"):
        assert f"warning: {name} is left out: it is the answer that is checked" in done.stderr
    ledger = read(desk / "ledger.json")
    assert [source["filename"] for source in ledger["sources"]] == ["leave.md"]
    assert ledger["entries"][0]["verdict"] == "contradicted"


@pytest.mark.parametrize("suffix", ["md", "html", "pdf"])
def test_a_ledger_that_we_wrote_bears_nothing_out(desk: Path, suffix: str) -> None:
    made = build("-o", f"docs/made.{suffix}", "--title", "Leave | *and* <more>")
    assert made.exit_code == 0, made.output
    done = build("-o", "ledger.json")
    assert done.exit_code == 0, done.output
    assert f"warning: made.{suffix} is left out: it is a ledger that veridical wrote" in done.stderr
    assert [source["filename"] for source in read(desk / "ledger.json")["sources"]] == ["leave.md"]


def test_without_evidence_there_is_no_run(desk: Path) -> None:
    (desk / "answer.md").rename(desk / "docs" / "leave.md")
    done = build("-o", "ledger.json", answer="docs/leave.md")
    assert done.exit_code == 2
    assert "no document is left" in done.stderr
    assert not (desk / "ledger.json").exists()


# --- who judges -----------------------------------------------------------------------------------


def test_a_judge_without_a_model_says_how_to_name_one(desk: Path) -> None:
    told = complaint(build("--judge", "model").stderr)
    for name in ("--model", "--base-url", "VERIDICAL_MODEL", "VERIDICAL_BASE_URL"):
        assert name in told
    told = complaint(build("--model", "tiny").stderr)
    assert "--base-url" in told
    assert "VERIDICAL_BASE_URL" in told


def test_a_server_that_is_down_gives_no_ledger(desk: Path) -> None:
    done = build(
        *("--model", "tiny", "--base-url", "http://127.0.0.1:1/v1"),
        *("-o", "ledger.json", "--store", "kept.db"),
    )
    assert done.exit_code == 2, done.output
    assert "127.0.0.1:1" in done.stderr
    assert not (desk / "ledger.json").exists()
    assert not (desk / "kept.db").exists()


# --- what verify is given -------------------------------------------------------------------------


def test_documents_that_vanished_are_a_finding(desk: Path) -> None:
    assert build("-o", "ledger.json").exit_code == 0
    (desk / "docs" / "leave.md").unlink()
    gone = verify("--format", "json")
    assert gone.exit_code == 1, gone.output
    found = json.loads(gone.stdout)
    assert [entry["status"] for entry in found["entries"]] == ["orphaned", "orphaned"]
    (desk / "docs").rmdir()
    nowhere = verify()
    assert nowhere.exit_code == 2
    complaint(nowhere.stderr)


def test_documents_that_cannot_be_read_are_told(desk: Path) -> None:
    assert build("-o", "ledger.json").exit_code == 0
    (desk / "docs" / "leave.md").write_bytes(b"\x00\x01")
    broken = verify()
    assert broken.exit_code == 1
    assert "2 orphaned" in broken.output
    assert "leave.md" in broken.stderr

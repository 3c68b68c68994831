"""Ledgers that are kept: their times, their titles, and lists of them."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import time
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.harness import command, complaint, invoke
from tests.cli.ledger_desk import ANSWER, build, read, set_up

MOMENT, STAMP = "1700000000", "2023-11-14T22:13:20Z"


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    return set_up(tmp_path, monkeypatch)


def listed(*more: str) -> list[dict[str, object]]:
    done = invoke("ledger", "list", "--store", "kept.db", "--format", "json", *more)
    rows: list[dict[str, object]] = json.loads(done.stdout)
    return rows


def test_the_time_of_a_ledger_may_be_given(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MOMENT)
    for name in ("a.json", "b.json"):
        assert build("-o", name).exit_code == 0
    assert read(desk / "a.json")["generated_at"] == STAMP
    assert (desk / "a.json").read_bytes() == (desk / "b.json").read_bytes()


@pytest.mark.parametrize("given", ["now", "-1", "1.5", "9" * 12, "9" * 5000, "\u0661"])
def test_a_time_that_is_none_is_refused(
    desk: Path, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    done = build("-o", "ledger.json")
    assert done.exit_code == 2
    assert "SOURCE_DATE_EPOCH" in complaint(done.stderr)
    assert not (desk / "ledger.json").exists()


def test_the_same_work_again_gives_what_is_kept(
    desk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", MOMENT)
    assert build("--store", "kept.db", "-o", "first.json").exit_code == 0
    monkeypatch.setenv("SOURCE_DATE_EPOCH", str(int(MOMENT) + 86_400))
    assert build("--store", "kept.db", "-o", "second.json").exit_code == 0
    assert (desk / "second.json").read_bytes() == (desk / "first.json").read_bytes()
    assert [row["created_at"] for row in listed()] == [STAMP]
    assert build("-o", "apart.json").exit_code == 0
    assert read(desk / "apart.json")["generated_at"] != STAMP


def test_the_environment_has_ledgers_kept(desk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert build().exit_code == 0
    assert not list(desk.glob("*.db"))
    monkeypatch.setenv("VERIDICAL_STORE", "kept.db")
    done = build()
    assert "Kept as " in done.stderr
    assert len(listed()) == 1
    monkeypatch.setenv("VERIDICAL_STORE", "")
    assert "Kept as " not in build().stderr


@pytest.mark.parametrize(
    ("answer", "options", "title"),
    [
        ("## Leave *rules*\n\n" + ANSWER, [], "Leave rules"),
        (ANSWER, [], "answer.md"),
        ("## Leave\n\n" + ANSWER, ["--query", "How much leave is there?"], "How much"),
        ("## Leave\n\n" + ANSWER, ["--title", "For the board"], "For the board"),
        (f"# {'Leave ' * 40}\n\n" + ANSWER, [], "Leave Leave"),
        ("\n" * 30_000 + ANSWER, [], "answer.md"),
    ],
)
def test_the_title(desk: Path, answer: str, options: list[str], title: str) -> None:
    (desk / "answer.md").write_text(answer, "utf-8")
    done = build("--store", "kept.db", *options)
    assert done.exit_code == 0, done.output
    told = str(listed()[0]["title"])
    assert told.startswith(title)
    assert len(told) <= 80


def test_a_ledger_whose_rows_were_changed_is_shown_with_a_warning(desk: Path) -> None:
    build("--store", "kept.db")
    show = ("ledger", "show", str(listed()[0]["ledger_id"]), "--store", "kept.db")
    assert invoke(*show).exit_code == 0
    with closing(sqlite3.connect(desk / "kept.db")) as database:
        changed = database.execute("UPDATE sessions SET query = 'another'")
        assert changed.rowcount == 1
        database.commit()
    shown = invoke(*show)
    assert shown.exit_code == 1
    assert "Seal: broken: rows of it were changed" in shown.stderr


def test_a_build_that_was_killed_is_done_again_and_nothing_is_doubled(desk: Path) -> None:
    """Killed ever later, from before it reads to after it has kept what it made."""
    for number in range(40):
        (desk / "docs" / f"more-{number}.md").write_text(f"# Rule {number}\n\n{ANSWER}", "utf-8")
    arguments = ["--response", "answer.md", "--documents", "docs", "--store", "kept.db"]
    for moment in (0.3, 0.8, 1.2, 1.6, 2.0):
        running = subprocess.Popen(
            command("ledger", "build", *arguments, "-o", "ledger.json"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(moment)
        running.send_signal(signal.SIGKILL)
        running.wait(timeout=60)
    assert build("--store", "kept.db", "-o", "ledger.json").exit_code == 0
    assert len(listed()) == 1
    with closing(sqlite3.connect("kept.db")) as database:
        kept = database.execute("select count(*), count(distinct filename) from documents")
        assert kept.fetchone() == (41, 41)
    assert invoke("ledger", "verify", "ledger.json", "--documents", "docs").exit_code == 0

"""Ledgers that are kept: their times, titles and seals, lists of them, and reviews."""

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
from tests.cli.ledger_desk import ANSWER, build, read, set_up, verify

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.review import Decision
from veridical.store.store import Store

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
    for moment in (0.3, 1.0, 1.6):
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


# --- the seal of a file ---------------------------------------------------------------------------


FORMS = ("json", "markdown", "html")


@pytest.fixture
def sealed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger, and one of which a verdict was changed."""
    folder = set_up(tmp_path, monkeypatch)
    build("-o", "ledger.json")
    whole = (folder / "ledger.json").read_bytes()
    (folder / "changed.json").write_bytes(whole.replace(b'"supported"', b'"weak"', 1))
    return folder


@pytest.mark.parametrize("more", [(), ("--claim", "1")])
def test_a_changed_ledger_is_shown_with_a_warning(sealed: Path, more: tuple[str, ...]) -> None:
    shown = invoke("ledger", "show", "changed.json", *more)
    assert shown.exit_code == 1
    assert "Seal: broken: " in shown.stderr
    assert "entries[0]: it was changed" in shown.stderr
    assert "Full-time staff" in shown.stdout


def test_a_ledger_without_a_seal_is_none_to_rely_on(sealed: Path) -> None:
    unsealed = read(sealed / "ledger.json")
    del unsealed["seal"]
    (sealed / "ledger.json").write_text(json.dumps(unsealed), "utf-8")
    shown = invoke("ledger", "show", "ledger.json")
    assert (shown.exit_code, "Seal: broken: " in shown.stderr) == (1, True)
    assert invoke("ledger", "export", "ledger.json").exit_code == 2


@pytest.mark.parametrize("form", FORMS)
def test_a_changed_ledger_is_not_handed_on(sealed: Path, form: str) -> None:
    done = invoke("ledger", "export", "changed.json", "--format", form, "-o", "out")
    assert done.exit_code == 2
    told = complaint(done.stderr)
    assert "its seal is broken: " in told
    assert "veridical ledger verify" in told
    assert not (sealed / "out").exists()


# --- what reviewers decided -----------------------------------------------------------------------


AT = ("--store", "kept.db")
REASON = "Only with the department's consent.\x1b[31m"


@pytest.fixture
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> EvidenceLedger:
    """A ledger in `kept.db`, the second of its two claims overruled."""
    set_up(tmp_path, monkeypatch)
    assert build(*AT).exit_code == 0
    with Store.open("kept.db") as store:
        kept = store.load(store.list()[0].ledger_id)
        decided = store.shelf().reviews.add(
            kept.session_id, kept.entries[1].id, Decision.OVERRULE,
            by="Ana", verdict=Verdict.WEAK, reason=REASON,
        )  # fmt: skip
    assert decided is not None
    return kept


def test_both_verdicts_are_shown(ledger: EvidenceLedger) -> None:
    whole = invoke("ledger", "show", ledger.id, *AT)
    assert whole.exit_code == 0, whole.stderr
    assert "overruled:" in whole.stdout
    assert "1 of 2 claims reviewed: 0 accepted, 1 overruled." in whole.stdout
    one = invoke("ledger", "show", ledger.id, *AT, "--claim", "2").stdout
    assert "Verdict: SUPPORTED" in one
    assert "Reviewer's verdict: WEAK (overruled by Ana, " in one
    assert "\x1b" not in one + whole.stdout


def test_a_file_with_reviews_can_be_handed_on_and_verified(ledger: EvidenceLedger) -> None:
    assert invoke("ledger", "export", ledger.id, *AT, "-o", "ledger.json").exit_code == 0
    data = read(Path("ledger.json"))
    assert [review["verdict"] for review in data["reviews"]] == ["weak"]
    assert data["revision"] == 1
    done = verify()
    assert done.exit_code == 0, done.stdout
    assert "overruled:" in invoke("ledger", "show", "ledger.json").stdout
    again = invoke("ledger", "export", "ledger.json", "--format", "json").stdout
    assert again == Path("ledger.json").read_text("utf-8")
    from_file = invoke("ledger", "export", "ledger.json").stdout
    assert from_file == invoke("ledger", "export", ledger.id, *AT).stdout
    assert "- **Reviewer's Verdict:** ? Weak, overruled by Ana, " in from_file


@pytest.mark.parametrize("head", ["abc", "", "0" * 63, "0" * 65, "g" * 64])
def test_what_is_no_head_is_a_wrong_option(sealed: Path, head: str) -> None:
    done = verify("--head", head)
    assert done.exit_code == 2
    assert "--head" in complaint(done.stderr)

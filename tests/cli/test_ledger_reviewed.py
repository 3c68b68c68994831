"""What reviewers decided in a database: shown, exported and verified by the commands."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.harness import invoke
from tests.cli.ledger_desk import build, read, set_up, verify

from veridical.judging.verdict import Verdict
from veridical.ledger.entry import EvidenceLedger
from veridical.ledger.review import Decision
from veridical.store.store import Store

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


def test_a_reason_that_was_changed_in_a_file_is_found(ledger: EvidenceLedger) -> None:
    assert invoke("ledger", "export", ledger.id, *AT, "-o", "ledger.json").exit_code == 0
    file = Path("ledger.json")
    file.write_text(file.read_text("utf-8").replace("Only with", "Even without"), "utf-8")
    done = verify()
    assert done.exit_code == 1
    assert "reviews[0]: it was changed" in done.stdout


def test_a_ledger_in_the_database_verifies_as_it_was_judged(ledger: EvidenceLedger) -> None:
    done = invoke("ledger", "verify", ledger.id, "--documents", "docs", *AT)
    assert done.exit_code == 0, done.stdout

"""Rows that someone changed behind our back are found, by the library and by the commands."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.harness import complaint, invoke
from tests.store.samples import sample_ledger

from veridical.errors import StoreError
from veridical.store.ledgers import Saved
from veridical.store.store import Store

ANSWER = """Full-time staff are entitled to 27 days of annual leave in each leave year.
Up to five days may be carried over into the next leave year.
"""


def changed(store: Store, statement: str) -> None:
    with store._database.engine.begin() as connection:
        connection.exec_driver_sql(statement)


FORGERIES = {
    "answer": "UPDATE sessions SET answer = 'Staff get 99 days.'",
    "title": "UPDATE sessions SET title = 'Approved'",
    "time": "UPDATE sessions SET created_at = '2020-01-01 00:00:00'",
    "session": "UPDATE sessions SET session_id = ledger_id",
    "warnings": "UPDATE sessions SET warnings = '[\"none\"]'",
    "head": "UPDATE sessions SET seal_head = substr(seal_head, 2) || 'x'",
    "no head": "UPDATE sessions SET seal_head = NULL",
    "notes": "UPDATE evidence_ledger SET notes = 'forged'",
    "verdict": "UPDATE evidence_ledger SET verdict = 'weak'",
    "score": "UPDATE evidence_ledger SET confidence_score = 0.123",
    "claim": "UPDATE claims SET statement = 'Staff get 99 days.'",
    "order": "UPDATE claims SET ordinal = 9 WHERE ordinal = 0",
    "one claim less": "DELETE FROM claims WHERE ordinal = 1",
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_changed_rows_are_not_what_was_saved(store: Store, forgery: str) -> None:
    ledger = sample_ledger()
    store.save(ledger)
    changed(store, FORGERIES[forgery])
    assert not store.load_record(ledger.id).is_as_saved


def test_a_ledger_saved_again_stands_beside_the_forged_one(store: Store) -> None:
    ledger = sample_ledger()
    for number, forgery in enumerate(("answer", "head"), start=2):
        store.save(ledger)
        changed(store, FORGERIES[forgery])
        assert store.save(ledger) is Saved.REPLACED
        record = store.load_record(ledger.id)
        assert (record.ledger, record.revision, record.is_as_saved) == (ledger, number, True)
    assert store.load(ledger.id, revision=1).answer == "Staff get 99 days."


# SQLite keeps anything in any column; PostgreSQL refuses most of it.
DAMAGES = {
    "no JSON": "UPDATE sessions SET summary = '{bad'",
    "nothing in the JSON": "UPDATE sessions SET summary = '{}'",
    "a list for an object": "UPDATE sessions SET judge = '[]'",
    "text for a number": "UPDATE sessions SET summary = replace(summary, ':3', ':\"3\"')",
    "a verdict that is not counted": (
        "UPDATE sessions SET summary = replace(summary, '\"weak\":0,', '')"
    ),
    "nested too deep": "UPDATE sessions SET summary = replace(hex(zeroblob(20000)), '0', '[')",
    "no moment": "UPDATE sessions SET created_at = 'yesterday'",
    "no text": "UPDATE sessions SET title = x'ff00'",
    "no UTF-8": "UPDATE sessions SET title = CAST(x'ff00' AS TEXT)",
}
DEEP_DAMAGES = {
    "an entry that is no JSON": "UPDATE evidence_ledger SET entry = '{bad'",
    "an entry without its fields": "UPDATE evidence_ledger SET entry = '{}'",
    "text for a probability": (
        "UPDATE evidence_ledger SET entry = "
        'replace(entry, \'"probability":0.8\', \'"probability":"0.8"\')'
    ),
    "sources that are no list": "UPDATE sessions SET sources = '\"\"'",
    "another snippet beside the entry": "UPDATE evidence_ledger SET evidence_snippet = 'forged'",
    "other chunks beside the entry": "UPDATE evidence_ledger SET chunk_ids = '[]'",
    "an offset that is no number": "UPDATE claims SET start_offset = 'x'",
    "an id that is none": "UPDATE claims SET uid = 'x'",
}


@pytest.fixture
def sqlite_store(sqlite_template: Path, tmp_path: Path) -> Iterator[Store]:
    """A store in a file, with a ledger in it."""
    path = tmp_path / "store.db"
    path.write_bytes(sqlite_template.read_bytes())
    with Store.open(path) as opened:
        opened.save(sample_ledger())
        yield opened


@pytest.mark.parametrize("damage", [*DAMAGES, *DEEP_DAMAGES])
def test_a_damaged_row_is_an_error_that_names_its_ledger(sqlite_store: Store, damage: str) -> None:
    ledger, other = sample_ledger(), sample_ledger(name="other", minute=40)
    changed(sqlite_store, (DAMAGES | DEEP_DAMAGES)[damage])
    sqlite_store.save(other)
    message = f"The ledger {ledger.id} cannot be read: .*build and save it anew"
    with pytest.raises(StoreError, match=message):
        sqlite_store.load(ledger.id)
    if damage in DAMAGES:
        with pytest.raises(StoreError, match=message):
            sqlite_store.list()
    assert sqlite_store.load(other.id) == other
    assert sqlite_store.save(ledger) is Saved.REPLACED
    assert sqlite_store.load(ledger.id) == ledger
    assert {row.ledger_id for row in sqlite_store.list()} == {ledger.id, other.id}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a ledger in kept.db, and the document that it was built over."""
    folder = tmp_path_factory.mktemp("built")
    (folder / "docs").mkdir()
    (folder / "docs" / "leave.md").write_text(f"# Leave\n\n{ANSWER}", "utf-8")
    (folder / "answer.md").write_text(ANSWER, "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        build()
    return folder


def build() -> None:
    built = invoke("ledger", "build", "--response", "answer.md", "--documents", "docs",
                   "--store", "kept.db")  # fmt: skip
    assert built.exit_code == 0, built.output


@pytest.fixture
def kept(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The id of a ledger in kept.db, in the current folder, with its document."""
    shutil.copytree(built, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("VERIDICAL_STORE", raising=False)
    monkeypatch.delenv("VERIDICAL_MODEL", raising=False)
    with Store.open("kept.db") as store:
        return store.list()[0].ledger_id


def forge(statement: str) -> None:
    with closing(sqlite3.connect("kept.db")) as connection, connection:
        connection.execute(statement)


@pytest.mark.parametrize("forgery", ["answer", "no head", "one claim less"])
def test_verify_finds_a_changed_row(kept: str, forgery: str) -> None:
    command = ("ledger", "verify", kept, "--store", "kept.db", "--documents", "docs")
    assert invoke(*command).exit_code == 0
    forge(FORGERIES[forgery])
    found = invoke(*command)
    assert found.exit_code == 1, found.output
    assert "it is not the expected head" in found.output


def test_a_changed_ledger_is_not_sealed_anew_by_an_export(kept: str) -> None:
    command = ("ledger", "export", kept, "--store", "kept.db", "-o", "out.json")
    forge(FORGERIES["answer"])
    refused = invoke(*command)
    assert refused.exit_code == 2
    complaint(refused.stderr)
    assert not Path("out.json").exists()

"""The tables: made step by step, as those made at once, and told from those of others."""

from __future__ import annotations

import json
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa
from tests.store.later import become_0003, become_later
from tests.store.samples import sample_ledger
from tests.store.shelves import there

from veridical.errors import StoreError
from veridical.store import schema
from veridical.store.engine import Database
from veridical.store.inquiries import Mode
from veridical.store.store import Store


def told(connection: sa.Connection) -> dict[str, object]:
    """All that a database says of its tables, in an order that does not tell who made them."""
    found = sa.inspect(connection)

    def of(table: str) -> list[object]:
        return [
            [
                (column["name"], str(column["type"]), column["nullable"], column["default"])
                for column in found.get_columns(table)
            ],
            found.get_pk_constraint(table),
            *(
                sorted(json.dumps(one, default=str, sort_keys=True) for one in listed)
                for listed in (
                    found.get_foreign_keys(table),
                    found.get_unique_constraints(table),
                    found.get_check_constraints(table),
                    found.get_indexes(table),
                )
            ),
        ]

    return {table: of(table) for table in found.get_table_names()}


def test_tables_made_at_once_are_those_of_the_steps(empty_url: str) -> None:
    """A new database takes no steps, and must not differ from one that took them all."""
    Store.open(empty_url).close()
    with closing(Database(empty_url)) as database:
        with database.reading() as connection:
            made = told(connection)
        database.write(become_0003, sample_ledger().id)
        assert schema.version_of(database) == "0003"
        Store.open(empty_url).close()
        assert schema.version_of(database) == schema.HEAD
        with database.reading() as connection:
            assert told(connection) == made
    assert len(made) > 15


COLUMNS = {
    "claims": ["id", "session_id", "claim_text", "claim_type", "importance", "requires_citation",
               "start_offset", "end_offset", "created_at"],
    "evidence_ledger": ["id", "session_id", "claim_id", "verdict", "confidence_score",
                        "chunk_ids", "evidence_snippet", "notes", "created_at"],
}  # fmt: skip
INDEXES = {"claims": {"idx_claims_session"}, "evidence_ledger": {"idx_ledger_session",
                                                                 "idx_ledger_verdict"}}  # fmt: skip


@pytest.mark.parametrize("table", COLUMNS)
def test_the_specification_finds_its_columns(url: str, table: str) -> None:
    with closing(Database(url)) as database, database.reading() as connection:
        found = sa.inspect(connection)
        names = [column["name"] for column in found.get_columns(table)]
        assert names[: len(COLUMNS[table])] == COLUMNS[table]
        assert {index["name"] for index in found.get_indexes(table)} >= INDEXES[table]
        keys = found.get_foreign_keys(table)
        assert {key["options"].get("ondelete") for key in keys} == {"CASCADE"}


def test_a_row_of_the_specification_needs_no_more_than_it_gives(store: Store, url: str) -> None:
    """Ids and times by default, the checks, the one entry a claim."""
    store.save(sample_ledger(1))
    copied = (
        "INSERT INTO claims (session_id, claim_text, claim_type, importance, uid, ordinal,"
        " statement, context, markers) SELECT session_id, 'x', '{}', importance, uid, 9,"
        " '', '', '[]' FROM claims"
    )
    wrong = [
        copied.format("opinion"),
        "UPDATE evidence_ledger SET verdict = 'maybe'",
        "UPDATE evidence_ledger SET confidence_score = -0.1",
        (
            "INSERT INTO evidence_ledger (session_id, claim_id, verdict, uid, entry) "
            "SELECT session_id, claim_id, verdict, uid, entry FROM evidence_ledger"
        ),
    ]
    with closing(Database(url)) as database:
        with database.engine.begin() as connection:
            connection.exec_driver_sql(copied.format("policy"))
            made = connection.exec_driver_sql(
                "SELECT id, created_at, requires_citation FROM claims WHERE claim_type = 'policy'"
            ).one()
            assert all(made)
        for statement in wrong:
            with pytest.raises(sa.exc.IntegrityError), database.engine.begin() as connection:
                connection.exec_driver_sql(statement)


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM veridical_schema", "is damaged: it holds tables of Veridical, but not"),
        ("UPDATE veridical_schema SET version_num = 'zzz'", "version 'zzz', which this Veridical"),
        ("UPDATE veridical_schema SET version_num = '0000'", "version '0000', which this"),
        ("UPDATE veridical_schema SET version_num = '9999'", "newer version .*pip install --up"),
    ],
)
def test_a_version_that_was_lost_or_altered_is_told_and_nothing_is_changed(
    store: Store, url: str, statement: str, said: str
) -> None:
    store.save(sample_ledger())
    store.close()
    with closing(Database(url)) as database:
        with database.engine.begin() as connection:
            connection.exec_driver_sql(statement)
        with pytest.raises(StoreError, match=said) as raised:
            Store.open(url)
        assert ("Restore a copy" in str(raised.value)) is ("9999" not in statement)
        with database.reading() as connection:
            held = connection.exec_driver_sql("SELECT count(*) FROM sessions").scalar()
    assert held == 1


def test_an_upgrade_that_the_tables_do_not_allow_is_told_and_nothing_is_changed(
    store: Store, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.save(sample_ledger())
    store.close()
    become_later(monkeypatch)
    with closing(Database(url)) as database:
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE later (theirs TEXT)")
        with pytest.raises(StoreError, match=r"are not as that version has them\. Nothing was"):
            Store.open(url)
        with database.reading() as connection:
            held = connection.exec_driver_sql("SELECT count(*) FROM sessions").scalar()
    assert held == 1


def test_sessions_that_were_checked_again_and_jobs_under_way_are_brought_along(
    store: Store, url: str
) -> None:
    """Version 0003 told in `details` what was checked again, and as what."""
    shelf = store.shelf()
    first, job = shelf.inquiries.add(Mode.ANSWER, "How?")
    second, _ = shelf.inquiries.add(Mode.ANSWER, "How?")
    store.job_board.begin(job.id)
    details = {
        first.id: {"outcome": "answered", "related_sessions": {"as": [second.id]}},
        second.id: {"related_sessions": {"of": first.id}},
    }
    with closing(Database(url)) as database:
        database.write(become_0003, first.id)
        with database.engine.begin() as connection:
            for key, told in details.items():
                row = sa.text("UPDATE inquiries SET details = :told WHERE id = :key")
                kept = connection.dialect.name == "postgresql"
                values = {"told": json.dumps(told), "key": key if kept else key.replace("-", "")}
                assert connection.execute(row, values).rowcount == 1
    with Store.open(url) as upgraded:
        inquiries = upgraded.shelf().inquiries
        before, after = there(inquiries.get(first.id)), there(inquiries.get(second.id))
        assert (before.details, before.earlier_id) == ({"outcome": "answered"}, None)
        assert (after.details, after.earlier_id) == (None, first.id)
        assert [later.id for later in inquiries.again(first.id)] == [second.id]
        assert upgraded.job_board.begin(job.id, "other", beat=0) is not None


def test_rows_that_an_upgrade_cannot_read_are_told_and_nothing_is_changed(
    store: Store, url: str
) -> None:
    asked, _ = store.shelf().inquiries.add(Mode.ANSWER, "How?")
    store.close()
    with closing(Database(url)) as database:
        database.write(become_0003, asked.id)
        with database.engine.begin() as connection:
            connection.exec_driver_sql("""UPDATE inquiries SET details = '["related_sessions"]'""")
        with pytest.raises(StoreError, match=r"cannot be read: rows of it in the database were"):
            Store.open(url)
        assert schema.version_of(database) == "0003"
        with database.reading() as connection:
            assert "job_steps" not in sa.inspect(connection).get_table_names()


def test_a_table_of_versions_alone_is_an_empty_database(empty_url: str) -> None:
    """As the first step back leaves it."""
    with closing(Database(empty_url)) as database:
        with database.engine.begin() as connection:
            schema._VERSIONS.create(connection)
        assert schema.version_of(database) is None
    Store.open(empty_url).close()


def test_the_tables_of_others_are_left_alone(empty_url: str) -> None:
    with closing(Database(empty_url)) as database:
        with database.engine.begin() as connection:
            connection.exec_driver_sql("CREATE TABLE documents (theirs TEXT)")
        with pytest.raises(StoreError, match="tables of another program"):
            Store.open(empty_url)
        with database.reading() as connection:
            assert sa.inspect(connection).get_table_names() == ["documents"]


def test_nothing_is_made_where_nothing_may_be(empty_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"There is no database|is empty"):
        Store.open(empty_url, create=False)
    assert list(tmp_path.iterdir()) == []


def test_opening_a_store_is_light() -> None:
    program = (
        "import logging, sys\n"
        "before = logging.root.handlers[:], logging.root.level\n"
        "import veridical.store\n"
        "assert 'sqlalchemy' not in sys.modules\n"
        "import veridical.store.store\n"
        "heavy = {'numpy', 'psycopg', 'sqlalchemy.orm', 'wordllama'}\n"
        "assert not heavy & set(sys.modules)\n"
        "veridical.store.store.Store.open('sqlite://').close()\n"
        "assert not heavy & set(sys.modules)\n"
        "assert before == (logging.root.handlers, logging.root.level)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

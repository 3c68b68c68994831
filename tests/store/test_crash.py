"""A program that is killed leaves whole things behind, and doing it again completes them."""

from __future__ import annotations

import sqlalchemy as sa
from tests.store.processes import killed_at
from tests.store.samples import numbered, sample_ledger

from veridical.store.documents import IngestReport
from veridical.store.ledgers import Saved
from veridical.store.store import Store
from veridical.store.tables import claims, document_chunks, documents, evidence_ledger, sessions

COUNT = 500
KILLED_IN = 200
KILLED_BEFORE = 300

INGEST = f"""
import sys
from tests.store.samples import numbered
from veridical.store import documents
from veridical.store.store import Store

done, insert_rows = 0, documents.insert_rows

def insert_and_wait(*arguments):
    # Within the transaction of the last document: all is written, nothing is committed.
    global done
    insert_rows(*arguments)
    done += 1
    if done == {KILLED_IN}:
        print("inside", flush=True)
        sys.stdin.read()

documents.insert_rows = insert_and_wait
with Store.open(sys.argv[1]) as store:
    store.ingest(numbered({COUNT}))
"""

INGEST_ON = f"""
import sys
from tests.store.samples import numbered
from veridical.store.store import Store

def told():
    for number, pair in enumerate(numbered({COUNT})):
        print(number, flush=True)
        if number == {KILLED_BEFORE}:
            sys.stdin.read()
        yield pair

with Store.open(sys.argv[1]) as store:
    store.ingest(told())
"""

SAVE = """
import sys
from tests.store.samples import sample_ledger
from veridical.store import inquiries
from veridical.store.store import Store

entry_rows = inquiries.entry_rows

def rows_and_wait(key, ledger):
    for number, row in enumerate(entry_rows(key, ledger)):
        if number == 1_500:
            print("inside", flush=True)
            sys.stdin.read()
        yield row

inquiries.entry_rows = rows_and_wait
with Store.open(sys.argv[1]) as store:
    store.save(sample_ledger(2_000))
"""


def rows(store: Store, table: sa.Table) -> int:
    with store._database.reading() as connection:
        return int(connection.execute(sa.select(sa.func.count()).select_from(table)).scalar_one())


def assert_complete(store: Store, kept: int) -> None:
    """Whole documents are there before the rest is ingested, and each once afterwards."""
    assert rows(store, documents) == kept
    assert rows(store, document_chunks) == 3 * kept
    wanted = numbered(COUNT)
    assert store.ingest(wanted) == IngestReport(added=COUNT - kept, unchanged=kept)
    assert rows(store, documents) == COUNT
    assert rows(store, document_chunks) == 3 * COUNT
    assert store.load_documents() == tuple(document for document, _ in wanted)


def test_killed_inside_the_transaction_of_a_document(url: str) -> None:
    killed_at("inside", INGEST, url)
    with Store.open(url) as store:
        assert_complete(store, KILLED_IN - 1)


def test_killed_anywhere_while_ingesting(url: str) -> None:
    killed_at(str(KILLED_IN), INGEST_ON, url)
    with Store.open(url) as store:
        kept = rows(store, documents)
        assert KILLED_IN <= kept <= KILLED_BEFORE
        assert_complete(store, kept)


def test_killed_while_a_ledger_is_saved(url: str) -> None:
    killed_at("inside", SAVE, url)
    ledger = sample_ledger(2_000)
    with Store.open(url) as store:
        assert [rows(store, table) for table in (sessions, claims, evidence_ledger)] == [0, 0, 0]
        assert store.save(ledger) is Saved.ADDED
        assert store.save(ledger) is Saved.UNCHANGED
        assert rows(store, claims) == rows(store, evidence_ledger) == 2_000
        assert store.load(ledger.id) == ledger

"""Programs that are killed leave whole things, and several at once lose and double nothing."""

from __future__ import annotations

import json
from contextlib import ExitStack

from tests.store.processes import SECONDS, killed_at, running, wait_for
from tests.store.samples import numbered, sample_ledger
from tests.store.shelves import count, resolved, versions

from veridical.store.documents import IngestReport, Status
from veridical.store.ledgers import Saved
from veridical.store.store import Store
from veridical.store.tables import claims, document_chunks, documents, evidence_ledger, sessions

COUNT = 150
KILLED_IN = 60

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


def assert_complete(store: Store, kept: int) -> None:
    """Whole documents are there before the rest is ingested, and each once afterwards."""
    assert count(store, documents) == [kept]
    assert count(store, document_chunks) == [3 * kept]
    wanted = numbered(COUNT)
    assert store.ingest(wanted) == IngestReport(added=COUNT - kept, unchanged=kept)
    assert count(store, documents) == [COUNT]
    assert count(store, document_chunks) == [3 * COUNT]
    assert store.shelf().documents.contents() == tuple(wanted)


def test_killed_inside_the_transaction_of_a_document(url: str) -> None:
    killed_at("inside", INGEST, url)
    with Store.open(url) as store:
        assert_complete(store, KILLED_IN - 1)


def test_killed_while_a_ledger_is_saved(url: str) -> None:
    killed_at("inside", SAVE, url)
    ledger = sample_ledger(2_000)
    with Store.open(url) as store:
        assert count(store, sessions, claims, evidence_ledger) == [0, 0, 0]
        assert store.save(ledger) is Saved.ADDED
        assert store.save(ledger) is Saved.UNCHANGED
        assert count(store, claims, evidence_ledger) == [2_000, 2_000]
        assert store.load(ledger.id) == ledger


# --- several writers -----------------------------------------------------------------------------


SHARED, OWN, LEDGERS = 40, 10, 12

WRITER = f"""
import json, sys
from dataclasses import asdict
from tests.store.samples import numbered, sample_ledger, text_pair
from veridical.store.store import Store

url, name = sys.argv[1:]
print("ready", flush=True)
sys.stdin.readline()
with Store.open(url) as store:
    same = store.ingest(numbered({SHARED}))
    says = [f"{{name}} says {{n}}" for n in range({OWN})]
    own = store.ingest(text_pair(f"{{said}}.txt", said) for said in says)
    mine = store.ingest(text_pair(f"disputed {{n}}.txt", said) for n, said in enumerate(says))
    saved = [store.save(sample_ledger(20, f"ledger {{n}}")) for n in range({LEDGERS})]
    store.save(sample_ledger(20, name))
print(json.dumps([asdict(same), asdict(own), asdict(mine), saved]), flush=True)
"""
NAMES = ("Ann", "Bob", "Cem")


def reports(url: str) -> list[list[object]]:
    """What each of the writers says of its work, all begun at once."""
    with ExitStack() as stack:
        writers = [stack.enter_context(running(WRITER, url, name)) for name in NAMES]
        for writer in writers:
            wait_for(writer, "ready")
        for writer in writers:
            assert writer.stdin is not None
            writer.stdin.write("go\n")
            writer.stdin.flush()
        return [json.loads(writer.communicate(timeout=SECONDS)[0]) for writer in writers]


def test_writers_lose_nothing_and_double_nothing(empty_url: str) -> None:
    told = reports(empty_url)
    same, own, mine, saved = zip(*told, strict=True)
    assert sum(report["added"] for report in same) == SHARED
    assert sum(report["unchanged"] for report in same) == SHARED * (len(NAMES) - 1)
    assert [report["added"] for report in own] == [OWN] * len(NAMES)
    assert sum(report["added"] for report in mine) == OWN
    assert sum(report["new_versions"] for report in mine) == OWN * (len(NAMES) - 1)
    for outcomes in zip(*saved, strict=True):
        assert sorted(outcomes) == ["added", *["unchanged"] * (len(NAMES) - 1)]
    with Store.open(empty_url) as store:
        assert_all_there(store)


def assert_all_there(store: Store) -> None:
    kept = versions(store)
    disputed = [one for one in kept if one[0].startswith("disputed")]
    assert len(kept) - len(disputed) == SHARED + OWN * len(NAMES)
    numbers = list(range(1, len(NAMES) + 1))
    for number in range(OWN):
        found = [one for one in disputed if one[0] == f"disputed {number}.txt"]
        assert [version for _, version, _ in found] == numbers
        assert [status for *_, status in found].count(Status.READY) == 1
    for _, chunks in numbered(SHARED):
        for chunk in chunks[:2]:
            assert resolved(store, chunk.sha256).resolved
    for name in (*NAMES, *(f"ledger {n}" for n in range(LEDGERS))):
        ledger = sample_ledger(20, name)
        assert store.load(ledger.id) == ledger
    assert len(store.list()) == LEDGERS + len(NAMES)

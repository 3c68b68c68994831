"""Several programs write into one database at once: nothing is lost and nothing doubled."""

from __future__ import annotations

import json
from contextlib import ExitStack

from tests.store.processes import SECONDS, running, wait_for
from tests.store.samples import numbered, sample_ledger

from veridical.store.documents import Status
from veridical.store.store import Store

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
    documents = store.documents(all_versions=True)
    disputed = [d for d in documents if d.filename.startswith("disputed")]
    assert len(documents) - len(disputed) == SHARED + OWN * len(NAMES)
    versions = list(range(1, len(NAMES) + 1))
    for number in range(OWN):
        found = [d for d in disputed if d.filename == f"disputed {number}.txt"]
        assert [document.version for document in found] == versions
        assert [document.status for document in found].count(Status.READY) == 1
    for _, chunks in numbered(SHARED):
        for chunk in chunks[:2]:
            assert store.resolve_citation(chunk.sha256).resolved
    for name in (*NAMES, *(f"ledger {n}" for n in range(LEDGERS))):
        ledger = sample_ledger(20, name)
        assert store.load(ledger.id) == ledger
    assert len(store.list()) == LEDGERS + len(NAMES)

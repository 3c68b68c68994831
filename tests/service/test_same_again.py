"""A call that is made again after its process was killed makes nothing a second time."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.service.visiting import a_place
from tests.store.processes import killed_at
from tests.store.samples import sample_ledger

from veridical.service.entry import idempotency
from veridical.service.inquiring import asking as exporting
from veridical.store.records import RecordKind
from veridical.store.store import Store

LEDGER = sample_ledger()
CLAIM = {"id": "EV001", "task_id": "P1.T001", "quote": "Five unused days may be carried over.",
         "evidence_type": "direct_quote"}  # fmt: skip
TEXT = {"name": "leave.md", "text": "Five unused days may be carried over."}
CALLS = {
    "sessions": {"json": {"mode": "answer", "query": "How many days?"}},
    "documents": {"files": {"file": ("leave.md", b"# Leave", "text/markdown")}},
    "validations": {"json": {"claims": [CLAIM], "texts": [TEXT]}},
    f"sessions/{LEDGER.session_id}/ledger/export": {"json": {"format": "json"}},
}

PROGRAM = """
import sys, threading, time
from concurrent.futures import ThreadPoolExecutor
from fastapi.testclient import TestClient
from tests.service.test_same_again import CALLS
from tests.service.visiting import HERE
from veridical.service.app import create_app
from veridical.service.jobs.engine import JobEngine
from veridical.service.settings import ServiceSettings

written = threading.Semaphore(0)

def halt(*_):
    written.release()
    time.sleep(60)

JobEngine.wake = halt
app = create_app(ServiceSettings(database=sys.argv[1]))

def call(path):
    client = TestClient(app, base_url=HERE)
    client.post(f"/api/v1/{path}", headers={"Idempotency-Key": "once"+path}, **CALLS[path])

for path in CALLS:
    threading.Thread(target=call, args=(path,), daemon=True).start()
for _ in CALLS:
    assert written.acquire(timeout=50)
print("written", flush=True)
time.sleep(60)
"""


def test_what_was_written_before_the_process_was_killed_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/service.db"
    with Store.open(url) as store:
        store.save(LEDGER)
    killed_at("written", PROGRAM, url)
    monkeypatch.setattr(idempotency, "STALE_SECONDS", -1.0)
    monkeypatch.setattr(exporting, "WAIT_SECONDS", 0.0)
    with a_place(tmp_path) as place:
        shelf = place.store.shelf()
        jobs = shelf.jobs.page().items
        for path, body in CALLS.items():
            key = {"Idempotency-Key": f"once{path}"}
            reply = place.client().post(f"/api/v1/{path}", headers=key, **body)  # type: ignore[arg-type]
            assert reply.status_code == 202, reply.text
            told = reply.json()
            assert told.get("subject_id", told["id"]) in {job.subject_id for job in jobs}, told
        assert shelf.jobs.page().items == jobs
        assert len(jobs) == len(CALLS)
        assert len(shelf.inquiries.page().items) == 2
        assert len(shelf.records.page(RecordKind.VALIDATION).items) == 1

"""Whoever follows a job is let go when the server ends, and goes on where they were."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
from tests.service.job_servers import (
    API,
    RUBRIC,
    TRANSCRIPT,
    counting_model,
    sqlite_url,
    started,
)


def heard(reply: httpx2.Response) -> Iterator[tuple[str, Any]]:
    """The events of a stream as they come, each with its job."""
    name = ""
    for line in reply.iter_lines():
        word, _, rest = line.partition(": ")
        if word == "event":
            name = rest
        elif word == "data":
            yield name, json.loads(rest)


def test_a_stream_ends_with_the_server_and_goes_on_with_the_next(tmp_path: Path) -> None:
    url = sqlite_url(tmp_path)
    with counting_model(0.5) as model:
        with started(url, model) as first:
            card = first.post("/scorecards", {"transcript": {"text": TRANSCRIPT}, "rubric": RUBRIC})
            path = f"{API}/jobs/{first.job_about(card['id'])}/events"
            with first.client.stream("GET", path) as stream:
                told = heard(stream)
                before = [next(told)[1]]
                while before[-1]["done"] < 1:
                    before.append(next(told)[1])
                first.process.terminate()  # with the stream open, which must not hold it up
                rest = [name for name, _ in told]
                assert "end" not in rest
            assert first.process.wait(60) == 0, first.log
        seen = before[-1]["revision"]
        with (
            started(url, model) as second,
            second.client.stream("GET", path, headers={"Last-Event-ID": str(seen)}) as stream,
        ):
            after = list(heard(stream))
    revisions = [job["revision"] for _, job in after]
    assert revisions == sorted(revisions)
    assert revisions[0] > seen
    assert [name for name, _ in after][-2:] == ["progress", "end"]
    assert after[-1][1]["state"] == "done"

"""On Ray the rows are those of one machine, whatever ends in between, and the cluster is closed to
others.
"""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest
from tests.bulk.data import require_each_once
from tests.bulk.ray_runs import Given, family, require_nobody_left, started, wait_for, wait_until

from veridical.bulk import BulkSettings, Task
from veridical.bulk.crew import Told
from veridical.bulk.local import Prepared, run


def test_the_same_rows_though_an_actor_is_killed_and_in_a_closed_cluster(tmp_path: Path) -> None:
    given = Given(tmp_path, Task.VALIDATE)
    where = (str(tmp_path / "claims.parquet"), str(tmp_path / "documents.parquet"))
    run(where[0], tmp_path / "local", where[1], given.settings)
    _broken_off(where[0], given.output, where[1], given.settings)
    with started(given, look=True, resume=True) as process:
        told = [json.loads(line) for line in process.stdout or ()]
        assert process.wait() == 0
        require_nobody_left(given)
    given.require_whole(tmp_path / "local")

    seen = next(one["seen"] for one in told if "seen" in one)
    assert seen["without token"] == "AuthenticationError"
    assert seen["with token"] == "let in"
    assert seen["usage statistics"] == "0"
    assert seen["listening elsewhere"] == []
    assert seen["killed"]
    assert told[-1] == {"environment is as before": True, "Ray is imported": False}
    assert not Path(seen["token in"]).parent.exists()


def test_a_run_whose_caller_is_killed_can_be_finished_on_one_machine(tmp_path: Path) -> None:
    given = Given(tmp_path, Task.JUDGE)
    where = (str(tmp_path / "claims.parquet"), str(tmp_path / "documents.parquet"))
    run(where[0], tmp_path / "local", where[1], given.settings)
    with started(given) as process:
        wait_for(process, lambda told: bool(told.get("done")))
        process.kill()
        process.wait()
        require_nobody_left(given)
    assert not (given.output / "summary.json").exists()
    given.go_on_locally()
    given.require_whole(tmp_path / "local")


def test_an_interruption_ends_everything_and_the_run_can_go_on(tmp_path: Path) -> None:
    given = Given(tmp_path, Task.VALIDATE)
    with started(given) as process:
        wait_until(lambda: any("gcs_server" in name for name in family(given.folder).values()))
        process.send_signal(signal.SIGINT)
        assert process.wait() != 0
        require_nobody_left(given)
    given.go_on_locally()
    require_each_once(given.output, given.rows)


def _broken_off(claims_at: str, output: Path, documents_at: str, wanted: BulkSettings) -> None:
    """A run of one machine that gets no further than three shards."""

    def work(prepared: Prepared, _told: Told) -> None:
        for shard in prepared.left[:3]:
            prepared.worker().work(shard)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(claims_at, output, documents_at, wanted, work=work)

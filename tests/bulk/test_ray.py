"""On Ray the rows are those of one machine, whatever ends in between, and the cluster is closed to
others.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from tests.bulk.data import require_each_once
from tests.bulk.ray_runs import (
    ROOT,
    OnRay,
    environment,
    require_nobody_left,
    started,
    wait_for,
)
from tests.service.serving import keep_port

from veridical.bulk import BulkSettings, Task
from veridical.bulk.documents import FolderDocuments
from veridical.bulk.local import Prepared, run
from veridical.bulk.pool import Told
from veridical.bulk.ray_engine import Job, run_on_ray, why_unfit
from veridical.errors import ConfigurationError


def test_the_same_rows_though_an_actor_is_killed_and_in_a_closed_cluster(tmp_path: Path) -> None:
    given = OnRay(tmp_path, Task.VALIDATE)
    run(given.claims, tmp_path / "local", given.documents, given.settings)
    _broken_off(given)
    with started(given, look=True, resume=True) as process:
        told = [json.loads(line) for line in process.stdout or ()]
        assert process.wait() == 0
        require_nobody_left(given)
    given.require_same(tmp_path / "local")

    seen = next(one["seen"] for one in told if "seen" in one)
    assert seen["without token"] == "AuthenticationError"
    assert seen["with token"] == "let in"
    assert seen["usage statistics"] == "0"
    assert seen["listening elsewhere"] == []
    assert seen["killed"]
    assert told[-1] == {"environment is as before": True, "Ray is imported": False}
    assert not Path(seen["token in"]).parent.exists()


def test_a_run_whose_caller_is_killed_can_be_finished_on_one_machine(tmp_path: Path) -> None:
    given = OnRay(tmp_path, Task.JUDGE)
    run(given.claims, tmp_path / "local", given.documents, given.settings)
    with started(given) as process:
        wait_for(process, lambda told: bool(told.get("done")))
        process.kill()
        process.wait()
        require_nobody_left(given)
    assert not (given.output / "summary.json").exists()
    given.go_on_locally()
    given.require_same(tmp_path / "local")


def _broken_off(given: OnRay) -> None:
    """A run of one machine that gets no further than three shards."""

    def work(prepared: Prepared, _told: Told) -> None:
        for shard in prepared.left[:3]:
            prepared.worker().work(shard)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(*given.where, given.settings, work=work)


# --- what cannot run is told before anything is worked on; none of this starts Ray ----------------


def test_without_ray_the_line_that_installs_it_is_told(tmp_path: Path) -> None:
    program = """
import importlib.abc, sys
class Blocker(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        if name.partition(".")[0] == "ray":
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocker())
from pathlib import Path
from veridical.bulk import BulkSettings
from veridical.bulk.ray_engine import run_on_ray
from veridical.errors import MissingExtraError
try:
    run_on_ray("claims.parquet", Path("out"), "documents", BulkSettings())
except MissingExtraError as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment(tmp_path),
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "pip install 'veridical[ray]'" in done.stdout
    assert list(tmp_path.iterdir()) == []


def test_ray_client_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="HOST:PORT"):
        run_on_ray("c", tmp_path / "out", "d", BulkSettings(), address="ray://head:10001")
    assert list(tmp_path.iterdir()) == []


def test_a_cluster_that_is_not_there_is_told_and_what_is_cut_is_kept(tmp_path: Path) -> None:
    given = OnRay(tmp_path, Task.VALIDATE)
    with keep_port(0) as kept:
        address = f"127.0.0.1:{kept.getsockname()[1]}"
        with pytest.raises(ConfigurationError, match=rf"{address} cannot be joined .*TOKEN"):
            run_on_ray(*given.where, given.settings, address=address)
    given.go_on_locally()
    require_each_once(given.output, given.rows)


def test_the_example_for_kubernetes_has_a_core_for_each_actor_and_a_token() -> None:
    job = yaml.safe_load((ROOT / "examples/bulk/ray-job.yml").read_text("utf-8"))
    cluster = job["spec"]["rayClusterSpec"]
    assert (job["kind"], cluster["authOptions"]) == ("RayJob", {"mode": "token"})
    words = job["spec"]["entrypoint"].split()
    assert words[:3] == ["veridical", "bulk", "validate"]
    assert "--resume" in words
    [group] = cluster["workerGroupSpecs"]
    cores = group["replicas"] * int(group["rayStartParams"]["num-cpus"])
    assert cores == int(words[words.index("--workers") + 1])
    for template in (cluster["headGroupSpec"]["template"], group["template"]):
        [container] = template["spec"]["containers"]
        assert {"name": "RAY_USAGE_STATS_ENABLED", "value": "0"} in container["env"]
        assert [one["mountPath"] for one in container["volumeMounts"]] == ["/shared"]
        assert [one["name"] for one in template["spec"]["volumes"]] == ["shared"]


def test_a_node_that_does_not_see_the_same_folders_is_told(tmp_path: Path) -> None:
    given = OnRay(tmp_path, Task.VALIDATE)
    jobs: list[Job] = []

    def work(prepared: Prepared, _told: Told) -> None:
        jobs.append(Job(prepared.worker(), "ours"))
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(*given.where, given.settings, work=work)
    [job] = jobs
    assert f"does not see the output's {job.worker.layout.folder}" in why_unfit(job)
    job.sign_file.write_text(job.sign, "ascii")
    assert why_unfit(job) == ""
    gone = FolderDocuments(tmp_path / "elsewhere")
    cases = {
        "does not see the output's": replace(job, sign="of another folder of that name"),
        "does not see the documents in": replace(job, worker=replace(job.worker, folder=gone)),
        "Install the same everywhere": replace(job, version="0.0.0"),
    }
    for words, unfit in cases.items():
        assert words in why_unfit(unfit)

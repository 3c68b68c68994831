"""What a folder of output may hold before a run, and who may go on with it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.bulk.data import Given, require_each_once, run_inline, settings

from veridical.bulk import BulkSettings, BulkSummary, State
from veridical.bulk.local import Prepared, run
from veridical.bulk.pool import Told
from veridical.bulk.storage import held
from veridical.errors import ConfigurationError, ProcessingError

WANTED = settings(shard_rows=10)


class Output(Given):
    def run(self, wanted: BulkSettings = WANTED, **more: Any) -> BulkSummary:
        return run_inline(str(self.claims), self.output, str(self.documents), wanted, **more)

    def break_off(self) -> None:
        """A run that ends after half of its shards."""

        def work(prepared: Prepared, told: Told) -> None:
            left = prepared.left[: len(prepared.left) // 2]
            half = replace(prepared, manifest=replace(prepared.manifest, shards=tuple(left)))
            for shard in half.left:
                told(*half.worker().work(shard))
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run(str(self.claims), self.output, str(self.documents), WANTED, work=work)


@pytest.fixture
def given(tmp_path: Path) -> Output:
    return Output(tmp_path, 9, 60, skew="half")


def _seen(folder: Path) -> dict[str, tuple[int, bytes]]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(p.relative_to(folder)): (p.stat().st_mtime_ns, p.read_bytes()) for p in files}


def test_a_run_that_is_over_is_left_as_it_is(given: Output) -> None:
    summary = given.run()
    seen = _seen(given.output)
    assert given.run(resume=True) == summary
    assert _seen(given.output) == seen
    with pytest.raises(ConfigurationError, match="exists and is not empty"):
        given.run()
    assert _seen(given.output) == seen


def test_a_run_that_was_broken_off_goes_on_with_what_is_left(given: Output) -> None:
    given.break_off()
    done = {name: seen for name, seen in _seen(given.output).items() if name.startswith("part-")}
    assert done
    with pytest.raises(ConfigurationError, match=r"not empty|broken off"):
        given.run()
    (given.output / ".part-00000.parquet.0123abcd.new").write_bytes(b"half of it")
    states: list[State] = []
    given.run(resume=True, progress=states.append)
    require_each_once(given.output, given.rows)
    assert done.items() <= _seen(given.output).items()
    assert 0 < states[0].done < given.rows
    failed = json.loads((given.output / "summary.json").read_text("utf-8"))["failed"]
    assert (states[-1].done, states[-1].failed) == (given.rows, failed)


def _other_claims(given: Output) -> BulkSettings:
    pq.write_table(pq.read_table(given.claims).slice(1), given.claims)
    return WANTED


def _touched_documents(given: Output) -> BulkSettings:
    os.utime(given.documents, (1, 1))
    return WANTED


_CHANGES: dict[str, Callable[[Output], BulkSettings]] = {
    "claims": _other_claims,
    "documents": _touched_documents,
    "shards": lambda _: replace(WANTED, shard_rows=11),
    "columns": lambda _: replace(WANTED, columns=replace(WANTED.columns, evidence_type="kind")),
}


@pytest.mark.parametrize("is_over", [False, True])
@pytest.mark.parametrize("change", _CHANGES)
def test_only_the_same_run_may_go_on(given: Output, change: str, is_over: bool) -> None:
    if is_over:
        given.run()
    else:
        given.break_off()
    changed = _CHANGES[change](given)
    seen = _seen(given.output)
    with pytest.raises(ConfigurationError, match="of other data or settings"):
        given.run(changed, resume=True)
    assert _seen(given.output) == seen


@pytest.mark.parametrize("left", [["claims", "manifest.json"], ["claims"], []])
def test_a_run_whose_very_end_was_cut_off_is_over(given: Output, left: list[str]) -> None:
    summary = given.run()
    for name in left:
        (given.output / "_work" / name).mkdir(parents=True)
    assert given.run(resume=True) == summary
    require_each_once(given.output, given.rows)


def test_a_damaged_manifest_is_told_of(given: Output) -> None:
    given.break_off()
    (given.output / "_work" / "manifest.json").write_text('{"form": 1}', "utf-8")
    with pytest.raises(ConfigurationError, match=r"is damaged\. Begin anew"):
        given.run(resume=True)


def test_work_that_lost_claims_is_never_taken_for_done(given: Output) -> None:
    given.break_off()
    for path in (given.output / "_work" / "claims").iterdir():
        path.write_bytes(b"")
    with pytest.raises(ProcessingError, match=r"is not whole\. Begin anew"):
        given.run(resume=True)


def test_a_part_that_was_changed_is_noticed(given: Output) -> None:
    given.break_off()
    part = next(given.output.glob("part-*.parquet"))
    pq.write_table(pq.read_table(part).slice(1), part)
    with pytest.raises(ProcessingError, match="files of the run were changed"):
        given.run(resume=True)


def test_two_runs_cannot_work_in_one_folder(given: Output) -> None:
    with held(given.output), pytest.raises(ConfigurationError, match="Another run is at work"):
        given.run()
    given.run()
    require_each_once(given.output, given.rows)


_UNGUARDED = """
import sys
from pathlib import Path
from veridical.bulk import BulkSettings, run
run(sys.argv[1], Path(sys.argv[2]), sys.argv[3], BulkSettings())
"""


def test_a_script_without_a_guard_is_told_of_it(given: Output, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_UNGUARDED, "utf-8")
    command = [sys.executable, str(script), str(given.claims), str(given.output)]
    path = str(Path(__file__).parents[2] / "src")
    ended = subprocess.run(
        [*command, str(given.documents)], env={**os.environ, "PYTHONPATH": path},
        capture_output=True, text=True,
    )  # fmt: skip
    assert "it must do so below `if __name__" in ended.stderr.splitlines()[-1]

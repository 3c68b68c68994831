"""However a run ends, going on with it gives every row exactly once, and nobody is left behind."""

from __future__ import annotations

import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from tests.bulk.data import Given, claims_table, documents_table
from tests.bulk.programs import running
from tests.bulk.workers import HELD

CUT: dict[str, Any] = {"shard_rows": 12, "workers": 2}


@pytest.fixture
def given(tmp_path: Path) -> Given:
    """No run of it is over, however late a test comes to kill, before `_let_go`."""
    (tmp_path / HELD).write_text("emoji/23.txt", "utf-8")
    return Given(tmp_path, 24, 240)


def _let_go(given: Given) -> None:
    (given.folder / HELD).unlink()


@pytest.fixture
def chance() -> random.Random:
    seed = random.SystemRandom().randrange(1 << 30)
    print("seed", seed)  # shown where the test fails
    return random.Random(seed)


def _go_on_to_the_end(given: Given) -> None:
    _let_go(given)
    with running(*given.where, **CUT, resume=True) as run:
        code, errors = run.finish()
        assert code == 0, errors
        run.require_nobody_left()
    given.require_whole()


def test_workers_are_killed(given: Given, chance: random.Random) -> None:
    killed = 0
    with running(*given.where, **CUT) as run:
        run.wait_for_work()  # it is cut
        while killed < 4 and (found := run.wait_for_worker()):
            if killed % 2:  # every second one as there is work, the others at any moment
                run.wait_for_work()
            time.sleep(chance.random() * 0.2)
            try:
                os.kill(chance.choice(found), signal.SIGKILL)
            except ProcessLookupError:
                continue
            killed += 1
        _let_go(given)
        code, errors = run.finish()
        assert code == 0, errors
        run.require_nobody_left()
    assert killed == 4
    given.require_whole()


@pytest.mark.parametrize("everything", [False, True])
def test_the_driver_or_everything_is_killed_again_and_again(
    given: Given, chance: random.Random, everything: bool
) -> None:
    for time_round in range(3):
        with running(*given.where, **CUT, resume=True) as run:
            if time_round:  # else at any moment, also as the work is cut
                run.wait_for_work()
            time.sleep(chance.random() * (0.8 if time_round else 2.0))
            (os.killpg if everything else os.kill)(run.pid, signal.SIGKILL)
            run.process.wait()
            run.require_nobody_left()
    _go_on_to_the_end(given)


@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_driver_that_is_told_to_end_ends_its_workers(given: Given, sign: signal.Signals) -> None:
    with running(*given.where, **CUT) as run:
        run.wait_for_work()
        run.wait_for_worker()
        os.kill(run.pid, sign)
        code, _ = run.finish()
        assert code != 0
        run.require_nobody_left()
    _go_on_to_the_end(given)


def test_the_workers_end_with_their_driver_even_where_one_hangs(tmp_path: Path) -> None:
    given = Given(tmp_path, 24, 240)
    rows = [{"claim_id": "c", "document_id": "a", "quote": "STUCK"}] * 2
    pq.write_table(claims_table(rows), given.claims)
    pq.write_table(documents_table({"a": "Some text."}), given.documents)
    with running(*given.where, **CUT) as run:
        run.wait_for_work()
        run.wait_for_worker()
        time.sleep(1.0)
        os.kill(run.pid, signal.SIGKILL)
        run.process.wait()
        run.require_nobody_left()

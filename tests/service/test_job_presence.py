"""A process is gone when its lock is, and not before: on files, and on a server."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from sqlalchemy import text
from tests.service.job_database import line_to
from tests.service.job_works import until
from tests.store.conftest import empty_postgres, server
from tests.store.processes import running, wait_for

from veridical.errors import StoreError
from veridical.service.jobs import place as presences
from veridical.service.jobs.place import FilePresence, ServerPresence
from veridical.store.engine import Database

__all__ = ["empty_postgres", "server"]

HOLD = """
import sys
from pathlib import Path
from veridical.service.jobs.place import FilePresence, ServerPresence
from veridical.store.engine import Database

given = sys.argv[1]
made = ServerPresence(Database(given)) if "://" in given else FilePresence(Path(given))
made.enter()
print(made.executor_id, flush=True)
print("there", flush=True)
sys.stdin.read()
"""


@contextmanager
def other_process(given: str) -> Iterator[tuple[str, object]]:
    """Another process that is there, by its name."""
    with running(HOLD, given) as process:
        assert process.stdout is not None
        name = process.stdout.readline().strip()
        wait_for(process, "there")
        yield name, process.kill


def test_a_process_on_files(tmp_path: Path) -> None:
    file = tmp_path / "jobs.db"
    here = FilePresence(file)
    here.enter()
    with other_process(str(file)) as (name, kill):
        assert not here.is_gone(name)
        assert not here.is_gone(here.executor_id)
        kill()  # type: ignore[operator]
        until(lambda: here.is_gone(name))
    assert [path.name for path in tmp_path.iterdir()] == [f"jobs.db.{here.executor_id}.lock"]
    here.leave()
    assert here.is_gone(here.executor_id)
    assert list(tmp_path.iterdir()) == []


def test_files_of_dead_processes_are_cleared_away_and_no_other_is_touched(tmp_path: Path) -> None:
    file = tmp_path / "jobs.db"
    (tmp_path / f"jobs.db.{'0' * 32}.lock").touch()
    (tmp_path / "jobs.db.mine.lock").touch()
    here = FilePresence(file)
    here.enter()
    assert here.is_gone("../../etc/passwd")
    here.leave()
    assert [path.name for path in tmp_path.iterdir()] == ["jobs.db.mine.lock"]


def test_a_folder_that_cannot_be_written_to_is_said(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be made"):
        FilePresence(tmp_path / "missing" / "jobs.db").enter()


def test_a_process_on_a_server(empty_postgres: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presences, "GRACE_SECONDS", 0.3)
    with closing(Database(empty_postgres)) as database:
        here = ServerPresence(database)
        here.enter()
        with other_process(empty_postgres) as (name, kill):
            assert not here.is_gone(name)
            assert not here.is_gone(here.executor_id)
            kill()  # type: ignore[operator]
            until(lambda: here.is_gone(name))
        here.leave()
        other = ServerPresence(database)
        until(lambda: other.is_gone(here.executor_id))


def test_one_whose_connection_breaks_is_not_taken_for_gone(empty_postgres: str) -> None:
    with (
        line_to(empty_postgres) as line,
        closing(Database(line.url)) as through,
        closing(Database(empty_postgres)) as direct,
    ):
        here, other = ServerPresence(through), ServerPresence(direct)
        here.enter()
        line.cut()
        line.mend()
        seen = set()
        ends = time.monotonic() + presences.GRACE_SECONDS + 1
        while time.monotonic() < ends:
            seen.add(other.is_gone(here.executor_id))
            time.sleep(0.05)
        here.leave()
        with direct.reading() as connection:
            count = text("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
            until(lambda: connection.execute(count).scalar_one() == 0)
    assert seen == {False}

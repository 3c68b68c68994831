"""Jobs are done once, go on after a stop where they were, and end as users understand it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.service.job_works import Place, nothing, sqlite, until

from veridical.service.jobs import engine as job_engine
from veridical.service.jobs.engine import EngineState
from veridical.service.jobs.workers import BEGUN_TOO_OFTEN, MOST_BEGINNINGS, Doing
from veridical.store.jobs import JobState
from veridical.store.store import Store


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    """A store of its own; nobody works on its jobs as yet."""
    url = sqlite(tmp_path)
    with Store.open(url) as store:
        yield Place(url, store, {"nothing": nothing})


def test_jobs_written_before_and_while_it_runs_are_done_once(place: Place) -> None:
    before = [place.add("nothing") for _ in range(3)]
    with place.running() as engine:
        until(lambda: engine.state is EngineState.READY)
        woken, found = place.add("nothing"), place.add("nothing", tell=False)
        for _ in range(3):
            engine.wake(woken.id)
        for job in (*before, woken, found):
            ended = place.ended(job)
            assert (ended.state, ended.times_begun, ended.message) == (JobState.DONE, 1, "")
    assert len(place.done) == 5


def test_a_job_is_cancelled_while_it_waits_and_while_it_runs(place: Place) -> None:
    begun = Counter[str]()

    def endless(doing: Doing) -> None:
        begun[doing.job.id] += 1
        while True:
            doing.tell(1, 2, "on and on")
            threading.Event().wait(0.01)

    place.works["endless"] = endless
    with place.running(workers=1):
        running = place.add("endless")
        until(lambda: begun[running.id] == 1)
        waiting = place.add("endless")
        assert place.shelf.jobs.ask_to_cancel(waiting.id)
        assert place.shelf.jobs.ask_to_cancel(running.id)
        states = [place.ended(job).state for job in (running, waiting)]
        assert place.ended(place.add("nothing")).state is JobState.DONE
    assert states == [JobState.CANCELLED, JobState.CANCELLED]
    assert begun == {running.id: 1}


def test_what_is_left_at_the_end_goes_on_later_and_pays_for_nothing_twice(place: Place) -> None:
    asked = Counter[str]()
    stuck = threading.Event()

    def paid(doing: Doing) -> None:
        for name in ("a", "b", "\ud800\0é"):
            kept = doing.steps.once(f"ask {name}", lambda name=name: ask(name))
            assert kept == f"answer {name}"
        if doing.job.times_begun == 1:
            stuck.set()
            threading.Event().wait(20)
        doing.steps.once("last", lambda: ask("last"))

    def ask(name: str) -> str:
        asked[name] += 1
        return f"answer {name}"

    place.works["paid"] = paid
    job = place.add("paid")
    with place.running(seconds=0.0):
        until(stuck.is_set)
    assert place.job(job).state is JobState.RUNNING
    assert place.done == []
    with place.running():
        ended = place.ended(job)
    assert (ended.state, ended.times_begun) == (JobState.DONE, 2)
    assert asked == {"a": 1, "b": 1, "\ud800\0é": 1, "last": 1}


def test_a_job_that_ends_its_process_each_time_is_given_up(place: Place) -> None:
    job = place.add("nothing")
    for _ in range(MOST_BEGINNINGS):
        assert place.store.job_board.begin(job.id)
    with place.running():
        ended = place.ended(job)
    assert (ended.state, ended.message) == (JobState.FAILED, BEGUN_TOO_OFTEN)
    assert place.done == []


def test_what_a_process_that_is_gone_had_at_work_is_taken_over_and_what_lives_is_not(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_engine, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(job_engine, "LEASE_SECONDS", 0.5)
    board = place.store.job_board
    gone, lives = place.add("nothing"), place.add("nothing")
    assert board.begin(gone.id, "gone")
    assert board.begin(lives.id, "lives")
    with place.running():
        until(lambda: bool(board.beat("lives", [lives.id])) and place.job(gone).state.is_over)
        assert place.ended(gone).times_begun == 2
        assert place.job(lives).times_begun == 1
        board.hand_back("lives", [lives.id])
        assert place.ended(lives).times_begun == 2
    assert place.done == ["nothing", "nothing"]


def test_two_engines_share_the_jobs_and_none_is_done_by_both(place: Place) -> None:
    jobs = [place.add("nothing") for _ in range(20)]
    with place.running(workers=3), place.running(workers=3):
        ended = [place.ended(job) for job in jobs]
    assert {job.times_begun for job in ended} == {1}
    assert len(place.done) == len(jobs)


def test_whoever_was_taken_for_gone_leaves_the_job_to_who_has_it_now(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_engine, "LOOK_SECONDS", 0.05)
    left = threading.Event()

    def works(doing: Doing) -> None:
        if doing.job.times_begun > 1:
            return
        board = place.store.job_board
        (line,) = board.line()
        while board.begin(doing.job.id, "other", line.beat) is None:
            (line,) = board.line()
        try:
            until(lambda: doing.tell(0, 0, "on and on") is not None)
        finally:
            board.hand_back("other", [doing.job.id])
            left.set()

    place.works["works"] = works
    with place.running():
        ended = place.ended(place.add("works"))
    assert left.is_set()
    assert (ended.state, ended.times_begun) == (JobState.DONE, 3)


def test_more_jobs_than_workers_are_worked_off_so_many_at_a_time(place: Place) -> None:
    lock, now, most = threading.Lock(), 0, 0

    def counted(_doing: Doing) -> None:
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        threading.Event().wait(0.05)
        with lock:
            now -= 1

    place.works["counted"] = counted
    jobs = [place.add("counted") for _ in range(12)]
    with place.running(workers=3):
        assert {place.ended(job).state for job in jobs} == {JobState.DONE}
    assert most <= 3
    assert len(place.done) == 12


def test_an_engine_can_be_started_again(place: Place) -> None:
    engine = place.engine()
    for _ in range(2):
        engine.start()
        assert place.ended(place.add("nothing")).state is JobState.DONE
        engine.stop()
    assert place.done == ["nothing", "nothing"]


def test_a_database_in_memory_is_none_for_jobs() -> None:
    with Store.open("sqlite://") as store:
        engine = Place("sqlite://", store).engine()
        engine.start()
        until(lambda: engine.state is EngineState.FAILED)
        engine.stop()
    assert "a database that lasts" in engine.message

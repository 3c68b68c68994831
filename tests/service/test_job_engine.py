"""Jobs are done once and in turns, go on after a stop, and end as users understand."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import pytest
from tests.service.job_works import Place, nothing, sqlite, until

from veridical.errors import ProcessingError
from veridical.service.jobs import engine as job_engine
from veridical.service.jobs.engine import EngineState, Turns
from veridical.service.jobs.workers import BEGUN_TOO_OFTEN, MOST_BEGINNINGS, Doing, StoppedError
from veridical.store.jobs import InLine, Job, JobBoard, JobKind, JobState
from veridical.store.records import RecordKind
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


class Living:
    """Whoever has a job at work elsewhere, and shows that just before each look of an engine: time
    that passes beside it is none, on a machine however slow."""

    def __init__(self, patch: pytest.MonkeyPatch, board: JobBoard, job: Job) -> None:
        self._board = board
        self._job = job
        self.looks = 0
        self.silent = 0
        """How many looks find no new sign of it."""
        assert board.begin(job.id, "lives")
        line = JobBoard.line

        def looked(asked: JobBoard) -> Sequence[InLine]:
            if self.silent:
                self.silent -= 1
            else:
                self.beats()
            self.looks += 1
            return line(asked)

        patch.setattr(JobBoard, "line", looked)

    def beats(self) -> bool:
        """Show life; whether the job is still its own."""
        return bool(self._board.beat("lives", [self._job.id]))

    def ends(self) -> None:
        """Leave the job to others."""
        self._board.hand_back("lives", [self._job.id])


def test_what_a_process_that_is_gone_had_at_work_is_taken_over_and_what_lives_is_not(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_engine, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(job_engine, "LEASE_SECONDS", 1.0)
    board = place.store.job_board
    gone, lives = place.add("nothing"), place.add("nothing")
    assert board.begin(gone.id, "gone")
    living = Living(monkeypatch, board, lives)
    with place.running():
        assert place.ended(gone).times_begun == 2
        assert place.job(lives).times_begun == 1
        living.ends()
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


def test_whoever_lost_a_job_does_not_say_how_it_ends(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Stopped by the system for a while, it finds that its time is over before it is told."""
    monkeypatch.setattr(job_engine, "LOOK_SECONDS", 0.2)

    def times_out(doing: Doing) -> None:
        board = place.store.job_board
        if doing.job.times_begun == 1:
            while board.begin(doing.job.id, "other", board.line()[0].beat) is None:
                pass
            raise ProcessingError("it took too long")

    place.works["times_out"] = times_out
    with place.running():
        job = place.add("times_out")
        until(lambda: place.job(job).times_begun == 2)
        time.sleep(0.5)
        assert place.job(job).state is JobState.RUNNING
        place.store.job_board.hand_back("other", [job.id])
        assert place.ended(job).state is JobState.DONE


def test_one_that_was_taken_away_has_its_place_until_whoever_does_it_notices(place: Place) -> None:
    begun, go_on = list[str](), threading.Event()

    def deaf(doing: Doing) -> None:
        begun.append(doing.job.id)
        assert go_on.wait(60)

    place.works["deaf"] = deaf
    with place.running(workers=1):
        job = place.add("deaf")
        until(lambda: begun == [job.id])
        assert place.shelf.records.delete(RecordKind.VALIDATION, job.subject_id)
        assert place.job(job).state is JobState.CANCELLED
        later = place.add("nothing")
        time.sleep(1.2)
        assert place.job(later).state is JobState.WAITING
        go_on.set()
        assert place.ended(later).state is JobState.DONE


def test_while_nobody_can_write_nobody_is_taken_for_gone(
    place: Place, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """SQLite has one writer at a time: one that takes long keeps all others from showing life."""
    monkeypatch.setattr(job_engine, "LOOK_SECONDS", 0.05)
    monkeypatch.setattr(job_engine, "LEASE_SECONDS", 2.0)
    lives = place.add("nothing")
    living = Living(monkeypatch, place.store.job_board, lives)
    with place.running() as engine:
        until(lambda: living.looks > 1 and engine.state is EngineState.READY)
        with closing(sqlite3.connect(tmp_path / "service.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            living.silent, before = 1, living.looks  # it writes a moment later than the engine
            time.sleep(3.0)
            other.execute("COMMIT")
        until(lambda: living.looks > before + 2)
        assert living.beats()
        assert place.job(lives).times_begun == 1
        living.ends()
        assert place.ended(lives).times_begun == 2


def test_what_fails_because_its_process_ends_goes_on_later(place: Place) -> None:
    stuck = threading.Event()

    def fails_at_the_end(doing: Doing) -> None:
        if doing.job.times_begun == 1:
            stuck.set()
            try:
                until(lambda: doing.tell(0, 0, "on and on") is not None)
            except StoppedError:
                raise RuntimeError("cannot schedule new futures after shutdown") from None

    place.works["fails"] = fails_at_the_end
    job = place.add("fails")
    with place.running(seconds=0.0):
        until(stuck.is_set)
    assert place.job(job).state is JobState.RUNNING
    with place.running():
        assert place.ended(job).state is JobState.DONE


def test_a_database_in_memory_is_none_for_jobs() -> None:
    with Store.open("sqlite://") as store:
        engine = Place("sqlite://", store).engine()
        engine.start()
        until(lambda: engine.state is EngineState.FAILED)
        engine.stop()
    assert "a database that lasts" in engine.message


# --- whose turn it is ----------------------------------------------------------------------------


def line(words: str) -> list[InLine]:
    """Jobs such as `a1` and `b1x`: of a workspace, and with an x an export."""
    kinds = {True: JobKind.EXPORT, False: JobKind.INGEST}
    return [InLine(word, kinds[word.endswith("x")], word[0]) for word in words.split()]


def worked_off(jobs: list[InLine], workers: int) -> list[str]:
    """The order in which jobs begin where each ends when the next ones are looked for."""
    turns, order = Turns(workers), list[str]()
    while jobs:
        at_work = [job.id for job in turns.next(jobs, set(), {})]
        assert at_work, "nobody may be kept waiting for nothing"
        order += at_work
        jobs = [job for job in jobs if job.id not in at_work]
    return order


@pytest.mark.parametrize(
    ("workers", "waiting", "order"),
    [
        (1, "a1 a2 a3", "a1 a2 a3"),
        (1, "a1 a2 a3 b1 b2 c1", "a1 b1 c1 a2 b2 a3"),
        (2, "a1 a2 a3 b1 b2 c1", "a1 b1 c1 a2 b2 a3"),
        (1, "a1x a2x a3x a1 b1", "a1x a1 b1 a2x a3x"),
        (3, "a1x a2x a3x a4x b1", "a1x b1 a2x a3x a4x"),
        (1, "a1x a2x", "a1x a2x"),
    ],
)
def test_workspaces_take_turns(workers: int, waiting: str, order: str) -> None:
    assert worked_off(line(waiting), workers) == order.split()


def test_no_more_begin_than_there_are_places_and_exports_leave_one() -> None:
    jobs = line("a1x a2x a3x b1 b2")
    for workers, known, taken, begin in (
        (2, "", "", "a1x b1"),
        (2, "a1x", "a1x", "b1"),
        (2, "a1x b1", "a1x b1", ""),
        (2, "a1x b1", "a1x", "b2"),
        (2, "a1x b1 b2", "a1x", ""),
        (3, "a1x b1 b2", "a1x", "a2x"),
        (3, "a1x", "", "b1 a2x b2"),
        (3, "c1", "c1", "a1x b1"),
        (3, "c1x c2x", "c1x c2x", "b1"),
    ):
        kinds = {job.id: job.kind for job in line(taken)}
        chosen = Turns(workers).next(jobs, known.split(), kinds)
        assert [job.id for job in chosen] == begin.split(), (workers, known, taken)


def test_what_expired_is_swept_away_at_the_start_and_later(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(job_engine, "SWEEP_SECONDS", 0.1)
    ended = place.store.ended_log_ins
    ended.end("first", seconds=-1)
    with place.running() as engine:
        until(lambda: not ended.has("first"))
        ended.end("second", seconds=-1)
        until(lambda: not ended.has("second"))
        engine.wake("")

"""Whose turn it is: many jobs of one workspace keep nobody else waiting."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.service.job_works import Place, nothing, sqlite, until

from veridical.service.jobs import engine as job_engine
from veridical.service.jobs.turns import Turns
from veridical.service.jobs.workers import Doing
from veridical.store.jobs import InLine, JobKind
from veridical.store.records import RecordKind
from veridical.store.store import Store


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


@given(st.lists(st.sampled_from("aaaaabcd"), max_size=30), st.integers(1, 4))
def test_whoever_has_one_job_waits_for_one_of_each_other(places: list[str], workers: int) -> None:
    waiting = line(" ".join(f"{place}{n}" for n, place in enumerate(places)))
    order = worked_off([*waiting, *line("z1")], workers)
    assert len(set(order)) == len(order) == len(places) + 1
    assert order.index("z1") <= len(set(places))


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    url = sqlite(tmp_path)
    with Store.open(url) as store:
        yield Place(url, store, {"nothing": nothing})


def test_a_flood_of_one_workspace_delays_another_by_what_is_under_way(place: Place) -> None:
    begun, go_on = list[str](), threading.Event()

    def work(doing: Doing) -> None:
        begun.append(doing.shelf.workspace)
        assert go_on.wait(20)

    def add(workspace: str) -> None:
        place.store.shelf(workspace).records.add(RecordKind.VALIDATION, "", {})

    place.registry = lambda _kind, /: work  # type: ignore[method-assign]
    for _ in range(6):
        add("flood")
    with place.running(workers=1) as engine:
        until(lambda: len(begun) == 1)
        add("other")
        engine.wake("")
        go_on.set()
        until(lambda: not place.store.job_board.line())
    assert begun == ["flood", "other", *["flood"] * 5]


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

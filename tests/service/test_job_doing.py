"""What a job tells, remembers and waits for, and how it ends where it goes wrong."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator

import pytest
from tests.service.job_works import Place, nothing, sqlite, until

from veridical.errors import ModelUnavailable, ProcessingError, StoreUnavailable
from veridical.service.jobs import workers
from veridical.service.jobs.workers import DEFECT, Doing
from veridical.store.jobs import JobState
from veridical.store.store import Store


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Place]:
    """A store with an engine at work, for tests that leave it as it is."""
    url = sqlite(tmp_path_factory.mktemp("desk"))
    with Store.open(url) as store:
        made = Place(url, store, {"nothing": nothing})
        with made.running():
            yield made


def test_how_far_it_is_can_be_seen_and_the_last_word_is_kept(desk: Place) -> None:
    go_on = threading.Event()

    def stepwise(doing: Doing) -> None:
        for number in range(200):
            doing.tell(number, 200, f"step {number}")
        assert go_on.wait(60)
        doing.tell(200, 200, "all")

    desk.works["stepwise"] = stepwise
    job = desk.add("stepwise")
    until(lambda: desk.job(job).done == 199)
    assert desk.job(job).revision < 10  # not each of the 200 was written
    go_on.set()
    ended = desk.ended(job)
    assert (ended.done, ended.total, ended.step) == (200, 200, "all")


def test_what_goes_wrong_is_said_and_a_defect_only_to_the_log(
    desk: Place, caplog: pytest.LogCaptureFixture
) -> None:
    def refuses(_doing: Doing) -> None:
        raise ProcessingError("the file has no words. Give another one")

    def breaks(_doing: Doing) -> None:
        raise RuntimeError("the words of a document")

    desk.works.update(refuses=refuses, breaks=breaks)
    refused, broken = (desk.ended(desk.add(name)) for name in ("refuses", "breaks"))
    assert (refused.state, broken.state) == (JobState.FAILED, JobState.FAILED)
    assert refused.message == "the file has no words. Give another one"
    assert broken.message == DEFECT
    assert "RuntimeError" in caplog.text
    assert "the words of a document" not in caplog.text
    assert not {"refuses", "breaks"} & set(desk.done)


def test_steps_may_be_asked_for_in_any_order_and_from_many_threads(desk: Place) -> None:
    names = [f"step {number}" for number in range(12)]
    asked, begun = Counter[str](), list[int]()

    def parallel(doing: Doing) -> None:
        """Half of the steps, and all of them when it is begun again in the same process."""
        begun.append(doing.job.times_begun)
        got: dict[str, str] = {}

        def once(name: str) -> None:
            got[name] = doing.steps.once(name, lambda: asked.update([name]) or name)

        wanted = names[6:] if len(begun) == 1 else names[::-1]
        threads = [threading.Thread(target=once, args=(name,)) for name in wanted]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert got == {name: name for name in wanted}
        if len(begun) == 1:
            raise StoreUnavailable("gone for a moment")

    desk.works["parallel"] = parallel
    assert desk.ended(desk.add("parallel")).state is JobState.DONE
    assert begun == [1, 1]
    assert asked == Counter(names)


def test_a_model_that_is_not_there_is_asked_again_and_its_errors_are_not_kept(
    desk: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers, "MODEL_PAUSES", (0.01, 0.01))
    turns = iter(["no", "no", "yes", "no", "no", "no"])

    def ask() -> str:
        if next(turns) == "no":
            raise ModelUnavailable("the model does not answer")
        return "an answer"

    def asks(doing: Doing) -> None:
        assert doing.steps.once("ask", ask) == "an answer"

    desk.works["asks"] = asks
    answered = desk.ended(desk.add("asks"))
    failed = desk.ended(desk.add("asks"))
    assert answered.state is JobState.DONE
    assert (failed.state, failed.message) == (JobState.FAILED, "the model does not answer")


def test_a_job_waits_for_a_database_that_is_gone(
    desk: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    gone, begun = threading.Event(), list[int]()
    ping = desk.store.ping

    def gone_for_a_while() -> None:
        if gone.is_set():
            raise StoreUnavailable("it cannot be reached")
        ping()

    def needs_it(doing: Doing) -> None:
        begun.append(doing.job.times_begun)
        if len(begun) == 1:
            gone.set()
            threading.Timer(1.0, gone.clear).start()
            raise StoreUnavailable("it cannot be reached")

    monkeypatch.setattr(desk.store, "ping", gone_for_a_while)
    desk.works["needs_it"] = needs_it
    ended = desk.ended(desk.add("needs_it"))
    assert (ended.state, ended.times_begun) == (JobState.DONE, 1)
    assert begun == [1, 1]

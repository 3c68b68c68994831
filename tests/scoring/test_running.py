"""Sections at the same time: a sliding window, in order, and no section harms another."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock, get_ident

import pytest
from tests.scoring.samples import sections

from veridical.errors import (
    ConfigurationError,
    ModelError,
    ModelUnavailable,
    ProcessingError,
    VeridicalError,
)
from veridical.scoring.rubric import Section
from veridical.scoring.scorecard import SectionAnswer, SectionFailure
from veridical.scoring.scorer import SectionState, run_sections

ALL = sections(20)


@dataclass
class Sleeper:
    """A scorer that takes its time, and counts how many sections it has in hand."""

    seconds: Callable[[Section], float] = lambda _: 0.0
    fails: dict[str, Exception] = field(default_factory=dict)
    name: str = "sleeper"
    rule_based: bool = True
    in_flight: int = 0
    most: int = 0
    asked: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def score(self, section: Section) -> SectionAnswer | SectionFailure:
        with self.lock:
            self.asked.append(section.id)
            self.in_flight += 1
            self.most = max(self.most, self.in_flight)
        time.sleep(self.seconds(section))
        with self.lock:
            self.in_flight -= 1
        if section.id in self.fails:
            raise self.fails[section.id]
        return SectionAnswer(section.id, ())


@pytest.mark.parametrize("concurrency", [1, 3, 50])
def test_outcomes_stand_in_the_order_of_the_sections(concurrency: int) -> None:
    scorer = Sleeper(seconds=lambda section: 0.01 * (section.id in ("section-0", "section-7")))
    outcomes = run_sections(scorer, ALL, concurrency)
    assert [outcome.section_id for outcome in outcomes] == [section.id for section in ALL]
    assert scorer.most <= concurrency
    assert sorted(scorer.asked) == sorted(section.id for section in ALL)


def test_a_slow_section_does_not_hold_up_the_others() -> None:
    done: list[str] = []
    all_others = Event()

    def note(section: Section, state: SectionState) -> None:
        if state is SectionState.DONE:
            done.append(section.id)
            if len(done) == len(ALL) - 1:
                all_others.set()

    def wait(section: Section) -> float:
        assert section.id != "section-0" or all_others.wait(60), "in lock-step, they wait for it"
        return 0.0

    run_sections(Sleeper(seconds=wait), ALL, 2, on_change=note)
    assert done[-1] == "section-0"


def test_each_state_is_told_once_and_in_order() -> None:
    told: list[tuple[str, SectionState]] = []
    fails: dict[str, Exception] = {"section-2": ModelUnavailable("busy")}
    run_sections(
        Sleeper(fails=fails), ALL[:4], 2, on_change=lambda s, state: told.append((s.id, state))
    )
    assert told[:4] == [(section.id, SectionState.QUEUED) for section in ALL[:4]]
    for section in ALL[:4]:
        last = SectionState.INCOMPLETE if section.id in fails else SectionState.DONE
        states = [state for name, state in told if name == section.id]
        assert states == [SectionState.QUEUED, SectionState.RUNNING, last]


@pytest.mark.parametrize(
    ("problem", "permanent"),
    [
        (ModelUnavailable("busy"), False),
        (ModelError("wrong key"), True),
        (ProcessingError("odd"), False),
    ],
)
def test_an_error_is_the_failure_of_its_section_alone(
    problem: VeridicalError, permanent: bool
) -> None:
    outcomes = run_sections(Sleeper(fails={"section-1": problem}), ALL[:3], 2)
    assert outcomes[1] == SectionFailure("section-1", str(problem), permanent=permanent)
    assert isinstance(outcomes[0], SectionAnswer)
    assert isinstance(outcomes[2], SectionAnswer)


def refuse(section: Section, state: SectionState) -> None:
    if state is SectionState.DONE:
        raise ZeroDivisionError


@pytest.mark.parametrize(
    ("fails", "told"), [({"section-1": ZeroDivisionError()}, lambda *_: None), ({}, refuse)]
)
def test_a_defect_of_a_scorer_or_of_who_is_told_is_raised_and_nothing_more_begins(
    fails: dict[str, Exception], told: Callable[[Section, SectionState], None]
) -> None:
    scorer = Sleeper(fails=fails, seconds=lambda _: 0.02)
    with pytest.raises(ZeroDivisionError):
        run_sections(scorer, ALL, 2, on_change=told)
    begun = len(scorer.asked)
    time.sleep(0.1)
    assert len(scorer.asked) <= begun + 1 < len(ALL)  # one more thread may be at it just then


def test_a_concurrency_below_one_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="1 or more"):
        run_sections(Sleeper(), ALL, 0)


_INTERRUPTED = """
import os, sys, time
from veridical.scoring.rubric import Section
from veridical.scoring.scorer import run_sections

class Slow:
    name, rule_based = "slow", False
    def score(self, section):
        os.write(1, f"{section.id}\\n".encode())  # in one piece, whoever else writes
        time.sleep(60)

try:
    run_sections(Slow(), [Section(f"section-{n}", "", 0.1, ()) for n in range(9)], 2)
except KeyboardInterrupt:
    sys.exit(130)
"""


def test_an_interrupt_that_does_not_end_the_wait_is_seen_all_the_same() -> None:
    let_go = Event()
    ended: list[bool] = []

    class Interrupted(Sleeper):
        def score(self, section: Section) -> SectionAnswer | SectionFailure:
            time.sleep(0.5)  # until the main thread waits; it is this one that takes the signal
            signal.pthread_kill(get_ident(), signal.SIGINT)
            ended.append(let_go.wait(60))
            return super().score(section)

    with pytest.raises(KeyboardInterrupt):
        run_sections(Interrupted(), ALL[:1], 1)
    assert not ended
    let_go.set()


def test_an_interrupt_waits_for_nothing() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _INTERRUPTED], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            begun = {process.stdout.readline().strip() for _ in range(2)}
            time.sleep(0.5)  # in the middle of starting a thread Python takes no interrupt well
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
            assert begun == {"section-0", "section-1"}
            assert process.stdout.read() == ""
        finally:
            process.kill()

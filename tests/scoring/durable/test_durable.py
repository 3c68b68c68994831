"""Runs that can be resumed: what is asked again, what is told, what is left behind."""

from __future__ import annotations

import asyncio
import logging
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from tests.scoring.durable.runs import ONCE, RUBRIC, SECTIONS, Asked, score
from tests.scoring.samples import TRANSCRIPT

from veridical.errors import ModelUnavailable, ProcessingError
from veridical.scoring.durable.scoring import score_durably
from veridical.scoring.rubric import ModelRules, Section
from veridical.scoring.running import SectionState
from veridical.scoring.scorecard import Scorecard, Status
from veridical.scoring.scorer import RubricScorer

STEPS = [SectionState.QUEUED, SectionState.RUNNING, SectionState.DONE]


class Told:
    """What the progress callback was told, by section."""

    def __init__(self) -> None:
        self.states: dict[str, list[SectionState]] = {}

    def __call__(self, section: Section, state: SectionState) -> None:
        self.states.setdefault(section.id, []).append(state)


def test_a_finished_run_gives_its_scorecard_again(asked: Asked, file: str) -> None:
    first, again = Told(), Told()
    card = score(asked, file, created_at="then", on_change=first)
    assert card.created_at == "then"
    assert score(asked, file, created_at="now", on_change=again) == card
    assert asked == ONCE
    assert first.states == {section.id: STEPS for section in SECTIONS}
    assert again.states == {section.id: [SectionState.DONE] for section in SECTIONS}


def test_only_what_failed_is_asked_again(file: str) -> None:
    asked, told = Asked(fails=["section-1", "section-2"]), Told()
    card = score(asked, file, created_at="then")
    assert [section.status for section in card.sections] == [
        Status.PASS, Status.INCOMPLETE, Status.INCOMPLETE, Status.PASS,
    ]  # fmt: skip
    card = score(asked, file, created_at="now", on_change=told)
    assert {section.status for section in card.sections} == {Status.PASS}
    assert card.created_at == "then"
    assert asked == {"section-0": 1, "section-1": 2, "section-2": 2, "section-3": 1}
    assert told.states["section-0"] == [SectionState.DONE]
    assert told.states["section-1"] == [
        SectionState.QUEUED,
        SectionState.RUNNING,
        SectionState.DONE,
    ]
    assert score(asked, file) == card
    assert asked.total() == 6


def test_a_model_that_is_not_reached_is_asked_again(file: str) -> None:
    asked = Asked(fails=ONCE)
    with pytest.raises(ModelUnavailable, match="no section"):
        score(asked, file)
    assert {section.status for section in score(asked, file).sections} == {Status.PASS}
    assert asked == {section.id: 2 for section in SECTIONS}


def test_any_error_of_ours_is_that_of_its_section(file: str) -> None:
    problem = ProcessingError("out of paper")
    in_memory = RubricScorer(Asked(["section-1"], problem).model()).score(TRANSCRIPT, RUBRIC)
    asked = Asked(["section-1"], problem)
    assert score(asked, file) == in_memory
    assert "out of paper" in in_memory.sections[1].failure
    assert {section.status for section in score(asked, file).sections} == {Status.PASS}
    assert asked == {**ONCE, "section-1": 2}


def test_the_file_below_the_working_folder(
    asked: Asked,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    score(asked, None, resume_id="night-watch.1")
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert files == [tmp_path / ".veridical" / "scoring" / "night-watch.1.sqlite"]
    assert capfd.readouterr() == ("", "")


def test_the_sources_are_not_stored(asked: Asked, file: str) -> None:
    score(asked, file, supplemental="The secret policy of the brigade.")
    stored = Path(file).read_bytes()
    assert b"Engine 25 assuming command" in stored  # what the model quoted
    assert b"water on the fire" not in stored  # what only the transcript says
    assert b"secret policy" not in stored
    assert b"Announces command" not in stored


def test_runs_with_similar_ids_share_a_file(file: str) -> None:
    for resume_id in ["run", "RUN", "ru_", "run.1", "run-1"]:
        asked = Asked()
        score(asked, file, resume_id=resume_id)
        assert asked == ONCE


def test_threads_take_turns(asked: Asked, file: str) -> None:
    cards: list[Scorecard] = []
    threads = [
        threading.Thread(target=lambda name=name: cards.append(score(asked, file, resume_id=name)))
        for name in ("one", "two")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(cards) == 2
    assert asked == {section.id: 2 for section in SECTIONS}


def test_inside_a_running_event_loop(asked: Asked, file: str) -> None:
    async def from_a_notebook() -> Scorecard:
        return score(asked, file)

    assert asyncio.run(from_a_notebook()) == score(asked, file)


def test_a_defect_is_raised_and_nothing_is_lost(asked: Asked, file: str) -> None:
    calls: list[str] = []

    def fail_once(section: Section, state: SectionState) -> None:
        calls.append(section.id)
        if state is SectionState.DONE and len(calls) < 12:
            raise RuntimeError("the progress bar is broken")

    with pytest.raises(RuntimeError, match="progress bar"):
        score(asked, file, rubric=replace(RUBRIC, llm=ModelRules(1)), on_change=fail_once)
    assert asked == {"section-0": 1}
    score(asked, file, rubric=replace(RUBRIC, llm=ModelRules(1)))
    assert asked == ONCE


def test_the_offline_scorer(file: str) -> None:
    card = score_durably(TRANSCRIPT, RUBRIC, resume_id="run", database=file)
    assert card == RubricScorer().score(TRANSCRIPT, RUBRIC)
    assert card == score_durably(TRANSCRIPT, RUBRIC, resume_id="run", database=file)


def test_logging_as_before(asked: Asked, file: str, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("dbos")
    before = logger.level, logger.propagate, logger.handlers[:]
    score(asked, file)
    assert not caplog.records
    with caplog.at_level(logging.DEBUG, logger="veridical"):
        score(asked, file, resume_id="loud")
    assert any(record.name == "dbos" for record in caplog.records)
    assert "assuming command" not in caplog.text
    assert (logger.level, logger.propagate, logger.handlers) == before

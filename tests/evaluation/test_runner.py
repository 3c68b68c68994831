from __future__ import annotations

import threading
from dataclasses import replace
from unittest.mock import Mock

import pytest
from tests.evaluation.responses import ASKED, GOOD, REFUSED, TRAP, ScriptedChat

from veridical.errors import ConfigurationError, ProcessingError, ValidationError
from veridical.evaluation.chat import Unreachable
from veridical.evaluation.questions import questions_sha256
from veridical.evaluation.run import ChatError, ChatResponse, EvalQuestion, QuestionResult
from veridical.evaluation.runner import run_questions

MANY = tuple(replace(ASKED, id=f"q{n}", question=f"How many {n}?") for n in range(12))


def test_every_question_is_asked_once_after_the_first_has_warmed_the_server_up() -> None:
    chat = ScriptedChat({ASKED.question: GOOD, TRAP.question: REFUSED})
    heard: list[QuestionResult] = []
    run = run_questions(
        (ASKED, TRAP), chat, on_result=heard.append, target="here", started_at="2026-11-02"
    )
    assert chat.asked == [ASKED.question, ASKED.question, TRAP.question]
    assert [result.question for result in run.results] == [ASKED, TRAP]
    assert all(result.scores and result.scores.citation_ok for result in run.results)
    assert tuple(heard) == run.results
    assert (run.target, run.started_at, run.judge) == ("here", "2026-11-02", "")
    assert run.questions_sha256 == questions_sha256((ASKED, TRAP))


class Rendezvous:
    """Answers `width` questions only when as many are there at once; the later ones first."""

    def __init__(self, width: int) -> None:
        self._barrier = threading.Barrier(width)
        self._lock = threading.Lock()
        self.warm = False

    def ask(self, question: str) -> ChatResponse | ChatError:
        with self._lock:
            first, self.warm = not self.warm, True
        if not first:
            self._barrier.wait(10)
        return GOOD


def test_questions_are_asked_at_once_and_results_stay_in_order() -> None:
    run = run_questions(MANY, Rendezvous(4), concurrency=4)
    assert [result.question for result in run.results] == list(MANY)
    assert all(result.scores and result.scores.grounded_ok for result in run.results)


def test_where_nobody_is_there_no_run_is_made() -> None:
    chat = ScriptedChat({ASKED.question: Unreachable("start it")})
    with pytest.raises(ProcessingError, match="start it"):
        run_questions((ASKED,), chat)
    assert len(chat.asked) == 1


@pytest.mark.parametrize("concurrency", [1, 2])
def test_an_interrupted_run_asks_no_more(concurrency: int) -> None:
    many = MANY * 20
    chat = ScriptedChat({question.question: GOOD for question in many})
    stop = Mock(side_effect=[None, None, KeyboardInterrupt])  # Ctrl-C at the third question
    with pytest.raises(KeyboardInterrupt):
        run_questions(many, chat, on_result=stop, concurrency=concurrency)
    assert stop.call_count == 3
    assert concurrency > 1 or len(chat.asked) == 4


@pytest.mark.parametrize(
    ("questions", "concurrency", "error"),
    [
        ((), 1, ValidationError),
        ((ASKED,), 0, ConfigurationError),
        ((ASKED,), 65, ConfigurationError),
    ],
)
def test_what_cannot_be_run(
    questions: tuple[EvalQuestion, ...], concurrency: int, error: type[Exception]
) -> None:
    with pytest.raises(error):
        run_questions(questions, ScriptedChat({}), concurrency=concurrency)

from __future__ import annotations

from dataclasses import replace
from unittest.mock import Mock

import pytest
from tests.evaluation.responses import ASKED, GOOD, REFUSED, TRAP, ScriptedChat

from veridical.errors import ProcessingError, ValidationError
from veridical.evaluation.chat import Unreachable
from veridical.evaluation.questions import questions_sha256
from veridical.evaluation.run import QuestionResult
from veridical.evaluation.runner import run_questions


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


def test_where_nobody_is_there_no_run_is_made() -> None:
    chat = ScriptedChat({ASKED.question: Unreachable("start it")})
    with pytest.raises(ProcessingError, match="start it"):
        run_questions((ASKED,), chat)
    assert len(chat.asked) == 1


def test_an_interrupted_run_asks_no_more() -> None:
    many = tuple(replace(ASKED, id=f"q{n}", question=f"How many {n}?") for n in range(12))
    chat = ScriptedChat({question.question: GOOD for question in many})
    stop = Mock(side_effect=[None, None, KeyboardInterrupt])  # Ctrl-C at the third question
    with pytest.raises(KeyboardInterrupt):
        run_questions(many, chat, on_result=stop)
    assert stop.call_count == 3
    assert len(chat.asked) == 4


def test_without_questions_there_is_no_run() -> None:
    with pytest.raises(ValidationError, match="no questions"):
        run_questions((), ScriptedChat({}))

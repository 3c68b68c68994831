"""The 25 questions over the sample policies, as a user of the repository asks them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from veridical.answering.answerer import PolicyAnswerer
from veridical.evaluation.chat import InProcessChat
from veridical.evaluation.questions import read_questions
from veridical.evaluation.run import ChatResponse, EvalRun
from veridical.evaluation.runner import run_questions
from veridical.evaluation.summary import summarise
from veridical.retrieval.corpus import Corpus
from veridical.sources.loader import load_documents

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def answerer() -> PolicyAnswerer:
    return PolicyAnswerer(Corpus(load_documents([ROOT / "examples" / "policies"]).documents))


@pytest.fixture(scope="module")
def run(answerer: PolicyAnswerer) -> EvalRun:
    questions = read_questions(ROOT / "eval" / "questions.jsonl")
    return run_questions(questions, InProcessChat(answerer))


def test_nearly_all_are_grounded_cited_and_correct(run: EvalRun) -> None:
    """One is known to be wrong: "How long must my password be?" is told how long accounts live."""
    wrong = {
        result.question.id: result.scores.problems
        for result in run.results
        if result.scores is None or not (result.scores.citation_ok and result.scores.correct)
    }
    assert set(wrong) <= {"q06"}, wrong
    summary = summarise(run)
    assert summary.groundedness.value == 1
    assert summary.citation_accuracy.value == 1


def test_every_quote_stands_in_its_source_by_a_plain_reading(run: EvalRun) -> None:
    seen = 0
    for result in run.results:
        assert isinstance(result.response, ChatResponse)
        for quote, number in re.findall(
            r'^Quote: "(.+)" \[(\d+)\]$', result.response.answer, re.MULTILINE
        ):
            source = result.response.citations[int(number) - 1].text
            assert " ".join(quote.split()) in " ".join(source.split())
            seen += 1
    assert seen >= 18


@pytest.mark.parametrize(
    "question", ["Who approves expense reports?", "Do expense claims need receipts?"]
)
def test_the_attack_that_a_policy_shows_is_no_answer(
    answerer: PolicyAnswerer, question: str
) -> None:
    answer = answerer.answer(question)
    assert "need no receipts" not in answer.text
    assert "unlimited leave" not in answer.text

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from tests.evaluation.responses import (
    ASKED,
    COSTS,
    GOOD_ANSWER,
    LEAVE,
    REFUSED,
    TRAP,
    ScriptedChat,
    response,
)

from veridical.errors import ValidationError
from veridical.evaluation.results import run_from_bytes, run_to_bytes
from veridical.evaluation.run import ChatError, EvalRun
from veridical.evaluation.runner import run_questions
from veridical.evaluation.schemas import load_schema
from veridical.judging.reader_judge import ReaderJudge
from veridical.validation.schema_errors import first_errors

BROKEN = replace(ASKED, id="q3", question="What breaks?")
WRONG = replace(ASKED, id="q4", question="What is wrong?", topic="")


@pytest.fixture(scope="module")
def run() -> EvalRun:
    extra = {"notes": ["a\u2028b"], "probability": 0.5}
    replies = {
        ASKED.question: response(GOOD_ANSWER, LEAVE, COSTS, extra=extra),
        TRAP.question: REFUSED,
        BROKEN.question: ChatError("HTTP 500"),
        WRONG.question: replace(response("Two days [3].", LEAVE), latency_ms=None),
    }
    return run_questions(
        (ASKED, TRAP, BROKEN, WRONG),
        ScriptedChat(replies),
        judge=ReaderJudge(),
        target="http://127.0.0.1:8000/chat",
        started_at="2026-11-02T10:00:00+00:00",
    )


def test_a_run_survives_its_file(run: EvalRun) -> None:
    data = run_to_bytes(run)
    assert run_from_bytes(data) == run
    assert run_to_bytes(run_from_bytes(data)) == data


def test_the_head_comes_first_with_the_summary_and_every_line_fits_its_schema(run: EvalRun) -> None:
    head, *lines = map(json.loads, run_to_bytes(run).splitlines())
    assert first_errors(load_schema("evaluation_run"), head) == []
    assert [first_errors(load_schema("evaluation_result"), line) for line in lines] == [[]] * 4
    assert head["summary"]["groundedness"]["count"] == 2
    assert head["summary"]["groundedness"]["of"] == 4
    assert head["warm_up"] == "the first question, once; not measured"
    assert [line["id"] for line in lines] == ["q1", "q2", "q3", "q4"]
    assert lines[2]["scores"] is lines[2]["response"] is None


def test_the_same_run_gives_the_same_bytes_but_for_times(run: EvalRun) -> None:
    again = run_questions(
        [result.question for result in run.results],
        ScriptedChat({result.question.question: result.response for result in run.results}),
        judge=ReaderJudge(),
        target=run.target,
        started_at=run.started_at,
    )
    still = [replace(result, client_ms=1.0) for result in again.results]
    before = [replace(result, client_ms=1.0) for result in run.results]
    assert run_to_bytes(replace(again, results=tuple(still))) == run_to_bytes(
        replace(run, results=tuple(before))
    )


Change = Callable[[list[dict[str, Any]]], Any]


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda f: f[4]["scores"].update(grounded_ok=True), "line 5: grounded_ok is true"),
        (lambda f: f[4]["scores"].update(citation_ok=True), "line 5: citation_ok is true"),
        (lambda f: f[1]["response"].update(answer="It is so [1]."), "line 2: citation_ok is true"),
        (lambda f: f[1]["scores"].update(borne_out=9), "line 2: borne_out is more than markers"),
        (
            lambda f: f[1]["scores"].update(markers=0, borne_out=0),
            "summary.citation_precision does not follow",
        ),
        (lambda f: f[1]["scores"].update(markers=9, borne_out=9), "markers is 9, but the response"),
        (lambda f: f[1]["scores"].update(statements=9), "statements is 9, but the response has 1"),
        (lambda f: f[1].update(question="Other?"), "questions_sha256 is not that"),
        (lambda f: f[1].update(client_ms=1e6), "summary.client_latency_ms does not follow"),
        (lambda f: f[0].update(format="veridical-evaluation-2"), "line 1: format:"),
        (lambda f: f[0].update(started_at="yesterday"), "line 1: started_at:"),
        (lambda f: f[1].update(id="q2"), 'the id "q2" is used twice'),
        (lambda f: f[3].update(error=None), "line 4: a result has a response and scores, or"),
        (lambda f: f.pop(), "questions_sha256 is not that"),
        (lambda f: f.__delitem__(slice(1, None)), "there is no result after the first line"),
        (lambda f: f.pop(0), "line 1:"),
    ],
)
def test_a_file_whose_scores_do_not_follow_is_refused(
    run: EvalRun, change: Change, told: str
) -> None:
    file = [json.loads(line) for line in run_to_bytes(run).splitlines()]
    change(file)
    data = b"".join(json.dumps(line).encode() + b"\n" for line in file)
    with pytest.raises(ValidationError) as caught:
        run_from_bytes(data, name="r.jsonl")
    assert told in str(caught.value)
    assert str(caught.value).startswith("r.jsonl: ")


@pytest.mark.parametrize(
    "data", [b"", b"\n", b"{}", b"nonsense", b"\xff\xfe", b"[" * 99_999, b'{"format": 1e999}']
)
def test_what_is_no_file_of_results(data: bytes) -> None:
    with pytest.raises(ValidationError, match="line 1"):
        run_from_bytes(data)

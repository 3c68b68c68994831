"""The Inspect scorer, run by `inspect eval`; and what it makes of single samples."""

# ruff: noqa: E402 - what follows needs the tool

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.integrations.conftest import needs
from tests.integrations.leave import (
    CARRIED,
    ENTITLED,
    EXAMPLES,
    POLICY,
    REFUSAL,
    WRONG,
)

from veridical import ConfigurationError

needs("inspect_ai")

from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelName, ModelOutput
from inspect_ai.scorer import Score, Target
from inspect_ai.solver import TaskState

from veridical.integrations.inspect_ai import grounded


def test_the_log_of_the_example_says_what_was_found_in_each_sample(tmp_path: Path) -> None:
    shutil.copy(EXAMPLES / "inspect" / "leave.py", tmp_path)
    done = subprocess.run(
        [*(sys.executable, "-m", "inspect_ai", "eval", "leave.py"), "--log-dir", "logs"],
        cwd=tmp_path,
        env={**os.environ, "INSPECT_DISPLAY": "plain", "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (written,) = (tmp_path / "logs").iterdir()
    log = read_eval_log(str(written))
    assert log.results
    assert log.samples
    (scores,) = log.results.scores
    assert set(scores.metrics) == {"accuracy", "stderr"}
    assert scores.metrics["accuracy"].value == pytest.approx(1 / 3)
    found = [next(iter((sample.scores or {}).values())) for sample in log.samples]
    assert [score.value for score in found] == ["C", "I", "N"]
    assert [score.reason for score in found] == [None, None, "no_claims"]
    assert "contradicted: Up to six days" in (found[1].explanation or "")
    claims = (found[1].metadata or {})["claims"]
    assert [claim["verdict"] for claim in claims] == ["contradicted", "supported"]
    assert claims[0]["source"] == "handbook.md"


def score_of(answer: str, metadata: dict[str, Any], **options: Any) -> Score:
    state = TaskState(
        model=ModelName("mockllm/model"),
        sample_id="s1",
        epoch=1,
        input="How much leave is there?",
        messages=[],
        output=ModelOutput.from_content("mockllm", answer),
        metadata=metadata,
    )
    score = asyncio.run(grounded(**options)(state, Target("")))
    assert score
    return score


@pytest.mark.parametrize(
    ("answer", "context", "options", "value"),
    [
        (ENTITLED, POLICY, {}, "C"),
        (ENTITLED, {"name": "leave.md", "text": POLICY}, {}, "C"),
        (f"{WRONG} {CARRIED}", [POLICY], {}, "I"),
        (f"{WRONG} {CARRIED}", [POLICY], {"share": True}, 0.5),
        (ENTITLED, [], {}, "I"),
        (REFUSAL, [POLICY], {}, "N"),
        ("", [POLICY], {"share": True}, 0.0),
        ("", [POLICY], {"allow_no_claims": True}, "C"),
    ],
)
def test_values(answer: str, context: Any, options: dict[str, Any], value: str | float) -> None:
    assert score_of(answer, {"context": context}, **options).value == value


def test_sources_from_files_or_another_key(tmp_path: Path) -> None:
    (tmp_path / "leave.md").write_text(POLICY, encoding="utf-8")
    assert score_of(ENTITLED, {}, documents=str(tmp_path)).value == "C"
    assert score_of(WRONG, {"context": [WRONG]}, documents=[str(tmp_path)]).value == "I"
    assert score_of(ENTITLED, {"docs": POLICY}, from_metadata="docs").value == "C"


@pytest.mark.parametrize("metadata", [{}, {"context": None}, {"context": [{"title": "x"}]}])
def test_a_sample_without_sources_is_an_error(metadata: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        score_of(ENTITLED, metadata)

"""What a model may say of passages, and judges over models that say it."""

from __future__ import annotations

import json
from typing import Any

from veridical.judging.judge import Case, Judgement, OperatingPoint
from veridical.judging.model_judge import ModelJudge
from veridical.models.scripted import ScriptedModel

LEAVE = "All permanent employees shall receive 15 days of paid annual leave."
UNUSED = "Unused leave may be carried over."
CLAIM = "Permanent employees receive 15 days of annual leave"
CASE = Case(CLAIM, ("This policy is in force.", LEAVE, UNUSED))


def entry(passage: int = 1, **changes: Any) -> dict[str, Any]:
    """What is said of one passage: that its quote bears the claim out."""
    fields = {"quote": LEAVE, "explanation": "It says so.", "support": "full", "contradicts": False}
    return {"passage": passage, **fields, **changes}


def reply(*entries: dict[str, Any]) -> str:
    """A whole reply."""
    return json.dumps({"judgements": list(entries)})


def judged(
    case: Case = CASE, point: OperatingPoint = OperatingPoint.STRICT, **said: Any
) -> Judgement:
    """What the judge makes of a model that says so of a case."""
    (outcome,) = ModelJudge(ScriptedModel([reply(entry(**said))]), point).judge([case])
    assert isinstance(outcome, Judgement), outcome
    return outcome

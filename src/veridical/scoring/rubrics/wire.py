"""Rubrics as the data of a file, and back. What is read here has been checked before."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from veridical.codec import Codec, Form, arranged, camel
from veridical.ledger.canonical import compact_bytes
from veridical.scoring.rubric import (
    Criterion,
    CriterionSource,
    Cue,
    Cues,
    Rubric,
    ScoringRules,
    TimingTarget,
)
from veridical.scoring.schemas import load_schema


def rubric_from_mapping(data: Mapping[str, Any]) -> Rubric:
    """The rubric of a file's data, which must fit the schema and the rules; with its hash."""
    rubric = _RECORDS.read(Rubric, data)
    return replace(rubric, sha256=content_hash(rubric))


def content_hash(rubric: Rubric) -> str:
    """SHA-256 of what a rubric says, in hexadecimal: all its values, defaults filled in.

    The same for YAML and JSON, and whatever the comments, the order of names and the numbers' form.
    """
    return hashlib.sha256(compact_bytes(rubric_to_mapping(rubric))).hexdigest()


def rubric_to_mapping(rubric: Rubric) -> dict[str, Any]:
    """A rubric as the data of a file, with every default filled in, and without its hash."""
    data: dict[str, Any] = arranged(_RECORDS.write(rubric), load_schema("rubric"))
    return data


def _criterion_given(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """An option may be its name alone: then it scores as many points as there are before it."""
    if "enumOptions" not in data:
        return data
    options = [
        {"value": option, "score": index} if isinstance(option, str) else option
        for index, option in enumerate(data["enumOptions"])
    ]
    return {**data, "enumOptions": options}


_GROUPED = ("elements", "options", "events")
"""The cues that stand under names."""


def _cues_told(data: dict[str, Any]) -> dict[str, Any]:
    groups = {
        kind: {group["name"]: group["cues"] for group in data[kind]}
        for kind in _GROUPED
        if kind in data
    }
    return {**data, **groups}


def _cues_given(data: Any) -> dict[str, Any]:
    """A list of cues is those that show that a criterion is met."""
    if not isinstance(data, Mapping):
        return {"met": data}
    groups = {
        kind: [{"name": name, "cues": cues} for name, cues in data[kind].items()]
        for kind in _GROUPED
        if kind in data
    }
    return {**data, **groups}


def _plain(number: object) -> object:
    """A number as people write it: 240, not 240.0. Anything else is left for the schema to see."""
    return int(number) if isinstance(number, float) and number.is_integer() else number


SCORING_RULES = Form(
    {
        "pass_threshold": "thresholds.pass",
        "needs_improvement_threshold": "thresholds.needsImprovement",
        "required_not_observed": "requiredNotObservedBehavior",
    }
)
"""`ScoringRules` as rubrics and scorecards have them."""

_RECORDS = Codec(
    {
        Rubric: Form(apart={"sha256"}),
        ScoringRules: SCORING_RULES,
        Criterion: Form(
            {"options": "enumOptions", "evidence": "evidenceRules"},
            optional={"grading", "options", "timing", "cues", "source"},
            given=_criterion_given,
        ),
        CriterionSource: Form(optional={"page", "section"}),
        TimingTarget: Form(optional={"target_seconds", "max_seconds"}),
        Cues: Form(
            optional={"met", "missed", *_GROUPED},
            told=_cues_told,
            given=_cues_given,
        ),
        Cue: Form(
            {"phrase": "say", "speakers": "by"},
            optional={"speakers"},
            told=lambda data: data if "by" in data else data["say"],
            given=lambda data: {"say": data} if isinstance(data, str) else data,
        ),
    },
    spelling=camel,
    values={float: (_plain, float)},
)

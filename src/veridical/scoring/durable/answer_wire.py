"""A section's answer as JSON and back, so that a run that was killed need not ask again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from veridical.errors import ValidationError
from veridical.scoring.answer import (
    CardWarning,
    CitedEvent,
    CitedEvidence,
    CriterionAnswer,
    CriterionVerdict,
    SectionAnswer,
    SectionFailure,
    TimeRange,
    Usage,
    WarningCode,
)

_ANSWER, _FAILURE = "answer", "failure"


def answer_to_mapping(outcome: SectionAnswer | SectionFailure) -> dict[str, Any]:
    """The outcome as values of JSON; `answer_from_mapping` gives back an equal one."""
    kind = _ANSWER if isinstance(outcome, SectionAnswer) else _FAILURE
    return {"kind": kind, **_plain(asdict(outcome))}


def answer_from_mapping(data: object) -> SectionAnswer | SectionFailure:
    """The outcome that `answer_to_mapping` was given.

    Raises ValidationError for anything that it did not make.
    """
    try:
        return _outcome(data)
    except (AttributeError, KeyError, TypeError, ValueError) as problem:
        raise ValidationError(
            "a stored answer of a section does not have the form that this version writes; score "
            "the transcript anew"
        ) from problem


def _plain(value: Any) -> Any:
    """Tuples as lists, members of enumerations as their values."""
    if isinstance(value, dict):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value.value if isinstance(value, CriterionVerdict | WarningCode) else value


def _outcome(data: Any) -> SectionAnswer | SectionFailure:
    if not isinstance(data, Mapping):
        raise TypeError("an outcome is an object")
    fields = dict(data)
    kind = fields.pop("kind")
    fields["usage"] = Usage(**fields["usage"])
    if kind == _FAILURE:
        return SectionFailure(**fields)
    if kind != _ANSWER:
        raise ValueError("an outcome is an answer or a failure")
    fields["criteria"] = tuple(map(_criterion, fields["criteria"]))
    fields["warnings"] = tuple(map(_warning, fields["warnings"]))
    fields["omitted"] = tuple(TimeRange(**entry) for entry in fields["omitted"])
    return SectionAnswer(**fields)


def _criterion(data: Mapping[str, Any]) -> CriterionAnswer:
    fields = dict(data)
    fields["verdict"] = CriterionVerdict(fields["verdict"])
    fields["evidence"] = tuple(CitedEvidence(**entry) for entry in fields["evidence"])
    fields["observed_events"] = tuple(CitedEvent(**entry) for entry in fields["observed_events"])
    return CriterionAnswer(**fields)


def _warning(data: Mapping[str, Any]) -> CardWarning:
    return CardWarning(**{**data, "code": WarningCode(data["code"])})

"""A scorer that is not asked again for what it has said before, wherever that is kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
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
    SectionScorer,
    TimeRange,
    Usage,
    WarningCode,
)
from veridical.scoring.rubric import Section

# A section's answer as JSON and back, so that a run that was killed need not ask again.


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


Once = Callable[[str, Callable[[], str]], str]
"""Given the id of a section and what asks for it: the text that was kept of it, or is from now."""


class KeptScorer:
    """A scorer whose answers are kept, section by section."""

    def __init__(self, scorer: SectionScorer, once: Once) -> None:
        self._scorer = scorer
        self._once = once

    @property
    def name(self) -> str:
        """How scorecards name it."""
        return self._scorer.name

    @property
    def rule_based(self) -> bool:
        """Whether it follows fixed rules, without a model."""
        return self._scorer.rule_based

    def score(self, section: Section) -> SectionAnswer | SectionFailure:
        """What was kept of a section, or what the scorer says now."""

        def ask() -> str:
            # As text of our own and in ASCII: any database takes that, whatever a model replied.
            return json.dumps(answer_to_mapping(self._scorer.score(section)), allow_nan=False)

        return answer_from_mapping(json.loads(self._once(section.id, ask)))

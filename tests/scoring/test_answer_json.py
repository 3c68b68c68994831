"""Answers that are stored: what comes back is what was stored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
    answer_from_mapping,
    answer_to_mapping,
)

_TEXT = st.text('aé"\\\n\u2028水🔥', max_size=6)
_SECONDS = st.floats(allow_nan=False, allow_infinity=False)
_COUNT = st.none() | st.integers(0, 10**9)
_USAGE = st.builds(Usage, st.integers(0, 9), _COUNT, _COUNT, _COUNT)


def tuples(*fields: st.SearchStrategy[Any], of: Any) -> st.SearchStrategy[tuple[Any, ...]]:
    return st.lists(st.builds(of, *fields), max_size=3).map(tuple)


_CRITERIA = tuples(
    _TEXT,
    st.sampled_from(CriterionVerdict),
    st.none() | _SECONDS,
    st.none() | _SECONDS,
    _TEXT,
    tuples(_TEXT, st.none() | _SECONDS, st.none() | _TEXT, of=CitedEvidence),
    tuples(_TEXT, _SECONDS, of=CitedEvent),
    of=CriterionAnswer,
)
_WARNINGS = tuples(
    st.sampled_from(WarningCode), _TEXT, st.none() | _TEXT, st.none() | _TEXT, of=CardWarning
)
_ANSWERS = st.builds(
    SectionAnswer,
    _TEXT,
    _CRITERIA,
    _TEXT,
    _WARNINGS,
    _USAGE,
    tuples(_SECONDS, _SECONDS, of=TimeRange),
)
_FAILURES = st.builds(SectionFailure, _TEXT, _TEXT, _USAGE, st.booleans())

GOOD = answer_to_mapping(SectionAnswer("arrival", ()))


@settings(max_examples=50)
@given(_ANSWERS | _FAILURES)
def test_an_outcome_comes_back_from_json_as_it_was(outcome: SectionAnswer | SectionFailure) -> None:
    stored = json.dumps(answer_to_mapping(outcome), allow_nan=False)
    again = answer_from_mapping(json.loads(stored))
    assert again == outcome
    assert repr(again) == repr(outcome)


@pytest.mark.parametrize(
    "data",
    [
        None,
        [],
        {},
        {"kind": "answer"},
        GOOD | {"kind": "else"},
        GOOD | {"more": 1},
        GOOD | {"usage": None},
        GOOD | {"criteria": None},
        GOOD | {"criteria": [{"criterion_id": "a"}]},
        GOOD | {"warnings": [{"code": "unheard_of", "message": ""}]},
        {key: value for key, value in GOOD.items() if key != "section_id"},
    ],
)
def test_anything_else_is_refused(data: Any) -> None:
    with pytest.raises(ValidationError, match="score the transcript anew"):
        answer_from_mapping(data)

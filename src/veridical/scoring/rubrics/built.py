"""A rubric that was built in Python, held against the rules of rubric files."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from veridical.errors import ValidationError
from veridical.scoring.rubric import Criterion, Rubric
from veridical.scoring.rubrics.problems import Problems, Unreadable
from veridical.scoring.rubrics.rules import check_rules
from veridical.scoring.rubrics.shape import check_shape
from veridical.scoring.rubrics.tree import Entry, Node, check_characters, member
from veridical.scoring.rubrics.wire import rubric_to_mapping

_MOST_LISTED = 5


def check_rubric(rubric: Rubric) -> None:
    """Raises ValidationError that names the paths of what no rubric file could have.

    Takes a few milliseconds for a rubric of some dozens of criteria.
    """
    problems = Problems(None)
    try:
        root = _node(rubric_to_mapping(rubric), "")
    except (AttributeError, TypeError, ValueError) as error:
        raise ValidationError(f"rubric: a part of it has the wrong type: {error}") from error
    check_shape(root, problems)
    check_rules(root, problems)
    for number, section in enumerate(rubric.sections):
        for inner, criterion in enumerate(section.criteria):
            _check_names(criterion, f"sections[{number}].criteria[{inner}]", problems)
    errors = [(p.path, p.message) for p in problems.sorted() if p.severity == "error"]
    if errors:
        raise _refused(errors)


def _node(data: Any, path: str) -> Node:
    """The tree of plain data.

    Raises ValidationError for values that files cannot hold, and TypeError for what is no value.
    """
    if isinstance(data, Mapping):
        inner = {name: _node(value, member(path, name)) for name, value in data.items()}
        return Node(0, path, {name: Entry(0, node) for name, node in inner.items()})
    if isinstance(data, list):
        return Node(0, path, [_node(item, member(path, at)) for at, item in enumerate(data)])
    if isinstance(data, float) and not math.isfinite(data):
        raise _refused([(path, f"{data} is not a finite number")])
    if isinstance(data, str):
        try:
            check_characters(data)
        except Unreadable as error:
            raise _refused([(path, str(error))]) from None
    elif data is not None and not isinstance(data, bool | int | float):
        raise TypeError(f"{path} is of type {type(data).__name__}")
    return Node(0, path, data, str(data))


def _check_names(criterion: Criterion, path: str, problems: Problems) -> None:
    """A file's mapping has each name once; in Python two groups can have the same."""
    cues = criterion.cues
    if cues is None:
        return
    kinds = {"elements": cues.elements, "options": cues.options, "events": cues.events}
    for kind, groups in kinds.items():
        for name, times in Counter(group.name for group in groups).items():
            if times > 1:
                problems.error(0, member(f"{path}.cues.{kind}", name), "stands twice here")


def _refused(errors: Sequence[tuple[str, str]]) -> ValidationError:
    """The error that tells of problems, each a path and a message."""
    told = [f"{path}: {message}" if path else message for path, message in errors]
    more = len(told) - _MOST_LISTED
    listed = "; ".join(told[:_MOST_LISTED]) + (f"; and {more} more" if more > 0 else "")
    path, message = errors[0]
    return ValidationError(
        f"rubric: {listed}", {"path": path, "constraint": message, "problems": told}
    )

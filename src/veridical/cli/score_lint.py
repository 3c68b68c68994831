"""`veridical score lint`: what is wrong with a rubric, with lines and columns."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from veridical.cli.choices import TEXT_OR_JSON, Form, parse_choice
from veridical.cli.errors import NEGATIVE_RESULT
from veridical.cli.files import json_bytes, read_rubric
from veridical.cli.terminal import clean, out, out_data
from veridical.reports.words import count
from veridical.scoring.rubrics.file import lint_rubric, rubric_from_text
from veridical.scoring.rubrics.tree import RubricProblem

if TYPE_CHECKING:
    from veridical.scoring.rubric import Rubric


def run(rubric: str, *, form: str | None) -> int:
    """Check a rubric, print its problems, and return the exit code: 1 where there is an error.

    Raises ValidationError where the file cannot be read at all.
    """
    wanted = parse_choice(TEXT_OR_JSON, form or Form.TEXT)
    data, name = read_rubric(rubric)
    problems = lint_rubric(data, name)
    failed = any(problem.severity == "error" for problem in problems)
    checked = None if failed else rubric_from_text(data, name)
    if wanted is Form.JSON:
        out_data(json_bytes(_as_data(name, problems, checked)))
    else:
        out("\n".join(_lines(name, problems, checked)))
    return NEGATIVE_RESULT if failed else 0


def _lines(name: str, problems: tuple[RubricProblem, ...], rubric: Rubric | None) -> list[str]:
    """A problem a line, and a line that sums up."""
    lines = [clean(f"{name}:{problem.describe()}") for problem in problems]
    sums = []
    if rubric is not None:
        criteria = sum(len(section.criteria) for section in rubric.sections)
        parts = f"{count(len(rubric.sections), 'section')}, {_criteria(criteria)}"
        sums.append(clean(f"{name}: {parts}, weights sum to 1"))
    if problems:
        sums.append(", ".join(_tally(problems)))
    return [*lines, *sums]


def _tally(problems: tuple[RubricProblem, ...]) -> list[str]:
    """How many of each, such as `2 errors` and `1 warning`."""
    severities = [problem.severity for problem in problems]
    return [
        count(severities.count(severity), severity)
        for severity in ("error", "warning")
        if severity in severities
    ]


def _criteria(number: int) -> str:
    return f"{number:,} {'criterion' if number == 1 else 'criteria'}"


def _as_data(
    name: str, problems: tuple[RubricProblem, ...], rubric: Rubric | None
) -> dict[str, Any]:
    return {
        "rubric": name,
        "valid": rubric is not None,
        "sha256": None if rubric is None else rubric.sha256,
        "problems": [asdict(problem) for problem in problems],
    }
